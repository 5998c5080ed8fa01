"""Memory systems under the frontier: every system, on every material, at every capacity."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, TypeVar

from memspan.coverage.arrays import Over
from memspan.diagnosis.evaluation import Evaluation
from memspan.diagnosis.ground import Ground, ground_of
from memspan.diagnosis.noise import JudgeNoise
from memspan.diagnosis.point import Point, point_of
from memspan.diagnosis.recorded import RECORDED, record_of_run, runs_recorded, runs_untold
from memspan.diagnosis.running import BELIEVED, OPTIMUM, Asked, recorded_kind, runs_of
from memspan.diagnosis.trusted import Trusted, believing, reliabilities
from memspan.errors import ShapeError
from memspan.executor import Here
from memspan.material import Material, Settlement
from memspan.optimum.frontier import is_capacity
from memspan.policies import Likeness
from memspan.ports import AnswerJudge, Author, Embedder, Executor, Reasoner
from memspan.systems import KINDS, PlainAuthor, SystemKind, system_of
from memspan.systems.registry import PACKAGES

SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9)
"""Capacities where none are given: shares of the claims."""
TOGETHER = 13
"""Systems in one job, which share the vectors of the texts; never by the number of workers."""

REGISTERED = (*KINDS, *PACKAGES)

Report = Callable[[int, int], None]
Done = TypeVar("Done")
Given = object
"""What `memspan.systems.system_of` takes."""


@dataclass(frozen=True)
class Terms:
    """How an evaluation is made, beside what is evaluated.

    Attributes:
        k: notes read for a question; each system's own number where None.
        over: utilities are shares of the answerable queries, or of all.
        author: what writes the model-made parts of systems.
        embedder: how alike texts are; words, hashed, where None.
        reasoner, judge: who answers from the notes read, and who judges; both or none.
        noise: how often the judge is wrong; outcomes are corrected for it.
        seconds: time for the frontiers of each material.
        draws: how often supports are drawn that are not sure.
        seed: of all chance.

    Raises:
        ShapeError: *k* is negative, or a reasoner comes without a judge.
    """

    k: int | None = None
    over: Over = "answerable"
    author: Author = PlainAuthor()  # noqa: RUF009 - it holds nothing
    embedder: Embedder | None = None
    reasoner: Reasoner | None = None
    judge: AnswerJudge | None = None
    noise: JudgeNoise | None = None
    seconds: float = 60.0
    draws: int = 20
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse terms that say nothing."""
        if self.k is not None and self.k < 0:
            raise ShapeError(f"k is {self.k}; give a number of notes to read, 0 or more")
        if (self.reasoner is None) != (self.judge is None):
            raise ShapeError("a reasoner needs a judge and a judge a reasoner; give both or none")


CHOSEN = (OPTIMUM, BELIEVED)
"""Memories that are chosen knowing the questions, beside the systems that do not."""


class _Job(Protocol):
    """A part of an evaluation."""

    def points(self) -> list[Point]:
        """Return the points it makes."""
        ...


@dataclass(frozen=True)
class _Simulated:
    """Some systems on one material, filled and asked here."""

    ground: Ground
    systems: tuple[Given, ...]
    capacities: tuple[int, ...]
    terms: Terms

    def points(self) -> list[Point]:
        likeness, terms = Likeness(self.terms.embedder), self.terms
        asked = Asked(self.capacities, terms.k, terms.author, terms.reasoner, terms.judge, terms.seed)
        kinds = [kind for given in self.systems for kind in kinds_of([given])]
        runs = (run for kind in kinds for run in runs_of(kind, self.ground, likeness, asked))
        return [point_of(run, self.ground, terms.noise if terms.reasoner else None) for run in runs]


@dataclass(frozen=True)
class _Repeated:
    """A recorded run, on the queries of one material that it settled."""

    ground: Ground
    run: str
    settlements: tuple[Settlement, ...]
    terms: Terms

    def points(self) -> list[Point]:
        terms = self.terms
        record = record_of_run(self.run, self.settlements, self.ground.material, terms.draws, terms.seed)
        kind = recorded_kind(record, RECORDED)
        asked = Asked((), None, terms.author, None, None, terms.seed)
        runs = runs_of(kind, self.ground, Likeness(terms.embedder), asked)
        return [point_of(run, self.ground, terms.noise) for run in runs]


