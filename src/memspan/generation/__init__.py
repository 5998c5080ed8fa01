"""Generation operators Φ: claims in, knowledge items with their minimal supports out."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memspan.generation.antichain import minimal as minimal
    from memspan.generation.bridge import Bridge as Bridge
    from memspan.generation.chat_composer import ChatComposer as ChatComposer
    from memspan.generation.comparisons import Compared as Compared
    from memspan.generation.declared import Declared as Declared
    from memspan.generation.decomposable import Decomposable as Decomposable
    from memspan.generation.lifetimes import Lifetimes as Lifetimes
    from memspan.generation.narrative import Narrative as Narrative
    from memspan.generation.registry import OPERATORS as OPERATORS
    from memspan.generation.registry import Factory as Factory
    from memspan.generation.registry import operator_named as operator_named
    from memspan.generation.rules import Rules as Rules
    from memspan.generation.updates import Updates as Updates

_HOME = {
    "Bridge": "bridge",
    "ChatComposer": "chat_composer",
    "Compared": "comparisons",
    "Declared": "declared",
    "Decomposable": "decomposable",
    "Factory": "registry",
    "Lifetimes": "lifetimes",
    "Narrative": "narrative",
    "OPERATORS": "registry",
    "Rules": "rules",
    "Updates": "updates",
    "minimal": "antichain",
    "operator_named": "registry",
}
__all__ = sorted(_HOME)  # noqa: PLE0605 - strings, sorted


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: some operators need heavy packages."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
