"""One operator tried on one list of claims: guarded calls, and which parts are tried."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any, cast

from memspan.material import Claim, Dropped, KnowledgeItem, Support
from memspan.ports import Generated, GenerationOperator

Part = tuple[int, ...]
"""Positions of the claims that are given."""
EVERY_PART = 4  # claims: of so many all parts are tried
_SEVERAL = 6


@dataclass(frozen=True)
class Breach:
    """A law broken on a list of claims: what was given, expected and seen."""

    expected: str
    seen: str
    given: Part | None = None


class Misbehaved(Exception):  # noqa: N818 - never leaves this room
    """The operator did not answer as the protocol asks; nothing else can be judged."""

    def __init__(self, law: str, breach: Breach) -> None:
        """Keep the *law* that was broken."""
        super().__init__(law)
        self.law = law
        self.breach = breach


class Trial:
    """The answers of an operator to parts of *claims*, each asked for once."""

    def __init__(self, operator: GenerationOperator, claims: Sequence[Claim]) -> None:
        """Ask nothing yet."""
        self.operator = operator
        self.claims = tuple(claims)
        self.whole: Part = tuple(range(len(claims)))
        self._answers: dict[Part, Generated] = {}

    def phi(self, part: Part) -> Generated:
        """Return Φ of the claims of *part*.

        Raises:
            Misbehaved: the operator raised, answered in wrong types, or changed its claims.
        """
        if part not in self._answers:
            self._answers[part] = self.ask([self.claims[i] for i in part], part)
        return self._answers[part]

    def ask(self, claims: list[Claim], part: Part | None = None) -> Generated:
        """Return what the operator says to *claims*, asked anew."""
        before = repr(claims)
        try:
            answer: Any = self.operator.generate(claims)
        except Exception as error:
            seen = f"{type(error).__name__}: {error}"
            raise Misbehaved("answers", Breach("items for any claims", seen, part)) from error
        if repr(claims) != before:
            expected = "the claims given are left as they were"
            raise Misbehaved("leaves claims alone", Breach(expected, "they were changed", part))
        for expected, seen in _misfits(answer):
            raise Misbehaved("answers", Breach(expected, seen, part))
        return cast("Generated", answer)

    def names(self, part: Part) -> set[str]:
        """Return the ids of the claims of *part*."""
        return {self.claims[i].id for i in part}

    def spanned(self, part: Part) -> set[str]:
        """Return the ids of the items that the claims of *part* entail, by asking for them."""
        return spanned(self.phi(part).items, self.names(part))

    def parts(self) -> list[Part]:
        """Return the parts that are tried, small ones first: all, or some where there are many."""
        n = len(self.claims)
        if n <= EVERY_PART:
            return list(chain.from_iterable(combinations(range(n), k) for k in range(n + 1)))
        draw = random.Random(n)  # noqa: S311 - a choice of examples
        some = draw.sample(range(n), min(n, _SEVERAL))
        parts: list[Part] = [(), *((i,) for i in some)]
        parts += [tuple(sorted(draw.sample(range(n), draw.randint(2, min(n - 1, 8))))) for _ in range(8)]
        parts += [(*range(i), *range(i + 1, n)) for i in some]
        return [*parts, self.whole]


def spanned(items: Sequence[KnowledgeItem], held: Collection[str]) -> set[str]:
    """Return the ids of the *items* of which a support holds while the claims *held* are held."""
    return {item.id for item in items if any(holds(support, held) for support in item.supports)}


def holds(support: Support, held: Collection[str]) -> bool:
    """Tell whether all claims of *support* are held and none that defeats it."""
    return all(name in held for name in support.claims) and not any(name in held for name in support.unless)


def _misfits(answer: Any) -> Iterator[tuple[str, str]]:
    """Yield what in *answer* has a type that the protocol does not allow: expected, seen."""
    if not isinstance(answer, Generated):
        yield "an answer of type Generated", type(answer).__name__
        return
    items: Any = answer.items
    limits: Any = answer.limits
    if not (isinstance(items, tuple) and isinstance(limits, tuple)):
        yield "items and limits are tuples", f"{type(items).__name__} and {type(limits).__name__}"
        return
    yield from (("limits of type Dropped", repr(each)) for each in limits if not isinstance(each, Dropped))
    wrong = [each for each in items if not _is_item(each)]
    yield from (("items and supports of the types in memspan.material", repr(each)) for each in wrong)
    twice = [name for name, n in Counter(each.id for each in items).items() if n > 1] if not wrong else []
    yield from (("the ids of items are unique", f"{name!r} stands twice") for name in twice)


def _is_item(item: Any) -> bool:
    if not (isinstance(item, KnowledgeItem) and _are_text((item.id, item.text))):
        return False
    supports: Any = item.supports
    fits = isinstance(supports, tuple) and all(isinstance(each, Support) for each in supports)
    return fits and all(_are_text(each.claims) and _are_text(each.unless) for each in supports)


def _are_text(names: Any) -> bool:
    return isinstance(names, tuple) and all(isinstance(name, str) for name in names)
