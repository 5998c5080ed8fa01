"""How a system looks: one colour and one marker for its name, on every page; a dash for its variant.

Colours stand in `page/systems.css`, one for light and one for dark paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

NAMED = (
    "memorybank",
    "generative-agents",
    "memgpt",
    "memos",
    "hipporag",
    "mem0",
    "a-mem",
    "reflexion",
)
"""Each has a colour of its own, in this order, and a marker."""
PLAIN = ("random", "fifo", "lru", "lfu", "recency", "full context", "first")
"""Grey: what systems are held against."""
WRITERS = ("gamma-poisson", "static", "lfu-rule", "lru-rule")
"""Write policies that learn or are told a rule: each has one of the other colours, in this order."""
FAMILY = {"letta": "memgpt"}
"""Packages that carry another name than the system they came from; ``-package`` is left out likewise."""
_OTHERS = 4
_SOLID = ("", "released", "alfworld")
_DASHES = {"paper": 1, "hotpotqa": 1, "letta": 2, "programming": 2, "package": 3}
MARKS = (
    "m-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0Z",  # a disc
    "m-3.3-3.3h6.6v6.6h-6.6Z",  # a square
    "m0-4.4l4.2 7.4h-8.4Z",  # a triangle
    "m0 4.4l4.2-7.4h-8.4Z",  # one that stands on its tip
    "m-1.4-4.2h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8v-2.8h2.8Z",  # a cross
    "m0-4.4l1.2 3.1 3.3.2-2.6 2 .9 3.2-2.8-1.8-2.8 1.8.9-3.2-2.6-2 3.3-.2Z",  # a star
    "m-2-3.5h4l2 3.5-2 3.5h-4l-2-3.5Z",  # a hexagon
    # a saltire
    "m-3.8-2.4l1.4-1.4 2.4 2.4 2.4-2.4 1.4 1.4-2.4 2.4 2.4 2.4-1.4 1.4-2.4-2.4-2.4 2.4-1.4-1.4 2.4-2.4Z",
)
OWN = "m0-5.4l5.4 5.4-5.4 5.4-5.4-5.4Z"
"""A diamond: a system at its own size."""
OPTIMUM = "m-2.6 0a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0Z"


@dataclass(frozen=True)
class Look:
    """How one system is drawn.

    Attributes:
        hue: class of its colour.
        mark: path of its marker, relative to the place.
        dash: class of its line.
    """

    hue: str
    mark: str
    dash: str

    @property
    def kind(self) -> str:
        """The classes together."""
        return f"{self.hue} {self.dash}"


def look_of(name: str, variant: str = "") -> Look:
    """Return how the system *name* looks; nothing but its name and variant decides.

    >>> look_of("mem0", "released").hue == look_of("mem0", "paper").hue == look_of("mem0-package").hue
    True
    >>> look_of("mem0", "released").dash == look_of("mem0", "paper").dash
    False
    """
    family = FAMILY.get(name, name.removesuffix("-package"))
    dash = _dash(variant or ("" if family == name else "package"))
    if name == "optimum":
        return Look("best", OPTIMUM, dash)
    if family in NAMED:
        at = NAMED.index(family)
        return Look(f"h{at}", MARKS[at], dash)
    if name in PLAIN:
        return Look("plain", OWN if name == "full context" else MARKS[PLAIN.index(name)], dash)
    if name in WRITERS:
        at = WRITERS.index(name)
        return Look(f"o{at}", MARKS[at], dash)
    if name == "the memory given":
        return Look("given", MARKS[0], dash)
    drawn = crc32(name.encode("utf-8", "replace"))
    return Look(f"o{drawn % _OTHERS}", MARKS[drawn // _OTHERS % len(MARKS)], dash)


def _dash(variant: str) -> str:
    if variant in _SOLID:
        return "d0"
    return f"d{_DASHES.get(variant, 1 + crc32(variant.encode('utf-8', 'replace')) % 3)}"
