"""What a black box answers, as notes: which of the claims that it was told each rests on."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memspan.errors import ContractError
from memspan.material import Claim, Note
from memspan.policies import note_of
from memspan.systems.remote_form import Fields, first_at

_BRACKETED = re.compile(r"\[([^\[\]]+)\]")


class Ledger:
    """The claims that a black box was told, by id and by text.

    >>> ledger = Ledger(Fields())
    >>> ledger.add(Claim("c1", "Ana moved to Porto."))
    >>> [note.claims for note in ledger.notes(["Ana moved  to Porto.", "see [c1]", "Rui stayed."])]
    [('c1',), ('c1',), ()]
    """

    def __init__(self, fields: Fields) -> None:
        """Start with nothing told."""
        self._fields = fields
        self._told: dict[str, Claim] = {}
        self._by_text: dict[str, str] = {}

    def add(self, claim: Claim, sent: str = "") -> None:
        """Note that *claim* was told, in the words *sent* where they are not its own."""
        self._told[claim.id] = claim
        for text in (claim.text, sent):
            if _even(text):
                self._by_text.setdefault(_even(text), claim.id)

    def assumed(self) -> tuple[Note, ...]:
        """Return all that was told, marked as ``assumed``: what is held of it, nobody knows."""
        return tuple(replace(note_of(claim), extra={"assumed": True}) for claim in self._told.values())

    def notes(self, records: Iterable[Any]) -> tuple[Note, ...]:
        """Return *records*, texts or objects, as notes; a repeated id gets a number.

        Raises:
            ContractError: an object without a text.
        """
        seen: Counter[str] = Counter()
        notes = []
        for record in records:
            note = self._note(record)
            seen[note.id] += 1
            notes.append(note if seen[note.id] == 1 else replace(note, id=f"{note.id}#{seen[note.id]}"))
        return tuple(notes)

    def _note(self, record: Any) -> Note:
        if isinstance(record, str):
            return self._made(None, record, self._matched(record), ())
        text = first_at(record, self._fields.text)
        if not isinstance(text, str):
            has = ", ".join(map(str, record)) if isinstance(record, Mapping) else repr(record)[:80]
            wanted = " or ".join(self._fields.text)
            raise ContractError(
                f"a note of the server has no text in {wanted}; it has {has}; say where in Fields"
            )
        named = first_at(record, self._fields.claims)
        if named is None:
            return self._made(first_at(record, self._fields.id), text, self._matched(text), ())
        names = list(dict.fromkeys(map(str, named if isinstance(named, list) else [named])))
        known = tuple(name for name in names if name in self._told)
        unknown = [name for name in names if name not in self._told]
        return self._made(first_at(record, self._fields.id), text, known, unknown)

    def _made(self, name: Any, text: str, claims: tuple[str, ...], unknown: Sequence[str]) -> Note:
        own = claims[0] if len(claims) == 1 else f"text-{zlib.crc32(text.encode('utf-8', 'replace')):08x}"
        extra = {"unknown": list(unknown)} if unknown else {}
        return Note(own if name is None else str(name), text, claims, "remote", extra=extra)

    def _matched(self, text: str) -> tuple[str, ...]:
        """Return the claims that *text* is, or names in square brackets, or has as whole lines."""
        whole = self._by_text.get(_even(text))
        if whole is not None:
            return (whole,)
        named = [name for name in _BRACKETED.findall(text) if name in self._told]
        lines = (self._by_text.get(_even(line)) for line in text.splitlines())
        return tuple(dict.fromkeys([*named, *(name for name in lines if name is not None)]))


def _even(text: str) -> str:
    return " ".join(text.split())
