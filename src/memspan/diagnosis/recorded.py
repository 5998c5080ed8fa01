"""A run that somebody else recorded: what was read for each question, and how it went."""

from __future__ import annotations

import math
from collections.abc import Sequence

from memspan.diagnosis.stored import Record, matched
from memspan.material import CONTEXT, READ, Claim, Dropped, Material, Settlement
from memspan.policies import note_of

RECORDED = "recorded"
"""Names the runs that the settlements of a material come from, and is their variant."""


def record_of_run(
    name: str, settlements: Sequence[Settlement], material: Material, draws: int = 20, seed: int = 0
) -> Record:
    """Return what the run *name* held and read: the claims its settlements name, or texts matched to claims.

    What was read for any query was held; what was held besides is not known. Several settlements of
    one query count by their weight. Those that do not say what was read have no place, nor has what
    has no weight.

    >>> trip = Material("trip", (Claim("a"), Claim("b")))
    >>> run = record_of_run("run", [Settlement("q1", 1, ("a",)), Settlement("q2", 0, ())], trip)
    >>> [note.id for note in run.notes], run.right
    (['a'], {'q1': 1.0, 'q2': 0.0})
    """
    told = [each for each in settlements if each.weight and _tells_reads(each)]
    right = _right(told)
    if any(each.extra.get(CONTEXT) == "full" for each in told):
        every = tuple(map(note_of, material.claims))
        whole = dict.fromkeys(right, tuple(note.id for note in every))
        return Record(name, every, reads=whole, right=right)
    named: dict[str, list[str]] = {each.query: [] for each in told}
    texts: dict[str, str] = {}
    for each in told:
        named[each.query] += each.claims or ()
        for text in each.extra.get(READ) or () if each.claims is None else ():
            named[each.query].append(texts.setdefault(str(text), f"read {len(texts) + 1}"))
    reads = {query: tuple(dict.fromkeys(names)) for query, names in named.items()}
    held = {claim for names in reads.values() for claim in names}
    notes = tuple(note_of(claim) for claim in material.claims if claim.id in held)
    found = matched([Claim(own, text) for text, own in texts.items()], material, draws, seed)
    return Record(name, (*notes, *found.notes), found.drawn, reads, right)


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
    told = {name: [s for s in each if s.weight and _tells_reads(s)] for name, each in _runs(material).items()}
    return {name: each for name, each in told.items() if each}


def runs_untold(material: Material) -> list[Dropped]:
    """Return what of the runs of *material* cannot be placed, since nothing says what was read."""
    cure = "give claims (ids) or context (the texts read) with each answer"
    left = []
    for name, each in _runs(material).items():
        untold = sum(not (s.weight and _tells_reads(s)) for s in each)
        if untold:
            few = f"{untold:,} of {len(each):,} answers do not say what was read, or have no weight"
            reason = f"{few}, so they have no place under the frontier; {cure}"
            left.append(Dropped(f"run {name} of {material.id}", "claims", reason, kept=untold < len(each)))
    return left


def _runs(material: Material) -> dict[str, list[Settlement]]:
    runs: dict[str, list[Settlement]] = {}
    for settlement in material.settlements:
        runs.setdefault(settlement.settler or "recorded", []).append(settlement)
    return runs


def _tells_reads(settlement: Settlement) -> bool:
    told = settlement.extra
    return settlement.claims is not None or READ in told or told.get(CONTEXT) == "full"
