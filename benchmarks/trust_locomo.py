"""LoCoMo's full-context runs: does trust rank the evidence of questions that an audit disputes lower?

Each conversation has a model of its own; each of its questions is settled by four runs that read all of
it. The audit is used as the label and nowhere else.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

import memspan as ms
from measuring import Section
from memspan.datasets.merging import merge
from memspan.datasets.outcomes import read_outcomes
from memspan.diagnosis import Interval
from memspan.material import Material, Settlement
from memspan.trust import Terms, TrustModel, estimate_noise
from memspan.trust.measured import Errors
from trusting import DATA, Scored, fitted, rankings, share, support_of

CITATION = "WRONG_CITATION"
CHOSEN_ON = 3  # the first conversations: noise is measured on them and used on the others
FOLDS = 10
HALF = 0.5
RIGHT = "share of right runs"
FEWEST = "fewest turns of evidence"
GOLD = "gold or question disputed"


@dataclass(frozen=True)
class Talk:
    """A conversation with its outcomes; every settled question has one support."""

    material: Material
    settlements: tuple[Settlement, ...]
    disputed: Mapping[str, str]

    @cached_property
    def by_query(self) -> Mapping[str, list[Settlement]]:
        """The outcomes of each question."""
        found: defaultdict[str, list[Settlement]] = defaultdict(list)
        for each in self.settlements:
            found[each.query].append(each)
        return found

    @cached_property
    def evidence(self) -> Mapping[str, tuple[str, ...]]:
        """The support of each settled question."""
        return {name: support_of(self.material, self.material.query(name)) for name in self.by_query}

    @cached_property
    def sharing(self) -> frozenset[str]:
        """Questions whose evidence holds a turn of another settled question's."""
        count = Counter(claim for claims in self.evidence.values() for claim in claims)
        shares = (name for name, claims in self.evidence.items() if any(count[each] > 1 for each in claims))
        return frozenset(shares)

    def beliefs(self, model: TrustModel) -> dict[str, float]:
        """Return the belief in each question's evidence."""
        return {name: model.belief(claims) for name, claims in self.evidence.items()}


def locomo() -> Iterator[Section]:
    """Yield all tables of LoCoMo."""
    talks = _talks()
    yield Section("locomo-material", "LoCoMo: what the runs settle", (_overlap(talks),))
    scored = {name: row for talk in talks for name, row in _scored(talk).items()}
    kinds = {f"{t.material.id}/{name}": t.disputed.get(name) for t in talks for name in t.evidence}
    yield Section("locomo", "LoCoMo: AUC of the audit's questions against the rest", _ranked(scored, kinds))
    yield Section("locomo-kinds", "LoCoMo: the same by what the audit found", _by_kind(scored, kinds))
    shared = {f"{talk.material.id}/{name}" for talk in talks for name in talk.sharing}
    parts = {
        "locomo-shared": ("share a turn of evidence with another", shared),
        "locomo-alone": ("share none", scored.keys() - shared),
    }
    for section, (what, names) in parts.items():
        part = {name: row for name, row in scored.items() if name in names}
        yield Section(section, f"LoCoMo: the same, questions that {what}", _ranked(part, kinds))
    yield Section("locomo-noise", "LoCoMo: noise of the runs, undisputed questions", _noise(talks))
    yield Section("locomo-measured", "LoCoMo 4-7: noise measured on 1-3", _measured(talks))
    title = "LoCoMo: the outcome of one run, ranked by the other three"
    yield Section("locomo-runs", title, _left_out(talks))


def _talks() -> list[Talk]:
    folder = DATA / "locomo"
    materials = ms.load(folder / "locomo10_dev.json")
    outcomes = read_outcomes(folder / "settled_fullcontext_dev.jsonl", materials)
    audit: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for each in json.loads((folder / "audit_errors_dev.json").read_text(encoding="utf-8")):
        audit[each["sample_id"]][f"qa{each['qa_index']}"] = each["error_type"]
    return [Talk(each, outcomes.settlements[each.id], audit[each.id]) for each in materials]


@dataclass(frozen=True)
class Overlap:
    """How far questions share what they rest on: only there one question's outcomes tell of another's."""

    conversations: int
    questions: int
    supports: int
    share_a_support: int
    share_a_turn: int
    of_which_disputed: int
    turns: int
    turns_settled: int


def _overlap(talks: Sequence[Talk]) -> Overlap:
    supports = [Counter(map(frozenset, talk.evidence.values())) for talk in talks]
    return Overlap(
        conversations=len(talks),
        questions=sum(len(talk.evidence) for talk in talks),
        supports=sum(map(len, supports)),
        share_a_support=sum(n for each in supports for n in each.values() if n > 1),
        share_a_turn=sum(len(talk.sharing) for talk in talks),
        of_which_disputed=sum(name in talk.disputed for talk in talks for name in talk.sharing),
        turns=sum(len(talk.material.claims) for talk in talks),
        turns_settled=sum(len({*sum(talk.evidence.values(), ())}) for talk in talks),
    )


