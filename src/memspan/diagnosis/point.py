"""One system at one capacity, placed under the frontier: the result that everything else shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from memspan.coverage import covered
from memspan.diagnosis.ground import Ground, World
from memspan.diagnosis.measuring import Measured, measure
from memspan.diagnosis.noise import JudgeNoise, corrected
from memspan.diagnosis.running import Run
from memspan.diagnosis.stored import Resting
from memspan.diagnosis.waterfall import Waterfall, waterfall
from memspan.diagnosis.worlds import spread
from memspan.intervals import Interval
from memspan.material import Material, Note
from memspan.optimum import Frontier

Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
STAGES = ("unanswerable", "generation", "compression", "write", "false", "read", "reasoner", "reached")
"""Where a query got lost: the first of these that applies. ``reached``: answered rightly, lost on the way or
not; where nobody answered, read."""


@dataclass(frozen=True)
class Point:
    """A system in the size-utility plane. Utilities are masses in [0, 1]; intervals where not sure.

    Attributes:
        material: id of the material.
        system, variant: which system.
        capacity: claims it may hold; None where it has no bound.
        place: the how-manieth of the capacities asked for that is; None likewise.
        size: claims that its notes rest on; the mean where that is not sure.
        notes: how many notes it holds.
        memory: ids of those claims, the likeliest ones, in material order.
        invented: notes that rest on no claim.
        k: notes read for a question; None for all.
        u_cov, u_prec, u_read: covered, by true claims alone, and read.
        u_e2e: answered rightly; None where nobody answered.
        inflation: covered by false claims alone.
        frontier: U*(size), between its bounds.
        loss: U*(size) - u_cov.
        loss_prec: the same for true claims alone.
        share, share_prec: u_cov as a share of U*(S), u_prec as one of the precision frontier, at the
            capacity S; at its size where it has none; 0 where nothing can be covered.
        tokens_held: words and punctuation marks of all notes.
        tokens_read: of the notes read for a question, on average.
        waterfall: where the queries are lost.
        stages: for each query of the material its position in `STAGES`, in the first world.
        u_prec_expected: mass expected to be covered by true claims under the beliefs; None where nothing
            is believed.
        water_expected: u_cov - u_prec_expected; likewise.
    """

    material: str
    system: str
    variant: str
    capacity: int | None
    place: int | None
    size: int
    notes: int
    memory: tuple[str, ...]
    invented: int
    k: int | None
    u_cov: Interval
    u_prec: Interval
    u_read: Interval
    u_e2e: Interval | None
    inflation: Interval
    frontier: Interval
    loss: Interval
    loss_prec: Interval
    share: Interval
    share_prec: Interval
    tokens_held: float
    tokens_read: float
    waterfall: Waterfall
    stages: npt.NDArray[np.uint8] = field(repr=False, compare=False)
    u_prec_expected: Interval | None = None
    water_expected: Interval | None = None

    @property
    def label(self) -> str:
        """System and variant."""
        return f"{self.system}:{self.variant}" if self.variant else self.system


def point_of(run: Run, ground: Ground, noise: JudgeNoise | None = None) -> Point:
    """Place *run* under the frontier of *ground*; outcomes are corrected for the *noise* of their judge."""
    raw, capacity = None if run.right is None else np.array(run.right, np.float64), run.capacity
    right = None if raw is None else _denoised(raw, ground.worlds[0].weights, noise)
    memory, reads = _places(ground.material, run, None)
    likeliest = measure(ground.worlds[0], memory, reads, right)
    measured = _measured(run, ground, right) if run.drawn or len(ground.worlds) > 1 else [likeliest]
    size = round(np.mean([each.size for each in measured]))

    def over(value: Callable[[Measured], float]) -> Interval:
        return spread([value(each) for each in measured])

    over_right = None if right is None else over(lambda m: m.right_share or 0.0)
    best = _bounds(measured, None, lambda world: world.frontier)
    precise = _bounds(measured, None, lambda world: world.precision)
    return Point(
        material=ground.material.id,
        system=run.kind.name,
        variant=run.kind.variant,
        capacity=capacity,
        place=run.place,
        size=size,
        notes=len(run.held),
        memory=tuple(ground.material.claims[i].id for i in np.flatnonzero(memory).tolist()),
        invented=sum(not note.claims for note in run.held),
        k=run.k,
        u_cov=over(lambda m: m.share(m.covered)),
        u_prec=over(lambda m: m.share(m.precise)),
        u_read=over(lambda m: m.share(m.read)),
        u_e2e=_right_share(likeliest, raw, noise) if raw is not None and noise else over_right,
        inflation=over(lambda m: m.share(m.covered & ~m.precise)),
        frontier=spread([low for low, _ in best], *zip(*best, strict=True)),
        loss=_loss(measured, best, lambda m: m.share(m.covered)),
        loss_prec=_loss(measured, precise, lambda m: m.share(m.precise)),
        share=_ratio(
            measured, _bounds(measured, capacity, lambda w: w.frontier), lambda m: m.share(m.covered)
        ),
        share_prec=_ratio(
            measured, _bounds(measured, capacity, lambda w: w.precision), lambda m: m.share(m.precise)
        ),
        tokens_held=run.tokens_held,
        tokens_read=run.tokens_read(ground.material),
        waterfall=waterfall(measured, capacity),
        stages=stages_of(likeliest, capacity),
        u_prec_expected=_known_in(measured, lambda m: m.expected),
        water_expected=_known_in(measured, _water_expected),
    )


def _water_expected(measured: Measured) -> float | None:
    expected = measured.expected
    # Sums of chances are rounded where masses are exact: 0 must not come out below 0.
    return None if expected is None else max(measured.share(measured.covered) - expected, 0.0)


def _known_in(measured: Sequence[Measured], value: Callable[[Measured], float | None]) -> Interval | None:
    """Return *value* over the worlds; None where it is not known in each."""
    found = [known for each in measured if (known := value(each)) is not None]
    return spread(found) if len(found) == len(measured) else None


def _measured(run: Run, ground: Ground, right: npt.NDArray[np.float64] | None) -> list[Measured]:
    """Measure *run* in as many ways as supports, or what notes rest on, were drawn."""
    ways: Sequence[Resting | None] = run.drawn or (None,)
    count = max(len(ways), len(ground.worlds))
    pairs = [(ground.worlds[i % len(ground.worlds)], ways[i % len(ways)]) for i in range(count)]
    return [measure(world, *_places(ground.material, run, way), right) for world, way in pairs]


def _places(material: Material, run: Run, drawn: Resting | None) -> tuple[Flags, list[frozenset[int]]]:
    """Return the claims that notes held rest on, and those that were read for each query."""
    position = material.claim_position
    known: dict[int, frozenset[int]] = {}  # by object: the same notes are read for many queries

    def rests(note: Note) -> frozenset[int]:
        claims = note.claims if drawn is None else drawn.get(note.id, note.claims)
        known[id(note)] = found = frozenset(position[name] for name in claims if name in position)
        return found

    def resting(notes: Sequence[Note]) -> frozenset[int]:
        return frozenset().union(*[known.get(id(note)) or rests(note) for note in notes])

    memory = np.zeros(len(material.claims), np.bool_)
    memory[sorted(resting(run.held))] = True
    return memory, [resting(notes) for notes in run.read]


def _denoised(right: Floats, weights: Ints, noise: JudgeNoise | None) -> Floats:
    """Return how right answers were behind what a noisy judge said of each: exact in the mean, not in one.

    A mean outside [0, 1] says that the noise is not what it was said to be: then all are right, or none.
    """
    if noise is None:
        return right
    linear: Floats = (right - noise.false_right) / (1 - noise.false_right - noise.false_wrong)
    mean = float((weights * linear).sum()) / max(int(weights.sum()), 1)
    return linear if 0 <= mean <= 1 else np.full_like(linear, float(mean > 1))


def _right_share(measured: Measured, raw: Floats, noise: JudgeNoise) -> Interval:
    """Return the mass answered rightly behind what a noisy judge said, with its 95 % interval."""
    world = measured.world
    counts = world.supported if world.frontier.over == "answerable" else np.ones_like(world.supported)
    weight = measured.weight(counts)
    if not weight:
        return Interval(0.0, 0.0, 0.0)
    rate = float((world.weights * raw)[counts].sum()) / weight
    return corrected(rate, int(counts.sum()), noise)


def _bounds(
    measured: Sequence[Measured], capacity: int | None, which: Callable[[World], Frontier]
) -> list[tuple[float, float]]:
    """Return the bounds of the optimum at *capacity*; at each one's own size where it is None."""
    sizes = [each.size if capacity is None else capacity for each in measured]
    points = [which(each.world).at(size) for each, size in zip(measured, sizes, strict=True)]
    fits = [each.size <= size for each, size in zip(measured, sizes, strict=True)]
    known = [_known(m, which(m.world)) if fit else 0.0 for m, fit in zip(measured, fits, strict=True)]
    return [(max(point.lower, own), point.upper) for point, own in zip(points, known, strict=True)]


