"""Whether a policy looks ahead: two materials that begin alike must be written alike."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from memspan.environments.orders import NOTHING
from memspan.environments.scene import scene
from memspan.errors import ShapeError
from memspan.material import Material, Support
from memspan.testing.policy_trial import SETTING, Guarded, Make, Setting, World, asking, live, related


@dataclass(frozen=True)
class Foresight:
    """Where a score depends on what had not yet appeared.

    Attributes:
        batches: how many batches the two materials had in common.
        write: the write at which the scores differ, from 0.
        claim: the first claim whose score differs.
        without, given: its score where the material ends there, and where it goes on.
    """

    batches: int
    write: int
    claim: str
    without: float
    given: float


def looks_ahead(
    make: Make, material: Material, setting: Setting = SETTING, *, cuts: int = 3, seed: int = 0
) -> Foresight | None:
    """Return where a policy's scores depend on what comes later; None where they do not.

    The material is cut off after some of its batches. A policy lives through what is left, and another
    through the same batches of the whole, with the same queries asked: both must score alike.

    Args:
        make: makes a policy for the material that it is given, whole or cut off.
        material: what is lived through.
        setting: how.
        cuts: how many places are tried, evenly spread.
        seed: of the policies' chance, and of what is asked.

    Raises:
        ShapeError: the material has no two batches, so that nothing comes later.

    >>> from memspan.datasets import bundled
    >>> from memspan.policies.plain import plain
    >>> looks_ahead(lambda material: plain("fifo"), bundled("odyssey")) is None
    True
    """
    batches = len(scene(material, arriving=setting.arriving).seen)
    if batches < 2:
        raise ShapeError(f"{material.id!r} appears in one batch; give a setting in which it comes in several")
    for batch in np.unique(np.linspace(1, batches - 1, cuts).round().astype(int)).tolist():
        parts = cut(material, setting, batch, seed)
        found = None if parts is None else _compared(make, parts, batch, seed)
        if found is not None:
            return found
    return None


def _compared(make: Make, parts: tuple[World, World], batches: int, seed: int) -> Foresight | None:
    short, whole = (live(Guarded(make(part.scene.material), "answers"), part, seed) for part in parts)
    claims = parts[0].scene.material.claims
    for t, (one, other) in enumerate(zip(short.scores, whole.scores, strict=True)):
        apart = np.flatnonzero(one != other).tolist()
        if apart:
            first = apart[0]
            return Foresight(batches, t, claims[first].id, float(one[first]), float(other[first]))
    return None


def cut(material: Material, setting: Setting, batches: int, seed: int) -> tuple[World, World] | None:
    """Return a world that ends after so many *batches*, and one that goes on but asks the same until then.

    None where nothing can be asked by then.
    """
    laid = scene(material, cost=setting.cost, arriving=setting.arriving)
    claims = material.claims[: int(laid.seen[batches - 1])]
    names = {claim.id for claim in claims}
    begun = tuple(related(claim, {name: name for name in names}) for claim in claims)
    asked = tuple(query for query in material.queries if _within(material.supports_of(query), names))
    if not any(query.weight for query in asked):
        return None
    whole = replace(laid, material=replace(material, claims=(*begun, *material.claims[len(begun) :])))
    plain = tuple(replace(q, supports=material.supports_of(q), items=(), wrong=()) for q in asked)
    short = scene(Material(material.id, begun, queries=plain), cost=setting.cost, arriving="whole")
    place = np.array([laid.coverage.queries.index(name) for name in short.coverage.queries])
    short = replace(short, seen=laid.seen[:batches], ready=laid.ready[place])
    drawn = asking(short, setting, seed)
    laws = np.zeros((len(drawn.laws), len(laid.ready)))
    laws[:, place] = drawn.laws
    queries = np.where(drawn.query == NOTHING, NOTHING, place[drawn.query])
    return World(short, drawn, setting), World(whole, replace(drawn, query=queries, laws=laws), setting)


def _within(supports: tuple[Support, ...], names: set[str]) -> bool:
    return bool(supports) and all(names.issuperset(support.claims) for support in supports)
