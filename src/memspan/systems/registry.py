"""The systems that can be named: the eight, their variants, and the plain policies."""

from __future__ import annotations

import difflib

from memspan.errors import UnknownName
from memspan.systems import (
    amem,
    baselines,
    generative_agents,
    hipporag,
    mem0,
    memgpt,
    memorybank,
    memos,
    reflexion,
)
from memspan.systems.kind import SystemKind

KINDS: tuple[SystemKind, ...] = (
    *memorybank.KINDS,
    *generative_agents.KINDS,
    *memgpt.KINDS,
    *memos.KINDS,
    *hipporag.KINDS,
    *mem0.KINDS,
    *amem.KINDS,
    *reflexion.KINDS,
    *baselines.KINDS,
)
"""Every system and variant, in the order that outputs list them."""


def systems_named(text: str) -> tuple[SystemKind, ...]:
    """Return the kinds that *text* names: ``mem0:paper`` is one variant, ``mem0`` all, ``all`` every one.

    Raises:
        UnknownName: there is none; the nearest are told.

    >>> [kind.label for kind in systems_named("fifo")]
    ['fifo']
    """
    wanted = text.strip().lower()
    found = tuple(kind for kind in KINDS if wanted in {"all", kind.name, kind.label})
    if found:
        return found
    known = list(dict.fromkeys([*(kind.name for kind in KINDS), *(kind.label for kind in KINDS)]))
    near = difflib.get_close_matches(wanted, known, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"
    raise UnknownName(f"no system {text.strip()!r}; {hint}")
