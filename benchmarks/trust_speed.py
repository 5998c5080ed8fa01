"""How fast the trust model learns, how much memory it takes, and how exactly it takes things back.

Each size runs in a process of its own, so that its peak of memory is its own. `benchmarks/trust.py --speed`
prints it.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial

import numpy as np
import numpy.typing as npt

from instances import public
from measuring import Section
from memspan.coverage import Coverage
from memspan.coverage.arrays import Ints, offsets
from memspan.material import Claim, Settlement
from memspan.trust import Terms, TrustModel
from trust_world import World, world

SIZES = (1_000, 100_000, 1_000_000)
LEAST_SETTLED = 100_000
SINGLE = 5_000
TOGETHER = 10_000
"""Settlements handed over in one call; also the claims added in one."""
PER_SOURCE = 20
LINKED = (0.25, 0.10)  # shares of the claims that contradict, and corroborate, the one before them
SIZES_OF_SUPPORTS = (0.6, 0.25, 0.15)
RARE = 0.8
RIGHT = 0.7
BEGUN = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Speed:
    """One size: seconds of the processor but for those by the clock; megabytes are peaks until then."""

    claims: int
    settlements: int
    updates_per_second: int
    by_the_clock: int
    call_median_us: float
    call_p99_us: float
    p99_by_the_clock_us: float
    all_trust_s: float
    all_beliefs_s: float
    one_sweep_s: float
    start_mb: int
    settled_mb: int
    in_all_mb: int


@dataclass(frozen=True)
class Exact:
    """How far two ways to the same knowledge lie apart, over all claims; `demanded` is of the greatest."""

    what: str
    greatest: float
    mean: float
    demanded: str


def sections() -> tuple[Section, ...]:
    """Measure everything."""
    times = tuple(Speed(**_in_child(size)) for size in SIZES)
    return (
        Section("speed", "online, in bulk and one by one", times),
        Section("exactness", "trust taken back, corrected, reordered", tuple(exactness())),
    )


def _in_child(size: int) -> dict[str, float]:
    run = subprocess.run([sys.executable, __file__, str(size)], check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(run.stdout)
    return found


def speed(size: int) -> Speed:
    """Measure a model of *size* claims, in this process."""
    rng = np.random.default_rng(100)
    _filled(20_000, rng)  # compiled kernels are loaded
    begun = _peak()
    model = TrustModel()
    for first in range(0, size, TOGETHER):
        model.add(_claims(first, min(first + TOGETHER, size), rng))
    shape = _supports(size, rng)
    count = max(LEAST_SETTLED, size)
    bulk = np.sum([_bulk(model, shape, done, count, rng) for done in range(0, count, TOGETHER)], axis=0)
    singles = np.array([_took(partial(model.settle, each)) for each in _outcomes(shape, SINGLE, rng)])
    settled = _peak()
    arrays = _coverage(model.claims, shape)
    reading = _took(model.trust), _took(partial(model.beliefs, arrays)), _took(partial(model.refit, sweeps=1))
    (median, _), late = np.quantile(singles, (0.5, 0.99), axis=0) * 1e6
    return Speed(
        size,
        count,
        *(int(count / seconds) for seconds in bulk),
        float(median),
        *late.tolist(),
        *(seconds for seconds, _ in reading),
        begun,
        settled,
        _peak(),
    )


def _bulk(
    model: TrustModel, shape: Shape, done: int, count: int, rng: np.random.Generator
) -> tuple[float, float]:
    several = _outcomes(shape, min(TOGETHER, count - done), rng)
    return _took(partial(model.settle_many, several))


def _took(work: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds that *work* takes: of the processor, and by the clock."""
    started, begun = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - started, time.perf_counter() - begun


def _filled(size: int, rng: np.random.Generator) -> None:
    model = TrustModel()
    model.add(_claims(0, size, rng))
    model.settle_many(_outcomes(_supports(size, rng), size, rng))
    model.trust()
    model.refit(sweeps=1)


def _claims(first: int, end: int, rng: np.random.Generator) -> list[Claim]:
    return [
        Claim(
            f"c{e}",
            source=f"s{e // PER_SOURCE}",
            contradicts=(f"c{e - 1}",) if e and drawn < LINKED[0] else (),
            corroborates=(f"c{e - 1}",) if e and LINKED[0] <= drawn < sum(LINKED) else (),
        )
        for e, drawn in zip(range(first, end), rng.random(end - first).tolist(), strict=True)
    ]


@dataclass(frozen=True)
class Shape:
    """Supports as rows of claims, and how likely each is to be settled, summed up."""

    ptr: Ints
    members: npt.NDArray[np.int32]
    until: npt.NDArray[np.float64]


