"""memspan: how much an agent's memory spans, and how far that is from the best it could span.

>>> import memspan as ms
>>> frontier = ms.frontier(ms.bundled("odyssey"))
>>> frontier.size_for(0.9).size
4
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memspan.coverage import Coverage as Coverage
    from memspan.coverage import Harm as Harm
    from memspan.coverage import compile_material as compile_material
    from memspan.coverage import harm as harm
    from memspan.coverage import u_cov as u_cov
    from memspan.coverage import u_prec as u_prec
    from memspan.datasets import bundled as bundled
    from memspan.datasets import load as load
    from memspan.datasets import save as save
    from memspan.diagnosis import Evaluation as Evaluation
    from memspan.diagnosis import evaluate as evaluate
    from memspan.errors import MemspanError as MemspanError
    from memspan.extraction import extract as extract
    from memspan.material import Claim as Claim
    from memspan.material import KnowledgeItem as KnowledgeItem
    from memspan.material import Material as Material
    from memspan.material import Query as Query
    from memspan.material import Settlement as Settlement
    from memspan.material import Support as Support
    from memspan.optimum import ExactSize as ExactSize
    from memspan.optimum import Frontier as Frontier
    from memspan.optimum import exact_size as exact_size
    from memspan.optimum import frontier as frontier
    from memspan.optimum import verify as verify
    from memspan.span import Estimate as Estimate
    from memspan.span import estimate as estimate
    from memspan.span import find_supports as find_supports
    from memspan.trust import TrustModel as TrustModel

__version__ = "0.1.0"

_HOME = {
    "Estimate": "memspan.span",
    "Evaluation": "memspan.diagnosis",
    "evaluate": "memspan.diagnosis",
    "estimate": "memspan.span",
    "find_supports": "memspan.span",
    "extract": "memspan.extraction",
    "exact_size": "memspan.optimum",
    "ExactSize": "memspan.optimum",
    "harm": "memspan.coverage",
    "Harm": "memspan.coverage",
    "Claim": "memspan.material",
    "Coverage": "memspan.coverage",
    "Frontier": "memspan.optimum",
    "KnowledgeItem": "memspan.material",
    "Material": "memspan.material",
    "MemspanError": "memspan.errors",
    "Query": "memspan.material",
    "Settlement": "memspan.material",
    "Support": "memspan.material",
    "TrustModel": "memspan.trust",
    "bundled": "memspan.datasets",
    "compile_material": "memspan.coverage",
    "frontier": "memspan.optimum",
    "load": "memspan.datasets",
    "save": "memspan.datasets",
    "u_cov": "memspan.coverage",
    "u_prec": "memspan.coverage",
    "verify": "memspan.optimum",
}
__all__ = [*sorted(_HOME), "__version__"]  # noqa: PLE0604 - strings, gathered


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import memspan` costs nothing."""
    if name not in _HOME:
        raise AttributeError(f"module 'memspan' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return list(__all__)
