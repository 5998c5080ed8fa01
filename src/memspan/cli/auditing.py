"""From a store to its audit, and to what a log of questions needs of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memspan.cli.loading import materials_of
from memspan.cli.task import Finding, Task
from memspan.material import Material

if TYPE_CHECKING:
    from memspan.audit import Audit
    from memspan.cli.audit import Looked
    from memspan.ports import Embedder
    from memspan.report.audit_words import Needs


def audits_of(looked: Looked, transcript: Material | None = None) -> list[Audit]:
    """Return an audit of each store that *looked* names; the seconds are shared among them.

    Raises:
        FileError: the store cannot be used.
        UnknownName: no such store in the file, or no such embedder.
    """
    embedder = _embedder(looked.embedder)
    materials = materials_of(Task(looked.path, materials=looked.materials))
    from memspan.audit import audit
    from memspan.cli.meter import Meter
    from memspan.optimum import Progress

    deadline, found = time.monotonic() + looked.seconds, []
    with Meter() as meter:
        for i, material in enumerate(materials):
            meter.begin(material.id, i, len(materials))
            share = max(deadline - time.monotonic(), 0.0) / (len(materials) - i)
            found.append(
                audit(
                    material,
                    transcript=transcript,
                    embedder=embedder,
                    seconds=share,
                    told=lambda step, done, of: meter.tell(Progress(step, done, of)),
                )
            )
    return found


def _embedder(spec: str | None) -> Embedder | None:
    if spec is None:
        return None
    from memspan.models import embedder_named

    return embedder_named(spec)


def transcript_of(path: str | None) -> Material | None:
    """Return the conversations at *path* as one; None where none are given.

    Raises:
        FileError: the transcript cannot be used.
        MemspanError: it holds several conversations that cannot be taken as one.
    """
    return None if path is None else materials_of(Task(path, union=True))[0]


def needs_of(looked: Looked, audits: Sequence[Audit]) -> Needs | None:
    """Return what the questions of *looked* need, found in the text; None where none are given.

    Raises:
        FileError: the log cannot be used, or belongs to several stores.
    """
    if looked.questions is None:
        return None
    from dataclasses import replace

    from memspan.cli.preparing import prepared
    from memspan.cli.solving import solve
    from memspan.report import finding
    from memspan.report.asides import asides
    from memspan.report.audit_words import Needs

    bare = [replace(each.material, queries=(), settlements=(), items=()) for each in audits]
    task = Task(
        looked.path, seconds=looked.seconds, targets=(0.95,), finding=Finding(questions=looked.questions)
    )
    materials = prepared(task.finding, bare)
    studies = solve(task, materials)
    told = (finding(studies, task.targets), *asides(studies))
    idle = [name for each, material in zip(audits, materials, strict=True) for name in _idle(each, material)]
    return Needs(told, tuple(idle), sum(len(each.queries) for each in materials))


def _idle(audit: Audit, material: Material) -> list[str]:
    """Return the memories that stay and stand in no support of any question."""
    useful = {
        name
        for query in material.queries
        for support in material.supports_of(query)
        for name in support.claims
    }
    gone = {each.memory for each in audit.removals}
    return [claim.id for claim in material.claims if claim.id not in useful | gone]
