"""Beliefs about claims in an evaluation: what a memory is expected to be worth, and how good they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from memspan.coverage import Coverage, Memory
from memspan.coverage.utilities import holding
from memspan.diagnosis.ground import Ground
from memspan.errors import ShapeError, UnknownName
from memspan.material import Material
from memspan.trust.calibration import Calibration, calibration

Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Trusted:
    """What is believed about the claims of one material.

    Attributes:
        tau: probability of each claim to be true, float64, shape (n_claims,), in the material's order.
        beliefs: from the compiled material, or one of the same claims with fewer queries, to the
            probability of each support that all its claims are true, shape (n_supports,). It is not the
            product of the claims' own: once queries are settled, their truths are tied.
        touched: which claims a settlement spoke about, shape (n_claims,); None where that is not known.

    >>> Trusted(np.array([0.9, 0.2]), lambda coverage: np.ones(coverage.n_supports)).touched is None
    True
    """

    tau: Floats
    beliefs: Callable[[Coverage], Floats]
    touched: Flags | None = None


@dataclass(frozen=True)
class Reliability:
    """Beliefs beside the truth, for the claims whose truth is known: 0 or 1.

    Attributes:
        claims: how many claims there are in all.
        truth, belief: of those whose truth is known, shape (n,).
        spoken: which of them settlements spoke about, shape (n,); None where that is not known.
    """

    claims: int
    truth: Floats
    belief: Floats
    spoken: Flags | None = None

    @cached_property
    def known(self) -> Calibration | None:
        """How good the beliefs are, over all claims whose truth is known; None where there is none."""
        return calibration(self.truth, self.belief) if len(self.truth) else None

    @cached_property
    def touched(self) -> Calibration | None:
        """The same over those that settlements spoke about; None where there is none, or it is not known."""
        if self.spoken is None or not self.spoken.any():
            return None
        return calibration(self.truth[self.spoken], self.belief[self.spoken])


def reliability_of(material: Material, trusted: Trusted) -> Reliability:
    """Hold what is *trusted* against what *material* knows to be true or false.

    Raises:
        ShapeError: *trusted* does not have one probability for each claim.

    >>> import memspan as ms
    >>> odyssey = ms.bundled("odyssey-noise")
    >>> reliability_of(odyssey, Trusted(np.full(len(odyssey.claims), 0.5), lambda _: np.ones(0))).known.brier
    0.25
    """
    n = len(material.claims)
    tau = _shares("tau", trusted.tau, n, f"claims of material {material.id!r}, in their order")
    truth = np.array([np.nan if c.truth is None else c.truth for c in material.claims], np.float64)
    known = np.isin(truth, (0, 1))
    spoken = None if trusted.touched is None else np.asarray(trusted.touched, np.bool_)
    if spoken is not None and spoken.shape != (n,):
        raise ShapeError(f"touched has shape {spoken.shape}; give one flag for each of {n:,} claims")
    return Reliability(n, truth[known], tau[known], None if spoken is None else spoken[known])


def together(found: Iterable[Reliability]) -> Reliability:
    """Return several as one; what settlements spoke about is known where it is known of each."""
    each = tuple(found)
    empty = np.zeros(0)
    spoken = [one.spoken for one in each if one.spoken is not None]
    return Reliability(
        sum(one.claims for one in each),
        np.concatenate([empty, *(one.truth for one in each)]),
        np.concatenate([empty, *(one.belief for one in each)]),
        np.concatenate(spoken) if spoken and len(spoken) == len(each) else None,
    )


def believing(ground: Ground, trusted: Trusted | None) -> Ground:
    """Return *ground* with the belief in each support of each of its worlds.

    Raises:
        ShapeError: *trusted* does not give one probability for each support.
    """
    if trusted is None:
        return ground
    return replace(
        ground, worlds=tuple(replace(w, beliefs=_beliefs(trusted, w.coverage)) for w in ground.worlds)
    )


def believed(coverage: Coverage, memory: Memory, beliefs: Floats) -> Floats:
    """Return the chance of each query to be covered by true claims, shape (n_queries,).

    1 - product of (1 - belief) over the supports that *memory* holds, as if these were independent of one
    another; within a support the belief itself says how its claims are tied.

    Args:
        coverage: compiled material.
        memory: boolean array, shape (n_claims,).
        beliefs: probability of each support that all its claims are true, shape (n_supports,).

    Source: expected precision, arXiv 2608.11654, section 4, with beliefs in place of τ.

    >>> import memspan as ms
    >>> from memspan.coverage import compile_material
    >>> odyssey = compile_material(ms.bundled("odyssey"))
    >>> chances = believed(odyssey, odyssey.memory(["e2", "e3"]), np.full(odyssey.n_supports, 0.5))
    >>> dict(zip(odyssey.queries, chances.tolist()))["q8"]
    0.75
    """
    holds = holding(coverage, memory)
    missed = np.ones(len(coverage.queries))
    np.multiply.at(missed, coverage.owner[holds], 1 - beliefs[holds])
    return 1 - missed


def reliabilities(trust: Mapping[str, Trusted], materials: Sequence[Material]) -> dict[str, Reliability]:
    """Return how good the beliefs about each of *materials* are, for those that *trust* has some about.

    Raises:
        UnknownName: beliefs about a material that is not there.
        ShapeError: beliefs that do not fit their material.
    """
    names = [material.id for material in materials]
    strange = [name for name in trust if name not in names]
    if strange:
        raise UnknownName(f"trust names material {strange[0]!r}; there are {', '.join(map(repr, names))}")
    return {m.id: reliability_of(m, trust[m.id]) for m in materials if m.id in trust}


def _beliefs(trusted: Trusted, coverage: Coverage) -> Floats:
    return _shares("beliefs", trusted.beliefs(coverage), coverage.n_supports, "supports that were compiled")


def _shares(name: str, given: Floats, count: int, each: str) -> Floats:
    """Return *given* as *count* probabilities, or say what is wrong with them."""
    values = np.asarray(given, np.float64)
    if values.shape != (count,):
        raise ShapeError(
            f"{name} has shape {values.shape}; give one probability for each of {count:,} {each}"
        )
    strange = ~((values >= 0) & (values <= 1))
    if strange.any():
        at = int(strange.argmax())
        raise ShapeError(f"{name}[{at}] is {values[at]}; give a probability, 0 to 1")
    return values
