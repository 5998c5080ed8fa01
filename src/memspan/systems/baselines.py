"""The plain policies as systems that can be named."""

from __future__ import annotations

from memspan.policies import Everything
from memspan.policies.fifo import fifo
from memspan.policies.lfu import lfu
from memspan.policies.lru import lru
from memspan.policies.random import random
from memspan.policies.recency import recency
from memspan.systems.kind import SystemKind

READ = 10
"""Notes that a plain policy reads for a question."""

KINDS = (
    SystemKind(
        "random", "", lambda setting: random(setting.likeness, setting.capacity, rng=setting.rng), READ
    ),
    SystemKind("fifo", "", lambda setting: fifo(setting.likeness, setting.capacity), READ),
    SystemKind("lru", "", lambda setting: lru(setting.likeness, setting.capacity), READ),
    SystemKind("lfu", "", lambda setting: lfu(setting.likeness, setting.capacity), READ),
    SystemKind("recency", "", lambda setting: recency(setting.likeness, setting.capacity), READ),
    SystemKind("full context", "", lambda _: Everything(), None),
)
