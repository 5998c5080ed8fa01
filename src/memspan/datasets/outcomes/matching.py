"""Outcomes to the queries that they are about: by id, else by the words of the question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from memspan.datasets.outcomes.form import Recorded, RecordedHold
from memspan.datasets.outcomes.nouns import Hold, Read
from memspan.datasets.question_fields import Notes
from memspan.language.words import words
from memspan.material import Material, Query, Settlement

_NOT_FOUND = "names no query of these materials by id, and no question of theirs has its words"


class Queries:
    """The queries of several materials, to be found by id and by text."""

    def __init__(self, materials: Iterable[Material]) -> None:
        """Index *materials* and their queries."""
        self.materials = {material.id: material for material in materials}
        self._by_id: defaultdict[str, list[tuple[Material, Query]]] = defaultdict(list)
        self._by_text: defaultdict[str, list[tuple[Material, Query]]] = defaultdict(list)
        for material in self.materials.values():
            for query in material.queries:
                self._by_id[query.id].append((material, query))
                self._by_text[_key(query.text)].append((material, query))

    def find(self, record: Recorded) -> tuple[Material, Query] | str:
        """Return the one query that *record* is about, or why there is none.

        Where the file gives both an id and a text, the id counts only where the text agrees.
        """
        if record.material is not None and record.material not in self.materials:
            return "is about a material that is not among these"
        named = self._within(record, self._by_id.get(record.query or "", ()))
        if record.text is not None:
            agreeing = [pair for pair in named if _key(pair[1].text) == _key(record.text)]
            alike = self._within(record, self._by_text.get(_key(record.text), ()))
            named = agreeing or alike or ([] if record.query != record.text else named)
        if len(named) == 1:
            return named[0]
        if named:
            return "fits several queries; give the ids of its material and its query"
        return _NOT_FOUND

    @staticmethod
    def _within(record: Recorded, found: Sequence[tuple[Material, Query]]) -> list[tuple[Material, Query]]:
        return [pair for pair in found if record.material in (None, pair[0].id)]


def _key(text: str) -> str:
    return " ".join(words(text))


def settled(
    records: Iterable[Recorded], queries: Queries, notes: Notes
) -> tuple[dict[str, tuple[Settlement, ...]], tuple[Read, ...]]:
    """Return the settlements of *records* by material, and what was read; the rest is told to *notes*."""
    made: defaultdict[str, list[Settlement]] = defaultdict(list)
    reads = []
    for record in records:
        found = queries.find(record)
        if isinstance(found, str):
            notes.add(record.place, "query", found, kept=False)
            continue
        material, query = found
        made[material.id].append(_settlement(record, material, query, notes))
        if record.read is not None or record.held is not None:
            reads.append(Read(material.id, query.id, record.settler, record.read, record.held))
    return {name: tuple(settlements) for name, settlements in made.items()}, tuple(reads)


def _settlement(record: Recorded, material: Material, query: Query, notes: Notes) -> Settlement:
    claims = record.claims
    if claims is not None:
        known = tuple(dict.fromkeys(name for name in claims if name in material.claim_position))
        if len(known) < len(dict.fromkeys(claims)):
            notes.add(record.place, "claims", "names something that is no claim of its material", kept=True)
        claims = known if known or not claims else None
    correct = int(record.correct) if record.correct in (0, 1) else record.correct
    return Settlement(
        query.id, correct, claims, record.settler, record.time, record.weight, record.extra, record.id
    )


def held(records: Iterable[RecordedHold], queries: Queries, notes: Notes) -> tuple[Hold, ...]:
    """Return *records* with the claims that they are about; those about no claim are told to *notes*."""
    named: dict[tuple[str, str, str | None], str] = {}
    for material in queries.materials.values():
        for claim in material.claims:
            named.setdefault((material.id, claim.text, claim.source), claim.id)
            named.setdefault((material.id, claim.text, None), claim.id)
    made = []
    for record in records:
        anywhere = named.get((record.material, record.text, None))
        name = named.get((record.material, record.text, record.session), anywhere)
        if name is None:
            notes.add(
                record.place, "memory_content", "is the text of no claim of these materials", kept=False
            )
            continue
        made.append(Hold(record.material, name, record.value, record.texts, record.kind))
    return tuple(made)
