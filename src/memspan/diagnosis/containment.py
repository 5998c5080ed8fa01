"""Whether a claim holds all that a memory says, near word for word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from memspan.diagnosis.facts import Facts
from memspan.diagnosis.telling import plain
from memspan.language.words import stemmed, words
from memspan.material import Claim

_FEWEST = 3  # stems: less is said by chance
_SPARED = 6  # of so many stems one may be missing: a word that the writer added
_RARE = 2  # claims: a stem in more of them tells none from another
_RARE_SHARE = 0.02  # of many claims
_ANYBODY = frozenset(stemmed(["user", "users", "speaker", "person"]))  # whoever tells it says "I"


@dataclass(frozen=True)
class Containment:
    """What is rare among *claims*, to know which words tell one from the others."""

    claims: Sequence[Claim]

    def holds(self, claim: Facts, memory: Facts) -> bool:
        """Whether *claim* holds (nearly) all that *memory* says, something distinctive among it.

        At least three stems, all but one in six in the claim, no name or number missing; distinctive
        are names, numbers and stems of few claims.

        >>> from memspan.diagnosis.facts import facts
        >>> told = Claim("c", "I started a new job at the old harbour today.", speaker="Rui")
        >>> holding = Containment((told, Claim("d", "A new day")))
        >>> holding.holds(facts(told), facts(Claim("m", "Started a new job at the harbour")))
        True
        >>> holding.holds(facts(told), facts(Claim("m", "Started a new job at the mill")))
        False
        """
        hard = {*stemmed(memory.name_words), *memory.numbers} - _ANYBODY
        said = {*stemmed(memory.words)} - _ANYBODY
        held = {*stemmed(claim.words), *stemmed(claim.name_words), *claim.numbers}
        missing = said - held
        if len(said) < _FEWEST or len(missing) > len(said) // _SPARED or hard - held:
            return False
        return any(self._rare(stem) for stem in said & held)

    def _rare(self, stem: str) -> bool:
        return self._spread[stem] <= max(_RARE, _RARE_SHARE * len(self.claims))

    @cached_property
    def _spread(self) -> Counter[str]:
        """In how many claims each stem stands."""
        return Counter(stem for claim in self.claims for stem in {*stemmed(words(plain(claim)))})
