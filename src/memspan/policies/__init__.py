"""What a memory holds: write policies, plain and learned, and the memories that they make."""

from memspan.policies.chosen import Chosen
from memspan.policies.everything import Everything
from memspan.policies.holding import Holding, best, note_of
from memspan.policies.likeness import Likeness
from memspan.policies.writing import Writing

__all__ = ["Chosen", "Everything", "Holding", "Likeness", "Writing", "best", "note_of"]
