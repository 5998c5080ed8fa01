"""The plain policies as systems that can be named."""

from __future__ import annotations

from collections.abc import Callable

from memspan.policies import Everything
from memspan.policies.plain import plain
from memspan.policies.recency import Recency
from memspan.policies.writing import Writing
from memspan.ports import MemorySystem
from memspan.systems.kind import Setting, SystemKind

READ = 10
"""Notes that a plain policy reads for a question."""


def _plain(name: str) -> SystemKind:
    def make(setting: Setting) -> MemorySystem:
        seed = int(setting.rng.integers(1 << 32))
        return Writing(plain(name), setting.likeness, setting.capacity, seed)

    return _kind(name, make)


def _kind(name: str, make: Callable[[Setting], MemorySystem]) -> SystemKind:
    return SystemKind(name, "", make, READ, needs_capacity=True)


KINDS = (
    *map(_plain, ("random", "fifo", "lru", "lfu")),
    _kind("recency", lambda setting: Recency(setting.likeness, setting.capacity)),
    SystemKind("full context", "", lambda _: Everything(), None, fixed=True),
)