def _known(measured: Measured, frontier: Frontier) -> float:
    """Return what the memory itself is known to reach: a bound that the search may not have found."""
    return measured.share(measured.precise if frontier.utility == "precision" else measured.covered)


def _loss(
    measured: Sequence[Measured], best: Sequence[tuple[float, float]], value: Callable[[Measured], float]
) -> Interval:
    low = [max(bounds[0] - value(m), 0.0) for m, bounds in zip(measured, best, strict=True)]
    high = [max(bounds[1] - value(m), 0.0) for m, bounds in zip(measured, best, strict=True)]
    return spread(low, low, high)


def _ratio(
    measured: Sequence[Measured], best: Sequence[tuple[float, float]], value: Callable[[Measured], float]
) -> Interval:
    """Return a value as a share of the optimum; 0 where even that is 0. The bounds change places."""
    high = [value(m) / bounds[0] if bounds[0] else 0.0 for m, bounds in zip(measured, best, strict=True)]
    low = [value(m) / bounds[1] if bounds[1] else 0.0 for m, bounds in zip(measured, best, strict=True)]
    return spread([min(each, 1.0) for each in high], low, [min(each, 1.0) for each in high])


def stages_of(measured: Measured, capacity: int | None) -> npt.NDArray[np.uint8]:
    """Return for each query where it was lost, as a position in `STAGES`.

    A query that is not covered counts for the write where the best memory of that capacity covers it.
    """
    world = measured.world
    best = world.coverage.memory(world.frontier.memory(measured.size if capacity is None else capacity))
    reached = world.spread(covered(world.coverage, best))
    told = np.full(len(measured.read), np.nan) if measured.right is None else measured.right
    lost = [
        ~world.answerable,
        ~world.spanned & ~measured.covered & ~reached,
        ~measured.covered & ~reached,
        ~measured.covered,
        ~measured.precise,
        ~measured.read,
        told < 0.5,
    ]
    stages = np.select(lost, range(len(lost)), len(lost))
    return np.where(told >= 0.5, len(lost), stages).astype(np.uint8)
