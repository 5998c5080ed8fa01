"""The plane of an evaluation as data: a frontier, and every system under it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from memspan.diagnosis import Evaluation, Interval, Point
from memspan.report.curve import Curve, curve_of, mean_curve, precision_of
from memspan.report.league import League, league_of
from memspan.report.means import mean_of
from memspan.report.systems_look import Look, look_of


@dataclass(frozen=True)
class Spot:
    """A system at one capacity.

    Attributes:
        place: the how-manieth capacity; None for its own size.
        x: claims, their share, or tokens.
        y: mass, with its limits where they are known.
        top: the frontier there.
        water: mass covered, where false claims make it more than *y*.
    """

    place: int | None
    x: float
    y: Interval
    top: float
    water: float


@dataclass(frozen=True)
class Track:
    """A system in the plane.

    Attributes:
        at: its place in the league, by which a script knows it.
        label: its name and variant.
        look: how it is drawn.
        spots: where it stands at each capacity, ascending, and at its own size last.
    """

    at: int
    label: str
    look: Look
    spots: tuple[Spot, ...]

    @property
    def swept(self) -> tuple[Spot, ...]:
        """Those at capacities."""
        return tuple(spot for spot in self.spots if spot.place is not None)

    @property
    def own(self) -> Spot | None:
        """The one at its own size, where it has one."""
        return next((spot for spot in self.spots if spot.place is None), None)


@dataclass(frozen=True)
class SystemsPlane:
    """One picture.

    Attributes:
        material: whose it is; None for the mean over several.
        frontier: U*(S).
        precise: the same for true claims alone, where some claim is false.
        crowd: the frontier of each material, where they are several.
        baseline: mass that the full material answers.
        end: right end of the axis.
        whole: claims of the material; 1 where the axis is their share.
        tracks: the systems, in the order of the league.
        shown: label of the system that is drawn before the others.
        place: the capacity that sorts the league.
    """

    material: str | None
    frontier: Curve
    precise: Curve | None
    crowd: tuple[Curve, ...]
    baseline: float
    end: float
    whole: int
    tracks: tuple[Track, ...]
    shown: str
    place: int | None


def plane_of_material(evaluation: Evaluation, material: str, shown: str) -> SystemsPlane:
    """Return the picture of one material."""
    ground = evaluation.ground(material)
    points = [point for point in evaluation.points if point.material == material]
    whole = max(len(ground.material.claims), 1)
    league = league_of(evaluation)
    tracks = _tracks(evaluation, league, points, {material: 1.0})
    frontier = curve_of(ground)
    return SystemsPlane(
        material=material,
        frontier=frontier,
        precise=curve_of(ground, precision_of) if _has_false(evaluation, [material]) else None,
        crowd=(),
        baseline=float(np.mean([world.frontier.baseline for world in ground.worlds])),
        end=_end([frontier], [whole], tracks, whole),
        whole=whole,
        tracks=tracks,
        shown=shown,
        place=league.place,
    )


def plane_of_all(evaluation: Evaluation, shown: str) -> SystemsPlane:
    """Return the picture of the mean over all materials, by the share of their claims."""
    grounds = [ground for ground in evaluation.grounds if ground.material.claims] or list(evaluation.grounds)
    wholes = [max(len(ground.material.claims), 1) for ground in grounds]
    part = {ground.material.id: 1 / whole for ground, whole in zip(grounds, wholes, strict=True)}
    league = league_of(evaluation)
    tracks = _tracks(evaluation, league, evaluation.points, part)
    curves = [curve_of(ground) for ground in grounds]
    false = _has_false(evaluation, list(part))
    precise = [curve_of(ground, precision_of) for ground in grounds] if false else None
    return SystemsPlane(
        material=None,
        frontier=mean_curve(curves, wholes, [] if precise else _knots(tracks)),
        precise=mean_curve(precise, wholes, _knots(tracks)) if precise else None,
        crowd=tuple(replace(c, places=c.places / whole) for c, whole in zip(curves, wholes, strict=True)),
        baseline=float(np.mean([ground.frontier.baseline for ground in grounds])),
        end=_end(curves, wholes, tracks, 1.0),
        whole=1,
        tracks=tracks,
        shown=shown,
        place=league.place,
    )


def tokens_of(evaluation: Evaluation, material: str | None = None) -> tuple[Track, ...]:
    """Return each system by tokens read for a question and mass read, at the capacity that is shown."""
    league = league_of(evaluation)
    points = [point for point in evaluation.points if material in {None, point.material}]
    return tuple(
        Track(
            league.rows.index(label),
            label,
            look,
            tuple(_paid(place, each) for place, each in rows if place in {league.place, None}),
        )
        for label, look, rows in _grouped(league, points)
    )


def _paid(place: int | None, points: Sequence[Point]) -> Spot:
    read = mean_of([point.u_read for point in points])
    return Spot(place, _mean([point.tokens_read for point in points]), read, read.estimate, read.estimate)


def _tracks(
    evaluation: Evaluation, league: League, points: Sequence[Point], part: Mapping[str, float]
) -> tuple[Track, ...]:
    """Return where each system stands; *part* is what one claim of a material takes on the axis."""
    top = _top(evaluation)
    return tuple(
        Track(
            league.rows.index(label),
            label,
            look,
            tuple(_spot(place, each, part, top) for place, each in rows),
        )
        for label, look, rows in _grouped(league, points)
    )


def _spot(
    place: int | None,
    points: Sequence[Point],
    part: Mapping[str, float],
    top: Callable[[Point], float],
) -> Spot:
    at = [
        (point.size if point.capacity is None else point.capacity) * part.get(point.material, 0.0)
        for point in points
    ]
    value = mean_of([point.u_prec for point in points])
    water = _mean([point.u_cov.estimate for point in points])
    best = max(_mean([top(point) for point in points]), value.estimate)
    return Spot(place, _mean(at), value, best, max(water, value.estimate))


def _top(evaluation: Evaluation) -> Callable[[Point], float]:
    """Return what gives the frontier of true claims above a point, at its capacity or its own size."""
    curves = {ground.material.id: curve_of(ground, precision_of) for ground in evaluation.grounds}
    settled = {names: curve_of(ground, precision_of) for names, ground in evaluation.settled.items()}

    def top(point: Point) -> float:
        curve = settled.get((point.material, point.system)) or curves[point.material]
        return float(curve.at(point.size if point.capacity is None else point.capacity)[0])

    return top


def _grouped(
    league: League, points: Sequence[Point]
) -> Iterator[tuple[str, Look, list[tuple[int | None, list[Point]]]]]:
    """Yield each system with its points by capacity, ascending, its own size last; in the league's order."""
    groups: dict[str, dict[int | None, list[Point]]] = {}
    for point in points:
        groups.setdefault(point.label, {}).setdefault(point.place, []).append(point)
    for label in league.rows:
        if label in groups:
            rows = sorted(groups[label].items(), key=lambda row: math.inf if row[0] is None else row[0])
            first = rows[0][1][0]
            yield label, look_of(first.system, first.variant), rows


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _knots(tracks: Sequence[Track]) -> list[tuple[float, float]]:
    return [(spot.x, spot.top) for track in tracks for spot in track.swept]


def _has_false(evaluation: Evaluation, materials: Sequence[str]) -> bool:
    grounds = [evaluation.ground(material) for material in materials]
    return any(bool((world.coverage.truth < 0.5).any()) for ground in grounds for world in ground.worlds)


def _end(curves: Sequence[Curve], wholes: Sequence[int], tracks: Sequence[Track], whole: float) -> float:
    """Return where the axis ends: at the whole material, or sooner where nothing happens for long."""
    busy = max(_saturated(curve) / size * whole for curve, size in zip(curves, wholes, strict=True))
    last = max((spot.x for track in tracks for spot in track.spots), default=0.0)
    end = max(1.5 * busy, last * 1.04)
    return whole if end > 0.6 * whole or whole <= 12 else (math.ceil(end) if whole > 1 else end)


def _saturated(curve: Curve) -> float:
    return float(curve.places[int(np.argmax(curve.value == curve.value[-1]))])
