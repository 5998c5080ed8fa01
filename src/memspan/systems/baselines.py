"""The plain policies as systems that can be named."""

from __future__ import annotations

from collections.abc import Callable

from memspan.policies import Everything
from memspan.policies.fifo import fifo
from memspan.policies.lfu import lfu
from memspan.policies.lru import lru
from memspan.policies.random import random
from memspan.policies.recency import recency
from memspan.ports import MemorySystem
from memspan.systems.kind import Setting, SystemKind

READ = 10
"""Notes that a plain policy reads for a question."""


def _plain(name: str, make: Callable[[Setting], MemorySystem]) -> SystemKind:
    return SystemKind(name, "", make, READ, needs_capacity=True)


KINDS = (
    _plain("random", lambda setting: random(setting.likeness, setting.capacity, rng=setting.rng)),
    _plain("fifo", lambda setting: fifo(setting.likeness, setting.capacity)),
    _plain("lru", lambda setting: lru(setting.likeness, setting.capacity)),
    _plain("lfu", lambda setting: lfu(setting.likeness, setting.capacity)),
    _plain("recency", lambda setting: recency(setting.likeness, setting.capacity)),
    SystemKind("full context", "", lambda _: Everything(), None, fixed=True),
)
