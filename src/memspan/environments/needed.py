"""The one place that imports gymnasium, or says how to get it."""

from memspan.errors import MissingExtra

try:
    import gymnasium
except ImportError as missing:
    raise MissingExtra(
        "the environments need gymnasium; install it with: pip install 'memspan[learn]'"
    ) from missing

__all__ = ["gymnasium"]
