"""The laws of a generation operator Φ, tried on any implementation."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memspan.errors import Fault, MaterialError
from memspan.material import Claim, KnowledgeItem
from memspan.ports import GenerationOperator
from memspan.testing.counterexample import Counterexample
from memspan.testing.interaction import Synergy, synergy
from memspan.testing.laws import LAWS, TRAITS, breach_of
from memspan.testing.shrinking import drawn, simplest, smallest
from memspan.testing.trial import Misbehaved, Trial

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    Claims = Sequence[Claim] | SearchStrategy[Sequence[Claim]]


@dataclass(frozen=True)
class OperatorReport:
    """What was found out about an operator.

    Attributes:
        operator: its name.
        examples: lists of claims that were tried, each with parts of it.
        broken: a counterexample for each law that fails.
        traits: ``monotone``, ``idempotent``, ``decomposable`` and ``order-free`` (claims in reverse order
            entail the same), each with a counterexample, or None where none was found.
        limited: whether the operator reported caps; what they explain breaks no law.
        synergy: how much needs several claims at once, in what was given.
    """

    operator: str
    examples: int
    broken: tuple[Counterexample, ...]
    traits: Mapping[str, Counterexample | None]
    limited: bool
    synergy: Synergy

    @property
    def ok(self) -> bool:
        """Whether every law held, and every trait that was demanded."""
        return not self.broken

    @property
    def monotone(self) -> bool:
        """Whether more claims never entailed less."""
        return self.traits["monotone"] is None

    @property
    def idempotent(self) -> bool:
        """Whether items given as claims entailed nothing new."""
        return self.traits["idempotent"] is None

    @property
    def decomposable(self) -> bool:
        """Whether every support was one claim."""
        return self.traits["decomposable"] is None

    def __str__(self) -> str:
        """Return the verdict, the traits, and each counterexample."""
        verdict = "keeps every law" if self.ok else f"breaks {', '.join(each.law for each in self.broken)}"
        traits = ", ".join(f"{'' if told is None else 'not '}{name}" for name, told in self.traits.items())
        share = f"{self.synergy.share:.0%} of {self.synergy.items} items need several claims"
        limits = "; caps were reported" if self.limited else ""
        lines = [f"{self.operator} {verdict} ({self.examples} lists of claims)", f"{traits}; {share}{limits}"]
        return "\n\n".join(["\n".join(lines), *map(str, self.broken)])


def check_operator(
    operator: GenerationOperator,
    claims: Claims | None = None,
    *,
    monotone: bool = False,
    examples: int = 100,
) -> OperatorReport:
    """Try the laws of Φ on *operator*, and find the smallest claims on which one fails.

    The laws: it answers any claims and leaves them alone; each claim entails itself; supports name
    given claims, are minimal and in order; the same claims give the same answer; an id says the same
    whatever is given; and a part of the claims entails an item exactly if a support that was found
    from all claims says so. The last one makes supports a full description of Φ. An operator that
    never returns is not caught.

    Args:
        operator: anything with a name and a method `generate`.
        claims: the claims of a material, or a Hypothesis strategy for lists of them; by default
            `memspan.testing.claims()`.
        monotone: demand that more claims never entail less, rather than tell whether they do.
        examples: how many lists are drawn; of given claims, how many parts are tried beside the whole.

    Returns:
        A report; print it. The same arguments give the same report.

    Raises:
        MaterialError: two of the *claims* have one id.
        MissingExtra: a strategy is needed and hypothesis is missing.

    Source: arXiv 2608.11654, Definition 2.2 and section 3.

    >>> from memspan.generation import Decomposable
    >>> report = check_operator(Decomposable(), [Claim("c1", "Ana moved."), Claim("c2", "Rui stayed.")])
    >>> report.ok, report.monotone, report.decomposable
    (True, True, True)
    """
    if isinstance(claims, Sequence):
        whole, strategy = tuple(claims), None
        _refuse_repeated(whole)
        lists = [whole, *_parts(operator, whole, examples)]
    else:
        strategy = _default() if claims is None else claims
        lists = drawn(strategy, examples)
    tried = _tried(operator, lists)
    demanded = [*LAWS, *(["monotone"] if monotone else [])]
    told = {
        law: _explained(operator, law, known, strategy if law in demanded else None)
        for law, known in tried.broken.items()
    }
    return OperatorReport(
        str(getattr(operator, "name", type(operator).__name__)),
        len(lists),
        tuple(told[law] for law in demanded if law in told),
        {trait: told.get(trait) for trait in TRAITS},
        tried.limited,
        synergy(tried.spans if strategy is not None else tried.spans[:1]),
    )


@dataclass
class _Tried:
    """What the trials of all lists showed: the shortest list that breaks each law, and each whole span."""

    broken: dict[str, tuple[Claim, ...]] = field(default_factory=dict)
    spans: list[tuple[KnowledgeItem, ...]] = field(default_factory=list)
    limited: bool = False


def _tried(operator: GenerationOperator, lists: Sequence[tuple[Claim, ...]]) -> _Tried:
    found = _Tried()
    for claims in lists:
        trial = Trial(operator, claims)
        for law in (*LAWS, *TRAITS):
            shortest = found.broken.get(law)
            if (shortest is None or len(claims) < len(shortest)) and breach_of(law, trial) is not None:
                found.broken[law] = claims
        try:
            whole = trial.phi(trial.whole)
        except Misbehaved:
            continue
        found.spans.append(whole.items)
        found.limited = found.limited or bool(whole.limits)
    return found


def _explained(
    operator: GenerationOperator,
    law: str,
    known: tuple[Claim, ...],
    strategy: SearchStrategy[Sequence[Claim]] | None,
) -> Counterexample:
    """Return a counterexample to *law* without superfluous claims, drawn anew if that makes it simpler."""

    def breaks(claims: Sequence[Claim]) -> bool:
        return breach_of(law, Trial(operator, claims)) is not None

    least = smallest(_given(operator, law, known), breaks)
    if strategy is not None and least:
        least = smallest(simplest(strategy, breaks, least), breaks)
    for claims in (least, known):
        breach = breach_of(law, Trial(operator, claims))
        if breach is not None:
            given = None if breach.given is None else tuple(claims[i].id for i in breach.given)
            return Counterexample(law, claims, given, breach.expected, breach.seen)
    return Counterexample(law, known, None, "the same each time", "the law failed once, and then no more")


def _given(operator: GenerationOperator, law: str, claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Return the part of *claims* on which the breach shows, where it breaks the law by itself."""
    breach = breach_of(law, Trial(operator, claims))
    part = tuple(claims[i] for i in breach.given) if breach and breach.given is not None else claims
    return part if breach_of(law, Trial(operator, part)) is not None else claims


