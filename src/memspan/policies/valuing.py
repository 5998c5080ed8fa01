"""What claims are worth holding, apart from the choice of what is held: what beliefs about queries tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from memspan.material import Claim
from memspan.ports import Outcome, View

Floats = npt.NDArray[np.float64]
Set = tuple[int, ...]


@dataclass(frozen=True)
class Worth:
    """What claims are worth, each alone and some together; the unit is any that is the same for all.

    Attributes:
        singles: (n,) of each claim alone, >= 0.
        bundles: sets of two or more claims that are worth something together.
        values: (B,) of each of these sets once it is whole.
    """

    singles: Floats
    bundles: tuple[Set, ...]
    values: Floats


class Valuing(Protocol):
    """A belief about what will be asked; like a `memspan.ports.WritePolicy`, but it tells values."""

    @property
    def name(self) -> str:
        """Short and stable, as outputs name it."""
        ...

    def start(self, seed: int) -> None:
        """Forget everything."""
        ...

    def observe(self, claims: Sequence[Claim]) -> None:
        """Take the next claims."""
        ...

    def worth(self, view: View) -> Worth:
        """Return what claims are worth now; asked once for each write."""
        ...

    def take(self, places: Sequence[int]) -> None:
        """Learn which claims the write that followed took."""
        ...

    def settle(self, outcome: Outcome) -> None:
        """Learn from the outcome of a query."""
        ...
