"""What holding a claim costs: one each, or tokens, bytes, or any cost the material declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from memspan.errors import CostError, UnknownName
from memspan.language.tokens import count_tokens
from memspan.material import Claim, Material

MOST = 20_000_000  # capacities of one frontier


def claim_costs(material: Material, unit: str) -> npt.NDArray[np.int64]:
    """Return the integer cost of each claim in *unit*.

    ``claims`` is one each. A cost that every claim declares is taken as it is; ``bytes`` is else the
    length of the text in UTF-8 and ``tokens`` its number of words and punctuation marks, an estimate.

    Raises:
        UnknownName: *unit* is neither of these and some claim lacks it.
        CostError: a declared cost is not a whole number, or all add up to too many capacities.
    """
    if unit == "claims":
        return np.ones(len(material.claims), np.int64)
    declared = [claim.costs.get(unit) for claim in material.claims]
    if None not in declared:
        return _whole(unit, [cost for cost in declared if cost is not None])
    if unit in ESTIMATES:
        return np.array([ESTIMATES[unit](claim) for claim in material.claims], np.int64)
    known = sorted({"claims", *ESTIMATES, *(name for claim in material.claims for name in claim.costs)})
    raise UnknownName(f"not every claim has a cost {unit!r}; choose one of {', '.join(known)}")


def _whole(unit: str, declared: list[float]) -> npt.NDArray[np.int64]:
    """Return declared costs as integers, or say what stands in the way."""
    if any(cost != int(cost) for cost in declared):
        raise CostError(f"cost {unit!r} has fractions; give it in whole numbers, e.g. cents")
    if sum(map(int, declared)) > MOST:
        raise CostError(
            f"cost {unit!r} adds up to {sum(map(int, declared)):,}; a frontier holds every capacity, "
            f"{MOST:,} at most; give it in a coarser unit, e.g. thousands"
        )
    return np.array([int(cost) for cost in declared], np.int64)


def count_bytes(claim: Claim) -> int:
    """Return the length of the claim's text in UTF-8."""
    return len(claim.text.encode())


ESTIMATES: Mapping[str, Callable[[Claim], int]] = {
    "tokens": lambda claim: count_tokens(claim.text),
    "bytes": count_bytes,
}