def evaluate(  # noqa: PLR0913 - what is evaluated, and how it is run: each is a thing of its own
    materials: Material | Sequence[Material],
    systems: Sequence[Given] = ("all",),
    capacities: Sequence[float] = SHARES,
    *,
    terms: Terms = Terms(),
    trust: Mapping[str, Trusted] | None = None,
    executor: Executor = Here(),  # noqa: B008 - holds nothing
    report: Report | None = None,
) -> Evaluation:
    """Place *systems* under the frontier of each of *materials*.

    Args:
        materials: claims, queries and supports.
        systems: names such as ``mem0``, ``mem0:paper``, ``optimum``, ``all`` (with the optimum),
            ``believed`` (the best memory by *trust*) or ``recorded`` (the runs that settlements come
            from), or kinds.
        capacities: numbers of claims; below 1, shares of each material's claims.
        terms: how it is made.
        trust: what is believed about the claims, by id of the material; beliefs are held against what is
            known to be true, and each point gets what its memory is expected to be worth.
        executor: runs the parts; results do not depend on it. For a pool, kinds that are not named
            must be picklable.
        report: told how many parts are done, and of how many.

    Raises:
        UnknownName: no such system, or beliefs about a material that is not there.
        ShapeError: a capacity that is none, materials that share an id, or beliefs that do not fit.

    Source: arXiv 2608.11654, section 3.

    >>> import memspan as ms
    >>> point = evaluate(ms.bundled("odyssey"), ["fifo"], [4]).points[0]
    >>> point.system, point.capacity, round(point.u_cov.estimate, 2), round(point.loss.estimate, 2)
    ('fifo', 4, 0.65, 0.25)
    """
    several = (materials,) if isinstance(materials, Material) else tuple(materials)
    twice = [name for name, count in Counter(material.id for material in several).items() if count > 1]
    if twice:
        raise ShapeError(f"{twice[0]!r} is the id of several materials; give each one of its own")
    beliefs = trust or {}
    worth = reliabilities(beliefs, several)
    listed, recorded = _listed(systems)
    wanted = [capacities_in(material, capacities) for material in several]
    solve = partial(ground_of, over=terms.over, seconds=terms.seconds, draws=terms.draws, seed=terms.seed)
    runs = [(m, run, each) for m in several if recorded for run, each in runs_recorded(m).items()]
    told = _Counter(len(several) * (1 + len(_parts(listed))) + 2 * len(runs), report)
    grounds = _believed(told.each(executor.map(solve, several)), beliefs)
    settled = _believed(told.each(executor.map(solve, [_settled(m, each) for m, _, each in runs])), beliefs)
    jobs: list[_Job] = [
        _Simulated(ground, part, places, terms)
        for ground, places in zip(grounds, wanted, strict=True)
        for part in _parts(listed)
    ]
    jobs += [
        _Repeated(ground, run, tuple(each), terms)
        for ground, (_, run, each) in zip(settled, runs, strict=True)
    ]
    found = told.each(executor.map(_points, jobs))
    points = tuple(point for points in found for point in points)
    of_runs = {(m.id, run): ground for ground, (m, run, _) in zip(settled, runs, strict=True)}
    untold = tuple(each for m in several if recorded for each in runs_untold(m))
    return Evaluation(points, grounds, terms.over, of_runs, untold, worth, _flattered(listed, several))


def _believed(grounds: Iterable[Ground], trust: Mapping[str, Trusted]) -> tuple[Ground, ...]:
    """Return *grounds* with beliefs; arrays travel to workers, what made them need not."""
    return tuple(believing(ground, trust.get(ground.material.id)) for ground in grounds)


def _settled(material: Material, settlements: Sequence[Settlement]) -> Material:
    """Return *material* with the queries alone that were settled."""
    names = {settlement.query for settlement in settlements}
    queries = tuple(query for query in material.queries if query.id in names)
    return replace(material, queries=queries, settlements=())


