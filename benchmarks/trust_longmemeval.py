"""LongMemEval runs over notes: what outcomes can say of notes of which nobody knows whether they are true.

No note is labelled. Two things stand in: whether a note of an evidence session says that nothing was found,
which is no lie but of no use; and the outcome of a run that the model never saw.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import memspan as ms
from association_longmemeval import BLIND, DIRECT, void
from measuring import Section
from memspan.datasets.merging import merge
from memspan.datasets.outcomes import read_outcomes, with_outcomes
from memspan.material import Material, Settlement
from memspan.trust import TrustModel
from trusting import DATA, Scored, fitted, rankings, share, support_of

HALF = 0.5
RIGHT = "share of right runs"


@dataclass(frozen=True)
class Overlap:
    """How far questions share what they rest on."""

    questions: int
    notes: int
    notes_of_several_questions: int
    void_notes: int
    questions_with_a_void_note: int
    outcomes: int
    runs: int
    base_as_learned: float


def longmemeval() -> Iterator[Section]:
    """Yield all tables of LongMemEval."""
    whole = _whole()
    settled: defaultdict[str, list[Settlement]] = defaultdict(list)
    for each in whole.settlements:
        settled[each.query].append(each)
    evidence = {name: support_of(whole, whole.query(name)) for name in settled}
    full = [run for run, n in Counter(s.settler for s in whole.settlements).items() if n == len(evidence)]
    model = fitted(whole, whole.settlements)
    yield Section(
        "longmemeval-material", "LongMemEval: what the runs settle", (_overlap(whole, evidence, model),)
    )
    empty = {name: any(void(whole.claim(c).text) for c in claims) for name, claims in evidence.items()}
    title = "LongMemEval: questions with a note that says nothing, against the rest"
    yield Section("longmemeval-void", title, tuple(_void(whole, settled, evidence, empty)))
    title = "LongMemEval: the outcome of one run, ranked by the others that answered all questions"
    rows = tuple(row for run in full for row in _left_out(whole, settled, evidence, (run, full)))
    yield Section("longmemeval-runs", title, rows)


def _whole() -> Material:
    """Return all answerable questions as one material; a session is a source of its own question alone."""
    path = DATA / "longmemeval" / "oracle_notes_dev.jsonl"
    materials = [m for m in ms.load(path) if any(q.answerable and m.supports_of(q) for q in m.queries)]
    outcomes = read_outcomes(path, materials)
    return merge([_apart(with_outcomes(each, outcomes)) for each in materials], "longmemeval")


def _apart(material: Material) -> Material:
    claims = (replace(each, source=f"{material.id}/{each.source}") for each in material.claims)
    return replace(material, claims=tuple(claims))


def _overlap(whole: Material, evidence: Mapping[str, tuple[str, ...]], model: TrustModel) -> Overlap:
    count = Counter(claim for claims in evidence.values() for claim in claims)
    empty = {claim.id for claim in whole.claims if void(claim.text)}
    return Overlap(
        questions=len(evidence),
        notes=len(whole.claims),
        notes_of_several_questions=sum(n > 1 for n in count.values()),
        void_notes=len(empty),
        questions_with_a_void_note=sum(not empty.isdisjoint(claims) for claims in evidence.values()),
        outcomes=len(whole.settlements),
        runs=len({each.settler for each in whole.settlements}),
        base_as_learned=float(model.trust().prior.min()),
    )


Settled = Mapping[str, list[Settlement]]
Evidence = Mapping[str, tuple[str, ...]]


def _void(
    whole: Material, settled: Settled, evidence: Evidence, empty: Mapping[str, bool]
) -> Iterator[object]:
    groups = {f"{DIRECT}, which read the notes": {DIRECT}, f"{BLIND}, which did not": {BLIND}}
    groups["all runs"] = {each.settler for each in whole.settlements if each.settler}
    for group, runs in groups.items():
        model = fitted(whole, [each for each in whole.settlements if each.settler in runs])
        rows = [
            Scored(
                empty[name],
                {
                    RIGHT: share(each for each in settled[name] if each.settler in runs),
                    "belief": model.belief(claims),
                    "least tau": min(model.tau(claim) for claim in claims),
                    "fewest notes": -float(len(claims)),
                },
                name,
            )
            for name, claims in evidence.items()
        ]
        yield from rankings(group, rows, RIGHT)


def _left_out(
    whole: Material, settled: Settled, evidence: Evidence, runs: tuple[str, list[str]]
) -> Iterator[object]:
    out, full = runs
    model = fitted(whole, [s for s in whole.settlements if s.settler in full and s.settler != out])
    rows = []
    for name, claims in evidence.items():
        told = {each.settler: each for each in settled[name] if each.settler in full}
        scores = {
            RIGHT: share(each for run, each in told.items() if run != out),
            "belief": model.belief(claims),
            "fewest notes": -float(len(claims)),
        }
        rows.append(Scored(told[out].correct < HALF, scores, name))
    yield from rankings(f"wrong: {out}", rows, RIGHT)
