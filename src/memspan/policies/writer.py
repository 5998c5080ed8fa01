"""A write rule: which traits of a claim make it likely to be asked for. A small file to read."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from memspan.answering.linear import Linear, probability
from memspan.answering.rule_file import document_in
from memspan.errors import ModelError
from memspan.files import replace_file
from memspan.material import Claim, Material
from memspan.policies.traits import TRAITS, Traits

if TYPE_CHECKING:
    from memspan.ports import Embedder

Floats = npt.NDArray[np.float64]

VERB = "memspan train writer"
_SUREST = 1e-9  # a chance of 0 or 1 could never be moved by what is seen later


@dataclass(frozen=True)
class WriterRule:
    """Weights of traits: how likely it is that some query needs a claim.

    Attributes:
        name: as outputs name it.
        linear: the logit of the chance, on `TRAITS` as they are.
        embedder: name of the embedder whose vectors it weighs, too; None where it needs none.
        direction: what each entry of such a vector weighs; empty without an embedder.
        fitted_on: what its weights come from.
        measured_on: materials that it was not fitted on.
        reliability: how well it did on those: figures by what they are about.
        taught_by: the `digest` of each material that it was fitted on; empty where it is not known.
    """

    name: str
    linear: Linear
    embedder: str | None = None
    direction: tuple[float, ...] = ()
    fitted_on: str = ""
    measured_on: str = ""
    reliability: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    taught_by: tuple[str, ...] = ()

    def was_fitted_on(self, material: Material) -> bool:
        """Return whether it was fitted on the claims of *material*, so that it is flattered there.

        Claims are compared by their texts; a rule that does not know what taught it goes by names.
        """
        if self.taught_by:
            return digest(material) in self.taught_by
        name = rf"(?:\b(?:of|on)|,) {re.escape(material.id)}(?=,|;| and \d+ more|$)"
        return re.search(name, self.fitted_on) is not None

    def chances(self, table: Floats, vectors: npt.NDArray[np.floating] | None = None) -> Floats:
        """Return the chance that some query needs each claim, in (0, 1), shape (n,).

        Args:
            table: traits of the claims, shape (n, traits), as `Traits.observe` gives them.
            vectors: of their texts, shape (n, d), where the rule weighs an embedder's.
        """
        logits = self.linear.logits(tuple(TRAITS), table)
        if self.direction and vectors is not None:
            logits = logits + vectors.astype(np.float64) @ np.array(self.direction)
        chances: Floats = probability(logits).clip(_SUREST, 1 - _SUREST)
        return chances

    def prior(self, embedder: Embedder | None = None) -> LearnedPrior:
        """Return the rule as a `memspan.ports.Prior`.

        Raises:
            ModelError: the rule weighs vectors of an embedder that is not the one given.
        """
        return LearnedPrior(self, embedder)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the rule as JSON to *path*, whole or not at all.

        Raises:
            FileError: the disk refuses, or `load` would: a weight that is no number, an unknown trait.
        """
        replace_file(Path(path), [_document(self, os.fspath(path))])

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> WriterRule:
        """Read a rule that `save` wrote.

        Raises:
            FileError: no such file, no such rule, or a trait that this version does not know.
        """
        return _rule(document_in(path, VERB), os.fspath(path))


class LearnedPrior:
    """A write rule applied to claims as they appear; implements `memspan.ports.Prior`.

    >>> prior = WriterRule("long", Linear(-3.0, {"words": 1.0})).prior()
    >>> prior.start()
    >>> few, many = prior.observe([Claim("a", "Yes."), Claim("b", "Ana moved to Porto in March.")])
    >>> bool(0 < few < many < 1)
    True
    """

    def __init__(self, rule: WriterRule, embedder: Embedder | None = None) -> None:
        """Begin with a material of which nothing has appeared."""
        given = embedder.name if embedder is not None else None
        if rule.embedder is not None and rule.embedder != given:
            raise ModelError(
                f"rule {rule.name!r} was fitted with the embedder {rule.embedder}, "
                f"and {given or 'none'} is given; give that one, or use another rule"
            )
        self._rule = rule
        self._embedder = embedder if rule.embedder is not None else None
        self._traits = Traits()

    @property
    def name(self) -> str:
        """The rule's own."""
        return self._rule.name

    def start(self) -> None:
        """Forget everything: a new material begins."""
        self._traits = Traits()

    def observe(self, claims: Sequence[Claim]) -> Floats:
        """Return for each of the next *claims* the chance that some query needs it, in (0, 1)."""
        vectors = self._embedder.embed([c.text for c in claims]) if self._embedder and claims else None
        return self._rule.chances(self._traits.observe(claims), vectors)


def digest(material: Material) -> str:
    """Return a short text that two materials share whose claims have the same texts in the same order."""
    texts = json.dumps([claim.text for claim in material.claims])
    return blake2b(texts.encode(), digest_size=8).hexdigest()


@cache
def shipped() -> WriterRule:
    """Return the rule that comes with memspan."""
    text = (files("memspan.policies") / "shipped.json").read_text(encoding="utf-8")
    return _rule(json.loads(text), "shipped.json")


def _document(rule: WriterRule, path: str) -> str:
    from memspan.policies.writer_form import WRITER, filled

    raw = {WRITER.field: WRITER.version, **asdict(rule), "direction": list(rule.direction)}
    raw["taught_by"] = list(rule.taught_by)
    return filled(raw, path).model_dump_json(indent=1) + "\n"


def _rule(raw: Any, path: str) -> WriterRule:
    from memspan.policies.writer_form import filled

    form = filled(raw, path).model_dump(exclude={"memspan_writer"})
    linear = Linear(**form.pop("linear"))
    direction, taught_by = (tuple(form.pop(name)) for name in ("direction", "taught_by"))
    return WriterRule(linear=linear, direction=direction, taught_by=taught_by, **form)
