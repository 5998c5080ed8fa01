"""Plain ways to choose what a memory holds: the baselines that systems are held against."""

from memspan.policies.chosen import Chosen
from memspan.policies.everything import Everything
from memspan.policies.holding import Holding, best, note_of
from memspan.policies.kept import Entry, Kept
from memspan.policies.likeness import Likeness

__all__ = ["Chosen", "Entry", "Everything", "Holding", "Kept", "Likeness", "best", "note_of"]
