"""Triples of many sources in one graph: each thing under one name, so that chains meet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from memspan.answering.stating import Pages
from memspan.language.names import Names
from memspan.material import Claim, Triple

VALUED = ("date", "place", "country", "cause", "publication", "inception", "award", "educated", "occupation")
"""Words of relations whose objects are values, which nothing is said about."""


@dataclass(frozen=True)
class Resolved:
    """Claims of one graph.

    Attributes:
        claims: the same claims; in their triples each thing bears one name.
        names: the names, with the other forms they were seen in.
        stating: claim id to the sentence that states its triple, where there is one.
        ambiguous: forms of objects that could mean several things, with these; they were left as they were.
    """

    claims: tuple[Claim, ...]
    names: Names
    stating: dict[str, Claim]
    ambiguous: dict[str, tuple[str, ...]]


def resolve(
    claims: Sequence[Claim], sentences: Sequence[Claim] = (), valued: Collection[str] = VALUED
) -> Resolved:
    """Give each thing in the triples of *claims* one name.

    A subject takes the title of the page that states its triple, which tells apart what is called the
    same; without a page it keeps its form. An object takes the name of the subject that it means, where
    `Names.link` finds exactly one, unless its relation gives a value.

    Args:
        claims: those without a triple pass unchanged.
        sentences: sentences with the titles of their pages as `Claim.source`.
        valued: words of relations whose objects are values.

    >>> triples = ("Ferry", "director", "Zoë Lima"), ("Zoe Lima", "born", "1950")
    >>> [claim.triple for claim in resolve([Claim(t[1], triple=t) for t in triples]).claims]
    [('Ferry', 'director', 'Zoe Lima'), ('Zoe Lima', 'born', '1950')]
    """
    pages = Pages(sentences)
    stating = {
        claim.id: page
        for claim in claims
        if claim.triple and (page := pages.stating(claim.triple)) is not None
    }
    forms: dict[str, dict[str, None]] = defaultdict(dict)
    named: dict[str, str] = {}
    for claim in claims:
        if claim.triple is not None:
            home = stating.get(claim.id)
            named[claim.id] = (home.source if home else None) or claim.triple[0]
            forms[claim.triple[0]][named[claim.id]] = None
    names = Names(named.values(), forms)
    ambiguous: dict[str, tuple[str, ...]] = {}
    linked = _linker(names, ambiguous, valued)
    same = tuple(
        replace(claim, triple=linked(claim.triple, named[claim.id])) if claim.triple else claim
        for claim in claims
    )
    return Resolved(same, names, stating, ambiguous)


def _linker(
    names: Names, ambiguous: dict[str, tuple[str, ...]], valued: Collection[str]
) -> Callable[[Triple, str], Triple]:
    def linked(triple: Triple, subject: str) -> Triple:
        _, relation, target = triple
        if any(word in relation for word in valued):
            return subject, relation, target
        link = names.link(target)
        if link.ambiguous:
            ambiguous[target] = link.names
        return subject, relation, link.name or target

    return linked
