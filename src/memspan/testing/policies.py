"""The laws of a write policy, tried on any implementation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memspan.material import Claim
from memspan.policies.given import copied, is_policy, parameters
from memspan.ports import WritePolicy
from memspan.testing.counterexample import Counterexample
from memspan.testing.policy_laws import ODD_LAWS, POLICY_LAWS, POLICY_TRAITS, policy_breach
from memspan.testing.policy_trial import Make, PolicyTrial, Setting, questioned
from memspan.testing.shrinking import smallest
from memspan.testing.telling import many, odd, parts, told
from memspan.testing.trial import Breach

SETTINGS = (
    Setting(),
    Setting(0, "full", "supports", arriving="whole"),
    Setting(1, "swap", "text", answers=True, order="zipf"),
    Setting(3, "full", "outcome", order="mix"),
    Setting(2, "full", "supports", order="once"),
    Setting(9, "stream", "supports", cost="tokens"),
    Setting(1, "full", "hits", order="once", arriving="whole"),
    Setting(12.5, "full", "text", order="iid", cost="tokens", arriving="whole"),
    Setting(1, "stream", "text", order="once"),
    Setting(3, "stream", "hits", order="zipf"),
    Setting(0, "stream", "hits", cost="tokens"),
    Setting(99, "swap", "supports", order="mix"),
    Setting(2, "stream", "outcome", order="iid"),
)
"""In which policies are tried: each write mode, disclosure, order and cost is among them."""

_IN_TOKENS = SETTINGS[5]  # odd texts have odd costs

_EACH = 2  # settings for each list of claims; one list is tried in all of them
_ALL = 4  # claims of the list that is tried in all of them
_MANY = 30  # claims of the longest list


@dataclass(frozen=True)
class PolicyReport:
    """What was found out about a write policy.

    Attributes:
        policy: its name.
        examples: lives that were tried: lists of claims, each in some settings.
        broken: a counterexample for each law that fails.
        traits: ``order-free`` (the claims of a batch in another order get the same scores, as long as no
            tie is decided by the order), ``scoring changes nothing`` (a view scored twice gets the same
            scores) and ``indifferent to outcomes``, each with a counterexample, or None where none was
            found.
    """

    policy: str
    examples: int
    broken: tuple[Counterexample, ...]
    traits: Mapping[str, Counterexample | None]

    @property
    def ok(self) -> bool:
        """Whether every law held."""
        return not self.broken

    def __str__(self) -> str:
        """Return the verdict, the traits, and each counterexample."""
        verdict = "keeps every law" if self.ok else f"breaks {'; '.join(each.law for each in self.broken)}"
        traits = ", ".join(f"{'' if found is None else 'not '}{name}" for name, found in self.traits.items())
        lines = [f"{self.policy} {verdict} ({self.examples} lives)", traits]
        return "\n\n".join(["\n".join(lines), *map(str, self.broken)])


def check_policy(
    policy: WritePolicy | Make | Callable[[], WritePolicy],
    claims: Sequence[Claim] | None = None,
    *,
    examples: int = 10,
    seed: int = 0,
) -> PolicyReport:
    """Try the laws of a write policy, and find the smallest claims on which one fails.

    The laws: it scores every claim that has appeared, with float64 numbers or -inf, also for odd claims
    (empty, very long, in other scripts), one claim, a capacity of nothing, costs in tokens, and whatever
    is disclosed; it leaves claims, views and outcomes as they were, and scores that were given stay as
    they were given; the same seed gives the same scores, and a policy that starts is like a new one;
    scores depend neither on what is true, nor on ids, nor on what comes later; outcomes of any kind are
    taken. A policy that never returns is not caught, nor one that depends on how Python orders sets.

    Args:
        policy: an object, of which each life gets a copy; a class or a function that makes one and needs
            no argument; or a function of the material that the policy will live through, e.g.
            ``lambda material: plain("fifo")``, so that a policy made for one, such as an oracle, can be
            tried, and one that reads ahead in it is caught. What has a parameter ``material`` is given it.
        claims: what appears, whole and in parts; by default small claims that are drawn. A list of 30 and
            odd ones are tried in any case. Their ids must differ.
        examples: lists of claims that are tried, beside these.
        seed: of the policies' chance, of what is asked, and of the lists.

    Returns:
        A report; print it. The same arguments give the same report.

    Raises:
        MaterialError: two claims have one id.

    Source: arXiv 2608.11654, section 5; `memspan.ports.WritePolicy`.

    >>> from memspan.policies.plain import plain
    >>> report = check_policy(plain("lfu"), examples=3)
    >>> report.ok, report.traits["order-free"] is None, report.traits["indifferent to outcomes"] is None
    (True, False, False)
    """
    make = _making(policy)
    lists = [
        ("", each) for each in (told(examples, seed) if claims is None else parts(claims, examples, seed))
    ]
    lists += [(oddity, each) for oddity, each in odd().items() if _distinct(each)]
    several = many(seed)[:_MANY]
    lives = [
        (oddity, each, how) for i, (oddity, each) in enumerate(lists) for how in _some(i, oddity) if each
    ]
    lives += [("", several, SETTINGS[0]), *(("", several[:_ALL], how) for how in SETTINGS)]
    found = _broken(make, lives, seed)
    return PolicyReport(
        str(getattr(make(questioned(several)), "name", "")) or "a policy without a name",
        len(lives),
        tuple(found[law] for law in POLICY_LAWS if law in found),
        {trait: found.get(trait) for trait in POLICY_TRAITS},
    )


def _making(policy: WritePolicy | Make | Callable[[], WritePolicy]) -> Make:
    """Return what makes the policy that is tried, of a material."""
    given: Any = policy
    if is_policy(given):
        return lambda _: copied(given)
    taken = parameters(given)
    of_material = any(each.name == "material" or each.default is each.empty for each in taken)
    return given if of_material else lambda _: given()


Lived = tuple[str, tuple[Claim, ...], Setting]
"""What is odd about the claims (nothing, mostly), the claims, and the setting."""


def _distinct(claims: Sequence[Claim]) -> bool:
    return len({claim.id for claim in claims}) == len(claims)


def _some(number: int, oddity: str) -> tuple[Setting, ...]:
    """Return settings for a list, others for the next."""
    some = tuple(SETTINGS[(_EACH * number + i) % len(SETTINGS)] for i in range(_EACH))
    return (_IN_TOKENS, some[0]) if oddity else some


def _broken(make: Make, lives: Sequence[Lived], seed: int) -> dict[str, Counterexample]:
    """Return for each law and trait that fails the shortest of *lives* that shows it, cut down."""
    found: dict[str, Counterexample] = {}
    for life in sorted(lives, key=lambda each: len(each[1])):
        oddity, claims, setting = life
        trial = PolicyTrial(make, claims, setting, seed, oddity)
        about = ODD_LAWS if oddity else (*POLICY_LAWS, *POLICY_TRAITS)
        laws = [law for law in about if law not in found]
        fails = [law for law in laws if policy_breach(law, trial) is not None]
        found |= {law: _counterexample(law, make, life, seed) for law in fails}
    return found


def _counterexample(law: str, make: Make, life: Lived, seed: int) -> Counterexample:
    """Return a counterexample to *law* among the claims of *life*, without superfluous ones."""
    oddity, known, setting = life

    def breach(claims: Sequence[Claim]) -> Breach | None:
        return policy_breach(law, PolicyTrial(make, claims, setting, seed, oddity)) if claims else None

    least = smallest(known, lambda claims: breach(claims) is not None)
    for claims in (least, known):
        found = breach(claims)
        if found is not None:
            return Counterexample(law, claims, None, found.expected, f"{found.seen} ({setting})")
    return Counterexample(law, known, None, "the same each time", "the law failed once, and then no more")
