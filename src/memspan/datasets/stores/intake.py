"""Memories on their way from a store to a material: named apart, and what was odd written down."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from memspan.datasets.stores.plain import plain, text_of
from memspan.material import Claim, Dropped, Material

STORE = "store"
"""Field of `Material.extra`: the kind of store."""
WHOLE = "store"
"""Record of a `Dropped` that is about the store as a whole."""
_MOST_TOLD = 200


@dataclass
class Stored:
    """One memory as a store keeps it.

    Attributes:
        id: the store's own id; None where there is none.
        text: what is remembered; ``""`` where the store has an empty memory.
        time, updated: when it was written and last changed, in ISO 8601 where readable.
        source: provenance; speaker: who said it; scope: whose it is.
        claims: ids of the claims of another material that it names as its origin.
        metadata: what else the store keeps.
        versions: earlier texts, oldest first.
    """

    id: str | None
    text: str
    time: str | None = None
    updated: str | None = None
    source: str | None = None
    speaker: str | None = None
    scope: str | None = None
    claims: tuple[str, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)
    versions: list[dict[str, Any]] = field(default_factory=list)

    def claim(self, name: str) -> Claim:
        """Return the memory as a claim called *name*."""
        extra = {
            "scope": self.scope,
            "updated": self.updated,
            "metadata": self.metadata,
            "claims": list(self.claims),
            "versions": self.versions,
        }
        kept = {key: plain(value) for key, value in extra.items() if value}
        return Claim(
            name,
            text_of(self.text),
            text_of(self.source) if self.source else None,
            text_of(self.time) if self.time else None,
            speaker=text_of(self.speaker) if self.speaker else None,
            extra=kept,
        )


class Intake:
    """The memories of one material, and what a reader has to say about them."""

    def __init__(self, name: str, kind: str) -> None:
        """Start the material *name* of a store of *kind*."""
        self.name, self.kind = text_of(name) or kind, kind
        self.stored: list[Stored] = []
        self.extra: dict[str, Any] = {}
        self._dropped: list[Dropped] = []
        self._reasons: Counter[tuple[str, bool]] = Counter()

    def take(self, stored: Stored) -> None:
        """Keep *stored*."""
        self.stored.append(stored)

    def tell(self, record: str, reason: str, *, field: str = "", kept: bool = False) -> None:
        """Write down what was left out, or with *kept* what was repaired or passed over."""
        self._reasons[field, kept] += 1
        if self._reasons[field, kept] <= _MOST_TOLD:
            self._dropped.append(Dropped(text_of(record), text_of(field), text_of(reason), kept))

    def material(self) -> Material:
        """Return everything taken, in order, each memory with an id of its own."""
        names = self._names()
        claims = tuple(each.claim(name) for each, name in zip(self.stored, names, strict=True))
        return Material(
            self.name,
            claims,
            dropped=(*self._dropped, *self._untold()),
            extra={STORE: self.kind, **{key: _plain(value) for key, value in self.extra.items()}},
        )

    def _untold(self) -> list[Dropped]:
        return [
            Dropped("records", field, f"{count - _MOST_TOLD:,} more of this kind", kept)
            for (field, kept), count in self._reasons.items()
            if count > _MOST_TOLD
        ]

    def _names(self) -> list[str]:
        """Return an id for each memory: the store's own, with a number behind where it stands twice."""
        given = [text_of(each.id) if each.id else "" for each in self.stored]
        used, seen = set(given), set[str]()
        numbers: Counter[str] = Counter()
        made = []
        for place, own in enumerate(given, 1):
            name = own or f"m{place}"
            if name in seen or (not own and name in used):
                name = _fresh(name, numbers, used)
            seen.add(name)
            used.add(name)
            made.append(name)
        for name, count in Counter(given).items():
            if name and count > 1:
                reason = f"stands {count:,} times; each after the first has a number behind its id"
                self.tell(f"memory {name}", reason, field="id", kept=True)
        return made


def _plain(value: Any) -> Any:
    """Return *value* as JSON holds it; a list is as long as it is, only its entries are bounded."""
    return [plain(each) for each in value] if isinstance(value, list) else plain(value)


def _fresh(name: str, numbers: Counter[str], used: set[str]) -> str:
    number = numbers[name] or 2
    while f"{name}#{number}" in used:
        number += 1
    numbers[name] = number + 1
    return f"{name}#{number}"