def _supports(size: int, rng: np.random.Generator) -> Shape:
    """Draw as many supports as claims, of one to three claims each."""
    sizes = 1 + rng.choice(len(SIZES_OF_SUPPORTS), size, p=SIZES_OF_SUPPORTS)
    ptr = offsets(sizes)
    chance = (1.0 + np.arange(size)) ** -RARE
    members = rng.integers(0, size, ptr[-1], dtype=np.int32)
    return Shape(ptr, members, np.cumsum(chance) / chance.sum())


def _outcomes(shape: Shape, count: int, rng: np.random.Generator) -> list[Settlement]:
    drawn = np.minimum(np.searchsorted(shape.until, rng.random(count)), len(shape.until) - 1)
    right = rng.random(count) < RIGHT
    return [
        Settlement(f"q{s}", float(correct), tuple(f"c{e}" for e in dict.fromkeys(_members(shape, s))))
        for s, correct in zip(drawn.tolist(), right.tolist(), strict=True)
    ]


def _members(shape: Shape, support: int) -> list[int]:
    members: list[int] = shape.members[shape.ptr[support] : shape.ptr[support + 1]].tolist()
    return members


def _coverage(claims: tuple[str, ...], shape: Shape) -> Coverage:
    count = len(shape.until)
    return Coverage(
        claims=claims,
        queries=("q",),
        ptr=shape.ptr,
        members=shape.members,
        unless_ptr=np.zeros(count + 1, np.int64),
        unless=np.zeros(0, np.int32),
        owner=np.zeros(count, np.int32),
        weights=np.ones(1, np.int64),
        total=1,
        rounded=False,
        truth=np.full(len(claims), np.nan),
    )


def _peak() -> int:
    """Return the greatest memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def exactness(count: int = 5_000, seed: int = 100) -> Iterator[Exact]:
    """Yield how exactly a model comes back to what it knew, or would have known."""
    drawn = world(public(""), 0.2, seed)
    dated = [
        replace(each, time=(BEGUN + timedelta(minutes=i)).isoformat())
        for i, each in enumerate(drawn.stream(count, seed))
    ]
    yield _undone(drawn, dated)
    yield from _corrected(drawn, dated, np.random.default_rng(seed))
    yield from _reordered(drawn, dated, np.random.default_rng(seed))


def _undone(drawn: World, dated: Sequence[Settlement]) -> Exact:
    model = TrustModel(drawn.material)
    before = model.trust().tau
    for entry in model.settle_many(dated):
        model.revoke(entry)
    return _apart("all revoked, against the prior", model.trust().tau, before, "1e-9")


def _corrected(drawn: World, dated: Sequence[Settlement], rng: np.random.Generator) -> Iterator[Exact]:
    """Settle a tenth the wrong way round, correct it, and compare with a model that never erred."""
    clean, erred = TrustModel(drawn.material), TrustModel(drawn.material)
    clean.settle_many(dated)
    turned = np.flatnonzero(rng.random(len(dated)) < 0.1).tolist()
    wrong = {i: replace(dated[i], correct=1 - dated[i].correct) for i in turned}
    entries = erred.settle_many([wrong.get(i, each) for i, each in enumerate(dated)])
    yield _apart("a tenth settled wrongly", erred.trust().tau, clean.trust().tau, "")
    for i in turned:
        erred.correct(entries[i], dated[i].correct)
    yield _apart("and corrected", erred.trust().tau, clean.trust().tau, "")
    clean.refit()
    erred.refit()
    yield _apart("and refitted", erred.trust().tau, clean.trust().tau, "1e-4")


def _reordered(drawn: World, dated: Sequence[Settlement], rng: np.random.Generator) -> Iterator[Exact]:
    """Settle in another order: with times under drift, and without where nothing drifts."""
    order = rng.permutation(len(dated)).tolist()
    for what, terms, several in (
        ("with times, drift 0.9", Terms(), dated),
        ("without times, no drift", Terms(drift=1), [replace(each, time=None) for each in dated]),
    ):
        one, other = (TrustModel(drawn.material, terms=terms) for _ in range(2))
        one.settle_many(several)
        other.settle_many([several[i] for i in order])
        yield _apart(f"another order, {what}", other.trust().tau, one.trust().tau, "")
        one.refit()
        other.refit()
        yield _apart(f"another order, {what}, refitted", other.trust().tau, one.trust().tau, "1e-4")


def _apart(what: str, found: np.ndarray, right: np.ndarray, demanded: str) -> Exact:
    gap = np.abs(found - right)
    return Exact(what, float(gap.max()), float(gap.mean()), demanded)


if __name__ == "__main__":
    print(json.dumps(asdict(speed(int(sys.argv[1])))))
