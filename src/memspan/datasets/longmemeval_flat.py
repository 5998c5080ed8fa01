"""LongMemEval questions with their chat as one flat list of turns, without marks of evidence.

The queries have no supports yet: something must find them. Abstentions are unanswerable.

Source: https://github.com/Charles-ace/hydrabuild (MIT), a flattened part of LongMemEval.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from memspan.datasets.fields import Misfit, answer_of, each, iso, listing, optional_text, text
from memspan.datasets.format import Format
from memspan.datasets.longmemeval import spoken
from memspan.datasets.source import Source
from memspan.material import Claim, Dropped, Material, Query


def _detect(source: Source) -> bool:
    data = source.first.get("data")
    return isinstance(data, list) and bool(data) and isinstance(data[0], dict) and "conversation" in data[0]


def _read(source: Source, claims: str) -> list[Material]:
    dropped: list[Dropped] = []
    try:
        records = [raw for document in source.records for raw in listing(document, "data")]
    except Misfit as misfit:
        raise source.refuse(misfit.reason, name=misfit.field) from misfit
    materials = list(each(records, "data", lambda at, raw: _material(at, raw, claims), dropped))
    return materials + [Material(lost.record, dropped=(lost,)) for lost in dropped]


def _material(_: str, record: Any, unit: str) -> Material:
    dropped: list[Dropped] = []
    claims = list(each(listing(record, "conversation"), "conversation", _turn, dropped))
    if unit == "sessions":
        claims = _sessions(claims)
    abstention = str(record.get("id")).endswith("_abs")
    queries = each(
        listing(record, "questions"),
        "questions",
        lambda at, raw: _query(at, raw, record, abstention, dropped),
        dropped,
    )
    made = tuple(queries)
    return Material(text(record, "id"), tuple(claims), queries=made, dropped=tuple(dropped))


def _turn(place: str, turn: Any) -> Claim:
    number = int(place.removeprefix("conversation[").removesuffix("]")) + 1
    date = iso(optional_text(turn, "date"))
    return Claim(f"t{number}", spoken(turn), date, date)


def _sessions(turns: list[Claim]) -> list[Claim]:
    """Return runs of turns of one date as claims."""
    runs = (list(run) for _, run in groupby(turns, key=lambda turn: turn.time))
    return [
        Claim(f"s{i}", "\n".join(turn.text for turn in run), f"session {i}", run[0].time)
        for i, run in enumerate(runs, start=1)
    ]


def _query(place: str, raw: Any, record: Any, abstention: bool, dropped: list[Dropped]) -> Query:
    return Query(
        text(raw, "id"),
        text(raw, "question"),
        answer=answer_of(raw, place, dropped),
        answerable=not (abstention or raw.get("is_abstention") is True),
        category=optional_text(record, "question_type"),
    )


LONGMEMEVAL_FLAT = Format(
    "longmemeval-flat", "flattened LongMemEval", _detect, _read, claims=("turns", "sessions")
)
