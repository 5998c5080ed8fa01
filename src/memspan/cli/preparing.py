"""Questions and supports for materials that come without: asked, made, found."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memspan.cli.task import Finding
from memspan.cli.terminal import printable
from memspan.errors import Fault, FileError, ModelError
from memspan.material import Dropped, Material

if TYPE_CHECKING:
    from memspan.answering.hybrid import Hybrid

Say = Callable[[str], None]


def prepared(finding: Finding, materials: Sequence[Material], say: Say | None = None) -> list[Material]:
    """Return *materials* with questions and supports; those that have them stay as they are.

    *say* hears what was found; stderr where it is None.

    Raises:
        FileError: the log of questions or the reading rule cannot be used.
        UnknownName: no such operator.
    """
    _refuse(finding)
    say = say or _tell
    asked = [_with_questions(material, say) for material in _asked(finding, materials, say)]
    if not any(_is_open(finding, material) for material in asked):
        return asked
    return _found(finding, asked, say)


def _refuse(finding: Finding) -> None:
    """Raise where a rule, an embedder or an operator that is named cannot be used, needed or not."""
    if finding.operator is not None:
        from memspan.generation import operator_named

        operator_named(finding.operator, Material(""))
    if finding.reader is None and finding.embedder is None:
        return
    from memspan.answering.rule import ReaderRule, shipped

    rule = ReaderRule.load(finding.reader) if finding.reader else shipped()
    if finding.embedder is not None and rule.embedder is None:
        raise ModelError(
            f"the rule {rule.name!r} weighs no embedder, so --embedder {finding.embedder} changes nothing; "
            "leave it out, or fit a rule with it: memspan train reader FILE --embedder SPEC"
        )


def _is_open(finding: Finding, material: Material) -> bool:
    """Return whether supports are to be found in the text of *material*.

    A few questions without a support never turn a proof into an estimate unless that is asked for.
    """
    if not any(claim.text for claim in material.claims):
        return False
    supported = any(material.supports_of(query) for query in material.queries)
    open_ones = [q for q in material.queries if q.answerable and q.text and not material.supports_of(q)]
    return bool(open_ones) and (finding.find or not supported)


def _asked(finding: Finding, materials: Sequence[Material], say: Say) -> list[Material]:
    if finding.questions is None:
        return list(materials)
    if len(materials) > 1:
        problem = "belongs to one material; pick it with --material, or merge all with --union"
        raise FileError(finding.questions, [Fault("", "", problem)])
    from memspan.datasets import read_questions, with_questions

    log = read_questions(finding.questions)
    if log.dropped:
        say(f"{Path(finding.questions).name}: {_noted(log.dropped)}")
    if any(materials[0].supports_of(query) for query in materials[0].queries):
        say(f"the questions of {materials[0].id} and their supports give way to those of the log")
    return [with_questions(materials[0], log)]


def _noted(dropped: Sequence[Dropped]) -> str:
    first = dropped[0]
    more = f"; {len(dropped) - 1:,} more notes: take all with --json" if len(dropped) > 1 else ""
    return f"{first.record} {first.reason}{more}"


def _with_questions(material: Material, say: Say) -> Material:
    if material.queries or not any(claim.text for claim in material.claims):
        return material
    from memspan.extraction import template_questions

    made = template_questions(material)
    count = f"{len(made.queries):,}"
    say(f"{material.id} has no questions: {count} made by templates; give your own with --questions")
    return made


def _found(finding: Finding, materials: Sequence[Material], say: Say) -> list[Material]:
    from memspan.cli.meter import Meter
    from memspan.generation import operator_named
    from memspan.optimum import Progress
    from memspan.span import find_supports, needs_supports, span_of

    reader = _reader(finding)
    found = []
    with Meter() as meter:
        for number, material in enumerate(materials):
            meter.begin(material.id, number, len(materials))
            if not _is_open(finding, material):
                found.append(material)
            elif finding.operator is not None:
                found.append(span_of(material, operator_named(finding.operator, material), reader))
            else:
                found.append(
                    find_supports(
                        material, reader, lambda done, of: meter.tell(Progress("reading", done, of))
                    )
                )
    asked = sum(len(needs_supports(material)) for material in materials if _is_open(finding, material))
    left = sum(len(needs_supports(material)) for material in found)
    none = f"; no claim seems to answer the other {left:,}" if left else ""
    say(f"supports found in the text for {asked - left:,} of {asked:,} questions{none}")
    return found


def _tell(text: str) -> None:
    print(printable(text), file=sys.stderr, flush=True)  # noqa: T201 - the command line speaks


def _reader(finding: Finding) -> Hybrid:
    from memspan.answering.hybrid import Hybrid
    from memspan.answering.rule import ReaderRule, shipped

    rule = ReaderRule.load(finding.reader) if finding.reader else shipped()
    if finding.embedder is None:
        return Hybrid(rule)
    from memspan.models import Remembered, embedder_named

    return Hybrid(rule, Remembered(embedder_named(finding.embedder)))
