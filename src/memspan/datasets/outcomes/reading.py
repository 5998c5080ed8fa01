"""A file of outcomes to settlements: the one entrance, whatever the format."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Literal

from memspan.datasets.fields import Misfit
from memspan.datasets.outcomes.benchd import BENCHD
from memspan.datasets.outcomes.form import Asking, OutcomeFormat, Records
from memspan.datasets.outcomes.halumem import HALUMEM_RUN
from memspan.datasets.outcomes.locomo import LOCOMO_RUNS
from memspan.datasets.outcomes.longmemeval import LONGMEMEVAL_RUNS
from memspan.datasets.outcomes.matching import Queries, held, settled
from memspan.datasets.outcomes.mceval import MCEVAL, MCEVAL_TRACE
from memspan.datasets.outcomes.nouns import Outcomes
from memspan.datasets.outcomes.plain import read_plain
from memspan.datasets.outcomes.settled import SETTLEMENTS
from memspan.datasets.source import Source, open_source
from memspan.errors import Fault, FileError, UnknownName
from memspan.material import READ, Material, Settlement

FORMATS = (LOCOMO_RUNS, HALUMEM_RUN, LONGMEMEVAL_RUNS, BENCHD, MCEVAL, MCEVAL_TRACE, SETTLEMENTS)
"""All formats that are told by their content; what fits none is read as plain rows."""


def read_outcomes(
    path: str | os.PathLike[str],
    materials: Iterable[Material],
    *,
    settler: str | None = None,
    votes: Literal["majority", "share"] = "majority",
    encoding: str = "utf-8",
) -> Outcomes:
    """Read recorded outcomes and match them to the queries of *materials*.

    Known by content are: LoCoMo full-context runs, HaluMem evaluations, LongMemEval notes with
    settled runs, results of benchd and of mceval (and its traces), and memspan's own logs of
    settlements, of which those in force count (see `read_settlements`). Else the file is rows in JSON
    Lines, a JSON list, CSV or TSV: `query_id` or `query` (an id or the question itself), an outcome
    (`outcome`, `correct`, `score`, `label`, `thumbs`, `rating`, `feedback`), and where known `id`,
    `material`, `claims`, `read`, `context`, `settler`, `run`, `judge`, `time`, `weight`. A row with the
    `kind` correction or revocation amends the row above it whose `id` it names in `of`.

    A query is found by its id, else by the words of its question, case and accents aside.

    Args:
        path: the file.
        materials: what the outcomes are about.
        settler: name of the run, where the file gives none; None takes the file's stem, but leaves
            a settlement of a log without one: it is the owner's.
        votes: what several votes on one answer become: whether most call it right, or their share.
            Where the votes are even, a majority is 0.5.
        encoding: the encoding of a file of plain rows, as Python names it.

    Returns:
        The settlements by material; what could not be used is in `Outcomes.dropped`.

    Raises:
        FileError: the file cannot be read, a row amends what does not stand above it, or nothing in it
            is about these materials.
    """
    file = Path(path)
    asking = Asking(settler or file.stem, votes, encoding, settler)
    plain = encoding.lower().replace("_", "-") not in ("utf-8", "utf8", "utf-8-sig")
    source = None if plain else open_source(file)
    chosen = next((form for form in FORMATS if source is not None and form.detect(source)), None)
    records = _read(chosen, source, asking) if chosen and source else read_plain(file, asking)
    queries = Queries(materials)
    settlements, reads = settled(records.outcomes, queries, records.notes)
    holds = held(records.holds, queries, records.notes)
    dropped = tuple(records.notes.dropped())
    if not settlements:
        first = dropped[0] if dropped else None
        reason = f"{first.record} {first.reason}" if first else "holds no outcome"
        raise FileError(str(file), [Fault("", "", f"{reason}; no outcome is left for these materials")])
    named = (each.settler for several in settlements.values() for each in several)
    settlers = tuple(dict.fromkeys(name for name in named if name is not None))
    return Outcomes(chosen.name if chosen else "rows", settlements, settlers, reads, holds, dropped)


def _read(chosen: OutcomeFormat, source: Source, asking: Asking) -> Records:
    try:
        return chosen.read(source, asking)
    except Misfit as misfit:
        raise source.refuse(misfit.reason, name=misfit.field) from misfit


def with_outcomes(material: Material, outcomes: Outcomes, settler: str | None = None) -> Material:
    """Return *material* with the settlements of *outcomes* in place of its own.

    What was left out of the file stays in `Outcomes.dropped`: it is about the file, not about one material.

    Args:
        material: one of those that the outcomes were read for.
        outcomes: as `read_outcomes` gives them.
        settler: keep those of this run alone; None keeps all.

    Raises:
        UnknownName: no run is called *settler*.

    >>> from memspan.material import Query, Settlement
    >>> trip = Material("trip", queries=(Query("q1", "Where does Ana live?"),))
    >>> seen = Outcomes("rows", {"trip": (Settlement("q1", 1, settler="mem0"),)}, ("mem0",))
    >>> with_outcomes(trip, seen).settlements[0].correct
    1
    """
    if settler is not None and settler not in outcomes.settlers:
        known = ", ".join(outcomes.settlers) or "none"
        raise UnknownName(f"no run {settler!r} among the outcomes; there are {known}")
    given = outcomes.settlements.get(material.id, ())
    texts = {(each.query, each.settler): each.read for each in outcomes.reads if each.material == material.id}
    kept = tuple(
        _with_read(each, texts.get((each.query, each.settler)))
        for each in given
        if settler in (None, each.settler)
    )
    return replace(material, settlements=kept)


def _with_read(settlement: Settlement, texts: tuple[str, ...] | None) -> Settlement:
    """Return *settlement* with the *texts* that were read, where nothing better is known."""
    if texts is None or settlement.claims is not None:
        return settlement
    return replace(settlement, extra={**settlement.extra, READ: list(texts)})
