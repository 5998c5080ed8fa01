"""Untrusted settlers: whatever they settle, and however often, moves one claim by a bounded amount."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from memspan.trust.state import State
from memspan.trust.terms import Terms


class Caps:
    """Caps of factors. An untrusted settler's cap is shared by all its supports that hold one claim.

    A message is no greater than the cap of its factor, so that their sum over the settler's factors on a
    claim is bound by `Terms.cap_untrusted`. Shares halve each time the number of those factors passes a
    power of two.
    """

    def __init__(self, terms: Terms, untrusted: frozenset[str]) -> None:
        """Bind the settlers named in *untrusted*."""
        self.terms = terms
        self.untrusted = untrusted
        self.cap = terms.cap
        self.sharing: set[int] = set()
        self._factors: dict[tuple[int, int], list[int]] = defaultdict(list)

    def is_bound(self, settler: str | None) -> bool:
        """Whether this settler is untrusted."""
        return settler in self.untrusted

    def bind(self, settler: str) -> None:
        """Take *settler* as untrusted from now on."""
        self.untrusted |= {settler}

    def share(self, state: State, factor: int) -> dict[int, float]:
        """Let a factor of an untrusted settler share; return the caps that become smaller by it."""
        if factor in self.sharing:
            return {}
        caps = state.columns["cap"].data
        smaller = {factor: min(float(caps[factor]), self.terms.cap_untrusted)}
        for shared in self._together(state, factor):
            share = self.terms.cap_untrusted / (1 << (len(shared) - 1).bit_length())
            grown = (len(shared) - 1) & (len(shared) - 2) == 0
            for each in shared if grown else [factor]:
                if share < smaller.get(each, caps[each]):
                    smaller[each] = share
        return smaller

    def _together(self, state: State, factor: int) -> list[list[int]]:
        """Note *factor*; return for each of its claims the factors of its settler that hold the claim."""
        self.sharing.add(factor)
        settler = int(state.columns["settler"].data[factor])
        row = state.claims_of(int(state.columns["support"].data[factor]))
        lists = [self._factors[claim, settler] for claim in row]
        for each in lists:
            each.append(factor)
        return lists

    def share_again(self, state: State) -> None:
        """Cap all factors anew: one whose outcomes were all revoked shares no more."""
        self.restore(state, ())
        columns = state.columns
        columns["cap"].used[:] = self.cap
        settlers = [position for name, position in state.settlers.items() if self.is_bound(name)]
        counts = columns["right"].used + columns["wrong"].used > 0
        for factor in np.flatnonzero(np.isin(columns["settler"].used, settlers) & counts).tolist():
            for each, cap in self.share(state, factor).items():
                columns["cap"].data[each] = cap

    def restore(self, state: State, factors: Iterable[int]) -> None:
        """Take *factors* as those that share, whose caps are right already."""
        self.sharing.clear()
        self._factors.clear()
        for factor in factors:
            self._together(state, factor)
