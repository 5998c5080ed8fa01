"""Logs of settlements, as memspan writes them: those in force are the outcomes."""

from __future__ import annotations

from typing import Any

from memspan.datasets.amending import in_force
from memspan.datasets.outcomes.form import Asking, OutcomeFormat, Recorded, Records
from memspan.datasets.question_fields import Notes
from memspan.datasets.settling import read_settlements
from memspan.datasets.source import Source
from memspan.material import READ, Settlement

_KINDS = ("settlement", "correction", "revocation")


def _detect(source: Source) -> bool:
    return source.first.get("kind") in _KINDS


def _read(source: Source, asking: Asking) -> Records:
    log = read_settlements(source.path)
    notes = Notes()
    for dropped in log.dropped:
        notes.add(dropped.record, dropped.field, dropped.reason, kept=dropped.kept)
    return Records([_recorded(i, each, asking) for i, each in enumerate(in_force(log), start=1)], notes)


def _recorded(number: int, settlement: Settlement, asking: Asking) -> Recorded:
    """Return *settlement*, to be matched by an id or by the words of its question."""
    extra = dict(settlement.extra)
    material = extra.pop("material", None)
    return Recorded(
        f"settlement {number}" if settlement.id is None else f"settlement {settlement.id}",
        settlement.correct,
        material if isinstance(material, str) else None,
        settlement.query,
        settlement.query,
        settlement.settler if settlement.settler is not None else asking.named,
        settlement.claims,
        _texts(extra.get(READ)),
        time=settlement.time,
        weight=settlement.weight,
        extra=extra,
        id=settlement.id,
    )


def _texts(value: Any) -> tuple[str, ...] | None:
    fits = isinstance(value, list) and all(isinstance(told, str) for told in value)
    return tuple(value) if fits else None


SETTLEMENTS = OutcomeFormat("settlements", _detect, _read)
