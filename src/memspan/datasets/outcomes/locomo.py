"""LoCoMo full-context runs: several runs, several judge votes on each answer.

Source: https://github.com/dial481/locomo-audit (CC BY-NC 4.0): one object per question with
`sample_id`, `qa_index` (position in `qa`, from 0) and `runs`, votes by name of the run.
"""

from __future__ import annotations

from typing import Any

from memspan.datasets.fields import Misfit, as_object, mapping, taken, text
from memspan.datasets.outcomes.form import Asking, OutcomeFormat, Recorded, Records, verdict, votes_in
from memspan.datasets.question_fields import Notes
from memspan.datasets.source import Source
from memspan.material import CONTEXT


def _detect(source: Source) -> bool:
    return {"sample_id", "qa_index", "runs"} <= source.first.keys()


def _read(source: Source, asking: Asking) -> Records:
    notes = Notes()
    made: list[Recorded] = []
    for i, record in enumerate(source.records, start=1):
        try:
            made += _of(f"record {i}", as_object(record), asking, notes)
        except Misfit as misfit:
            notes.add(f"record {i}", misfit.field, misfit.reason, kept=False)
    return Records(made, notes)


def _of(place: str, record: Any, asking: Asking, notes: Notes) -> list[Recorded]:
    sample, query = text(record, "sample_id"), f"qa{taken(record, 'qa_index', int, 'a number')}"
    made = []
    for run, value in mapping(record, "runs").items():
        votes = votes_in(value)
        if votes is None:
            notes.add(place, f"runs.{run}", "is no list of votes of 0 or 1", kept=False)
            continue
        correct = verdict(votes, asking.votes)
        told = {"votes": votes, CONTEXT: "full"}  # these runs had the whole conversation before them
        made.append(Recorded(place, correct, sample, query, settler=run, extra=told))
    return made


LOCOMO_RUNS = OutcomeFormat("locomo-runs", _detect, _read)
