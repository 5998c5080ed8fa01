"""At which level of the sequential problem a material sets its questions, where that is known.

Source: arXiv 2608.11654, section 5 and Table 2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memspan.material import Material


@dataclass(frozen=True)
class Level:
    """How much of the questions is known before the memory is written.

    Attributes:
        name: ``0``, ``1a``, ``1b`` or ``2``.
        told: what that means.
    """

    name: str
    told: str


LEVELS = {
    level.name: level
    for level in (
        Level("0", "one material, one question"),
        Level("1a", "one material, many questions, known before the memory is written"),
        Level("1b", "one material, many questions, unknown when the memory is written"),
        Level("2", "many materials, many questions: a way of writing that carries over"),
    )
}
OPTIMUM = LEVELS["1a"]
"""The level of the frontier itself: it knows how often each question is asked."""
FORMATS = {"locomo": "1b", "longmemeval": "1b", "longmemeval-notes": "1b", "longmemeval-flat": "1b"}
_LONGMEMEVAL = frozenset(
    {
        "single-session-user",
        "single-session-assistant",
        "single-session-preference",
        "multi-session",
        "temporal-reasoning",
        "knowledge-update",
    }
)
_TURN = re.compile(r"D\d+:\d+")


def level_of(material: Material) -> Level | None:
    """Return the level of *material*; None where nothing is known about it.

    What it says itself counts first: ``extra["level"]``, then ``extra["format"]``. Else it is told by
    the marks of LoCoMo (ids of turns) and LongMemEval (kinds of questions). One question alone is level 0.

    >>> import memspan as ms
    >>> level_of(ms.bundled("odyssey")) is None
    True
    >>> level_of(Material("m", extra={"level": "2"})).told
    'many materials, many questions: a way of writing that carries over'
    """
    declared = material.extra.get("level")
    if isinstance(declared, str) and declared in LEVELS:
        return LEVELS[declared]
    name = FORMATS.get(str(material.extra.get("format"))) or _by_marks(material)
    return LEVELS[name] if name else None


def _by_marks(material: Material) -> str | None:
    kinds = {query.category for query in material.queries}
    if kinds and kinds <= _LONGMEMEVAL:
        return "1b"
    claims = material.claims
    if claims and all(_TURN.match(claim.id) for claim in claims) and len(material.queries) > 1:
        return "1b"
    return "0" if len(material.queries) == 1 else None
