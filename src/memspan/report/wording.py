"""The finding in words: numbers with their unit and bound, the answer first.

Only annotated supports make a proof: whatever rests on found or generated ones is called an estimate.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memspan.optimum import Frontier
from memspan.report.study import TARGETS, Landmark, Study, landmarks


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
    if len(studies) == 1:
        return _sentences_of(studies[0], targets)
    full = [study for study in studies if not study.empty]
    if not full:
        return [
            f"Nothing to cover: none of these {len(studies)} materials can answer a question from its claims."
        ]
    return [_sizes_of_all(studies, full, targets), proof([study.frontier for study in full])]


def _sentences_of(study: Study, targets: Sequence[float]) -> list[str]:
    frontier = study.frontier
    if study.empty:
        return [f"Nothing to cover: no question of {study.material.id} can be answered from its claims."]
    found = [_sizes(study, frontier, targets), proof([frontier])]
    if study.precision is not None:
        found.append(_truthful(study, study.precision, targets))
    return found


def _sizes(study: Study, frontier: Frontier, targets: Sequence[float]) -> str:
    marks = landmarks(frontier, targets)
    unit = frontier.unit
    if not marks:
        most = int(frontier.capacities[-1])
        share = percent(float(frontier.lower[-1]))
        return f"{most:,} of {counted(study.whole, unit)} answer {share} of {_questions(frontier)}."
    first, last = marks[0], marks[-1]
    size = _size(first)
    text = f"{size} of {counted(study.whole, unit)} {_answer(first)} {_aim(frontier, first)}"
    if last.size.size == first.size.size:
        return f"{text}."
    return f"{text}; {_size(last)} {_answer(last)} {_rest(frontier, last)}."


def _size(mark: Landmark) -> str:
    if mark.size.certified or mark.size.at_least is None:
        return f"{mark.size.size:,}"
    if not mark.size.at_least:
        return f"{mark.size.size:,} (or fewer)"
    return f"{mark.size.size:,} (or as few as {mark.size.at_least:,})"


def _answer(mark: Landmark) -> str:
    return "answers" if mark.size.size == 1 else "answer"


def _aim(frontier: Frontier, mark: Landmark) -> str:
    if mark.target is not None:
        return f"{percent(mark.target)} of {_questions(frontier)}"
    return f"all of {_questions(frontier)}" if frontier.baseline == 1 else _possible(frontier)


def _rest(frontier: Frontier, mark: Landmark) -> str:
    if mark.target is not None:
        return percent(mark.target)
    return "all of them" if frontier.baseline == 1 else _possible(frontier)


def _possible(frontier: Frontier) -> str:
    return f"all that can be answered ({percent(frontier.baseline)})"


def _questions(frontier: Frontier) -> str:
    weights = frontier.coverage.weights
    even = not len(weights) or bool((weights == weights[0]).all())
    return "the questions" if even else "the questions by weight"


def proof(frontiers: Sequence[Frontier]) -> str:
    """Return how sure the bounds of *frontiers* are, in one sentence."""
    unsure = {frontier.support_source for frontier in frontiers} - {"annotated"}
    if unsure:
        how = " and ".join(sorted(unsure))
        return f"Its supports were {how}, not annotated: an estimate, not a proof."
    certified = sum(int(frontier.certified.sum()) for frontier in frontiers)
    total = sum(len(frontier.capacities) for frontier in frontiers)
    if certified == total:
        rounded = any(frontier.coverage.rounded for frontier in frontiers)
        return (
            f"Proven optimal at {_everywhere(frontiers)}{', for weights rounded to 2⁻⁴⁰' if rounded else ''}."
        )
    return f"{certified:,} of {total:,} capacities are proven optimal; {_widest(frontiers)}."


def _everywhere(frontiers: Sequence[Frontier]) -> str:
    frontier = frontiers[0]
    every = frontier.unit == "claims" and len(frontier.capacities) == len(frontier.costs) + 1
    of_each = " of each" if len(frontiers) > 1 else ""
    capacities = sum(len(f.capacities) for f in frontiers)
    return f"every capacity{of_each}" if every else f"all {capacities} capacities computed"


def _widest(frontiers: Sequence[Frontier]) -> str:
    frontier = max(frontiers, key=lambda f: float((f.upper - f.lower).max()))
    gaps = frontier.upper - frontier.lower
    at = int(gaps.argmax())
    of = f" of {frontier.material}" if len(frontiers) > 1 else ""
    where = counted(int(frontier.capacities[at]), frontier.unit)
    return f"the widest gap is {percent(float(gaps[at]))}, at {where}{of}"


def _truthful(study: Study, precision: Frontier, targets: Sequence[float]) -> str:
    if not precision.baseline_weight:
        return "True claims alone answer nothing."
    if np.array_equal(precision.lower_weight, study.frontier.lower_weight):
        return "True claims alone do as well at every capacity."
    return f"By true claims alone: {_sizes(study, precision, targets)}"


def _sizes_of_all(studies: Sequence[Study], full: Sequence[Study], targets: Sequence[float]) -> str:
    unit = full[0].frontier.unit
    whole = sum(study.whole for study in full)
    first = total_size(full, min(targets))
    last = total_size(full, None)
    some = f"the {len(full)} of {len(studies)} materials that can answer anything"
    start = f"Across {some if len(full) < len(studies) else f'{len(studies)} materials'}, "
    if first is None:
        return f"{start}not every one reaches {percent(min(targets))} within the capacities computed."
    aim = percent(min(targets))
    text = f"{start}{first:,} of {counted(whole, unit)} answer {aim} of the questions of each"
    if last is None:
        return f"{text}."
    complete = all(study.frontier.baseline == 1 for study in full)
    return f"{text}; {last:,} answer all {'of them' if complete else 'that can be answered'}."


def total_size(studies: Sequence[Study], target: float | None) -> int | None:
    """Return what reaching *target* takes in all; None where one of *studies* never reaches it.

    None as a target stands for all that the full material can answer; studies without any
    answerable question are passed over.
    """
    sizes = [
        study.frontier.saturation if target is None else study.frontier.size_for(target).size
        for study in studies
        if not study.empty
    ]
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None