def _scored(talk: Talk) -> dict[str, Scored]:
    """Return every settled question with its scores; *others only* never saw the question's own outcomes."""
    model = fitted(talk.material, talk.settlements)
    beliefs = talk.beliefs(model)
    others = _others_only(talk)
    return {
        f"{talk.material.id}/{name}": Scored(
            name in talk.disputed,
            {
                RIGHT: share(talk.by_query[name]),
                "belief": beliefs[name],
                "least tau": min(model.tau(claim) for claim in claims),
                "belief, other questions only": others[name],
                FEWEST: -float(len(claims)),
            },
            talk.material.id,
        )
        for name, claims in talk.evidence.items()
    }


def _others_only(talk: Talk) -> dict[str, float]:
    """Return the belief in each question's evidence by the outcomes of nine tenths of the other questions."""
    names = list(talk.evidence)
    fold = dict(zip(names, np.random.default_rng(0).permutation(len(names)) % FOLDS, strict=True))
    found = {}
    for out in range(FOLDS):
        model = fitted(talk.material, [s for s in talk.settlements if fold[s.query] != out])
        found |= {name: model.belief(talk.evidence[name]) for name in names if fold[name] == out}
    return found


def _ranked(scored: Mapping[str, Scored], kinds: Mapping[str, str | None]) -> tuple[object, ...]:
    groups = {GOLD: {*kinds.values()} - {None, CITATION}, "only evidence disputed": {CITATION}}
    made = []
    for group, wanted in groups.items():
        rows = [row for name, row in scored.items() if kinds[name] is None or kinds[name] in wanted]
        made += rankings(group, rows, RIGHT)
        one = [row for row in rows if row.scores[FEWEST] == -1]
        made += rankings(f"{group}, one turn of evidence", one, RIGHT)
    return tuple(made)


def _by_kind(scored: Mapping[str, Scored], kinds: Mapping[str, str | None]) -> tuple[object, ...]:
    made = []
    for kind in sorted({*kinds.values()} - {None}, key=str):
        rows = [
            replace(row, scores={name: row.scores[name] for name in (RIGHT, "belief")})
            for name, row in scored.items()
            if kinds[name] in {None, kind}
        ]
        made += rankings(str(kind).lower().replace("_", " "), rows, RIGHT)
    return tuple(made)


@dataclass(frozen=True)
class Measured:
    """Wrong outcomes of a run though all was read and nobody disputes the gold."""

    run: str
    outcomes: int
    questions: int
    false_wrong: Interval
    used_as: float
    false_right: str


def _noise(talks: Sequence[Talk]) -> tuple[Measured, ...]:
    overall, by_run = _errors(talks)
    rows = {"all": overall, **by_run}
    return tuple(
        Measured(
            run,
            int(each.false_wrong.outcomes),
            each.false_wrong.supports,
            Interval(each.false_wrong.estimate, each.false_wrong.lower, each.false_wrong.upper),
            each.false_wrong.rate.mean,
            str(each.false_right),
        )
        for run, each in rows.items()
    )


def _errors(talks: Sequence[Talk]) -> tuple[Errors, Mapping[str, Errors]]:
    """Return how outcomes about undisputed questions err; that turns were said is taken as audited."""
    sound = (
        replace(talk.material, settlements=tuple(s for s in talk.settlements if s.query not in talk.disputed))
        for talk in talks
    )
    whole = merge([*sound], "locomo")
    found = estimate_noise(whole, whole.settlements, dict.fromkeys(whole.claim_position, True))
    return found.overall, found.by_settler


def _measured(talks: Sequence[Talk]) -> tuple[object, ...]:
    overall, by_run = _errors(talks[:CHOSEN_ON])
    terms = Terms(noise=overall.noise, settlers={name: each.noise for name, each in by_run.items()})
    rows = []
    for talk in talks[CHOSEN_ON:]:
        granted = talk.beliefs(fitted(talk.material, talk.settlements))
        measured = talk.beliefs(fitted(talk.material, talk.settlements, terms))
        one = talk.beliefs(fitted(talk.material, [replace(s, settler=None) for s in talk.settlements]))
        rows += [
            Scored(
                name in talk.disputed,
                {
                    "belief": granted[name],
                    "belief, measured noise": measured[name],
                    "belief, runs as one settler": one[name],
                },
                talk.material.id,
            )
            for name in granted
            if talk.disputed.get(name) != CITATION
        ]
    return tuple(rankings(GOLD, rows, "belief"))


def _left_out(talks: Sequence[Talk]) -> tuple[object, ...]:
    runs = dict.fromkeys(each.settler for each in talks[0].settlements)
    made = []
    for run in runs:
        rows = []
        for talk in talks:
            beliefs = talk.beliefs(fitted(talk.material, [s for s in talk.settlements if s.settler != run]))
            for name, settled in talk.by_query.items():
                told = {each.settler == run: each.correct for each in settled}
                scores = {RIGHT: share(s for s in settled if s.settler != run), "belief": beliefs[name]}
                rows.append(Scored(told[True] < HALF, scores, talk.material.id))
        made += rankings(f"wrong: {run}", rows, RIGHT)
    return tuple(made)
