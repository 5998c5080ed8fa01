"""Systems that users bring, guarded: what goes wrong in their code is told in one line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NoReturn

from memspan.errors import ContractError
from memspan.material import Claim, Note, Query
from memspan.policies.foreign import shown, told_plainly
from memspan.ports import MemorySystem
from memspan.systems.kind import Setting, SystemKind

_ALSO = ("settle", "shrink", "close")
_NOTE = "a memory system gives memspan.material.Note(id, text, claims): two texts and a tuple of claim ids"


def guarded(kind: SystemKind) -> SystemKind:
    """Return *kind* with systems whose every failure is a `ContractError` that names the call and the line.

    What their code prints goes to the standard error, so that it does not mix with results. They offer
    ``shrink``, ``settle`` and ``close`` where the system has them, and can be pickled where it can.

    >>> class Broken:
    ...     name = "broken"
    ...     def observe(self, claim):
    ...         raise ValueError("no room")
    >>> system = guarded(SystemKind("broken", "", lambda setting: Broken(), 10)).make(Setting())
    >>> system.observe(Claim("a"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    memspan.errors.ContractError: broken: observe raised ValueError: no room (...)
    """
    return replace(kind, make=_Guarding(kind.label, kind.make))


@dataclass(frozen=True)
class _Guarding:
    """Makes guarded systems."""

    label: str
    make: Callable[[Setting], MemorySystem]

    def __call__(self, setting: Setting) -> _Guarded:
        with told_plainly(f"{self.label}: make"):
            return _Guarded(self.label, self.make(setting))


class _Guarded:
    """A system of others; implements `memspan.ports.MemorySystem`, and what else it does."""

    def __init__(self, label: str, system: MemorySystem) -> None:
        self._label, self._system = label, system
        for name in _ALSO:
            if callable(getattr(system, name, None)):
                setattr(self, name, partial(self._asked, name))

    @property
    def name(self) -> str:
        with told_plainly(f"{self._label}: name"):
            return getattr(self._system, "name", self._label)

    def observe(self, claim: Claim) -> None:
        self._asked("observe", claim)

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        return self._notes("read", self._asked("read", query, k))

    def held(self) -> tuple[Note, ...]:
        return self._notes("held", self._asked("held"))

    def _asked(self, method: str, *given: Any) -> Any:
        with told_plainly(f"{self._label}: {method}"):
            return getattr(self._system, method)(*given)

    def _notes(self, method: str, answer: Any) -> tuple[Note, ...]:
        if not isinstance(answer, list | tuple):
            self._refuse(method, answer)
        for note in answer:
            if not _is_note(note):
                self._refuse(method, note)
        return tuple(answer)

    def _refuse(self, method: str, seen: object) -> NoReturn:
        raise ContractError(f"{self._label}: {method} gave {shown(seen)}; {_NOTE}, in a tuple")


def _is_note(note: Any) -> bool:
    if not isinstance(note, Note) or not isinstance(note.claims, tuple):
        return False
    return all(isinstance(text, str) for text in (note.id, note.text, *note.claims))
