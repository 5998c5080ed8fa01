"""The operators by name. A new one is a file beside this and a line below."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping

from memspan.errors import UnknownName
from memspan.generation.bridge import Bridge
from memspan.generation.declared import Declared
from memspan.generation.decomposable import Decomposable
from memspan.material import Material
from memspan.ports import GenerationOperator

Factory = Callable[[Material], GenerationOperator]
"""The operator for a material, with default settings. The material may hold claims and nothing else."""

OPERATORS: Mapping[str, Factory] = {
    "decomposable": lambda _: Decomposable(),
    "declared": Declared.of,
    "bridge": lambda _: Bridge(),
}
"""Name to factory. The tests in tests/generation try the laws on each."""


def operator_named(name: str, material: Material) -> GenerationOperator:
    """Return the operator called *name* for *material*, or raise UnknownName.

    >>> operator_named("bridge", Material("m")).name
    'bridge'
    """
    if name in OPERATORS:
        return OPERATORS[name](material)
    near = difflib.get_close_matches(name, OPERATORS, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise UnknownName(f"operator {name!r} is unknown; known are {', '.join(OPERATORS)}{hint}")
