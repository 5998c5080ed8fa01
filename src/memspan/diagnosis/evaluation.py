"""The result of an evaluation, and the tables that are read off it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from memspan.coverage.arrays import Over
from memspan.diagnosis.ground import Ground
from memspan.diagnosis.point import Point
from memspan.diagnosis.recorded import RECORDED
from memspan.diagnosis.trusted import Reliability
from memspan.errors import UnknownName
from memspan.intervals import Interval, mean_over
from memspan.material import Dropped


@dataclass(frozen=True)
class Standing:
    """How one system does at one share of the claims, over all materials.

    Attributes:
        system, variant: which system.
        place: the how-manieth capacity of those asked for; None for the system's own size.
        capacity_share: that capacity as a share of the claims, on average.
        share: u_cov as a share of U*(S), mean over materials, with a 95 % interval of the bootstrap
            over them; the limits are not known for one material.
        share_prec: the same for true claims alone.
        u_read: mass read.
        u_e2e: mass answered rightly; None where nobody answered.
        tokens_read: tokens read for a question.
        materials: how many.
        water_expected: mass covered, but expected to rest on false claims alone; None where nothing is
            believed about the claims.
    """

    system: str
    variant: str
    place: int | None
    capacity_share: float
    share: Interval
    share_prec: Interval
    u_read: Interval
    u_e2e: Interval | None
    tokens_read: Interval
    materials: int
    water_expected: Interval | None = None

    @property
    def label(self) -> str:
        """System and variant."""
        return f"{self.system}:{self.variant}" if self.variant else self.system


@dataclass(frozen=True)
class Evaluation:
    """Systems under the frontiers of some materials.

    Attributes:
        points: in the order of materials, then systems, then capacities, largest first.
        grounds: each material with its frontier.
        over: utilities are shares of the answerable queries, or of all.
        settled: what recorded runs are held against, by material and run: the queries that they settled.
        dropped: runs that could not be placed, with the reason.
        trust: how good the beliefs about the claims of each material are, by material; empty where
            nothing is believed.
        flattered: materials that a system was fitted on, by its label; systems that have seen none of
            them are not in it.
    """

    points: tuple[Point, ...]
    grounds: tuple[Ground, ...]
    over: Over
    settled: Mapping[tuple[str, str], Ground] = field(default_factory=dict)
    dropped: tuple[Dropped, ...] = ()
    trust: Mapping[str, Reliability] = field(default_factory=dict)
    flattered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, system: str, capacity: int | None = None) -> tuple[Point, ...]:
        """Return the points of *system*, a label or a name; at one *capacity* where one is given.

        Raises:
            UnknownName: it has none.
        """
        found = tuple(
            point
            for point in self.points
            if system in {point.label, point.system} and capacity in {None, point.capacity}
        )
        if not found:
            at = "" if capacity is None else f" at capacity {capacity}"
            labels = ", ".join(dict.fromkeys(point.label for point in self.points))
            raise UnknownName(f"no point of {system!r}{at}; there are {labels}")
        return found

    def ground(self, material: str) -> Ground:
        """Return what the material with that id is held against, or raise UnknownName."""
        for ground in self.grounds:
            if ground.material.id == material:
                return ground
        raise UnknownName(f"no material {material!r} was evaluated")

    def ground_of(self, point: Point) -> Ground:
        """Return what *point* was held against."""
        own = self.settled.get((point.material, point.system)) if point.variant == RECORDED else None
        return own or self.ground(point.material)

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Every system at every capacity over all materials: the league, unsorted."""
        return tuple(self._standings())

    def _standings(self) -> Iterator[Standing]:
        groups: dict[tuple[str, str, int | None], list[Point]] = {}
        for point in self.points:
            groups.setdefault((point.system, point.variant, point.place), []).append(point)
        for (system, variant, place), points in groups.items():
            yield Standing(
                system,
                variant,
                place,
                float(np.mean([self._part(point) for point in points])),
                mean_over([point.share.estimate for point in points]),
                mean_over([point.share_prec.estimate for point in points]),
                mean_over([point.u_read.estimate for point in points]),
                _mean_known([point.u_e2e for point in points]),
                mean_over([point.tokens_read for point in points]),
                len(points),
                _mean_known([point.water_expected for point in points]),
            )

    def _part(self, point: Point) -> float:
        whole = max(len(self.ground(point.material).material.claims), 1)
        return (point.size if point.capacity is None else point.capacity) / whole


def _mean_known(values: Sequence[Interval | None]) -> Interval | None:
    known = [value.estimate for value in values if value is not None]
    return mean_over(known) if known else None
