"""Which claims name the same entity, and which stand under its title."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from memspan.language.mentions import mentions, title_name
from memspan.language.words import words
from memspan.material import Claim


@dataclass(frozen=True, slots=True)
class Link:
    """What joins two claims.

    Attributes:
        names: the entities that they share.
        frequency: how many claims the rarest of them joins.
    """

    names: frozenset[str]
    frequency: int


@dataclass(frozen=True)
class Entities:
    """Entities by name, and where they stand, as positions of claims.

    Attributes:
        titles: the name that each claim stands under, empty where there is none.
        under: title -> the claims under it.
        naming: name -> each claim that names it without standing under it -> whether it surely is a name.
    """

    titles: Sequence[str]
    under: Mapping[str, Sequence[int]]
    naming: Mapping[str, Mapping[int, bool]]

    def frequencies(self) -> Iterator[tuple[str, int]]:
        """Yield each entity with the number of claims that name it, in order of name; no mere guesses."""
        for name in sorted(self.naming):
            if name in self.under or any(self.naming[name].values()):
                yield name, len(self.naming[name])

    def links(self, rare: int) -> dict[tuple[int, int], Link]:
        """Return what joins two claims, over the entities that at most *rare* claims name."""
        found: dict[tuple[int, int], Link] = {}
        for name, count in self.frequencies():
            if count <= rare:
                frequency = count + len(self.under.get(name, ()))
                for pair in self._pairs(name):
                    had = found.get(pair, Link(frozenset(), frequency))
                    found[pair] = Link(had.names | {name}, min(had.frequency, frequency))
        return found

    def leads(self, i: int, j: int) -> bool:
        """Tell whether claim *i* names what claim *j* stands under."""
        return i in self.naming.get(self.titles[j], {})

    def _pairs(self, name: str) -> Iterator[tuple[int, int]]:
        """Yield pairs that share *name*; two guesses make no pair, nor do two claims of one title."""
        naming = self.naming[name]
        yield from ((i, j) for i, j in combinations(sorted(naming), 2) if naming[i] or naming[j])
        yield from ((min(i, j), max(i, j)) for i in sorted(naming) for j in self.under.get(name, ()))


def entities(claims: Sequence[Claim]) -> Entities:
    """Return what *claims* name and what they stand under."""
    titles = [title_name(claim.source or "") for claim in claims]
    under: dict[str, list[int]] = defaultdict(list)
    for i, title in enumerate(titles):
        if title:
            under[title].append(i)
    naming: dict[str, dict[int, bool]] = defaultdict(dict)
    for i, title in _quoted(claims, under):
        if titles[i] != title:
            naming[title][i] = False
    for i, claim in enumerate(claims):
        for name, sure in _named_by(claim).items():
            if name != titles[i]:
                naming[name][i] = sure
    return Entities(titles, under, naming)


def _named_by(claim: Claim) -> Mapping[str, bool]:
    """Return what *claim* names: its triple says it where there is one, else its text; and its speaker."""
    ends = (claim.triple[0], claim.triple[2]) if claim.triple else ()
    names = {name: True for end in ends if (name := title_name(end))} or mentions(claim.text)
    speaker = title_name(claim.speaker or "")
    return {**names, speaker: True} if speaker else names


def _quoted(claims: Sequence[Claim], titles: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield where titles of several words stand in texts, capitals or not."""
    starting: dict[tuple[str, ...], list[list[str]]] = defaultdict(list)
    for title in titles:
        parts = title.split()
        if len(parts) > 1:
            starting[tuple(parts[:2])].append(parts)
    for i, claim in enumerate(claims):
        told = words(claim.text) if starting else []
        for at in range(len(told) - 1):
            for parts in starting.get((told[at], told[at + 1]), ()):
                if told[at : at + len(parts)] == parts:
                    yield i, " ".join(parts)
