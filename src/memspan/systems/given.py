"""Whatever a user brings as a memory system, as kinds that can be run."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast

from memspan.errors import ContractError, UnknownName
from memspan.policies.foreign import printable, shown
from memspan.policies.imported import imported, is_import_path
from memspan.policies.writer import WriterRule
from memspan.ports import MemorySystem
from memspan.systems.function import READ, function_system
from memspan.systems.guarded import guarded
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.registry import KINDS, systems_named
from memspan.systems.remote import http_system
from memspan.systems.remote_mcp import mcp_system
from memspan.systems.ruled import SUFFIX, rule_at, ruled

_ALLOWED = (
    "give a name, a function keep(claims, capacity), an object or a class with observe, read and held,"
    " or rule.json, or module:attribute or file.py:attribute"
)
_METHODS = ("observe", "read", "held")
_SETTING = ("capacity", "likeness", "author", "rng")


def system_of(given: object) -> tuple[SystemKind, ...]:
    """Return the kinds of memory system that *given* stands for.

    Args:
        given: one of

            - a name: ``mem0:paper`` is one variant, ``mem0`` both, ``all`` every one;
            - ``module:attribute`` or ``file.py:attribute``, for any of the things below;
            - ``http://host:port``, a server that speaks the protocol of `HttpSystem`;
              ``mcp:COMMAND`` or ``mcp:http://…``, an MCP server with tools to write and to ask;
            - ``rule.json``, a file that ``memspan train writer`` wrote, or a `WriterRule`;
            - a `SystemKind`;
            - a function ``keep(claims, capacity)``, see `function_system`;
            - a class with the methods ``observe``, ``read`` and ``held``, or a function that makes such an
              object; its parameters may be ``capacity``, ``rng``, ``likeness``, ``author`` and ``setting``,
              others need a default; one that takes no capacity is run without a bound;
            - such an object, empty: each run gets a copy.

    Raises:
        UnknownName: there is no such system, module or attribute; the nearest are told.
        FileError: there is no such file.
        ContractError: it is none of these, or its code fails when it is imported. What it does wrong when
            it runs is a ContractError too, with file and line; what it prints goes to the standard error.

    >>> [kind.label for kind in system_of("fifo")]
    ['fifo']
    >>> def newest(claims, capacity):
    ...     return claims[-capacity:]
    >>> system_of(newest)[0].bounded
    True
    """
    if isinstance(given, str):
        return _named(given.strip())
    if isinstance(given, SystemKind):
        return (given,)
    if isinstance(given, WriterRule):
        return (ruled(given),)
    return (guarded(_brought(given)),)


def _brought(given: Any) -> SystemKind:
    if isinstance(given, type):
        return _of_class(given)
    if all(callable(getattr(given, name, None)) for name in _METHODS):
        return _of_object(given)
    if callable(given):
        return _of_function(given)
    some = [name for name in _METHODS if callable(getattr(given, name, None))]
    lacks = f", which has no {', '.join(name for name in _METHODS if name not in some)}" if some else ""
    raise ContractError(f"{_shown(given)} is no memory system{lacks}; {_ALLOWED}")


def _named(text: str) -> tuple[SystemKind, ...]:
    if text.startswith(("http://", "https://")):
        return (http_system(text),)
    if text.startswith("mcp:"):
        return (mcp_system(text.removeprefix("mcp:")),)
    if text.lower().endswith(SUFFIX):
        return (rule_at(text),)
    try:
        return systems_named(text)
    except UnknownName as unknown:
        if not is_import_path(text) or text.partition(":")[0].lower() in {kind.name for kind in KINDS}:
            raise UnknownName(f"{unknown}; or give module:attribute or file.py:attribute") from None
    return tuple(guarded(replace(kind, make=_FromText(text, kind.label))) for kind in _kinds_at(text))


@cache
def _kinds_at(text: str) -> tuple[SystemKind, ...]:
    found = imported(text)
    if isinstance(found, str):
        raise ContractError(
            f"{text} is the text {found[:40]!r}; name a function, a class, an object or a kind"
        )
    return system_of(found)


@dataclass(frozen=True)
class _FromText:
    """Makes what *text* names: looked up again in each process, where its module is not yet imported."""

    text: str
    label: str

    def __call__(self, setting: Setting) -> MemorySystem:
        return next(kind for kind in _kinds_at(self.text) if kind.label == self.label).make(setting)


@dataclass(frozen=True)
class _FromMaker:
    """Makes systems by a class or a function of the user's, giving it what it takes of a setting."""

    maker: Callable[..., Any]
    takes: tuple[str, ...]

    def __call__(self, setting: Setting) -> MemorySystem:
        told: Mapping[str, Any] = {name: getattr(setting, name) for name in _SETTING} | {"setting": setting}
        made = self.maker(**{name: told[name] for name in self.takes})
        return cast("MemorySystem", _checked(made, _shown(self.maker)))


