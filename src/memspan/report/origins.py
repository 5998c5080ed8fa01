"""Where questions and supports come from, and how far that can be relied on, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memspan.material import Material
from memspan.report.wording import counted, percent
from memspan.span.drawing import READER

NOTES = {
    "given": "the questions came with the data",
    "log": "the questions come from a log of asked questions",
    "model": "a model wrote the questions from the claims that answer them: this frontier is partly circular",
    "template": (
        "template questions answered by their own source claims: this frontier is circular, "
        "it tells only how much the claims repeat each other"
    ),
}
"""What outputs say about `Material.question_source`."""

_SIDES = (
    ("questions_with_answer", "answered", "their answer"),
    ("questions_alone", "asked", "the question alone"),
)


def reader_told(material: Material) -> str:
    """Return how the supports of *material* were found and how reliable that was where it could be measured.

    >>> reader_told(Material("m", extra={READER: {"rule": "shipped", "questions_with_answer": 3}}))
    'found by the shipped reader; for 3 questions by their answer'
    """
    found: Mapping[str, Any] = material.extra.get(READER, {})
    among = f" among the items of {material.extra['operator']}" if "operator" in material.extra else ""
    parts = [f"found by the {found.get('rule', 'unknown')} reader{among}"]
    for key, side, by in _SIDES:
        if found.get(key):
            parts.append(f"for {counted(found[key], 'questions')} by {by}{_measured(found, side)}")
    return "; ".join(parts)


def _measured(found: Mapping[str, Any], side: str) -> str:
    figures = found.get("reliability", {}).get(side)
    if not figures:
        return ""
    where = found.get("measured_on") or "questions it was not fitted on"
    return (
        f" (measured on {where}: {percent(figures['recall_1'])} of what is needed came first, "
        f"{percent(figures['recall_10'])} was among the first ten)"
    )
