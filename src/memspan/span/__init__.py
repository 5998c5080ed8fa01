"""Claims, a generation operator and answerability to a material with supports."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memspan.span.drawing import draw as draw
    from memspan.span.drawing import is_uncertain as is_uncertain
    from memspan.span.estimating import Estimate as Estimate
    from memspan.span.estimating import estimate as estimate
    from memspan.span.expected import Expectation as Expectation
    from memspan.span.finding import find_supports as find_supports
    from memspan.span.finding import needs_supports as needs_supports
    from memspan.span.finding import span_of as span_of

_HOME = {
    "Estimate": "estimating",
    "Expectation": "expected",
    "draw": "drawing",
    "estimate": "estimating",
    "find_supports": "finding",
    "is_uncertain": "drawing",
    "needs_supports": "finding",
    "span_of": "finding",
}
__all__ = sorted(_HOME)  # noqa: PLE0605 - strings, sorted


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that importing the room costs nothing."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
