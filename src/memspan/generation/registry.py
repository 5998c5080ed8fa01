"""The operators by name. A new one is a file beside this and a line below."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from pathlib import Path

from memspan.errors import Fault, FileError, UnknownName
from memspan.generation.bridge import Bridge
from memspan.generation.declared import Declared
from memspan.generation.decomposable import Decomposable
from memspan.generation.narrative import Narrative
from memspan.generation.rules import Rules
from memspan.generation.updates import Updates
from memspan.material import Material
from memspan.ports import GenerationOperator

Factory = Callable[[Material], GenerationOperator]
"""The operator for a material, with default settings. The material may hold claims and nothing else."""

OPERATORS: Mapping[str, Factory] = {
    "decomposable": lambda _: Decomposable(),
    "declared": Declared.of,
    "bridge": lambda _: Bridge(),
    "rules": lambda _: Rules(()),
    "updates": lambda _: Updates(),
    "narrative": lambda _: Narrative(),
}
"""Name to factory. The tests in tests/generation try the laws on each."""


def operator_named(name: str, material: Material) -> GenerationOperator:
    """Return the operator called *name* for *material*; ``rules:FILE`` reads rules from a file.

    Raises:
        UnknownName: there is no operator of that name.
        RuleError: the rules cannot be read.
        FileError: the file of rules cannot be read.

    >>> operator_named("bridge", Material("m")).name
    'bridge'
    """
    kind, _, path = name.partition(":")
    if kind == "rules" and path:
        return Rules.parse(_text(path))
    if name in OPERATORS:
        return OPERATORS[name](material)
    near = difflib.get_close_matches(name, OPERATORS, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise UnknownName(f"operator {name!r} is unknown; known are {', '.join(OPERATORS)}{hint}")


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        problem = f"cannot be read: {error}; give a text file with one rule on each line"
        raise FileError(path, [Fault("", "", problem)]) from error
