"""What a reader must know beside the finding: questions that do not count, harm, a memory placed."""

from __future__ import annotations

from collections.abc import Sequence

from memspan.report.counts import which_count
from memspan.report.dips import where_more_is_less
from memspan.report.origins import NOTES, reader_told
from memspan.report.placed import Placed
from memspan.report.study import Study
from memspan.report.wording import between, counted, percent, points
from memspan.span.drawing import READER


def asides(studies: Sequence[Study]) -> list[str]:
    """Return it sentence by sentence; nothing where there is nothing to add."""
    placed = [_placed(study.placed, study) for study in studies if study.placed and not study.empty]
    told = (which_count(studies), *_origin(studies), where_more_is_less(studies), *placed)
    return [text for text in told if text]


def _origin(studies: Sequence[Study]) -> list[str]:
    """Return where questions and supports come from, each once, where they did not come with the data."""
    asked = dict.fromkeys(study.material.question_source for study in studies)
    notes = [NOTES[source] for source in asked if source != "given"]
    readers = [reader_told(study.material) for study in studies if READER in study.material.extra][:1]
    return [
        f"{text[0].upper()}{text[1:]}." for text in (*notes, *(f"supports were {told}" for told in readers))
    ]


def _placed(placed: Placed, study: Study) -> str:
    best, loss, held = placed.best, placed.loss, counted(placed.size, study.frontier.unit)
    supposed = ", if the likeliest supports are the right ones" if study.estimate else ""
    text = f"The memory given holds {held} and answers {percent(placed.covers)}{supposed}"
    if loss.upper <= 0:
        text = f"{text}, as much as any memory of its size can"
    else:
        below = f"{points(loss.lower, loss.upper)} below the best of its size"
        text = f"{text}, {below} ({between(best.lower, best.upper)})"
    return f"{text}{_water(placed)}.{_harm(placed)}"


def _water(placed: Placed) -> str:
    if placed.precise is None:
        return ""
    if placed.water <= 0:
        return "; false claims add nothing to that"
    return f"; {points(placed.water, placed.water)} of it by false claims alone"


def _harm(placed: Placed) -> str:
    harm = placed.harm
    if harm is None:
        return ""
    if not harm.wrong:
        return " It answers nothing wrongly."
    return (
        f" It answers {percent(harm.right)} rightly, {percent(harm.wrong)} wrongly "
        f"and {percent(harm.none)} not at all."
    )
