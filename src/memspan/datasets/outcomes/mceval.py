"""Results and traces of memory-core-eval (mceval), which judges retrieval and not answers.

An outcome is 1 where one of the evidence sessions is among the sessions retrieved at the largest k;
`Settlement.extra["measure"]` says so. It is a weaker thing than a right answer, and weaker than
coverage of a question that needs several claims.

Source: https://pypi.org/project/memory-core-eval/ 0.2.0 (`cli.py`, `eval/scorer.py`, `eval/trace.py`,
`datasets/locomo.py`). A trace does not name its adapter; its turns count from 0.
"""

from __future__ import annotations

import re
from typing import Any

from memspan.datasets.fields import Misfit, as_object, iso, listing, mapping, optional_text, text
from memspan.datasets.outcomes.form import Asking, OutcomeFormat, Recorded, Records
from memspan.datasets.question_fields import Notes
from memspan.datasets.source import Source

_LOCOMO_QUERY = re.compile(r"(?P<sample>.+):q(?P<position>\d+)")
_LOCOMO_SESSION = re.compile(r".+:session_(?P<number>\d+)")


def _detect(source: Source) -> bool:
    return {"meta", "metrics", "results"} <= source.first.keys()


def _read(source: Source, asking: Asking) -> Records:
    notes = Notes()
    made: list[Recorded] = []
    for document in map(as_object, source.records):
        meta = document.get("meta")
        told = meta if isinstance(meta, dict) else {}
        settler, time = (
            optional_text(told, "adapter") or asking.settler,
            iso(optional_text(told, "timestamp")),
        )
        for i, raw in enumerate(listing(document, "results")):
            one = _tried(f"results[{i}]", raw, {"settler": settler, "time": time}, notes)
            made += [one] if one else []
    return Records(made, notes)


def _detect_trace(source: Source) -> bool:
    return {"question_id", "namespace", "stored", "retrieved", "result"} <= source.first.keys()


def _read_trace(source: Source, asking: Asking) -> Records:
    notes = Notes()
    made: list[Recorded] = []
    for i, raw in enumerate(source.records, start=1):
        try:
            more = {"settler": asking.settler, "text": text(raw, "question"), **_retrieved(raw)}
            one = _tried(f"line {i}", mapping(raw, "result"), more, notes)
        except Misfit as misfit:
            notes.add(f"line {i}", misfit.field, misfit.reason, kept=False)
            continue
        made += [one] if one else []
    return Records(made, notes)


def _tried(place: str, raw: Any, more: dict[str, Any], notes: Notes) -> Recorded | None:
    try:
        return _of(place, as_object(raw), more, notes)
    except Misfit as misfit:
        notes.add(place, misfit.field, misfit.reason, kept=False)
        return None


def _of(place: str, raw: dict[str, Any], more: dict[str, Any], notes: Notes) -> Recorded | None:
    if raw.get("abstention") is True:
        notes.add(place, "abstention", "asks what has no answer; recall says nothing about it", kept=False)
        return None
    recall = {int(k): hit for k, hit in mapping(raw, "recall").items() if k.isdigit()}
    if not recall or not all(isinstance(hit, bool) for hit in recall.values()):
        raise Misfit("recall", "is no mapping from numbers to true or false")
    measure = f"recall@{max(recall)}"
    material, query = _names(text(raw, "question_id"))
    sessions = [name for name in listing(raw, "retrieved_sessions") if isinstance(name, str)]
    extra = {"measure": measure, "sessions": list(dict.fromkeys(sessions))}
    return Recorded(place, float(recall[max(recall)]), material, query, extra=extra, **more)


def _names(name: str) -> tuple[str | None, str]:
    """Return material and query as memspan names them.

    >>> _names("conv-30:q4"), _names("gpt4_2655b836")
    (('conv-30', 'qa4'), (None, 'gpt4_2655b836'))
    """
    found = _LOCOMO_QUERY.fullmatch(name)
    return (found["sample"], f"qa{found['position']}") if found else (None, name)


def _retrieved(raw: dict[str, Any]) -> dict[str, Any]:
    found = [as_object(memory) for memory in listing(raw, "retrieved")]
    turns = [(memory.get("session_id"), memory.get("turn_idx")) for memory in found]
    claims = [_turn(session, turn) for session, turn in turns if isinstance(session, str)]
    read = tuple(told for memory in found if (told := optional_text(memory, "content")))
    return {"read": read, "claims": tuple(name for name in claims if name is not None)}


def _turn(session: str, turn: Any) -> str | None:
    """Return the claim that a turn of a session is, where turns are claims."""
    if not isinstance(turn, int):
        return None
    locomo = _LOCOMO_SESSION.fullmatch(session)
    return f"D{locomo['number']}:{turn + 1}" if locomo else f"{session}:{turn + 1}"


MCEVAL = OutcomeFormat("mceval", _detect, _read)
MCEVAL_TRACE = OutcomeFormat("mceval-trace", _detect_trace, _read_trace)
