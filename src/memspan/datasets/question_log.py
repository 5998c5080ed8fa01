"""A log of asked questions: where the query distribution comes from when a user has one."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from memspan.datasets.json_text import shown
from memspan.datasets.question_fields import Asked, Notes, asked_in
from memspan.datasets.question_merging import answer_key, leaders, meanings
from memspan.datasets.question_outcomes import scales_of
from memspan.datasets.question_rows import read_rows
from memspan.errors import Fault, FileError
from memspan.material import Dropped, Material, Query, Settlement

_SHOWN = 3


@dataclass(frozen=True)
class QuestionLog:
    """What was asked, how often, and how it went.

    Attributes:
        queries: the questions, in the order in which they were first asked; a weight is the sum of
            the weights of the rows. `Query.extra` holds `asked`, the number of rows, and, where
            there are several, `wordings`, the other texts.
        settlements: one for each row whose outcome is known, with the row's weight.
        dropped: rows left out, fields that could not be read, wordings that were merged, and
            equal questions that were kept apart because their answers differ.
        rows: how many rows the log has.
        source: how outputs name where the questions come from.
    """

    queries: tuple[Query, ...]
    settlements: tuple[Settlement, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    rows: int = 0
    source: Literal["log"] = "log"


def read_questions(path: str | os.PathLike[str], *, encoding: str = "utf-8") -> QuestionLog:
    """Read a log of asked questions: JSON Lines, a JSON list, CSV or TSV with a header.

    The question stands in a field or column `question`, `query`, `text`, `prompt` or `input`.
    Optional are the answer (`answer`, `expected`, `gold`), the outcome (`outcome`, `correct`,
    `score`, `label`, `thumbs`, `rating`, `feedback`: right or wrong in words, 0 to 1, or -1 and 1
    for thumbs), the time (`time`, `timestamp`), the weight (`weight`, `count`) and `answerable`;
    other fields go into `Query.extra`. Where several names of one kind stand in a row, the first
    with a value counts.

    Rows that ask the same are one query (see `memspan.datasets.question_merging`); where their
    answers differ they stay apart, and `dropped` says so.

    Args:
        path: the log.
        encoding: the encoding it was saved in, as Python names it.

    Raises:
        FileError: the file cannot be used; all its faults are named.
    """
    rows = read_rows(Path(path), encoding)
    notes = Notes()
    scales = scales_of(rows)
    asked = [made for row in rows if (made := asked_in(row, notes, scales)) is not None]
    if not asked:
        first = next(iter(notes.dropped()))
        raise FileError(str(path), [Fault(first.record, first.field, f"{first.reason}; no question is left")])
    queries, settlements, told = _merged(asked)
    return QuestionLog(queries, settlements, (*notes.dropped(), *told), len(rows))


def with_questions(material: Material, log: QuestionLog) -> Material:
    """Return *material* with the questions of *log* in place of its own, labelled as such.

    >>> log = QuestionLog((Query("q1", "Where does Ana live?"),))
    >>> with_questions(Material("m"), log).question_source
    'log'
    """
    return replace(
        material,
        queries=log.queries,
        settlements=log.settlements,
        dropped=(*material.dropped, *log.dropped),
        extra={**material.extra, "questions": log.source},
    )


def _merged(asked: Sequence[Asked]) -> tuple[tuple[Query, ...], tuple[Settlement, ...], list[Dropped]]:
    groups, told = _grouped(asked)
    groups.sort(key=lambda group: group[0])
    queries, settlements = [], []
    for number, group in enumerate(groups, start=1):
        rows = [asked[i] for i in group]
        query = _query(f"q{number}", rows)
        queries.append(query)
        settlements += [
            Settlement(query.id, row.outcome, settler="log", time=row.time, weight=row.weight)
            for row in rows
            if row.outcome is not None
        ]
        others = query.extra.get("wordings", ())
        if others:
            told.append(Dropped(f"query {query.id}", "text", _wordings(query.text, others), kept=True))
    return tuple(queries), tuple(settlements), told


def _grouped(asked: Sequence[Asked]) -> tuple[list[list[int]], list[Dropped]]:
    """Return the rows of each query, and what was kept apart."""
    exact: dict[Any, list[int]] = defaultdict(list)
    for i, meaning in enumerate(meanings([row.text for row in asked])):
        exact[meaning].append(i)
    same = list(exact.values())
    speaker = leaders(list(exact), [_total(asked[i] for i in group) for group in same])
    joined: dict[int, list[int]] = defaultdict(list)
    for place in range(len(same)):
        joined[speaker[place]].append(place)
    groups: list[list[int]] = []
    told: list[Dropped] = []
    for places in joined.values():
        whole = sorted(i for place in places for i in same[place])
        if len(_answers(asked, whole)) < 2:
            groups.append(whole)
            continue
        for place in places:  # other answers: the near-duplicates are questions of their own
            apart = _by_answer(asked, same[place])
            groups += apart
            if len(apart) > 1:
                told.append(_conflict([asked[group[0]] for group in apart]))
    return groups, told


def _answers(asked: Sequence[Asked], group: Iterable[int]) -> dict[tuple[bool, str], list[int]]:
    """Return the rows of *group* that know their answer, by answer, the heaviest answer first."""
    told: dict[tuple[bool, str], list[int]] = defaultdict(list)
    for i in group:
        row = asked[i]
        if row.answer is not None or not row.answerable:
            told[row.answerable, answer_key(row.answer) if row.answerable else ""].append(i)
    return dict(sorted(told.items(), key=lambda pair: -_total(asked[i] for i in pair[1])))


def _by_answer(asked: Sequence[Asked], group: Sequence[int]) -> list[list[int]]:
    """Return *group* split by answer; rows without one stand with the heaviest answer."""
    told = list(_answers(asked, group).values())
    if not told:
        return [list(group)]
    known = {i for rows in told for i in rows}
    told[0] = sorted([*told[0], *(i for i in group if i not in known)])
    return told


def _conflict(rows: Sequence[Asked]) -> Dropped:
    seen = "; ".join(
        f"{shown(row.answer) if row.answerable else 'a refusal'} at {row.place}" for row in rows[:_SHOWN]
    )
    more = f" and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    reason = f"{shown(rows[0].text)} has {len(rows)} answers ({seen}{more}); kept apart, one query each"
    return Dropped(rows[0].place, "answer", reason, kept=True)


def _query(name: str, rows: Sequence[Asked]) -> Query:
    heavy: dict[str, float] = defaultdict(float)
    answers: dict[str, float] = defaultdict(float)
    for row in rows:
        heavy[row.text] += row.weight
        if row.answer is not None:
            answers[row.answer] += row.weight
    text = max(heavy, key=heavy.__getitem__)
    extra = {**rows[0].extra, "asked": len(rows)}
    if len(heavy) > 1:
        extra["wordings"] = [other for other in heavy if other != text]
    answer = max(answers, key=answers.__getitem__) if answers else None
    return Query(
        name,
        text,
        _total(rows),
        answer,
        all(row.answerable for row in rows if row.answer is not None or not row.answerable),
        time=rows[0].time,
        extra=extra,
    )


def _total(rows: Iterable[Asked]) -> float:
    """Return the sum of weights as people add decimals: ten times 0.1 is 1."""
    return float(sum((Decimal(str(row.weight)) for row in rows), Decimal(0)))


def _wordings(text: str, others: Sequence[str]) -> str:
    seen = ", ".join(shown(other) for other in others[:_SHOWN])
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    return f"{seen}{more} merged into {shown(text)}"
