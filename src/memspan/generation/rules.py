"""Φ by rules: what triples entail, each with all its minimal supports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from memspan.errors import RuleError
from memspan.generation.rules_form import Rule
from memspan.generation.rules_items import Closed, items_of
from memspan.generation.rules_plan import Plan, plan
from memspan.generation.rules_text import read_rules
from memspan.kernels.closure import Caps, Closure, Program, Stated
from memspan.material import Claim
from memspan.ports import Generated

PLAIN_CLAIMS = 5_000
PATIENCE = 200_000  # joins of supports that the plain twin does in the time that loading a compiler takes
MOST_LOST = 2_000_000  # facts without support that are counted; beyond it the count is "at least"


@dataclass(frozen=True)
class Rules:
    """The generation operator of a rule closure: claims with a triple, and whatever the rules add.

    It is monotone and, where no cap bites, idempotent. An item is its triple: two claims with the same triple
    are one item, and its text is the triple's. A claim without a triple is an item by itself. Rules that need
    themselves are allowed. Where a cap bites, supports are missing: each that is there does entail its item.

    Attributes:
        rules: what follows from what.
        most_supports: supports kept of each item, >= 1: the shortest, ties by the lowest claims. What claims
            state themselves is kept beyond it.
        longest: claims in a support, >= 1.

    Raises:
        RuleError: a cap below 1, or a rule that keeps more than two things in mind between its premises.

    >>> operator = Rules.parse("compose father + father = paternal grandfather")
    >>> claims = (Claim("c1", triple=("Ana", "father", "Rui")), Claim("c2", triple=("Rui", "father", "Zé")))
    >>> for item in operator.generate(claims).items:
    ...     print(item.text, [support.claims for support in item.supports])
    Ana father Rui [('c1',)]
    Rui father Zé [('c2',)]
    Ana paternal grandfather Zé [('c1', 'c2')]
    """

    rules: Sequence[Rule]
    most_supports: int = 16
    longest: int = 6
    _plan: Plan = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compile the rules, or refuse them."""
        for name in ("most_supports", "longest"):
            if getattr(self, name) < 1:
                raise RuleError(f"{name} is {getattr(self, name)}; allowed is 1 or more")
        object.__setattr__(self, "rules", tuple(self.rules))
        object.__setattr__(self, "_plan", plan(self.rules))

    @classmethod
    def parse(cls, text: str, most_supports: int = 16, longest: int = 6, name: str = "rules") -> Self:
        """Read rules in the language of `generation.rules_text`; *name* is what messages call the text.

        Raises:
            RuleError: everything in *text* that cannot be read, with line and column.
        """
        return cls(read_rules(text, name), most_supports, longest)

    @property
    def name(self) -> str:
        """The name of the operator in outputs."""
        return "rules"

    @property
    def recursive(self) -> tuple[str, ...]:
        """The relations that follow from themselves, perhaps by way of others."""
        return self._plan.recursive

    def generate(self, claims: Sequence[Claim]) -> Generated:
        """Return what *claims* entail: what they state in their order, then what follows from it."""
        return items_of(self.closure(claims), claims)

    def closure(self, claims: Sequence[Claim]) -> Closed:
        """Return the closure as arrays: much faster than items where there are very many."""
        stated, things = self.numbered(claims)
        closure = self.close(stated, len(things))
        return Closed(self._plan.names, tuple(things), self._plan.parts, self._caps, stated, closure)

    def close(self, stated: Stated, things: int) -> Closure:
        """Close triples that are numbered already, as `numbered` does; all things are below *things*."""
        return _close(self._plan.program, stated, self._caps, things)

    @property
    def _caps(self) -> Caps:
        return Caps(self.most_supports, self.longest, MOST_LOST)

    def numbered(self, claims: Sequence[Claim]) -> tuple[Stated, dict[str | None, int]]:
        """Number the things in the triples that some rule may use; return those triples as numbers."""
        relations = {name: i for i, name in enumerate(self._plan.names)}
        things = {thing: i for i, thing in enumerate(self._plan.things)}
        rows: list[int] = []
        for position, claim in enumerate(claims):
            if claim.triple is not None and claim.triple[1] in relations:
                subject, relation, target = claim.triple
                first = things.setdefault(subject, len(things))
                rows += (relations[relation], first, things.setdefault(target, len(things)), position)
        columns = np.array(rows, np.int32).reshape(-1, 4).T
        return Stated(*(np.ascontiguousarray(column) for column in columns)), things


def _close(program: Program, stated: Stated, caps: Caps, things: int) -> Closure:
    if len(stated.claim) <= PLAIN_CLAIMS:
        from memspan.kernels.plain.closure import close as plain

        closure = plain(program, stated, caps, PATIENCE)
        if closure is not None:
            return closure
    from memspan.kernels.fast.closure import close as fast

    return fast(program, stated, caps, things)
