"""A law that fails, on claims that a person can read."""

from __future__ import annotations

from dataclasses import dataclass

from memspan.material import Claim

_SHOWN = 200  # characters of a text


@dataclass(frozen=True)
class Counterexample:
    """Claims on which a law or a trait fails; leaving out any of them, it no longer does.

    Attributes:
        law: which one, as the report names it.
        claims: the claims; an operator is asked about them and their parts, a system observes them.
        given: ids of the part on which it shows; None where it is all of them.
        expected: what the law asks for.
        seen: what was done instead.
    """

    law: str
    claims: tuple[Claim, ...]
    given: tuple[str, ...] | None
    expected: str
    seen: str

    def __str__(self) -> str:
        """Return the claims, the law, what was expected and what was seen."""
        given = "" if self.given is None else f"\n  given:    {', '.join(self.given) or 'no claims'}"
        shown = "".join(f"\n  {_claim(claim)}" for claim in self.claims)
        count = f"{len(self.claims)} claim{'' if len(self.claims) == 1 else 's'}"
        told = f"\n  expected: {self.expected}\n  seen:     {self.seen}"
        return f"{self.law}: fails on {count}{shown}{given}{told}"


def _claim(claim: Claim) -> str:
    """Show *claim* on one line, with all that operators and systems look at."""
    told = {"triple": claim.triple, "speaker": claim.speaker, "source": claim.source, "time": claim.time}
    more = "".join(f", {name} {value!r}" for name, value in told.items() if value is not None)
    others = {name: getattr(claim, name) for name in ("supersedes", "contradicts", "corroborates")}
    related = "".join(f", {name} {', '.join(named)}" for name, named in others.items() if named)
    text = claim.text if len(claim.text) <= _SHOWN else f"{claim.text[:_SHOWN]}…"
    count = "" if text == claim.text else f" ({len(claim.text)} characters)"
    return f"{claim.id}: {text!r}{count}{more}{related}"
