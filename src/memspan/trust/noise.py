"""How settlers err: rates that can be measured, see `memspan.trust.estimate_noise`."""

from __future__ import annotations

from dataclasses import dataclass

from memspan.errors import NoiseError

SUREST = 1e9
"""Greatest parameter of a Beta distribution whose logarithms are told apart in float64."""


@dataclass(frozen=True, slots=True)
class Rate:
    """An error rate that differs from support to support: Beta(a, b).

    Attributes:
        a: > 0; errors counted before any is seen.
        b: > 0; the rest likewise. The greater a + b, the more alike supports are.

    >>> Rate(1, 9).mean
    0.1
    """

    a: float
    b: float

    def __post_init__(self) -> None:
        """Refuse what is no Beta distribution."""
        if not (0 < self.a <= SUREST and 0 < self.b <= SUREST):
            raise NoiseError(f"a rate is Beta({self.a}, {self.b}); allowed is above 0 and up to {SUREST:g}")

    @property
    def mean(self) -> float:
        """The rate on average, in (0, 1)."""
        return self.a / (self.a + self.b)


@dataclass(frozen=True, slots=True)
class Noise:
    """How outcomes err, reasoner and judge together.

    Attributes:
        false_wrong: settled wrong although every claim of the support is true.
        false_right: settled right although some claim of it is false.

    Raises:
        NoiseError: the two means sum to 1 or more: such outcomes say nothing, or the contrary.
    """

    false_wrong: Rate = Rate(1, 9)
    false_right: Rate = Rate(1, 9)

    def __post_init__(self) -> None:
        """Refuse outcomes from which nothing follows."""
        if self.false_wrong.mean + self.false_right.mean >= 1:
            rates = f"false_wrong {self.false_wrong.mean:g} and false_right {self.false_right.mean:g}"
            raise NoiseError(
                f"{rates} sum to 1 or more: such outcomes tell nothing about truth; leave them out"
            )
