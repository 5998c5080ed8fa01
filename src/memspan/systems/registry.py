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
    ruled,
)
from memspan.systems.kind import SystemKind
from memspan.systems.packages import (
    a_mem,
    graphiti,
    hipporag_package,
    langgraph,
    letta,
    llama_index,
    mem0_package,
    memoryos,
)

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
    *ruled.KINDS,
)
"""Every system and variant, in the order that outputs list them."""

PACKAGES: tuple[SystemKind, ...] = (
    *langgraph.KINDS,
    *llama_index.KINDS,
    *mem0_package.KINDS,
    *memoryos.KINDS,
    *a_mem.KINDS,
    *hipporag_package.KINDS,
    *graphiti.KINDS,
    *letta.KINDS,
)
"""The packages of others; they have to be installed, so ``all`` leaves them out. None is imported here."""


def systems_named(text: str) -> tuple[SystemKind, ...]:
    """Return the kinds that *text* names: ``mem0:paper`` is one variant, ``mem0`` all, ``all`` every one.

    ``all`` is all of `KINDS`; those of `PACKAGES` are named one by one.

    Raises:
        UnknownName: there is none; the nearest are told.

    >>> [kind.label for kind in systems_named("fifo")]
    ['fifo']
    """
    wanted = text.strip().lower()
    found = tuple(kind for kind in KINDS if wanted in {"all", kind.name, kind.label})
    found += tuple(kind for kind in PACKAGES if wanted in {kind.name, kind.label})
    if found:
        return found
    every = (*KINDS, *PACKAGES)
    known = list(dict.fromkeys([*(kind.name for kind in every), *(kind.label for kind in every)]))
    near = difflib.get_close_matches(wanted, known, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"
    raise UnknownName(f"no system {text.strip()!r}; {hint}")
