"""The write policies that can be named."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from memspan.answering.hybrid import Hybrid
from memspan.errors import UnknownName
from memspan.policies.attributed import Attributed
from memspan.policies.dirichlet import Dirichlet
from memspan.policies.doubting import Doubting
from memspan.policies.gamma import GammaPoisson
from memspan.policies.important import Important
from memspan.policies.plain import NAMES, plain
from memspan.policies.preemption import Preemption
from memspan.policies.sieve import Sieve
from memspan.policies.worth import Chances
from memspan.ports import Prior, WritePolicy


@dataclass(frozen=True)
class PolicyKind:
    """A write policy that can be named.

    Attributes:
        name: e.g. ``lfu``.
        told: what it does, in a line.
        make: builds a new one; the prior is for those that are *judged*.
        judged: whether it asks a prior about each claim.
        learns: the disclosures, see `memspan.environments.episode.Rules`, from which it learns what is
            needed; empty where outcomes change nothing, None where that is not known.
    """

    name: str
    told: str
    make: Callable[[Prior], WritePolicy]
    judged: bool
    learns: tuple[str, ...] | None = None


_USES = ("hits", "supports")
_PLAIN = {
    "random": "holds claims by chance",
    "first": "holds the claims that came first",
    "fifo": "holds the claims that came last",
    "lru": "holds what was used last",
    "lfu": "holds what was used most, of equal ones the last used",
    "recency": "holds the claims of the latest time",
}
_JUDGED = {
    "static": "holds what the rule thinks likeliest, whatever is asked",
    "lru-rule": "as lru; what was never used ranks by the rule",
    "lfu-rule": "as lfu; what was never used ranks by the rule",
}


def _learns(name: str) -> tuple[str, ...]:
    return _USES if name.startswith(("lru", "lfu")) else ()


def _unjudged(name: str) -> Callable[[Prior], WritePolicy]:
    return partial(_plain, name)


def _by_rule(name: str) -> Callable[[Prior], WritePolicy]:
    return partial(_ruled, name)


# Functions with a name of their own, so that kinds travel to other processes.


def _plain(name: str, _: Prior) -> WritePolicy:
    return plain(name)


def _ruled(name: str, prior: Prior) -> WritePolicy:
    return plain(name.removesuffix("-rule"), prior, name)


def _important(_: Prior) -> WritePolicy:
    return plain("static", Important(), "importance")


def _doubting(prior: Prior) -> WritePolicy:
    return Doubting(GammaPoisson(prior), name="doubting")


def _attributed(prior: Prior) -> WritePolicy:
    return Attributed(prior, Hybrid(), name="attributed")


def _sieve(prior: Prior) -> WritePolicy:
    return Sieve(Chances(prior))


def _preemption(prior: Prior) -> WritePolicy:
    return Preemption(Chances(prior))


_STREAMING = (
    ("sieve", "keeps what passes a rising threshold; never looks back (Sieve-Streaming++)", _sieve),
    ("preemption", "takes a claim in where it is worth more than the one it puts out", _preemption),
)
_LEARNING = (
    ("dirichlet", "expects what was asked, and a share of what never was (Good-Turing)", Dirichlet, _USES),
    ("gamma-poisson", "expects what was used, less what was held and never used", GammaPoisson, _USES),
    (
        "doubting",
        "as gamma-poisson, times the belief that it is true, learned from outcomes",
        _doubting,
        _USES,
    ),
    (
        "attributed",
        "as dirichlet, from the words of queries and right or wrong alone",
        _attributed,
        ("text",),
    ),
)
POLICIES: tuple[PolicyKind, ...] = (
    *(PolicyKind(name, _PLAIN[name], _unjudged(name), judged=False, learns=_learns(name)) for name in NAMES),
    *(
        PolicyKind(name, told, _by_rule(name), judged=True, learns=_learns(name))
        for name, told in _JUDGED.items()
    ),
    PolicyKind(
        "importance",
        "holds claims with numbers, names, times and many words",
        _important,
        judged=False,
        learns=(),
    ),
    *(PolicyKind(name, told, make, judged=True, learns=()) for name, told, make in _STREAMING),
    *(PolicyKind(name, told, make, judged=True, learns=learns) for name, told, make, learns in _LEARNING),
)
"""Every write policy that plays by itself, in the order that outputs list them."""


def policies_named(text: str) -> tuple[PolicyKind, ...]:
    """Return the kind called *text*; ``all`` is every one.

    Raises:
        UnknownName: there is none; the nearest are told.

    >>> [kind.name for kind in policies_named("lfu")]
    ['lfu']
    """
    wanted = text.strip().lower()
    found = tuple(kind for kind in POLICIES if wanted in {"all", kind.name})
    if found:
        return found
    known = [kind.name for kind in POLICIES]
    near = difflib.get_close_matches(wanted, known, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"
    raise UnknownName(f"no write policy {text.strip()!r}; {hint}")
