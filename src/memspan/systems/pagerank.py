"""Personalised PageRank of an undirected weighted graph, quick enough for each question."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

ERROR = 1e-9  # left over of the first error, relative


@dataclass(frozen=True)
class PageRank:
    """A walk that follows edges by weight, and at each step starts again with probability 1 - damping.

    The ranks p solve ``p = d W D⁻¹ p + (1 - d) s``. With ``p = √D y`` the matrix is symmetric and its
    eigenvalues lie in [1 - d, 1 + d], whatever the graph: Chebyshev iteration then needs 17 products
    for an error of 1e-9 at d = 0.5, where power iteration needs 30. No factor has to be kept.

    Attributes:
        pulled: scipy CSR matrix ``d D^-½ W D^-½``, shape (n, n).
        root: √D, with 1 for a node without edges.
        damping: probability to go on, 0 < d < 1.

    Source: L. Page et al., *The PageRank citation ranking*, 1999; G. Golub and R. Varga, *Chebyshev
    semi-iterative methods*, 1961.

    >>> import scipy.sparse as sp
    >>> line = sp.csr_matrix([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=float)
    >>> PageRank.of(line, 0.5).ranks(np.array([1.0, 0.0, 0.0])).round(4).tolist()
    [0.5833, 0.3333, 0.0833]
    """

    pulled: Any
    root: Floats
    damping: float

    @classmethod
    def of(cls, weights: Any, damping: float) -> PageRank:
        """Prepare a graph: *weights* is a symmetric scipy sparse matrix without negative entries."""
        degree = np.asarray(weights.sum(axis=1), np.float64).ravel()
        root = np.sqrt(np.where(degree > 0, degree, 1.0))
        pulled = weights.tocsr(copy=True).astype(np.float64)
        rows = np.repeat(np.arange(len(root)), np.diff(pulled.indptr))
        pulled.data *= damping / (root[rows] * root[pulled.indices])
        return cls(pulled, root, damping)

    def ranks(self, seeds: Floats) -> Floats:
        """Return the share of time spent at each node, shape (n,), sum 1.

        Args:
            seeds: where the walk starts, shape (n,), none negative; zeros alone give zeros. A walk
                that meets a node without edges starts again.
        """
        spread = self.root * self._solved(seeds / self.root)
        total = float(spread.sum())
        return spread / total if total > 0 else spread

    def _solved(self, wanted: Floats) -> Floats:
        """Solve ``(I - d S) y = wanted``, where *pulled* is d S."""
        d, weight = self.damping, 1 / (1 - self.damping**2 / 2)
        before, now = wanted, np.asarray(self.pulled @ wanted + wanted, np.float64)
        for _ in range(self._steps - 1):
            after = self.pulled @ now
            after += wanted
            after -= before
            after *= weight
            after += before
            before, now, weight = now, after, 1 / (1 - d**2 * weight / 4)
        return now

    @property
    def _steps(self) -> int:
        gain = 1 / self.damping + math.sqrt(1 / self.damping**2 - 1)
        return math.ceil(math.log(2 / ERROR) / math.log(gain))
