"""U*(S), the utility-capacity frontier, at every capacity with a certificate."""

from memspan.optimum.checker import Verification, verify
from memspan.optimum.frontier import Frontier, Loss, Point, Size, frontier
from memspan.optimum.portfolio import Progress

__all__ = ["Frontier", "Loss", "Point", "Progress", "Size", "Verification", "frontier", "verify"]