def _parts(operator: GenerationOperator, claims: tuple[Claim, ...], count: int) -> list[tuple[Claim, ...]]:
    """Return *count* small parts of *claims*, half of them around claims that entail something together."""
    trial = Trial(operator, claims)
    try:
        items = trial.phi(trial.whole).items
    except Misbehaved:
        items = ()
    place = {claim.id: i for i, claim in enumerate(claims)}
    together = [{place[name] for name in s.claims if name in place} for item in items for s in item.supports]
    together = [each for each in together if len(each) > 1]
    draw = random.Random(len(claims))  # noqa: S311 - a choice of examples
    parts = []
    for i in range(count if claims else 0):
        core = draw.choice(together) if together and i % 2 else set[int]()
        more = draw.sample(range(len(claims)), min(len(claims), draw.randint(1, 4)))
        parts.append(tuple(claims[j] for j in sorted(core.union(more))))
    return parts


def _default() -> SearchStrategy[Sequence[Claim]]:
    from memspan.testing import claims

    return claims()


def _refuse_repeated(claims: Sequence[Claim]) -> None:
    counts = Counter(claim.id for claim in claims)
    faults = [
        Fault("claims", "id", f"{name!r} stands {n} times; ids are unique")
        for name, n in counts.items()
        if n > 1
    ]
    if faults:
        raise MaterialError(faults)
