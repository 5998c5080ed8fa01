"""Why a claim is doubted, and which sets and sources are: in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memspan.report.shares import pull, share, span
from memspan.report.wording import counted
from memspan.trust import Doubts
from memspan.trust.doubt import LESS, DoubtfulClaim, DoubtfulSet, Linked
from memspan.trust.suspects import Reliability

FEW = 3
"""Sets and sources named in a sentence."""
EVEN = 0.5


def reason(claim: DoubtfulClaim) -> str:
    """Return in a few words what speaks against a claim, what moves it most first.

    >>> import memspan as ms
    >>> from memspan.trust import TrustModel, doubts
    >>> model = TrustModel(ms.bundled("odyssey-noise"))
    >>> for correct in (0, 1, 0):
    ...     _ = model.settle(ms.Settlement("q1", correct, ("e0",)))
    >>> reason(doubts(model).claims[0])
    'wrong 2 of 3 times'
    """
    found = []
    if claim.settled < 0 and claim.against:
        found.append((claim.settled, _wrong(claim)))
    if claim.linked < -LESS:
        found.append((claim.linked, _linked(claim)))
    if claim.trust.prior < EVEN:
        found.append((claim.prior, _sourced(claim)))
    return "; ".join(text for _, text in sorted(found))


def _wrong(claim: DoubtfulClaim) -> str:
    several = claim.against + claim.in_favour
    told = f"wrong {claim.against:,} of {several:,} times" if several > 1 else "wrong the one time"
    against = [each for each in claim.spoken if each.weight < 0]
    if len(against) == claim.against and all(len(each.claims) > 1 for each in against):
        told = f"{told}, never alone"
    return f"{told} (inferred)" if against and all(each.inferred for each in against) else told


def _linked(claim: DoubtfulClaim) -> str:
    if claim.rivals:
        return f"contradicted by {_trusted(claim.rivals[0])}"
    return f"corroborated by {_trusted(claim.allies[-1])} only"


def _trusted(other: Linked) -> str:
    return f"{other.claim}, trusted {share(other.tau)}"


def _sourced(claim: DoubtfulClaim) -> str:
    """Return how its source errs elsewhere: the claim itself must not speak against itself."""
    source = claim.reliability
    others = 0 if source is None else source.claims - claim.trust.touched
    false = 0.0 if source is None else others - (source.true - claim.trust.tau * claim.trust.touched)
    if round(false) < 1:
        return "few claims like it are true"
    return f"its source is false {false:.0f} of {others:,} other times"


def sentences(claim: DoubtfulClaim) -> tuple[str, ...]:
    """Return what the numbers of a claim mean, one sentence for each."""
    trust = claim.trust
    where = "" if claim.source is None else f" ({claim.source}, by its other claims)"
    moves = [f"outcomes {pull(claim.settled)}"]
    if claim.rivals or claim.allies:
        moves.append(f"linked claims {pull(claim.linked)}")
    may = span(trust.lower, trust.upper)
    return (
        f"It is true with probability {share(trust.tau)}; {may} by how reliable its source may be.",
        f"Its source alone{where} would give it {share(trust.prior)}.",
        f"In log-odds (2.2 makes even odds 9 to 1): source {pull(claim.prior)}, {', '.join(moves)}.",
        f"{counted(claim.against, 'outcomes')} against it, {claim.in_favour:,} for it.",
    )


def sets_told(doubts: Doubts) -> str:
    """Return how many sets hold a false claim, and the first of them."""
    count = len(doubts.sets) + doubts.more_sets
    named = "; ".join(_members(each) for each in doubts.sets[:FEW])
    rest = f"; {count - FEW:,} more" if count > FEW else ""
    sets = "a set" if count == 1 else f"each of {count:,} sets"
    return f"In {sets} of claims one is probably false, and outcomes do not tell which: {named}{rest}."


def _members(found: DoubtfulSet) -> str:
    rest = f" + {len(found.claims) - FEW} more" if len(found.claims) > FEW else ""
    return f"{' + '.join(found.claims[:FEW])}{rest} (all true: {share(found.belief)})"


def sources_told(sources: Sequence[Reliability]) -> Iterator[str]:
    """Yield how many sources look less reliable than the rest, and the first of them."""
    bad = [each for each in sources if each.suspicious]
    if bad:
        named = ", ".join(f"{each.name} (reliability {share(each.reliability)})" for each in bad[:FEW])
        rest = f", {len(bad) - FEW:,} more" if len(bad) > FEW else ""
        look = "looks" if len(bad) == 1 else "look"
        yield f"{counted(len(bad), 'sources')} {look} less reliable than the rest: {named}{rest}."
