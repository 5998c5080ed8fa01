"""What a format is: how it is told by its content, and how it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memspan.datasets.source import Source
from memspan.material import Material


@dataclass(frozen=True)
class Format:
    """One file format that memspan reads.

    Attributes:
        name: short and stable, as `load(format=...)` takes it.
        title: as people call it.
        detect: whether a file is of this format, told by its content, never by its name.
        read: the materials of a file; its second argument is one of `claims`.
        claims: the units that can stand as claims, the usual one first; empty where there
            is nothing to choose.
    """

    name: str
    title: str
    detect: Callable[[Source], bool]
    read: Callable[[Source, str], list[Material]]
    claims: tuple[str, ...] = ()
