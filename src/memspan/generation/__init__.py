"""Generation operators Φ: claims in, knowledge items with their minimal supports out."""

from memspan.generation.antichain import minimal
from memspan.generation.bridge import Bridge
from memspan.generation.declared import Declared
from memspan.generation.decomposable import Decomposable
from memspan.generation.registry import OPERATORS, Factory, operator_named

__all__ = ["OPERATORS", "Bridge", "Declared", "Decomposable", "Factory", "minimal", "operator_named"]
