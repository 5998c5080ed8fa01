"""Claims that stand for one another: links say so, and queries that either of two supports answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, product

import numpy as np
import numpy.typing as npt

from memspan.growing import Table
from memspan.material import Claim
from memspan.policies.valuing import Set

Ints = npt.NDArray[np.int64]
MOST = 8
"""Alternatives of one support that are looked at."""
_LINKS = ("contradicts", "corroborates", "supersedes")


@dataclass(frozen=True)
class Ways:
    """What could meet a need.

    Attributes:
        sets: the alternatives, sets of claims.
        opposed: by alternative, those of which no claims can all be true together with its own.
    """

    sets: tuple[Set, ...]
    opposed: tuple[frozenset[int], ...]


class Rivals:
    """Groups of linked claims, by position; links to claims that have not appeared wait for them.

    Attributes:
        groups: the members of each group of three or more, or of claims that agree, by its first.
        pairs: (P, 2) groups of two that contradict each other, the first one first.
    """

    def __init__(self) -> None:
        """Start with nothing seen."""
        self._place: dict[str, int] = {}
        self._waiting: dict[str, list[tuple[str, int]]] = defaultdict(list)
        self._rows = Table(root=(np.int64, 0))
        self._members: dict[int, list[int]] = {}
        self._opposed: set[tuple[int, int]] = set()
        self._told: dict[Set, tuple[Set, ...]] = {}
        self._need: dict[frozenset[Set], Set] = {}
        self._ways: dict[Set, Ways] = {}
        self._sort()

    def add(self, claims: Sequence[Claim]) -> list[Claim]:
        """Take the next claims; return them with positions for ids and for links, all to what is there."""
        first = self._rows.extend(len(claims))
        self.root[first:] = np.arange(first, first + len(claims))
        for place, claim in enumerate(claims, first):
            self._place.setdefault(claim.id, place)
        found = [self._linked(place, claim) for place, claim in enumerate(claims, first)]
        self._sort()
        return found

    def _linked(self, place: int, claim: Claim) -> Claim:
        links: dict[str, dict[str, None]] = {kind: {} for kind in _LINKS}
        for kind in _LINKS:
            for name in getattr(claim, kind):
                other = self._place.get(name)
                if other is None:
                    self._waiting[name].append((kind, place))
                elif other != place:
                    links[kind][str(other)] = None
                    self._join(place, other, opposed=kind != "corroborates")
        if self._place[claim.id] == place:
            for kind, other in self._waiting.pop(claim.id, ()):
                both = "contradicts" if kind == "supersedes" else kind  # what is newer came first here
                links[both][str(other)] = None
                self._join(place, other, opposed=both != "corroborates")
        contradicts, corroborates, supersedes = (tuple(links[kind]) for kind in _LINKS)
        return Claim(
            str(place),
            source=claim.source,
            contradicts=contradicts,
            corroborates=corroborates,
            supersedes=supersedes,
        )

    def _join(self, one: int, other: int, *, opposed: bool) -> None:
        if opposed:
            self._opposed |= {(one, other), (other, one)}
        root = self.root
        first, second = sorted((int(root[one]), int(root[other])))
        if first == second:
            return
        members = sorted([*self._members.pop(first, [first]), *self._members.pop(second, [second])])
        self._members[first] = members
        root[members] = first

    def _sort(self) -> None:
        self._ways.clear()
        opposed = [pair for pair in self._members.values() if len(pair) == 2 and tuple(pair) in self._opposed]
        self.pairs = np.array(opposed, np.int64).reshape(-1, 2)
        paired = set(self.pairs[:, 0].tolist())
        self.groups = {root: members for root, members in self._members.items() if root not in paired}

    @property
    def root(self) -> Ints:
        """(n,) the first claim of the group of each; itself where it has no links."""
        root: Ints = self._rows["root"].used
        return root

    # --- needs -------------------------------------------------------------------------------------

    def need(self, supports: Sequence[Set]) -> Set:
        """Return the claims under which the need is counted that any of *supports*, of one query, meets."""
        forms = sorted({self._form(support) for support in supports})
        key = frozenset(forms)
        if key not in self._need:
            self._need[key] = self._named(forms)
            for form in forms:
                self._need.setdefault(frozenset((form,)), self._need[key])
        need = self._need[key]
        if len(forms) > 1:
            every = dict.fromkeys([*self._told.get(need, ()), *map(_sorted, supports)])
            if len(every) > len(self._told.get(need, ())):
                self._told[need] = tuple(every)[:MOST]
                self._ways.pop(need, None)
        return need

    def _named(self, forms: Sequence[Set]) -> Set:
        """Return the form that names a new need: one that was counted alone, else one that names no other."""
        alone = (form for form in forms if self._need.get(frozenset((form,))) == form)
        taken = set(self._need.values())
        return next(alone, None) or next((form for form in forms if form not in taken), forms[0])

    def _form(self, support: Set) -> Set:
        return tuple(sorted(set(self.root[list(support)].tolist())))

    @property
    def told(self) -> Iterable[Set]:
        """The needs of which alternatives were told that no link shows."""
        return self._told

    def ways(self, need: Set) -> Ways:
        """Return what meets *need*: its claims, some changed for linked ones, and what queries told."""
        if need not in self._ways:
            groups = [self._members.get(int(self.root[e]), [e]) for e in need]
            swapped = [_sorted(way) for way in islice(product(*groups), MOST)]
            sets = tuple(dict.fromkeys([*self._told.get(need, ()), *swapped]))
            opposed = tuple(frozenset(j for j, b in enumerate(sets) if self._oppose(a, b)) for a in sets)
            self._ways[need] = Ways(sets, opposed)
        return self._ways[need]

    def _oppose(self, one: Set, other: Set) -> bool:
        return any((a, b) in self._opposed for a in one for b in other)


def _sorted(way: Iterable[int]) -> Set:
    return tuple(sorted(set(way)))