@dataclass(frozen=True)
class _FromObject:
    """Copies an object of the user's for each run."""

    system: Any

    def __call__(self, setting: Setting) -> MemorySystem:  # noqa: ARG002 - it was made by its owner
        try:
            return cast("MemorySystem", copy.deepcopy(self.system))
        except Exception as error:
            seen = f"{_shown(self.system)} cannot be copied for a run of its own"
            why = f"{type(error).__name__}: {error}"
            raise ContractError(f"{seen} ({why}); give its class, or a function that makes it") from error


def _of_class(given: type) -> SystemKind:
    lacks = [name for name in _METHODS if not callable(getattr(given, name, None))]
    if lacks:
        raise ContractError(f"class {given.__name__} has no method {', '.join(lacks)}; {_ALLOWED}")
    return _made_by(given, _parameters(given))


def _of_object(given: Any) -> SystemKind:
    name = getattr(given, "name", None)
    own = printable(name)[:80] if isinstance(name, str) and name.strip() else type(given).__name__
    return SystemKind(own, "", _FromObject(given), READ)


def _of_function(given: Callable[..., Any]) -> SystemKind:
    parameters = _parameters(given)
    names = [each.name for each in parameters]
    if all(name in {*_SETTING, "setting"} for name in names):
        return _made_by(given, parameters)
    needed = [each for each in parameters if each.default is inspect.Parameter.empty]
    if len(parameters) < 2 or len(needed) > 2:
        seen = f"{_shown(given)} takes ({', '.join(names)})"
        raise ContractError(f"{seen}; a function in place of a system is called as keep(claims, capacity)")
    return function_system(given)


def _made_by(maker: Callable[..., Any], parameters: list[inspect.Parameter]) -> SystemKind:
    known = {*_SETTING, "setting"}
    strange = [
        each.name for each in parameters if each.name not in known and each.default is inspect.Parameter.empty
    ]
    name = getattr(maker, "__name__", type(maker).__name__)
    if strange:
        gives = f"memspan gives {', '.join(_SETTING)} and setting"
        raise ContractError(f"{name} needs {', '.join(strange)}, while {gives}; give a default, or wrap it")
    takes = tuple(each.name for each in parameters if each.name in known)
    return SystemKind(
        name, "", _FromMaker(maker, takes), READ, bounded=bool({"capacity", "setting"} & {*takes})
    )


def _parameters(given: Callable[..., Any]) -> list[inspect.Parameter]:
    """Return what *given* can be called with; for a callable that does not tell, as a function of two."""
    try:
        told = inspect.signature(given).parameters.values()
    except (TypeError, ValueError):
        told = inspect.signature(lambda claims, capacity: None).parameters.values()  # noqa: ARG005
    starred = {inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL}
    return [each for each in told if each.kind not in starred]


def _checked(made: Any, who: str) -> Any:
    lacks = [name for name in _METHODS if not callable(getattr(made, name, None))]
    if lacks:
        seen = f"{who} made a {type(made).__name__}, which has no method {', '.join(lacks)}"
        raise ContractError(f"{seen}; a memory system has observe, read and held")
    return made


def _shown(given: object) -> str:
    own = getattr(given, "__name__", None)
    return own if isinstance(own, str) else shown(given)
