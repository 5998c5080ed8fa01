"""LongMemEval runs over notes: does it matter whether each evidence session left a note?

Which sessions were inside a truncated context is not recorded, and by the public logs (two runs, the
first questions) all of them were: truncation cut what was seen of each session, not sessions. So two
stand-ins are used, both from the notes of the run `oracle_con`: *noted*, no note of an evidence
session is empty or says that nothing was found; *told*, the notes hold at least half of the words
of the known answer, rare ones counting more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import memspan as ms
from associating import DATA, Answer, mean_of, row
from measuring import Section
from memspan.answering.lexical import Lexicon
from memspan.datasets.outcomes import read_outcomes
from memspan.diagnosis import Interval, clustered_bootstrap
from memspan.language.words import stems
from memspan.material import Material

DIRECT, BLIND = "oracle_con", "oracle_answer_turns_only_cot"
_CUT = re.compile(r"oracle_bc_con_(\d+)_(\d+k)")
_NOTHING = re.compile(r"^\W*(extracted note\W*)?empty\b|\bempty\W*$", re.IGNORECASE)
TOLD = 0.5


@dataclass(frozen=True)
class Net:
    """How much more the run that read the notes gains by coverage than the one that did not read them."""

    covered: str
    n: int
    difference_of_differences: Interval


@dataclass(frozen=True)
class Length:
    """Right answers of a truncated run."""

    run: str
    n: int
    right: Interval
    one_session: Interval
    several_sessions: Interval


def longmemeval() -> Iterator[Section]:
    path = DATA / "longmemeval" / "oracle_notes_dev.jsonl"
    materials = {m.id: m for m in ms.load(path) if any(q.answerable for q in m.queries)}
    outcomes = read_outcomes(path, materials.values())
    noted = {name: all(not void(claim.text) for claim in m.claims) for name, m in materials.items()}
    flagged = {name: all(claim.text for claim in m.claims) for name, m in materials.items()}
    told = told_answers(materials)
    right = {
        run: {
            name: s.correct
            for name, several in outcomes.settlements.items()
            for s in several
            if s.settler == run
        }
        for run in outcomes.settlers
    }
    cut = [run for run in right if _CUT.fullmatch(run)]
    coverages = {"noted": noted, "note not flagged empty": flagged, "told": told}
    for name, covered in coverages.items():
        groups = {f"{run}{' (direct)' if run == DIRECT else ''}": [run] for run in right if run not in cut}
        groups |= {f"{len(cut)} truncated runs": cut}
        rows = tuple(
            row(
                group,
                (Answer(covered[m], right[run][m], m) for run in runs for m in right[run] if m in covered),
            )
            for group, runs in groups.items()
        )
        yield Section("longmemeval", f"LongMemEval: {name}", rows)
    nets = tuple(_net(name, covered, right) for name, covered in coverages.items())
    yield Section("longmemeval-net", f"LongMemEval: {DIRECT} less {BLIND}, which read no notes", nets)
    yield Section("longmemeval-length", "LongMemEval: truncated runs", tuple(_lengths(cut, right, materials)))


def _net(name: str, covered: dict[str, bool], right: dict[str, dict[str, float]]) -> Net:
    rows = {
        m: [[here, right[DIRECT][m] - right[BLIND][m]]] for m, here in covered.items() if m in right[DIRECT]
    }
    return Net(name, len(rows), clustered_bootstrap(rows, np.random.default_rng(0), statistic=_apart))


def _apart(rows: np.ndarray) -> float:
    covered = rows[:, 0] == 1
    return float(rows[covered, 1].mean() - rows[~covered, 1].mean())


def void(note: str) -> bool:
    """Whether a note tells nothing: there is none, or it says so itself."""
    return not note or bool(_NOTHING.search(note.strip()))


def told_answers(materials: dict[str, Material]) -> dict[str, bool]:
    """Return whether the notes tell the answer, where one is known."""
    lexicon = Lexicon.of([" ".join(claim.text for claim in m.claims) for m in materials.values()])
    made = {}
    for place, (name, material) in enumerate(materials.items()):
        wanted = list(dict.fromkeys(stems(material.queries[0].answer or "")))
        if wanted:
            made[name] = bool(lexicon.share(wanted)[place] >= TOLD)
    return made


def _lengths(
    cut: list[str], right: dict[str, dict[str, float]], materials: dict[str, Material]
) -> Iterator[Length]:
    several = {name: len(m.claims) > 1 for name, m in materials.items()}
    for run in cut:
        yield _length(run, right[run], several)
    gain = {name: right[cut[-1]][name] - right[cut[0]][name] for name in right[cut[0]]}
    yield _length("longest less shortest", gain, several)


def _length(run: str, values: dict[str, float], several: dict[str, bool]) -> Length:
    parts = [{m: v for m, v in values.items() if several[m] is many} for many in (False, True)]
    return Length(run, len(values), *(mean_of(part.items()) for part in (values, *parts)))
