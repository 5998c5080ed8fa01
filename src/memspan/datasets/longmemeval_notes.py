"""Notes a model took from LongMemEval's evidence sessions, with the outcomes of several runs.

The notes are claims of unknown truth; what the runs made of them is the evidence about it.

Source: run logs on LongMemEval's oracle file, https://github.com/Hunk0724/LongMemEval (MIT),
one object per question: `question_id`, `question`, `evidence_sessions`, `settled`.
"""

from __future__ import annotations

from typing import Any

from memspan.datasets.evidence import answered, report_late
from memspan.datasets.fields import (
    Misfit,
    answer_of,
    distinct,
    each_material,
    iso,
    listing,
    optional_text,
    text,
)
from memspan.datasets.format import Format
from memspan.datasets.json_text import shown
from memspan.datasets.source import Source
from memspan.material import Claim, Dropped, Material, Query, Settlement


def _detect(source: Source) -> bool:
    return {"question_id", "evidence_sessions"} <= source.first.keys()


def _read(source: Source, _: str) -> list[Material]:
    return each_material(source, _material)


def _material(place: str, record: Any) -> Material:
    dropped: list[Dropped] = []
    query = _asked(record, place, dropped)
    claims = _notes(query, record, dropped)
    report_late(place, query, claims, dropped)
    queries = answered(query, tuple(claim.id for claim in claims), place, dropped)
    settlements = _settlements(query, record, dropped) if queries else ()
    return Material(query.id, tuple(claims), queries=queries, settlements=settlements, dropped=tuple(dropped))


def _asked(record: Any, place: str, dropped: list[Dropped]) -> Query:
    name = text(record, "question_id")
    abstention = record.get("abstention") is True or name.endswith("_abs")
    return Query(
        name,
        text(record, "question"),
        answer=answer_of(record, place, dropped),
        answerable=not abstention,
        category=optional_text(record, "question_type"),
        time=iso(optional_text(record, "question_date")),
    )


def _notes(query: Query, record: Any, dropped: list[Dropped]) -> list[Claim]:
    """Return one claim per evidence session; an empty note is a claim without text."""
    sessions = listing(record, "evidence_sessions")
    numbers = distinct([_number(session, i) for i, session in enumerate(sessions, start=1)])
    return [
        _note(f"{query.id}/{number}", number, session, dropped)
        for number, session in zip(numbers, sessions, strict=True)
    ]


def _number(session: Any, position: int) -> str:
    if not isinstance(session, dict):
        raise Misfit("evidence_sessions", f"holds {shown(session)}; expected objects")
    return str(session.get("n", position))


def _note(name: str, number: str, session: Any, dropped: list[Dropped]) -> Claim:
    empty = session.get("empty") is True or not session.get("note")
    if empty:
        reason = "is empty; kept as a claim without text"
        dropped.append(Dropped(f"note {name}", "note", reason, kept=True))
    told = "" if empty else text(session, "note")
    return Claim(name, told, f"session {number}", iso(optional_text(session, "date")))


def _settlements(query: Query, record: Any, dropped: list[Dropped]) -> tuple[Settlement, ...]:
    settled = record.get("settled") or {}
    made = []
    for run, correct in settled.items() if isinstance(settled, dict) else ():
        if isinstance(correct, int | float) and 0 <= correct <= 1:
            made.append(Settlement(query.id, float(correct) if correct % 1 else int(correct), settler=run))
        else:
            reason = f"is {shown(correct)}; expected 0 or 1"
            dropped.append(Dropped(f"settled {query.id}", run, reason))
    return tuple(made)


LONGMEMEVAL_NOTES = Format("longmemeval-notes", "LongMemEval notes", _detect, _read)
