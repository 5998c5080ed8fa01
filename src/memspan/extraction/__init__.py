"""Text to claims, each with its place in the source: offline in its own words, or by a chat model."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memspan.extraction.asking import atomic_claims as atomic_claims
    from memspan.extraction.claims import UNITS as UNITS
    from memspan.extraction.claims import claims_of as claims_of
    from memspan.extraction.document import KINDS as KINDS
    from memspan.extraction.document import Document as Document
    from memspan.extraction.document import Passage as Passage
    from memspan.extraction.extracting import extract as extract
    from memspan.extraction.journal import Journal as Journal
    from memspan.extraction.pricing import Estimate as Estimate
    from memspan.extraction.pricing import estimate as estimate
    from memspan.extraction.questions import template_questions as template_questions
    from memspan.extraction.reading import read as read
    from memspan.extraction.reading import read_text as read_text
    from memspan.extraction.redaction import redact as redact
    from memspan.extraction.redaction import redacted as redacted

_HOME = {
    "Document": "document",
    "Estimate": "pricing",
    "Journal": "journal",
    "KINDS": "document",
    "Passage": "document",
    "UNITS": "claims",
    "atomic_claims": "asking",
    "claims_of": "claims",
    "estimate": "pricing",
    "extract": "extracting",
    "read": "reading",
    "read_text": "reading",
    "redact": "redaction",
    "redacted": "redaction",
    "template_questions": "questions",
}
__all__ = sorted(_HOME)  # noqa: PLE0605 - strings, sorted


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that importing the room costs nothing."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
