"""Whatever a user brings as a write policy, as kinds that can be played."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from memspan.errors import ContractError, UnknownName
from memspan.material import Claim
from memspan.policies.even import Even
from memspan.policies.foreign import printable, shown, told_plainly
from memspan.policies.imported import imported, is_import_path
from memspan.policies.named import PolicyKind, policies_named
from memspan.ports import Outcome, Prior, View, WritePolicy

Floats = npt.NDArray[np.float64]
METHODS = ("start", "observe", "score", "settle")
_ALLOWED = (
    "give a name, a class or an object with start, observe, score and settle, a function that makes one, "
    "or module:attribute or file.py:attribute"
)
_MOST = 80  # characters of a name, and of what a policy says it does


def policies_of(given: object) -> tuple[PolicyKind, ...]:
    """Return the kinds of write policy that *given* stands for.

    Args:
        given: one of

            - a name: ``lfu``; ``all`` is every one;
            - ``module:attribute`` or ``file.py:attribute``, for any of the things below;
            - a `PolicyKind`;
            - a class with the methods of `memspan.ports.WritePolicy`, or a function that makes such an
              object; it may take a ``prior``, other parameters need a default;
            - such an object: each episode gets a copy.

    Raises:
        UnknownName: there is no such policy, module or attribute; the nearest are told.
        FileError: there is no such file.
        ContractError: it is none of these, or its code fails; what it does wrong when it plays is a
            ContractError too, with file and line, and what it prints goes to the standard error.

    >>> [kind.name for kind in policies_of("lfu")]
    ['lfu']
    """
    if isinstance(given, str):
        return _named(given.strip())
    if isinstance(given, PolicyKind):
        return (given,)
    return (_brought(given),)


def told_apart(kinds: Sequence[PolicyKind]) -> tuple[PolicyKind, ...]:
    """Return *kinds*, each once.

    Raises:
        ContractError: two that differ have one name.
    """
    found: dict[str, PolicyKind] = {}
    for kind in kinds:
        if found.setdefault(kind.name, kind) != kind:
            raise ContractError(f"two write policies are called {kind.name!r}; give yours another name")
    return tuple(found.values())


def copied(policy: Any) -> WritePolicy:
    """Return a copy of an object of the user's.

    Raises:
        ContractError: it cannot be copied.
    """
    try:
        return cast("WritePolicy", copy.deepcopy(policy))
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        seen = f"{shown(policy)} cannot be copied for an episode of its own ({why})"
        raise ContractError(f"{seen}; give its class, or a function that makes it") from error


def is_policy(given: object) -> bool:
    """Tell whether *given* is an object with the methods of a write policy, not a class."""
    return not isinstance(given, type) and not _lacks(given)


def parameters(given: Callable[..., Any]) -> list[inspect.Parameter]:
    """Return what *given* can be called with by name; nothing where it does not tell."""
    try:
        told = inspect.signature(given).parameters.values()
    except (TypeError, ValueError):
        return []
    starred = {inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL}
    return [each for each in told if each.kind not in starred]


def _lacks(given: object) -> list[str]:
    return [name for name in METHODS if not callable(getattr(given, name, None))]


def _named(text: str) -> tuple[PolicyKind, ...]:
    try:
        return policies_named(text)
    except UnknownName as unknown:
        if not is_import_path(text):
            raise UnknownName(f"{unknown}; or give module:attribute or file.py:attribute") from None
    return tuple(replace(kind, make=_FromText(text, kind.name)) for kind in _kinds_at(text))


@cache
def _kinds_at(text: str) -> tuple[PolicyKind, ...]:
    found = imported(text)
    if isinstance(found, str):
        raise ContractError(f"{text} is the text {found[:40]!r}; {_ALLOWED}")
    return policies_of(found)


def _brought(given: Any) -> PolicyKind:
    if is_policy(given):
        return _kind(_FromObject(given), given, judged=False)
    if not callable(given):
        lacks = _lacks(given)
        some = f", which has no {', '.join(lacks)}" if len(lacks) < len(METHODS) else ""
        raise ContractError(f"{shown(given)} is no write policy{some}; {_ALLOWED}")
    needed = [each for each in parameters(given) if each.name != "prior" and each.default is each.empty]
    if needed:
        names = ", ".join(each.name for each in needed)
        raise ContractError(f"{_called(given)} needs {names}; give defaults, or a function that makes it")
    judged = any(each.name == "prior" for each in parameters(given))
    made = _FromMaker(given, judged=judged)
    return _kind(made, made(Even()).policy, judged=judged)


def _kind(make: Callable[[Prior], WritePolicy], policy: Any, *, judged: bool) -> PolicyKind:
    own = getattr(policy, "name", None)
    name = printable(own)[:_MOST] if isinstance(own, str) and own.strip() else type(policy).__name__
    told = next(iter((inspect.getdoc(type(policy)) or "").splitlines()), "") or "a policy of your own"
    return PolicyKind(name, printable(told), make, judged=judged)


def _called(given: object) -> str:
    own = getattr(given, "__name__", None)
    return own if isinstance(own, str) else shown(given)


@dataclass(frozen=True)
class _FromText:
    """Makes what *text* names: looked up again in each process, where its module is not yet imported."""

    text: str
    name: str

    def __call__(self, prior: Prior) -> WritePolicy:
        return next(kind for kind in _kinds_at(self.text) if kind.name == self.name).make(prior)


@dataclass(frozen=True)
class _FromMaker:
    """Makes policies by a class or a function of the user's."""

    maker: Callable[..., Any]
    judged: bool

    def __call__(self, prior: Prior) -> _Guarded:
        who = _called(self.maker)
        with told_plainly(f"{who}: making it"):
            made = self.maker(prior=prior) if self.judged else self.maker()
        if lacks := _lacks(made):
            seen = f"{who} makes {shown(made)}, which has no method {', '.join(lacks)}"
            raise ContractError(f"{seen}; a write policy has {', '.join(METHODS)}")
        return _Guarded(made)


@dataclass(frozen=True)
class _FromObject:
    """Copies an object of the user's for each episode."""

    policy: Any

    def __call__(self, prior: Prior) -> WritePolicy:  # noqa: ARG002 - it was made by its owner
        return _Guarded(copied(self.policy))


class _Guarded:
    """A policy of others; implements `WritePolicy`, and tells failures by call and line."""

    def __init__(self, policy: Any) -> None:
        self.policy = policy

    @property
    def name(self) -> str:
        return str(getattr(self.policy, "name", type(self.policy).__name__))

    def start(self, seed: int) -> None:
        self._asked("start", seed)

    def observe(self, claims: Sequence[Claim]) -> None:
        self._asked("observe", claims)

    def score(self, view: View) -> Floats:
        scores: Floats = self._asked("score", view)
        n = len(view.costs)
        if getattr(scores, "shape", None) != (n,) or not (scores < float("inf")).all():
            seen = f"{self.name}: score gave {shown(scores)}"
            raise ContractError(f"{seen}; give {n} numbers as an array, -inf for never held")
        return scores

    def settle(self, outcome: Outcome) -> None:
        self._asked("settle", outcome)

    def _asked(self, method: str, given: Any) -> Any:
        with told_plainly(f"{self.name}: {method}"):
            return getattr(self.policy, method)(given)
