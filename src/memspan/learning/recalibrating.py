"""A write rule moved towards another kind of material, by the supports of a few settled queries.

Only some of the claims that are needed are known, and none is known not to be needed. So claims that
were disclosed are taken as draws from all claims, each in proportion to its chance, and the weights
are moved to make those draws likely, held back by their distance from where they were. How hard
they are held is tried on disclosed queries that are left out in turn: they move only as far as those
queries clearly ask for.

Source: the likelihood is that of a conditional logit model, D. McFadden, *Conditional logit analysis of
qualitative choice behavior*, 1974, with the chance in place of the exponential.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from memspan.answering.linear import Linear, probability
from memspan.errors import ModelError, ShapeError
from memspan.learning.writing import Batches, trait_table
from memspan.material import Material
from memspan.policies.traits import TRAITS
from memspan.policies.writer import WriterRule, digest

if TYPE_CHECKING:
    from memspan.ports import Embedder

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_HOLDS = (100.0, 30.0, 10.0, 3.0)  # of a weight on a trait in deviations, the hardest first
_LEAST, _PARTS = 5, 10  # queries without which nothing moves; parts in which they are left out
_SPREAD = 1e-9  # of a trait that is the same for all claims
_STEPS = 60  # halvings of the range in which the level lies


def recalibrate(
    rule: WriterRule,
    material: Material,
    supports: Sequence[Sequence[str]],
    *,
    asked: int | None = None,
    batches: Batches = "whole",
    embedder: Embedder | None = None,
) -> WriterRule:
    """Return *rule* moved towards what the *supports* of a few disclosed queries need.

    The weight of an embedder's vectors stays as it is. All weights stay with fewer than five queries, and
    where queries that are left out in turn see no clear gain. What was done is told at the end of
    ``fitted_on`` and of the name: ``recalibrated``, ``level set anew`` (the order of the claims is as it
    was), or ``not moved``.

    Args:
        rule: fitted on other materials.
        material: its claims alone are read, neither its queries nor their supports.
        supports: for each disclosed query the ids of the claims that it needs.
        asked: how many queries are asked in all, disclosed ones among them. With it the level of
            the chances is set anew; without, the mean chance stays as it was.
        batches: whether the material appears as a whole, or session by session.
        embedder: the one whose vectors the rule weighs, if it weighs any.

    Raises:
        ShapeError: no claim is disclosed, one is no claim of this material, or fewer queries are
            asked in all than are disclosed.
        ModelError: the rule weighs vectors of an embedder that is not the one given.

    >>> from memspan.policies.writer import shipped
    >>> from memspan.datasets import bundled
    >>> moved = recalibrate(shipped(), bundled("odyssey"), [["e3"], ["e2", "e3"]])
    >>> moved.name
    'shipped, not moved'
    >>> moved.fitted_on.rpartition("; ")[2]
    'not moved: 2 queries are too few'
    """
    drawn = _positions(material, supports)
    everything = np.concatenate(drawn)
    if asked is not None and asked < len(supports):
        raise ShapeError(f"{len(supports)} queries are disclosed and {asked} asked in all; give all of them")
    table = trait_table(material, batches)
    before = rule.linear.logits(tuple(TRAITS), table) + _pull(rule, material, embedder)
    mean, scale = table.mean(axis=0), table.std(axis=0)
    used = np.flatnonzero(scale > _SPREAD)
    rows = (table[:, used] - mean[used]) / scale[used]
    moves = _held(before, rows, drawn)
    stays = not moves.any()
    if stays and asked is None:
        return _told(rule, "not moved", f"not moved: {_why_not(len(supports))}")
    after = before + rows @ moves
    level = _level(after, _needed(before, after, len(everything), asked, len(supports)))
    if stays:
        linear = replace(rule.linear, bias=rule.linear.bias + level)
        what = f"level set anew by {_counted(len(supports))}; no weight moved: {_why_not(len(supports))}"
        return replace(_told(rule, "level set anew", what), linear=linear, reliability={})
    shifts = np.zeros(len(mean))
    shifts[used] = moves / scale[used]
    linear = _shifted(rule.linear, shifts, level - float(shifts @ mean))
    taught_by = (*rule.taught_by, digest(material)) if rule.taught_by else ()
    found = _told(rule, "recalibrated", f"moved by {_counted(len(supports))} of {material.id}")
    return replace(found, linear=linear, reliability={}, taught_by=taught_by)


def _shifted(linear: Linear, shifts: Floats, bias: float) -> Linear:
    """Return *linear* with a shift added to the weight of each trait, and *bias* to its own."""
    weights = dict(linear.weights)
    for name, shift in zip(TRAITS, shifts.tolist(), strict=True):
        if shift:
            weights[name] = weights.get(name, 0.0) + shift
    return Linear(linear.bias + bias, weights)


def _told(rule: WriterRule, what: str, how: str) -> WriterRule:
    """Return *rule* with what was done to it in its name and origin."""
    return replace(rule, name=f"{rule.name}, {what}", fitted_on=f"{rule.fitted_on}; {how}".removeprefix("; "))


def _why_not(queries: int) -> str:
    if queries < _LEAST:
        return f"{_counted(queries)} {'is' if queries == 1 else 'are'} too few"
    return f"{_counted(queries)}, left out in turn, saw no clear gain"


def _counted(queries: int) -> str:
    return f"{queries} {'query' if queries == 1 else 'queries'}"


def _positions(material: Material, supports: Sequence[Sequence[str]]) -> list[Ints]:
    """Return the positions of the claims that each query needs."""
    names = [name for support in supports for name in support]
    strange = [name for name in names if name not in material.claim_position]
    if strange or not names:
        seen = f"{strange[0]!r} is no claim of {material.id!r}" if strange else "no claim is disclosed"
        raise ShapeError(f"{seen}; give the ids of the claims that settled queries need")
    return [np.array([material.claim_position[n] for n in each], np.int64) for each in supports]


def _pull(rule: WriterRule, material: Material, embedder: Embedder | None) -> Floats:
    """Return what the vectors of the claims add to the logits."""
    if rule.embedder is None:
        return np.zeros(len(material.claims))
    if embedder is None or embedder.name != rule.embedder:
        raise ModelError(f"rule {rule.name!r} weighs vectors of {rule.embedder}; give that embedder")
    vectors = embedder.embed([claim.text for claim in material.claims]).astype(np.float64)
    return np.asarray(vectors @ np.array(rule.direction), np.float64)


def _held(before: Floats, rows: Floats, drawn: Sequence[Ints]) -> Floats:
    """Return by how much each weight moves, held as hard as queries that are left out allow.

    Of all ways to hold, not to move at all among them, the hardest is taken that is within one
    standard error of the best.
    """
    still = np.zeros(rows.shape[1])
    if len(drawn) < _LEAST:
        return still
    parts = min(len(drawn), _PARTS)
    told = np.zeros((1 + len(_HOLDS), parts))
    for part in range(parts):
        unseen = np.concatenate(drawn[part::parts])
        seen = np.unique(np.concatenate([each for i, each in enumerate(drawn) if i % parts != part]))
        tried = [still, *(_moves(before, rows, seen, hold) for hold in _HOLDS)]
        told[:, part] = [_likely(before + rows @ moves, unseen) for moves in tried]
    behind = told[told.mean(axis=1).argmax()] - told
    near = behind.mean(axis=1) <= behind.std(axis=1, ddof=1) / np.sqrt(parts)
    chosen = int(near.argmax())
    return (
        still if chosen == 0 else _moves(before, rows, np.unique(np.concatenate(drawn)), _HOLDS[chosen - 1])
    )


def _likely(logits: Floats, drawn: Ints) -> float:
    """Return the log of how likely it is to draw those claims, each in proportion to its chance."""
    chances = np.maximum(probability(logits), np.finfo(np.float64).tiny)
    return float(np.log(chances[drawn] / chances.sum()).sum())


def _moves(before: Floats, rows: Floats, drawn: Ints, hold: float) -> Floats:
    """Return by how much each weight moves: the most likely, given how hard each is held."""
    from scipy.optimize import minimize

    def loss(moves: Floats) -> tuple[float, Floats]:
        chances = probability(before + rows @ moves)
        whole = max(float(chances.sum()), np.finfo(np.float64).tiny)
        away = len(drawn) * chances * (1 - chances) / whole
        away[drawn] -= 1 - chances[drawn]
        told = np.log(np.maximum(chances[drawn], np.finfo(np.float64).tiny)).sum()
        value = len(drawn) * np.log(whole) - told + hold / 2 * float(moves @ moves)
        return float(value), rows.T @ away + hold * moves

    found = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B")
    return np.asarray(found.x, np.float64)


def _needed(before: Floats, after: Floats, drawn: int, asked: int | None, disclosed: int) -> float:
    """Return how many claims some query will need: as many as before, or as *asked* queries hit by chance."""
    if asked is None:
        return float(probability(before).sum())
    chances = probability(after)
    hits = drawn * asked / disclosed
    return float((-np.expm1(-hits * chances / chances.sum())).sum())


def _level(logits: Floats, wanted: float) -> float:
    """Return what must be added to *logits* so that their probabilities sum to *wanted*."""
    low, high = -50.0, 50.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if probability(logits + middle).sum() > wanted else (middle, high)
    return (low + high) / 2
