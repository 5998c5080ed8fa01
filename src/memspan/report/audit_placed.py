"""Where a store stands under the frontier of its transcript, on the page of its audit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memspan.diagnosis import Evaluation
from memspan.diagnosis.advice import Add, advise
from memspan.material import Material
from memspan.report.embedding import shortened
from memspan.report.league import caution, first_fix, headline, losses, shown_points
from memspan.report.tables import Table
from memspan.report.wording import percent

LONGEST = 400  # characters of one text


@dataclass(frozen=True)
class Placement:
    """What the page says of a store under the frontier.

    Attributes:
        finding: the answer, in one sentence.
        told: what to fix first, why it is an estimate, and what could not be placed.
        falls: where the questions go, in shares of all of them.
        missing: facts that the store lacks: what they say, where, and what they are worth.
    """

    finding: str
    told: tuple[str, ...]
    falls: Table
    missing: Table


def placement(evaluation: Evaluation) -> Placement:
    """Return where the store that *evaluation* placed stands, and what it misses."""
    left = tuple(f"{each.record}: {each.reason}" for each in evaluation.dropped)
    none = Table((), ())
    if not evaluation.points:
        return Placement(headline(evaluation), left, none, none)
    told = (first_fix(evaluation), *filter(None, [caution(evaluation)]), *left)
    return Placement(headline(evaluation), told, losses(shown_points(evaluation)), missing_facts(evaluation))


def missing_facts(evaluation: Evaluation) -> Table:
    """Return the claims to add, the best gain for each claim first; none for several materials."""
    head = ("missing fact", "source", "answers more")
    points = shown_points(evaluation)
    if len(points) != 1:
        return Table(head, ())
    ground = evaluation.ground_of(points[0])
    return Table(
        head, tuple(row for each in advise(points[0], ground).add for row in _rows(each, ground.material))
    )


def _rows(add: Add, material: Material) -> Iterator[tuple[str, str, str]]:
    """Yield a row for each claim; those that help together say so, and the first one has the gain."""
    for place, name in enumerate(add.claims):
        claim = material.claim(name)
        source = ", ".join(filter(None, (claim.source or name, claim.speaker, claim.time)))
        gain = f"+{percent(add.gain)}" if place == 0 else "with the one above"
        yield shortened(claim.text or name, LONGEST), source, gain
