"""LongMemEval runs that stand beside the notes they were settled on.

The run ``oracle_con`` read these notes, one for each evidence session: so say the public logs,
compared for the first questions. What the other runs read is not in the file: each took notes of
its own, and the truncated ones (their names end in a range of tokens) saw less of each session.

Source: run logs on LongMemEval's oracle file, https://github.com/Hunk0724/LongMemEval (MIT).
"""

from __future__ import annotations

from collections.abc import Iterator

from memspan.datasets.longmemeval_notes import LONGMEMEVAL_NOTES
from memspan.datasets.outcomes.form import Asking, OutcomeFormat, Recorded, Records
from memspan.datasets.question_fields import Notes
from memspan.datasets.source import Source
from memspan.material import Material

_READING = "oracle_con"


def _detect(source: Source) -> bool:
    return {"question_id", "evidence_sessions", "settled"} <= source.first.keys()


def _read(source: Source, _: Asking) -> Records:
    notes = Notes()
    made: list[Recorded] = []
    for i, material in enumerate(LONGMEMEVAL_NOTES.read(source, ""), start=1):
        for dropped in material.dropped:
            if not dropped.kept:
                notes.add(f"record {i}", dropped.field, dropped.reason, kept=False)
        made += _of(f"record {i}", material)
    return Records(made, notes)


def _of(place: str, material: Material) -> Iterator[Recorded]:
    told = [claim for claim in material.claims if claim.text]
    for each in material.settlements:
        reading = each.settler == _READING
        yield Recorded(
            place,
            each.correct,
            material.id,
            each.query,
            settler=each.settler,
            claims=tuple(claim.id for claim in told) if reading else None,
            read=tuple(claim.text for claim in told) if reading else None,
        )


LONGMEMEVAL_RUNS = OutcomeFormat("longmemeval-runs", _detect, _read)
