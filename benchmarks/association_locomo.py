"""LoCoMo full-context runs, the control: all is read, so what is wrong is reasoner, judge or gold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import memspan as ms
from associating import DATA, Answer, Row, mean_of, row
from measuring import Section
from memspan.datasets.outcomes import read_judgements, read_outcomes
from memspan.diagnosis import Interval, JudgeNoise, corrected, measured_noise

CITATION = "WRONG_CITATION"


@dataclass(frozen=True)
class Control:
    """A run that read everything."""

    run: str
    n: int
    right: Interval
    if_wrong_answers_are_specific: Interval
    if_wrong_answers_are_vague: Interval
    right_with_sound_gold: Interval
    wrong_with_disputed_gold: Interval


@dataclass(frozen=True)
class Accepted:
    """How often judges accept wrong answers of a kind."""

    kind: str
    answers: int
    accepted: Interval


def locomo() -> Iterator[Section]:
    folder = DATA / "locomo"
    materials = ms.load(folder / "locomo10_dev.json")
    outcomes = read_outcomes(folder / "settled_fullcontext_dev.jsonl", materials)
    audit = json.loads((folder / "audit_errors_dev.json").read_text(encoding="utf-8"))
    disputed = {(e["sample_id"], f"qa{e['qa_index']}") for e in audit if e["error_type"] != CITATION}
    judged = read_judgements(folder / "judge_stress_dev.jsonl")
    noise = measured_noise(judged)
    kinds = tuple(
        Accepted(kind, sum(j.kind == kind for j in judged),
                 mean_of((j.material, j.judged) for j in judged if j.kind == kind))
        for kind in noise
    )  # fmt: skip
    yield Section("locomo-judges", "LoCoMo: wrong answers that the judges accept", kinds)
    settled = [(name, s) for name, several in outcomes.settlements.items() for s in several]
    answers = {
        run: [
            Answer((name, s.query) not in disputed, s.correct, name)
            for name, s in settled
            if s.settler == run
        ]
        for run in outcomes.settlers
    }
    controls = tuple(_control(run, given, noise) for run, given in answers.items())
    yield Section("locomo", "LoCoMo: full context, so coverage is 1", controls)
    rows: tuple[Row, ...] = tuple(row(run, given) for run, given in answers.items())
    yield Section(
        "locomo-gold", "LoCoMo: the same table with 'gold not disputed' in place of 'covered'", rows
    )


def _control(run: str, answers: list[Answer], noise: dict[str, JudgeNoise]) -> Control:
    right = mean_of((each.cluster, each.correct) for each in answers)
    return Control(
        run,
        len(answers),
        right,
        corrected(right.estimate, len(answers), noise["specific"]),
        corrected(right.estimate, len(answers), noise["vague"]),
        mean_of((each.cluster, each.correct) for each in answers if each.covered),
        mean_of((each.cluster, float(not each.covered)) for each in answers if each.correct < 0.5),
    )
