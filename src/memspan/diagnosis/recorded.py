"""A run that somebody else recorded: what was read for each question, and how it went."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from memspan.diagnosis.stored import Record, matched
from memspan.material import CONTEXT, READ, Claim, Dropped, Material, Settlement
from memspan.policies import note_of


def record_of_run(
    name: str, settlements: Sequence[Settlement], material: Material, draws: int = 20, seed: int = 0
) -> Record:
    """Return what the run *name* held and read: the claims its settlements name, or texts matched to claims.

    What was read for any query was held; what was held besides is not known. Several settlements of
    one query count by their weight.

    >>> trip = Material("trip", (Claim("a"), Claim("b")))
    >>> run = record_of_run("run", [Settlement("q1", 1, ("a",)), Settlement("q2", 0, ())], trip)
    >>> [note.id for note in run.notes], run.right
    (['a'], {'q1': 1.0, 'q2': 0.0})
    """
    right = _right(settlements)
    if any(each.extra.get(CONTEXT) == "full" for each in settlements):
        every = tuple(claim.id for claim in material.claims)
        reads = dict.fromkeys(right, every)
        return Record(name, tuple(map(note_of, material.claims)), reads=reads, right=right)
    if any(READ in each.extra for each in settlements):
        return _of_texts(name, settlements, material, draws, seed)
    reads = _merged({each.query: each.claims or () for each in settlements})
    held = {claim for names in reads.values() for claim in names}
    notes = tuple(note_of(claim) for claim in material.claims if claim.id in held)
    return Record(name, notes, reads=reads, right=right)


def _of_texts(
    name: str, settlements: Sequence[Settlement], material: Material, draws: int, seed: int
) -> Record:
    texts: dict[str, str] = {}
    reads: dict[str, tuple[str, ...]] = {}
    for each in settlements:
        for text in each.extra.get(READ, ()):
            texts.setdefault(text, f"read {len(texts) + 1}")
        reads[each.query] = tuple(dict.fromkeys(texts[text] for text in each.extra.get(READ, ())))
    found = matched([Claim(own, text) for text, own in texts.items()], material, draws, seed)
    return Record(name, found.notes, found.drawn, reads, _right(settlements))


def _merged(reads: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    return {query: tuple(dict.fromkeys(names)) for query, names in reads.items()}


def _right(settlements: Sequence[Settlement]) -> dict[str, float]:
    outcomes: dict[str, list[Settlement]] = {}
    for settlement in settlements:
        outcomes.setdefault(settlement.query, []).append(settlement)
    return {query: _mean(each) for query, each in outcomes.items()}


def _mean(settlements: Sequence[Settlement]) -> float:
    weight = sum(each.weight for each in settlements)
    return sum(each.weight * each.correct for each in settlements) / weight if weight else math.nan


def runs_recorded(material: Material) -> dict[str, list[Settlement]]:
    """Return the settlements of *material* by run: those alone that say what was read."""
    return {name: each for name, each in _runs(material).items() if any(map(_tells_reads, each))}


def runs_untold(material: Material) -> list[Dropped]:
    """Return the runs of *material* that cannot be placed, since nothing says what they read."""
    reason = (
        "no answer says what was read, so it has no place under the frontier; "
        "give claims (ids) or context (the texts read) with each answer"
    )
    return [
        Dropped(f"run {name} of {material.id}", "claims", reason)
        for name, each in _runs(material).items()
        if not any(map(_tells_reads, each))
    ]


def _runs(material: Material) -> dict[str, list[Settlement]]:
    runs: dict[str, list[Settlement]] = {}
    for settlement in material.settlements:
        runs.setdefault(settlement.settler or "recorded", []).append(settlement)
    return runs


def _tells_reads(settlement: Settlement) -> bool:
    told = settlement.extra
    return settlement.claims is not None or READ in told or told.get(CONTEXT) == "full"
