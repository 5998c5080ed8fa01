"""A small world with true and false claims, whose answers err, for the failures that trust must bear."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from memspan.material import Claim, Settlement
from memspan.trust import TrustModel


@dataclass
class World:
    """Claims of reliable and unreliable sources; supports of one to three of them."""

    seed: int
    n: int = 120
    sources: int = 12
    reliable: float = 3.0
    rng: np.random.Generator = field(init=False)

    def __post_init__(self):
        """Draw sources, truths and supports."""
        self.rng = rng = np.random.default_rng(self.seed)
        self.source = rng.integers(0, self.sources, self.n)
        self.truth = rng.random(self.n) < rng.beta(self.reliable, 1, self.sources)[self.source]
        sizes = rng.choice([1, 2, 2, 3], 2 * self.n)
        self.supports = [tuple(sorted(rng.choice(self.n, size, replace=False).tolist())) for size in sizes]

    def model(self, **given):
        """Return a model of the claims."""
        model = TrustModel(**given)
        model.add(Claim(f"c{i}", source=f"s{source}") for i, source in enumerate(self.source))
        return model

    def stream(self, count, false_wrong=0.08, false_right=0.08, settler=None):
        """Return outcomes of supports drawn at random."""
        return [
            self.settled(self.supports[i], false_wrong, false_right, settler)
            for i in self.rng.integers(0, len(self.supports), count)
        ]

    def settled(self, support, false_wrong=0.08, false_right=0.08, settler=None):
        """Return one outcome of *support*."""
        right = 1 - false_wrong if self.truth[list(support)].all() else false_right
        return Settlement("q", int(self.rng.random() < right), names(support), settler=settler)

    def log_loss(self, model):
        """Return how far the trust of *model* is from the truth, in nats per claim."""
        tau = np.clip(model.trust().tau[: self.n], 1e-4, 1 - 1e-4)
        return -float(np.mean(np.where(self.truth, np.log(tau), np.log(1 - tau))))


def names(support):
    """Return the ids of the claims of *support*."""
    return tuple(f"c{i}" for i in support)


def odds(share):
    """Return the log-odds of a probability."""
    return math.log(share / (1 - share))
