"""What `memspan train` is asked for, learns from and makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memspan.material import Material

if TYPE_CHECKING:
    from memspan.answering.rule import ReaderRule
    from memspan.policies.writer import WriterRule


@dataclass(frozen=True)
class Fitting:
    """What a rule is fitted on, how, and where it goes."""

    paths: tuple[str, ...]
    out: Path
    embedder: str | None
    claims: str | None
    name: str | None = None

    @property
    def named(self) -> str:
        """The name of the rule: as asked for, else that of its file."""
        return (self.name or "").strip() or self.out.stem


@dataclass(frozen=True)
class Examples:
    """The materials to learn from.

    Attributes:
        materials: with annotated supports, each once.
        left_out: the others by id, with the reason.
    """

    materials: tuple[Material, ...]
    left_out: tuple[tuple[str, str], ...]

    @property
    def questions(self) -> int:
        """Questions with a support that holds a claim."""
        return sum(
            any(support.claims for support in material.supports_of(query))
            for material in self.materials
            for query in material.queries
        )


@dataclass(frozen=True)
class Fitted:
    """A reading rule, and how the shipped one does on the same questions, by side."""

    examples: Examples
    rule: ReaderRule
    shipped: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class FittedWriter:
    """A write rule; its reliability says how the shipped one and plain ways do on the same materials."""

    examples: Examples
    rule: WriterRule
