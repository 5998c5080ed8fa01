"""LongMemEval: a question, its haystack of chat sessions, and the turns that hold the answer.

Source: Wu et al., *LongMemEval: Benchmarking Chat Assistants on Long-Term Interactive
Memory*, ICLR 2025; https://github.com/xiaowu0162/LongMemEval (MIT).
"""

from __future__ import annotations

from typing import Any

from memspan.datasets.evidence import answered, report_late
from memspan.datasets.fields import (
    Misfit,
    answer_of,
    as_object,
    distinct,
    each_material,
    iso,
    listing,
    optional_text,
    text,
)
from memspan.datasets.format import Format
from memspan.datasets.source import Source
from memspan.material import Claim, Dropped, Material, Query

Session = tuple[str, str | None, list[Any]]
"""Name, date and turns."""


def _detect(source: Source) -> bool:
    return {"question_id", "haystack_sessions"} <= source.first.keys()


def _read(source: Source, claims: str) -> list[Material]:
    return each_material(source, lambda place, record: _material(place, record, claims))


def _material(place: str, record: Any, unit: str) -> Material:
    dropped: list[Dropped] = []
    sessions = _sessions(record, dropped)
    evidence = _by_session if unit == "sessions" else _by_turn
    claims, answering = evidence(record, sessions, dropped)
    query = _asked(record, place, dropped)
    report_late(place, query, [claim for claim in claims if claim.id in answering], dropped)
    return Material(
        query.id, tuple(claims), queries=answered(query, answering, place, dropped), dropped=tuple(dropped)
    )


def _sessions(record: Any, dropped: list[Dropped]) -> list[Session]:
    """Return the sessions under names of their own; a repeated one gets a number."""
    haystack = listing(record, "haystack_sessions")
    given = record.get("haystack_session_ids")
    dates = record.get("haystack_dates")
    names = given if _fits(given, haystack) else [f"session {i}" for i in range(1, len(haystack) + 1)]
    times = dates if _fits(dates, haystack) else [None] * len(haystack)
    apart = distinct(names)
    for old, new in zip(names, apart, strict=True):
        if old != new:
            reason = f"{old!r} stands before; the later session becomes {new!r}"
            dropped.append(Dropped(f"session {new}", "haystack_session_ids", reason, kept=True))
    for name, turns in zip(apart, haystack, strict=True):
        if not (isinstance(turns, list) and turns):
            dropped.append(Dropped(f"session {name}", "haystack_sessions", "has no turns"))
    each = zip(apart, times, haystack, strict=True)
    return [(name, iso(time), turns) for name, time, turns in each if isinstance(turns, list) and turns]


def _fits(names: Any, haystack: list[Any]) -> bool:
    """Whether *names* holds one text per session."""
    if not isinstance(names, list) or len(names) != len(haystack):
        return False
    return all(isinstance(name, str) for name in names)


def _by_turn(_: Any, sessions: list[Session], dropped: list[Dropped]) -> tuple[list[Claim], tuple[str, ...]]:
    """Return the turns as claims, and those marked as holding the answer."""
    claims, answering = [], []
    for name, time, turns in sessions:
        for i, turn in enumerate(turns, start=1):
            try:
                claim = Claim(f"{name}:{i}", spoken(turn), name, time)
            except Misfit as misfit:
                dropped.append(Dropped(f"session {name}[{i - 1}]", misfit.field, misfit.reason))
                continue
            claims.append(claim)
            if turn.get("has_answer") is True:
                answering.append(claim.id)
    return claims, tuple(answering)


def _by_session(
    record: Any, sessions: list[Session], dropped: list[Dropped]
) -> tuple[list[Claim], tuple[str, ...]]:
    """Return the sessions as claims, and those listed as holding the answer."""
    claims = [
        Claim(name, "\n".join(spoken(turn) for turn in turns if _is_turn(turn)), name, time)
        for name, time, turns in sessions
    ]
    known = {claim.id for claim in claims}
    given = record.get("answer_session_ids")
    listed = [name for name in given if isinstance(name, str)] if isinstance(given, list) else []
    missing = [name for name in listed if name not in known]
    if missing:
        reason = f"names no session: {', '.join(missing)}"
        dropped.append(Dropped("answer_session_ids", "answer_session_ids", reason, kept=True))
        return claims, ()
    return claims, tuple(dict.fromkeys(listed))


def _is_turn(turn: Any) -> bool:
    return isinstance(turn, dict) and isinstance(turn.get("content"), str)


def spoken(turn: Any) -> str:
    """Return a turn as ``role: content``."""
    return f"{optional_text(as_object(turn), 'role') or 'unknown'}: {text(turn, 'content')}"


def _asked(record: Any, place: str, dropped: list[Dropped]) -> Query:
    name = text(record, "question_id")
    return Query(
        name,
        text(record, "question"),
        answer=answer_of(record, place, dropped),
        answerable=not name.endswith("_abs"),
        category=optional_text(record, "question_type"),
        time=iso(optional_text(record, "question_date")),
    )


LONGMEMEVAL = Format("longmemeval", "LongMemEval", _detect, _read, claims=("turns", "sessions"))
