"""Every number of the trust model, with its default."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from memspan.errors import NoiseError
from memspan.kernels.evidence import Numbers
from memspan.trust.noise import Noise, Rate


@dataclass(frozen=True)
class Terms:
    """What the trust model takes for granted; the defaults were chosen on synthetic worlds.

    Attributes:
        noise: how outcomes err.
        settlers: how those of single settlers err, by name, where it was measured.
        base: trust in a claim of which nothing is known, in (0, 1).
        base_weight: how many claims that counts as, > 0; learned from all claims that outcomes touch.
        source_weight: how many claims that base counts as within one source, > 0.
        contradiction: odds that two contradicting claims are both true after all, relative to one, in [0, 1].
        superseded: the same as a newer claim hears it from the one that it supersedes: what was true
            before says little against it.
        corroboration: probability that corroborating claims are both true or both false, in (0, 1).
        cap: log-odds that outcomes of one settler about one support amount to at most, > 0.
        cap_untrusted: likewise for an untrusted settler, and about one claim over all its supports.
        drift: what is kept of a settler's earlier outcomes about a support at each new one of the same
            settler about the same support, in (0, 1]; 1 keeps all. Outcomes of other settlers, and about
            other supports, take nothing away. One that weighs less than 1, or may be about another support,
            takes less.
        learned: whether each settler's errors are learned from how its outcomes agree with the others'. It
            needs several settlers about the same claims; with one alone nothing tells a bad settler from bad
            claims.
        settler_weight: how many outcomes a settler's accuracy counts as within each of its two errors, > 0.

    Raises:
        NoiseError: a number is out of range.
    """

    noise: Noise = field(default_factory=Noise)
    settlers: Mapping[str, Noise] = field(default_factory=dict)
    base: float = 0.8
    base_weight: float = 20.0
    source_weight: float = 4.0
    contradiction: float = 0.05
    superseded: float = 0.8
    corroboration: float = 0.9
    cap: float = 6.0
    cap_untrusted: float = 2.5
    drift: float = 0.9
    learned: bool = False
    settler_weight: float = 1.0

    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        for name in ("base", "corroboration"):
            self._demand(name, 0 < getattr(self, name) < 1, "between 0 and 1, both excluded")
        for name in ("contradiction", "superseded"):
            self._demand(name, 0 <= getattr(self, name) <= 1, "0 to 1")
        for name in ("base_weight", "source_weight", "cap", "cap_untrusted", "settler_weight"):
            self._demand(name, 0 < getattr(self, name) < math.inf, "finite and above 0")
        self._demand("drift", 0 < self.drift <= 1, "above 0 and at most 1")

    def _demand(self, name: str, kept: bool, allowed: str) -> None:
        if not kept:
            raise NoiseError(f"{name} is {getattr(self, name)}; allowed is {allowed}")

    def noise_of(self, settler: str | None) -> Noise:
        """Return how the outcomes of *settler* err."""
        return self.noise if settler is None else self.settlers.get(settler, self.noise)

    @property
    def numbers(self) -> Numbers:
        """Those that kernels need."""
        return Numbers(
            base=self.base,
            base_weight=self.base_weight,
            source_weight=self.source_weight,
            lowest=LOWEST,
            highest=HIGHEST,
            drift=self.drift,
            learned=float(self.learned),
            settler_weight=self.settler_weight,
        )


VOTES = Terms(noise=Noise(Rate(2, 8), Rate(2, 8)), learned=True)
"""For many settlers who speak of the same claims: crowds, sources, judges. Chosen on three sets of votes."""
LOWEST, HIGHEST = 0.05, 0.98
"""Limits of the base as it is learned: outcomes that are all alike must not drown what single claims say."""
