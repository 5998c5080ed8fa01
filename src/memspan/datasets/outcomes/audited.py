"""Judges put to the test: answers that are known to be wrong, and how often they pass.

Source: https://github.com/dial481/locomo-audit (CC BY-NC 4.0): one object per question with
`sample_id`, `qa_index`, `wrong_answer` and `judged_correct`, votes by kind of answer (`v1` is
specific, `v2` vague).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memspan.datasets.fields import Misfit, as_object, mapping, taken, text
from memspan.datasets.outcomes.form import votes_in
from memspan.datasets.outcomes.nouns import Judgement
from memspan.datasets.source import open_source
from memspan.errors import Fault, FileError

_KINDS = {"v1": "specific", "v2": "vague"}


def read_judgements(path: str | os.PathLike[str]) -> tuple[Judgement, ...]:
    """Read a stress test of judges: deliberately wrong answers and the votes on them.

    Args:
        path: the file, e.g. ``judge_stress.jsonl`` of LoCoMo's audit.

    Raises:
        FileError: the file cannot be read or is no stress test; all faults are named.
    """
    made: list[Judgement] = []
    faults: list[Fault] = []
    for i, record in enumerate(open_source(Path(path)).records, start=1):
        try:
            made += _of(as_object(record))
        except Misfit as misfit:
            faults.append(Fault(f"record {i}", misfit.field, misfit.reason))
    if faults:
        raise FileError(os.fspath(path), faults)
    return tuple(made)


def _of(record: Any) -> Iterator[Judgement]:
    sample, query = text(record, "sample_id"), f"qa{taken(record, 'qa_index', int, 'a number')}"
    for kind, value in mapping(record, "judged_correct").items():
        votes = votes_in(value)
        if votes is None:
            raise Misfit(f"judged_correct.{kind}", "is no list of votes of 0 or 1")
        yield Judgement(sample, query, _KINDS.get(kind, kind), False, sum(votes) / len(votes))
