"""Text to claims, each with its place in the source: offline in its own words, or by a chat model."""

from memspan.extraction.asking import atomic_claims
from memspan.extraction.claims import UNITS, claims_of
from memspan.extraction.document import KINDS, Document, Passage
from memspan.extraction.extracting import extract
from memspan.extraction.journal import Journal
from memspan.extraction.pricing import Estimate, estimate
from memspan.extraction.questions import NOTES, template_questions
from memspan.extraction.reading import read, read_text
from memspan.extraction.redaction import redact, redacted

__all__ = [
    "KINDS",
    "NOTES",
    "UNITS",
    "Document",
    "Estimate",
    "Journal",
    "Passage",
    "atomic_claims",
    "claims_of",
    "estimate",
    "extract",
    "read",
    "read_text",
    "redact",
    "redacted",
    "template_questions",
]
