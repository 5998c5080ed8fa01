"""Results of benchd-harness: a signed manifest, or the manifest alone, with a trace for each question.

Source: https://pypi.org/project/benchd-harness/ 0.2.0 (`manifest.py`, `runner.py`). Its LoCoMo ids count
questions in a shuffled order, so a LoCoMo question is found by its text; its LongMemEval ids are those of
the set.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memspan.datasets.fields import Misfit, as_object, iso, listing, mapping, optional_text, text
from memspan.datasets.outcomes.form import Asking, OutcomeFormat, Recorded, Records
from memspan.datasets.question_fields import Notes
from memspan.datasets.source import Source

_FAILED = "[ADAPTER ERROR]"


def _detect(source: Source) -> bool:
    first = source.first
    inner = first.get("manifest")
    manifest = inner if isinstance(inner, dict) else first
    return {"traces", "benchmark", "harness"} <= manifest.keys()


def _read(source: Source, asking: Asking) -> Records:
    notes = Notes()
    made: list[Recorded] = []
    for document in map(as_object, source.records):
        manifest = document["manifest"] if isinstance(document.get("manifest"), dict) else document
        settler = _settler(manifest) or asking.settler
        time = iso(optional_text(manifest, "completed_at"))
        for i, raw in enumerate(listing(manifest, "traces")):
            place = f"traces[{i}]"
            try:
                one = _of(place, as_object(raw), settler, time, notes)
            except Misfit as misfit:
                notes.add(place, misfit.field, misfit.reason, kept=False)
                continue
            made += [one] if one else []
    return Records(made, notes)


def _settler(manifest: Mapping[str, Any]) -> str | None:
    try:
        return text(mapping(dict(manifest), "system"), "name")
    except Misfit:
        return None


def _of(place: str, raw: dict[str, Any], settler: str, time: str | None, notes: Notes) -> Recorded | None:
    if raw.get("status") != "scored":
        notes.add(place, "status", "was not judged: no judge was connected", kept=False)
        return None
    recalled = text(raw, "raw_recall")
    failed = recalled.startswith(_FAILED)
    if failed:
        notes.add(place, "raw_recall", "is an error of the adapter; counted as a wrong answer", kept=True)
    return Recorded(
        place,
        _score(raw),
        query=optional_text(raw, "question_id"),
        text=text(raw, "query"),
        settler=settler,
        read=() if failed or not recalled else (recalled,),
        time=time,
        extra={key: raw[key] for key in ("scoring_method", "retrieval_hit", "recall_tokens") if key in raw},
    )


def _score(raw: dict[str, Any]) -> float:
    score, most = (_number(raw.get(name)) for name in ("score", "max_score"))
    if score is not None and most is not None and 0 <= score <= most and most > 0:
        return score / most
    if isinstance(raw.get("scored_correct"), bool):
        return float(raw["scored_correct"])
    raise Misfit("score", "is no number between 0 and max_score")


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


BENCHD = OutcomeFormat("benchd", _detect, _read)
