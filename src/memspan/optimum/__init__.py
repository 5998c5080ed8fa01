"""U*(S), the utility-capacity frontier, at every capacity with a certificate."""

from memspan.optimum.checker import Verification, verify
from memspan.optimum.dips import Dip
from memspan.optimum.exact_size import ExactSize, exact_size
from memspan.optimum.frontier import Frontier, Loss, Point, Size, frontier
from memspan.optimum.portfolio import Progress

__all__ = [
    "Dip",
    "ExactSize",
    "Frontier",
    "Loss",
    "Point",
    "Progress",
    "Size",
    "Verification",
    "exact_size",
    "frontier",
    "verify",
]
