"""Fitting a write rule to the claims that annotated questions need: `memspan train writer`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from memspan.answering.linear import Linear
from memspan.answering.reliability import calibration_error
from memspan.errors import Fault, MaterialError
from memspan.learning.logistic import Examples, logistic, regression
from memspan.learning.reader import listed
from memspan.learning.writing import Batches, Compared, Ground, compared, needed, trait_table, worth
from memspan.material import Material
from memspan.policies.traits import TRAITS
from memspan.policies.writer import WriterRule, digest

if TYPE_CHECKING:
    from memspan.ports import Embedder

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]
Told = Callable[[str], None]

LEAST_NEEDED = 20
PENALTY = 0.003
"""Of a weight, traits in standard deviations: scikit-learn's C. From .001 to .1 little changes."""
_SURE = 1.0  # likewise, of how sure a rule is
_SPREAD = 0.02  # a trait that hardly varies here says nothing of materials where it does
_DIRECTIONS = 32  # of an embedder's vectors
_GROUPS, _PARTS = 10, 5  # at most so many groups of materials; so many parts of a single one


@dataclass(frozen=True)
class Sheet:
    """A material as the learner sees it.

    Attributes:
        material: where it comes from.
        table: traits, shape (n, traits).
        vectors: of the texts, shape (n, d); no columns without an embedder.
        worth: how many queries each claim is worth, shape (n,).
    """

    material: Material
    table: Floats
    vectors: Floats
    worth: Floats

    @property
    def truth(self) -> Truths:
        """Which claims some query needs."""
        needed: Truths = self.worth > 0
        return needed


def train_writer(
    materials: Sequence[Material],
    embedder: Embedder | None = None,
    name: str = "fitted",
    told: Told = lambda _: None,
    *,
    batches: Batches = "whole",
    measured: bool = True,
) -> WriterRule:
    """Fit a rule to the annotated supports of *materials*, and measure it on what it was not fitted on.

    A claim is needed where it stands in a support of some query, and worth those queries, each
    shared among the claims of its support. Needed claims weigh by their worth in the order that
    the rule gives; how sure it is then is fitted to all claims alike, so that chances are calibrated
    for materials asked about as much.
    With several materials each is left out once, in at most ten groups; a single one is cut into five.

    Args:
        materials: with annotated supports; those that were found teach nothing and are passed over.
        embedder: whose vectors are to be weighed too, by their 32 main directions.
        name: of the rule, as outputs will name it.
        told: told what is being done, in a few words.
        batches: whether a material appears as a whole, or session by session.
        measured: whether to measure it, which means to fit it once for each group left out.

    Raises:
        MaterialError: fewer than 20 claims that some query needs.
        MissingExtra: scikit-learn is not installed.
    """
    regression("fitting a write rule")
    known = [m for m in materials if m.certainty == "annotated" and needed(m).any()]
    count = sum(int(needed(material).sum()) for material in known)
    if count < LEAST_NEEDED:
        problem = f"{count} claims stand in an annotated support; fitting needs {LEAST_NEEDED}; give more"
        raise MaterialError([Fault("queries", "supports", problem)])
    told("reading claims")
    sheets = [sheet(material, embedder, batches) for material in known]
    told("all together")
    whole = fit(sheets)
    claims = sum(len(each.truth) for each in sheets)
    return WriterRule(
        name,
        whole.linear,
        embedder.name if embedder is not None else None,
        whole.direction,
        f"{claims:,} claims of {listed([m.id for m in known])}, {count:,} of them needed",
        "each material, or part of one, by the rule of the others" if measured else "",
        _reliability(sheets, told) if measured else {},
        tuple(digest(material) for material in known),
    )


def sheet(material: Material, embedder: Embedder | None = None, batches: Batches = "whole") -> Sheet:
    """Return what is learned from *material*."""
    texts = [claim.text for claim in material.claims]
    vectors = embedder.embed(texts) if embedder is not None else np.zeros((len(texts), 0))
    return Sheet(material, trait_table(material, batches), vectors.astype(np.float64), worth(material))


