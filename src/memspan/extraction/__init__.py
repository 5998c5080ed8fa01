"""Text to claims, each with its place in the source: offline in its own words, or by a chat model."""

from memspan.extraction.claims import UNITS, claims_of
from memspan.extraction.document import KINDS, Document, Passage
from memspan.extraction.extracting import extract
from memspan.extraction.reading import read, read_text

__all__ = [
    "KINDS",
    "UNITS",
    "Document",
    "Passage",
    "claims_of",
    "extract",
    "read",
    "read_text",
]
