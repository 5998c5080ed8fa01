"""A learned write rule as a memory system: it holds what the rule thinks likeliest to be asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from os.path import normpath

from memspan.policies.plain import plain
from memspan.policies.writer import WriterRule, shipped
from memspan.policies.writing import Writing
from memspan.ports import Embedder, MemorySystem
from memspan.systems.kind import Setting, SystemKind

READ = 10
"""Notes that it reads for a question."""
SUFFIX = ".json"


@dataclass(frozen=True)
class _Maker:
    """Makes a memory that the rule writes; all of a material is judged at once, before any query."""

    rule: WriterRule
    embedder: Embedder | None

    def __call__(self, setting: Setting) -> MemorySystem:
        policy = plain("static", self.rule.prior(self.embedder), self.rule.name)
        return Writing(policy, setting.likeness, setting.capacity, whole=True)


def ruled(rule: WriterRule, embedder: Embedder | None = None) -> SystemKind:
    """Return what *rule* writes as a system.

    Raises:
        ModelError: the rule weighs vectors of an embedder that is not the one given.

    >>> from memspan.answering.linear import Linear
    >>> ruled(WriterRule("long", Linear(0.0, {"words": 1.0}))).label
    'rule:long'
    """
    rule.prior(embedder)  # refuses now rather than in the midst of a run
    make = _Maker(rule, embedder)
    return SystemKind("rule", rule.name, make, READ, needs_capacity=True, was_fitted_on=rule.was_fitted_on)


def rule_at(path: str) -> SystemKind:
    """Return the rule in a file as a system.

    Raises:
        FileError: no such file, or no such rule.
        ModelError: the rule needs an embedder.
    """
    return replace(ruled(WriterRule.load(path)), source=normpath(path))


def _of_shipped(setting: Setting) -> MemorySystem:
    return _Maker(shipped(), None)(setting)


KINDS = (SystemKind("rule", "shipped", _of_shipped, READ, needs_capacity=True),)
"""The rule that comes with memspan; its file is read when it is made."""
