"""Untrusted settlers: whatever they settle, and however often, moves one claim by a bounded amount."""

from __future__ import annotations

from collections import defaultdict

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
        self._factors: dict[tuple[int, int], list[int]] = defaultdict(list)

    def is_bound(self, settler: str | None) -> bool:
        """Whether this settler is untrusted."""
        return settler in self.untrusted

    def bind(self, settler: str) -> None:
        """Take *settler* as untrusted from now on."""
        self.untrusted |= {settler}

    def add(self, state: State, factor: int) -> set[int]:
        """Cap a factor of an untrusted settler; return the factors whose cap changed."""
        settler = int(state.columns["settler"].data[factor])
        row = state.claims_of(int(state.columns["support"].data[factor]))
        caps = state.columns["cap"].data
        caps[factor] = min(caps[factor], self.terms.cap_untrusted)
        changed = {factor}
        for claim in row:
            shared = self._factors[claim, settler]
            shared.append(factor)
            share = self.terms.cap_untrusted / (1 << (len(shared) - 1).bit_length())
            grown = (len(shared) - 1) & (len(shared) - 2) == 0
            for each in shared if grown else [factor]:
                if share < caps[each]:
                    caps[each] = share
                    changed.add(each)
        return changed
