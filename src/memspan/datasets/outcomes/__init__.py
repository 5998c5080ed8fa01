"""Recorded outcomes from elsewhere: which answers of a run were right, and what it read and held."""

from memspan.datasets.outcomes.audited import read_judgements
from memspan.datasets.outcomes.nouns import Hold, Judgement, Outcomes, Read
from memspan.datasets.outcomes.reading import read_outcomes, with_outcomes

__all__ = ["Hold", "Judgement", "Outcomes", "Read", "read_judgements", "read_outcomes", "with_outcomes"]
