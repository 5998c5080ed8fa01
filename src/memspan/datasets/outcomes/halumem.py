"""HaluMem evaluations: answers with the memories that were read, and what the memories hold.

Source: the evaluation records of https://github.com/MemTensor/HaluMem: `question_answering_records`
(`result_type` Correct, Hallucination or Omission; `context` is what was read),
`memory_accuracy_records` (all memories, by session), `memory_integrity_records` (is a memory point
held: 2 yes, 1 in part, 0 no) and `memory_update_records` (was an update taken in).
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from memspan.datasets.fields import Misfit, as_object, taken, text
from memspan.datasets.outcomes.form import Asking, OutcomeFormat, Recorded, RecordedHold, Records
from memspan.datasets.question_fields import Notes
from memspan.datasets.source import Source

_VERDICTS = {"Correct": 1.0, "Hallucination": 0.0, "Omission": 0.0}
_DATED = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?: ")
_UNJUDGED = "was not judged: the judge failed"

Sessions = Mapping[int, tuple[str, ...]]
"""Number of a session, from 0, to the memories that were made of it."""
T = TypeVar("T")


def _detect(source: Source) -> bool:
    return "question_answering_records" in source.first


def _read(source: Source, asking: Asking) -> Records:
    notes = Notes()
    outcomes: list[Recorded] = []
    holds: list[RecordedHold] = []
    for record in source.records:
        memories = _memories(record, notes)
        position: Counter[int] = Counter()
        answer = partial(_answer, asking=asking, memories=memories, position=position)
        outcomes += _each(record, "question_answering_records", answer, notes)
        holds += _each(record, "memory_integrity_records", partial(_integrity, memories=memories), notes)
        holds += _each(record, "memory_update_records", _update, notes)
    return Records(outcomes, notes, holds)


def _each(record: Any, name: str, make: Callable[[str, dict[str, Any], int], T], notes: Notes) -> Iterator[T]:
    """Yield what *make* makes of place, record and session of each entry of a section; it may be missing."""
    section = as_object(record).get(name)
    for i, raw in enumerate(section if isinstance(section, list) else ()):
        place = f"{name}[{i}]"
        try:
            yield make(place, as_object(raw), taken(raw, "ssession_id", int, "a number"))
        except Misfit as misfit:
            notes.add(place, misfit.field, misfit.reason, kept=False)


def _memories(record: Any, notes: Notes) -> Sessions:
    made: defaultdict[int, list[str]] = defaultdict(list)
    told = _each(
        record, "memory_accuracy_records", lambda _, raw, at: (at, text(raw, "memory_content")), notes
    )
    for session, memory in told:
        made[session].append(memory)
    return {session: tuple(made[session]) for session in sorted(made)}


def _answer(
    place: str,
    raw: dict[str, Any],
    session: int,
    *,
    asking: Asking,
    memories: Sessions,
    position: Counter[int],
) -> Recorded:
    position[session] += 1
    held = tuple(told for at, texts in memories.items() if at <= session for told in texts)
    return Recorded(
        place,
        _verdict(raw, "result_type"),
        text(raw, "uuid"),
        f"s{session + 1}q{position[session]}",
        text(raw, "question"),
        asking.settler,
        read=_context(raw.get("context")),
        held=held or None,
        extra={"result_type": raw["result_type"]},
    )


def _verdict(raw: dict[str, Any], name: str) -> float:
    verdict = _VERDICTS.get(str(raw.get(name)))
    if verdict is None:
        raise Misfit(name, _UNJUDGED)
    return verdict


def _context(value: Any) -> tuple[str, ...] | None:
    """Return the memories in a context: a list in JSON behind a heading, or lines; dates are taken off."""
    if not isinstance(value, str):
        return None
    try:
        listed, _ = json.JSONDecoder().raw_decode(value[max(value.find("["), 0) :])
    except (ValueError, RecursionError):
        listed = [line.strip() for line in value.splitlines()]
    return _bare(listed)


def _bare(memories: Any) -> tuple[str, ...]:
    """Return the texts among *memories* without the date before each."""
    texts = (
        [told for told in memories if isinstance(told, str) and told] if isinstance(memories, list) else []
    )
    return tuple(_DATED.sub("", told, count=1) for told in texts)


def _integrity(place: str, raw: dict[str, Any], session: int, *, memories: Sessions) -> RecordedHold:
    score = raw.get("memory_integrity_score")
    if score not in (0, 1, 2):
        raise Misfit("memory_integrity_score", _UNJUDGED)
    return replace(_hold(place, raw, session), value=score / 2, texts=memories.get(session, ()))


def _update(place: str, raw: dict[str, Any], session: int) -> RecordedHold:
    value, texts = _verdict(raw, "memory_update_type"), _bare(raw.get("memories_from_system"))
    return replace(_hold(place, raw, session), value=value, texts=texts, kind="update")


def _hold(place: str, raw: dict[str, Any], session: int) -> RecordedHold:
    user, point = text(raw, "uuid"), text(raw, "memory_content")
    return RecordedHold(place, user, f"session {session + 1}", point, 0, (), "integrity")


HALUMEM_RUN = OutcomeFormat("halumem-run", _detect, _read)
