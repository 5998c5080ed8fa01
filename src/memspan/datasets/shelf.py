"""The materials that come with memspan, written for it: the Odyssey instance and its variants.

Source: arXiv 2608.11654, the running example; texts are memspan's own.
"""

from __future__ import annotations

from importlib.resources import as_file, files

from memspan.datasets.registry import NATIVE
from memspan.datasets.source import open_source
from memspan.errors import UnknownName
from memspan.material import Material

BUNDLED = ("odyssey", "odyssey-composites", "odyssey-noise")


def bundled(name: str) -> Material:
    """Return the material called *name* that comes with memspan.

    Args:
        name: one of `BUNDLED`: ``odyssey`` (six claims, eight queries, each answered by single
            claims), ``odyssey-composites`` (three queries more, each answered by two claims
            together), ``odyssey-noise`` (a false claim ``e0`` more).

    Raises:
        UnknownName: there is no such material.

    >>> [claim.id for claim in bundled("odyssey").claims]
    ['e1', 'e2', 'e3', 'e4', 'e5', 'e6']
    """
    if name not in BUNDLED:
        raise UnknownName(f"no bundled material {name!r}; bundled are {', '.join(BUNDLED)}")
    with as_file(files("memspan.datasets") / "bundled" / f"{name}.json") as path:
        return NATIVE.read(open_source(path), "")[0]