def _points(job: _Job) -> list[Point]:
    return job.points()


def _parts(systems: tuple[Given, ...]) -> list[tuple[Given, ...]]:
    return [systems[i : i + TOGETHER] for i in range(0, len(systems), TOGETHER)]


def _listed(systems: Sequence[Given]) -> tuple[tuple[Given, ...], bool]:
    """Return the systems one by one, by name where they have one, and whether recorded runs are wanted."""
    listed: dict[str, Given] = {}
    for kind in _by_file(kinds_of([given for given in systems if given != RECORDED])):
        # A name travels to a worker, its maker may not.
        own = kind.label if kind in CHOSEN or kind in REGISTERED else kind
        if listed.setdefault(kind.label, own) != own:
            other = _renamed(kind, listed)
            listed[other.label] = other
    return tuple(listed.values()), RECORDED in systems


def _by_file(kinds: Sequence[SystemKind]) -> Iterator[SystemKind]:
    """Yield *kinds*, rules of one name under the names of their files, too."""
    files: dict[str, set[str]] = {}
    for kind in kinds:
        files.setdefault(kind.label, set()).add(kind.source)
    for kind in kinds:
        alone = kind in REGISTERED or not kind.source or len(files[kind.label]) == 1
        yield kind if alone else replace(kind, variant=f"{kind.variant} ({kind.source})")


def _flattered(systems: Sequence[Given], materials: Sequence[Material]) -> dict[str, tuple[str, ...]]:
    """Return which of *materials* each of *systems* was fitted on, those alone that were on some."""
    fitted = {kind.label: kind.was_fitted_on for kind in kinds_of(systems) if kind.was_fitted_on}
    found = {label: tuple(m.id for m in materials if seen(m)) for label, seen in fitted.items()}
    return {label: names for label, names in found.items() if names}


def _renamed(kind: SystemKind, taken: Mapping[str, Given]) -> SystemKind:
    """Return *kind* under a name that no other has."""
    names = (replace(kind, name=f"{kind.name} ({number})") for number in itertools.count(2))
    return next(each for each in names if each.label not in taken)


def kinds_of(systems: Sequence[Given]) -> list[SystemKind]:
    """Return the kinds that *systems* name; ``all`` is every registered one, and the optimum.

    Raises:
        UnknownName: there is none.

    >>> [kind.label for kind in kinds_of(["optimum", "fifo"])]
    ['optimum', 'fifo']
    """
    kinds: list[SystemKind] = []
    for given in systems:
        if given in (OPTIMUM.name, "all"):
            kinds.append(OPTIMUM)
        elif given == BELIEVED.name:
            kinds.append(BELIEVED)
        if given not in [kind.name for kind in CHOSEN]:
            kinds += system_of(given)
    return kinds


def capacities_in(material: Material, capacities: Sequence[float]) -> tuple[int, ...]:
    """Return *capacities* as numbers of claims of *material*, in their order; below 1 they are shares.

    Raises:
        ShapeError: one is neither.

    >>> import memspan as ms
    >>> capacities_in(ms.bundled("odyssey"), [0.5, 2])
    (3, 2)
    """
    whole = len(material.claims)
    found = [_counted(each, whole) for each in capacities]
    for capacity in found:
        if not is_capacity(capacity):
            raise ShapeError(
                f"capacity is {capacity!r}; give a number of claims, or a share between 0 and 1 of them"
            )
    return tuple(int(str(capacity)) for capacity in found)


def _counted(capacity: object, whole: int) -> object:
    """Return a share of the *whole* as at least one claim; what is no share as it is."""
    if isinstance(capacity, float) and 0 < capacity < 1:
        return max(round(capacity * whole), min(whole, 1))
    return capacity


class _Counter:
    """Tells how many parts are done."""

    def __init__(self, count: int, report: Report | None) -> None:
        self._count, self._report, self._done = count, report, 0

    def each(self, results: Iterable[Done]) -> Iterator[Done]:
        """Yield *results* as they come, and count them."""
        for result in results:
            self._done += 1
            if self._report:
                self._report(min(self._done, self._count), self._count)
            yield result
