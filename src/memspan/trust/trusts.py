"""The trust in every claim, with how sure it is and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from memspan.errors import UnknownName
from memspan.kernels.evidence import FURTHEST
from memspan.trust.state import State

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
TAIL = 0.05
"""What an interval leaves out on each side: it holds the middle 90 %."""


@dataclass(frozen=True, slots=True)
class Tau:
    """The trust in one claim; see `Trust`."""

    claim: str
    tau: float
    lower: float
    upper: float
    prior: float
    touched: bool


@dataclass(frozen=True)
class Trust:
    """The trust in each of n claims; arrays have shape (n,).

    Attributes:
        claims: their ids.
        tau: probability that the claim is true, in (0, 1).
        lower, upper: tau, were the claim's source as bad or as good as the outcomes about its other claims
            leave it in 90 % of the cases. The outcomes about the claim itself count in full.
        prior: the probability by its source alone.
        touched: whether some outcome is about the claim, or about one it is linked with.
    """

    claims: tuple[str, ...]
    tau: Floats
    lower: Floats
    upper: Floats
    prior: Floats
    touched: Flags

    @cached_property
    def _position(self) -> Mapping[str, int]:
        return {name: i for i, name in enumerate(self.claims)}

    def of(self, claim: str) -> Tau:
        """Return the trust in one claim.

        Raises:
            UnknownName: it is not among them.
        """
        if claim not in self._position:
            raise UnknownName(f"no claim {claim!r} in this model; add it first")
        i = self._position[claim]
        tau, lower, upper, prior = (float(each[i]) for each in (self.tau, self.lower, self.upper, self.prior))
        return Tau(claim, tau, lower, upper, prior, touched=bool(self.touched[i]))


def trust_of(claims: tuple[str, ...], state: State, told: tuple[Floats, Floats, Floats]) -> Trust:
    """Return the trust in *claims* from what the kernel told.

    Args:
        claims: their ids.
        state: of the model.
        told: true and false claims that speak for each beforehand, and its log-odds after all.
    """
    from scipy.special import betaincinv, expit, logit

    in_favour, against, after = told
    prior = in_favour / (in_favour + against)
    after = np.clip(after, -FURTHEST, FURTHEST)
    evidence = after - np.log(in_favour / against)
    low, high = (expit(logit(betaincinv(in_favour, against, share)) + evidence) for share in (TAIL, 1 - TAIL))
    tau = expit(after)
    return Trust(
        claims=claims,
        tau=tau,
        lower=np.minimum(low, tau),
        upper=np.maximum(high, tau),
        prior=prior,
        touched=~np.isnan(state.columns["lent"].used),
    )
