"""Corrections to LoCoMo's evidence by an independent audit.

Source: https://github.com/dial481/locomo-audit (CC BY-NC 4.0): a list of objects with
`sample_id`, `qa_index` (position in `qa`, from 0), `error_type` and `correct_evidence`.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from memspan.datasets.fields import Misfit, listing, taken, text
from memspan.datasets.locomo import turn_ids
from memspan.datasets.source import open_source
from memspan.errors import Fault, FileError
from memspan.material import Dropped, Material, Query, Support

Corrections = dict[str, list[str]]
"""Query id to the corrected evidence."""


def with_audit(materials: Iterable[Material], path: str | os.PathLike[str]) -> list[Material]:
    """Return LoCoMo *materials* with the audit's evidence as a second support of each question it corrects.

    Args:
        materials: read from LoCoMo with turns as claims.
        path: the audit's file, e.g. ``audit_errors.json``.

    Returns:
        The materials in their order. A correction that cannot be used (it names no turn, or
        a question that was left out) is in `Material.dropped`.

    Raises:
        FileError: the file is no audit, or none of it is about these materials.
    """
    given = list(materials)
    corrections = _corrections(Path(path))
    if not any(material.id in corrections for material in given):
        about = ", ".join(sorted(corrections)[:5])
        raise FileError(str(path), [Fault("", "sample_id", f"is about {about}, none of these materials")])
    return [_corrected(material, corrections.get(material.id, {})) for material in given]


def _corrections(path: Path) -> dict[str, Corrections]:
    made: defaultdict[str, Corrections] = defaultdict(dict)
    faults = []
    for i, raw in enumerate(open_source(path).records):
        try:
            sample, name = text(raw, "sample_id"), f"qa{taken(raw, 'qa_index', int, 'a number')}"
            made[sample][name] = listing(raw, "correct_evidence")
        except Misfit as misfit:
            faults.append(Fault(f"[{i}]", misfit.field, misfit.reason))
    if faults:
        raise FileError(str(path), faults)
    return made


def _corrected(material: Material, corrections: Corrections) -> Material:
    dropped = list(material.dropped)
    known = {query.id for query in material.queries}
    dropped += [
        Dropped(f"audit of {name}", "qa_index", "names a question that was left out", kept=True)
        for name in sorted(corrections.keys() - known)
    ]
    queries = tuple(
        _second(query, corrections[query.id], material, dropped) if query.id in corrections else query
        for query in material.queries
    )
    return replace(material, queries=queries, dropped=tuple(dropped))


def _second(query: Query, evidence: list[Any], material: Material, dropped: list[Dropped]) -> Query:
    """Return *query* with one more support, where it is answerable and the evidence is new."""
    found, _, unknown = turn_ids(evidence, material.claim_position)
    if unknown or not found or not query.answerable:
        seen = f"names no turn: {', '.join(unknown)}" if unknown else "is empty"
        reason = seen if query.answerable else "corrects a question that is unanswerable"
        dropped.append(Dropped(f"audit of {query.id}", "correct_evidence", reason, kept=True))
        return query
    if any(set(found) == set(support.claims) for support in query.supports):
        return query
    return replace(query, supports=(*query.supports, Support(tuple(found))))
