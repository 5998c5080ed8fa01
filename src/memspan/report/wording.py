"""The finding in words: numbers with their unit and bound, the answer first.

Only annotated supports make a proof: whatever rests on found or generated ones is called an estimate.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memspan.optimum import Frontier, Size
from memspan.report.counts import nothing
from memspan.report.line import certified_count, same
from memspan.report.study import TARGETS, Landmark, Study, landmarks, size_in_all


def percent(share: float) -> str:
    """Return a mass in percent, one decimal at most; only 0 and 1 themselves are shown as such.

    >>> percent(0.5), percent(0.3512), percent(0.99999), percent(0.0002)
    ('50 %', '35.1 %', '> 99.9 %', '< 0.1 %')
    """
    if 0.9995 <= share < 1:
        return "> 99.9 %"
    if 0 < share < 0.0005:
        return "< 0.1 %"
    text = f"{100 * share:.1f}"
    return f"{text.removesuffix('.0')} %"


def counted(number: int, noun: str) -> str:
    """Return *number* with thousands marked and its noun, which is given in the plural.

    >>> counted(1, "queries"), counted(4119, "claims")
    ('1 query', '4,119 claims')
    """
    return f"{number:,} {singular(noun) if number == 1 else noun}"


def singular(noun: str) -> str:
    """Return the singular of a regular plural."""
    return f"{noun[:-3]}y" if noun.endswith("ies") else noun.removesuffix("s")


def sized(size: Size) -> str:
    """Return *size* as text: a number where it is certified, else the interval that holds it.

    >>> sized(Size(40, 33, False)), sized(Size(40, 40, True)), sized(Size(None, 9, False))
    ('33 to 40', '40', '≥ 9')
    """
    if size.size is None:
        return "-" if size.at_least is None else f"≥ {size.at_least:,}"
    if size.at_least is None or size.at_least == size.size:
        return f"{size.size:,}"
    return f"{size.at_least:,} to {size.size:,}"


def between(lower: float, upper: float) -> str:
    """Return a mass in percent, or the interval that holds it.

    >>> between(0.5, 0.5), between(0.25, 0.5)
    ('50 %', '25 to 50 %')
    """
    low, high = percent(lower), percent(upper)
    return low if low == high else f"{low.removesuffix(' %')} to {high}"


def finding(studies: Sequence[Study], targets: Sequence[float] = TARGETS) -> str:
    r"""Return the headline of *studies*: what it takes to answer how much, and how sure that is.

    >>> import memspan as ms
    >>> odyssey = ms.bundled("odyssey")
    >>> print(finding([Study(odyssey, ms.frontier(odyssey))]).replace(". ", ".\n"))
    2 of 6 claims answer 50 % of the questions by weight; 6 answer all of them.
    Proven optimal at every capacity.
    """
    return " ".join(sentences(studies, targets))


def sentences(studies: Sequence[Study], targets: Sequence[float] = TARGETS) -> list[str]:
    """Return the finding sentence by sentence: the sizes, how sure they are, what true claims alone do."""
    full = [study for study in studies if not study.empty]
    if not full:
        return [nothing(studies)]
    if len(studies) == 1:
        return _sentences_of(full[0], targets)
    return [_sizes_of_all(studies, full, targets), proof(full)]


def _sentences_of(study: Study, targets: Sequence[float]) -> list[str]:
    found = [_sizes(study, study.frontier, targets), proof([study])]
    if study.precision is not None:
        found.append(_truthful(study, study.precision, targets))
    return found


def _sizes(study: Study, frontier: Frontier, targets: Sequence[float]) -> str:
    estimate = study.estimate if frontier is study.frontier else None
    marks = landmarks(frontier, targets, estimate)
    whole = counted(study.whole, frontier.unit)
    if not marks:
        most = float(frontier.solution.curve.lower[-1]) / max(frontier.coverage.total, 1)
        size = frontier.size_for(most)
        return f"{sized(size)} of {whole} {_answer(size)} {percent(most)} of {_questions(frontier)}."
    first, last = marks[0], marks[-1]
    text = f"{sized(first.size)} of {whole} {_answer(first.size)} {_aim(frontier, first)}"
    if last.size == first.size:
        return f"{text}."
    return f"{text}; {sized(last.size)} {_answer(last.size)} {_rest(frontier, last)}."


def _answer(size: Size) -> str:
    return "answers" if size.size == 1 else "answer"


def _aim(frontier: Frontier, mark: Landmark) -> str:
    if mark.target is not None:
        return f"{percent(mark.target)} of {_questions(frontier)}"
    return f"all of {_questions(frontier)}" if frontier.baseline == 1 else _possible(frontier)


def _rest(frontier: Frontier, mark: Landmark) -> str:
    if mark.target is not None:
        return percent(mark.target)
    return "all of them" if frontier.baseline == 1 else _possible(frontier)


def outdone(frontier: Frontier) -> bool:
    """Return whether some memory may answer more than everything held together: claims defeat answers."""
    return int(frontier.solution.curve.upper[-1]) > frontier.baseline_weight


def target_name(frontier: Frontier, target: float | None) -> str:
    """Return what a target is called in a picture and a table; None stands for the baseline."""
    if target is not None:
        return percent(target)
    return "full context" if outdone(frontier) else "all"


def _possible(frontier: Frontier) -> str:
    if outdone(frontier):
        return f"as much as everything held together ({percent(frontier.baseline)})"
    return f"all that can be answered ({percent(frontier.baseline)})"


def _questions(frontier: Frontier) -> str:
    weights = frontier.coverage.weights
    even = not len(weights) or bool((weights == weights[0]).all())
    return "the questions" if even else "the questions by weight"


def proof(studies: Sequence[Study]) -> str:
    """Return how sure the bounds of *studies* are, in one sentence."""
    frontiers = [study.frontier for study in studies]
    drawn = [study.estimate.draws for study in studies if study.estimate]
    if drawn:
        return (
            "An estimate, not a proof: the supports were found in the text. The intervals hold 90 % of "
            f"{drawn[0]} draws of them; they do not cover what the reader gets wrong."
        )
    unsure = {frontier.support_source for frontier in frontiers} - {"annotated"}
    if unsure:
        how = " and ".join(sorted(unsure))
        return f"Its supports were {how}, not annotated: an estimate, not a proof."
    if all(frontier.proven for frontier in frontiers):
        of_each = " of each" if len(frontiers) > 1 else ""
        rounded = any(frontier.coverage.rounded for frontier in frontiers)
        return (
            f"Proven optimal at every capacity{of_each}{', for weights rounded to 2⁻⁴⁰' if rounded else ''}."
        )
    counts = [certified_count(frontier) for frontier in frontiers]
    certified, total = (sum(numbers) for numbers in zip(*counts, strict=True))
    verb = "is" if certified == 1 else "are"
    return f"{certified:,} of {counted(total, 'capacities')} {verb} proven optimal; {_widest(frontiers)}."


def _widest(frontiers: Sequence[Frontier]) -> str:
    gaps = [(gap, at, frontier) for frontier in frontiers for gap, at in [widest_gap(frontier)]]
    gap, at, frontier = max(gaps, key=lambda each: each[0])
    of = f" of {frontier.material}" if len(frontiers) > 1 else ""
    return f"the widest gap is {percent(gap)}, at {counted(at, frontier.unit)}{of}"


def widest_gap(frontier: Frontier) -> tuple[float, int]:
    """Return the widest interval of *frontier*, a mass, and the capacity where it stands."""
    gaps = frontier.solution.curve.upper - frontier.solution.curve.lower
    at = int(gaps.argmax())
    return frontier.coverage.mass(int(gaps[at])), at


def _truthful(study: Study, precision: Frontier, targets: Sequence[float]) -> str:
    told = _of_true_claims(study, precision, targets)
    if bool(np.isnan(study.frontier.coverage.truth).any()):
        return f"As far as truth is known, {told[0].lower()}{told[1:]}"
    return told


def _of_true_claims(study: Study, precision: Frontier, targets: Sequence[float]) -> str:
    if not precision.solution.curve.lower[-1]:
        return "True claims alone answer nothing."
    if same(precision, study.frontier):
        return "True claims alone do as well at every capacity."
    return f"By true claims alone: {_sizes(study, precision, targets)}"


def points(lower: float, upper: float) -> str:
    """Return a difference of masses in percentage points, or the interval that holds it."""
    low, high = (f"{100 * max(share, 0.0):.1f}".removesuffix(".0") for share in (lower, upper))
    return f"{high} point{'' if high == '1' else 's'}" if low == high else f"{low} to {high} points"


def _sizes_of_all(studies: Sequence[Study], full: Sequence[Study], targets: Sequence[float]) -> str:
    whole = counted(sum(study.whole for study in full), full[0].frontier.unit)
    first, last = size_in_all(full, min(targets)), size_in_all(full, None)
    some = f"the {len(full)} of {len(studies)} materials that have a question to answer"
    start = f"Across {some if len(full) < len(studies) else f'{len(studies)} materials'}, "
    aim = percent(min(targets))
    if first.size is None:
        return f"{start}not every one is known to reach {aim}."
    text = f"{start}{sized(first)} of {whole} {_answer(first)} {aim} of the questions of each"
    if last.size is None:
        return f"{text}."
    complete = all(study.frontier.baseline == 1 for study in full)
    return f"{text}; {sized(last)} {_answer(last)} all {'of them' if complete else 'that can be answered'}."