def _reliability(sheets: Sequence[Sheet], told: Told) -> dict[str, dict[str, float]]:
    """Return what the rules of the others do on each sheet."""
    chances = left_out(sheets, told)
    found = against_heuristics(sheets, chances, told)
    every, truth = np.concatenate(chances), np.concatenate([each.truth for each in sheets])
    figures = {
        "claims": float(len(truth)),
        "needed": float(truth.mean()),
        "expected": float(every.mean()),
        "calibration error": calibration_error(every, truth),
    }
    return {**found.figures(), "chances": {name: round(value, 3) for name, value in figures.items()}}


def against_heuristics(
    sheets: Sequence[Sheet], scores: Sequence[Floats], told: Told = lambda _: None
) -> Compared:
    """Compare memories by *scores* with those of plain ways."""
    grounds = []
    for each in sheets:
        told(f"best memories of {each.material.id}")
        grounds.append(Ground.of(each.material))
    return compared(grounds, [each.table for each in sheets], scores)


def left_out(
    sheets: Sequence[Sheet], told: Told = lambda _: None, *, penalty: float = PENALTY
) -> list[Floats]:
    """Return the chances of the claims of each sheet by a rule that was fitted without them."""
    if len(sheets) == 1:
        return [_left_out_parts(sheets[0], told, penalty)]
    found: list[Floats] = [np.zeros(0)] * len(sheets)
    groups = min(_GROUPS, len(sheets))
    for group in range(groups):
        told(f"fold {group + 1} of {groups}")
        rule = fit([each for i, each in enumerate(sheets) if i % groups != group], penalty)
        for i in range(group, len(sheets), groups):
            found[i] = rule.chances(sheets[i].table, sheets[i].vectors)
    return found


def _left_out_parts(only: Sheet, told: Told, penalty: float) -> Floats:
    """Cut a single material into parts that follow each other: neighbours know of each other."""
    place = np.arange(len(only.truth)) * _PARTS // len(only.truth)
    chances = np.zeros(len(place))
    for part in range(_PARTS):
        told(f"fold {part + 1} of {_PARTS}")
        inside = place == part
        kept = Sheet(only.material, only.table[~inside], only.vectors[~inside], only.worth[~inside])
        chances[inside] = fit([kept], penalty).chances(only.table[inside], only.vectors[inside])
    return chances


def fit(sheets: Sequence[Sheet], penalty: float = PENALTY) -> WriterRule:
    """Fit a rule to all claims of *sheets*: first which way, needed claims by their worth; then how sure."""
    table = np.concatenate([each.table for each in sheets])
    vectors = np.concatenate([each.vectors for each in sheets])
    worth = np.concatenate([each.worth for each in sheets])
    truth = worth > 0
    directions = _main_directions(vectors)
    seen = [f"direction {i}" for i in range(directions.shape[1])]
    rows = np.concatenate([table, vectors @ directions], axis=1)
    weights = np.where(truth, worth / worth[truth].mean(), 1.0)
    way = logistic(Examples([*TRAITS, *seen], rows, truth, weights), penalty, spread=_SPREAD)
    sums = way.logits([*TRAITS, *seen], rows)[:, None]
    sure = logistic(Examples(["sum"], sums, truth, np.ones(len(truth))), _SURE)
    scale = sure.weights.get("sum", 0.0)
    traits = {name: scale * way.weights[name] for name in TRAITS if name in way.weights}
    direction = directions @ np.array([scale * way.weights.get(name, 0.0) for name in seen])
    linear = Linear(sure.bias + scale * way.bias, traits)
    return WriterRule("", linear, direction=tuple(direction.tolist()))


def _main_directions(vectors: Floats) -> Floats:
    """Return the main directions in which *vectors* differ, shape (d, at most 32)."""
    apart = vectors - vectors.mean(axis=0)
    _, directions = np.linalg.eigh(apart.T @ apart)
    return directions[:, ::-1][:, :_DIRECTIONS]
