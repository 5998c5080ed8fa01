"""A replay in words: which memory would have served best, how sure that is, and how it was told."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from memspan.environments.trials import FEW
from memspan.report.replay_cells import BASELINE, Cell, Row, Told
from memspan.report.replay_tables import limits
from memspan.report.wording import between, counted, percent

COLUMNS = {
    "outcome": "told: right or wrong alone",
    "text": "told: words of the question",
    "hits": "told: claims used",
    "supports": "told: supports",
}
"""How much is told of a settled query; figures of different columns are never compared."""
ORDERS = {
    "iid": "drawn by their own weights",
    "uniform": "drawn alike",
    "zipf": "drawn by popularity: a few are asked often",
    "mix": "half about the newest session, half by popularity",
    "once": "each asked once",
}
BOUNDS = {
    "iid": "iid optimum: the best memory of that capacity under the law that questions are drawn from",
    "remaining": "remaining queries: the best memory of that capacity for the questions not yet asked",
    "clairvoyant": "clairvoyant: the best of one who knows all questions beforehand, where what is let go is "
    "lost; it bounds the sum over the steps, not each one",
}
WRITES = {
    "stream": "what is let go is lost",
    "full": "any claim that has appeared can be taken in again",
    "swap": "some claims can be taken in again",
}
REWARDS = {
    "coverage": "a support is held",
    "precision": "a support of true claims is held",
    "end-to-end": "a support of true claims is held, and read",
}
LESSONS = {
    "outcome": "right or wrong alone",
    "text": "the words of questions",
    "hits": "the claims used alone",
    "supports": "supports",
}
OTHERS = "others"
"""What judges claims where a rule is fitted for each material on the other ones."""
COUNTS = (
    "Of the bound: what is expected of any question that could be drawn, as a share of the bound. Answered: "
    "the share of the questions that happened to be drawn."
)
"""What the two shares of a policy count."""

MOST_NAMES = 3
"""Policies that a headline names; of more, how many."""


def headline(told: Told) -> str:
    """Return the answer in one sentence; policies that are alike, or not told apart, share it."""
    cell = told.first
    setting = f"queries {cell.order}, {COLUMNS[told.setting.disclosure]}"
    where = counted(len(told.materials), "materials") if len(told.materials) > 1 else told.materials[0].id
    if math.isnan(cell.best.attained.estimate):
        size = capacity_told(told, cell)
        return f"No memory of {size} answers any question: each needs more ({where}, {setting})."
    other = cell.other
    beside = (
        f' ("{other.policy}" {percent(other.attained.estimate)})'
        if other and other.policy not in cell.near
        else ""
    )
    return f"{_best(cell)} of what {_could(told, cell)}{beside}: {where}, {setting}."


def _best(cell: Cell) -> str:
    """Return who holds how much, e.g. ``"lfu" holds what answers 80 %``."""
    least, most = (cell.row(name).attained.estimate for name in (cell.near[-1], cell.near[0]))
    apart = ", not told apart," if len(cell.near) > len(cell.alike) else ""
    if not apart and len(cell.near) > MOST_NAMES:
        apart = " alike"
    verb = "holds" if len(cell.near) == 1 else "hold"
    return f"{_names(cell.near)}{apart} {verb} what answers {between(least, most)}"


def _names(names: Sequence[str]) -> str:
    """Return *names* in quotes, the first few of many: some are words like any other."""
    quoted = [f'"{name}"' for name in names]
    if len(quoted) > MOST_NAMES:
        rest = len(quoted) - MOST_NAMES
        return f"{', '.join(quoted[:MOST_NAMES])} and {counted(rest, 'others')}"
    return " and ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))


def _could(told: Told, cell: Cell) -> str:
    size = capacity_told(told, cell)
    if cell.kind == "clairvoyant":
        return f"one who knew every question could with {size}"
    rest = " of the questions that remain" if cell.kind == "remaining" else ""
    return f"any memory of {size} could{rest}"


def capacity_told(told: Told, cell: Cell) -> str:
    """Return the capacity of *cell* in words, e.g. ``10 % of the claims``."""
    unit = told.setting.cost
    return (
        counted(cell.share, unit) if isinstance(cell.share, int) else f"{percent(cell.share)} of the {unit}"
    )


def named(told: Told, cell: Cell) -> str:
    """Return the name of *cell*, e.g. ``queries uniform, 10 % of the claims``."""
    return f"queries {cell.order}, {capacity_told(told, cell)}"


def notes(told: Told) -> Iterator[str]:
    """Yield what must stand beside the answer."""
    yield lead(told)
    column = COLUMNS[told.setting.disclosure]
    yield f'Bound: {BOUNDS[told.first.kind]}. Column "{column}": not compared with any other.'
    if told.setting.reward != "coverage":
        yield f"A question counts as answered where {REWARDS[told.setting.reward]}."
    yield from _deaf(told)
    yield from _doubts(told)
    if told.left_out:
        some = "; ".join(f"{name}: {why}" for name, why in told.left_out[:3])
        yield f"Left out: {counted(len(told.left_out), 'materials')}, e.g. {some}"


def lead(told: Told) -> str:
    """Return how the best stands beside another, and whether that says anything about other materials."""
    cell = told.first
    if math.isnan(cell.best.attained.estimate):
        return f"Of {counted(len(told.materials), 'materials')}, none has a question that it could answer."
    if cell.other is None:
        alone = len(cell.rows) == 1
        return (
            f"No other policy was played; {BASELINE} is what others are held against."
            if alone
            else "All policies attain the same."
        )
    return f"{_times(told, cell, cell.other)}: {_judgement(told, cell)}."


def verdict(told: Told, cell: Cell) -> str | None:
    """Return whether the best of *cell* is told apart from what it is shown beside; None without that."""
    if cell.other is None or not cell.counting:
        return None
    if cell.counting < FEW:
        return "too few materials"
    gap = told.replay.difference(cell.best.policy, cell.other.policy, cell.order, cell.share)
    return "ahead" if gap.lower > 0 else "not told apart"


def _judgement(told: Told, cell: Cell) -> str:
    found = verdict(told, cell)
    if found == "ahead":
        return "it is ahead on materials like these"
    if found == "not told apart":
        return "the two are not told apart"
    verb = "is" if cell.counting == 1 else "are"
    few = counted(cell.counting, "materials")
    return f"{few} {verb} too few to tell whether others would show the same"


def _times(told: Told, cell: Cell, other: Row) -> str:
    best = cell.best
    times = told.replay.ratio(best.policy, other.policy, cell.order, cell.share)
    if not math.isfinite(times.estimate):
        return f'"{other.policy}" holds nothing that answers'
    around = f" ({limits(times, 2)})" if times.known else _over_draws(best, other)
    return f'That is {times.estimate:.2f} times "{other.policy}"{around}'


def _over_draws(best: Row, other: Row) -> str:
    """Return the least and the most ratio over the draws of the questions of one material."""
    ratios = [ours / theirs for ours, theirs in zip(best.draws, other.draws, strict=True) if theirs > 0]
    if len(ratios) < 2:
        return ""
    return f" ({min(ratios):.2f} to {max(ratios):.2f} over {len(ratios)} draws of the questions)"


def _deaf(told: Told) -> Iterator[str]:
    """Yield who can learn from outcomes, but not from what is told here."""
    column = told.setting.disclosure
    deaf = [kind.name for kind in told.kinds if kind.learns and column not in kind.learns]
    if deaf:
        verb = "learns" if len(deaf) == 1 else "learn"
        last = f": {BASELINE} holds what came last" if BASELINE in deaf else ""
        yield f"{', '.join(deaf)} {verb} nothing from {LESSONS[column]}{last}."


def _doubts(told: Told) -> Iterator[str]:
    played = [kind.name for kind in told.kinds if kind.judged]
    if played and told.judged.flattered:
        several = ", ".join(told.judged.flattered[:5])
        yield f"The rule {told.judged.name} was fitted on {several}: what asks it is flattered there."
    elif played and told.judged.name == OTHERS:
        yield "Claims were judged by rules fitted on the other materials."
    elif played and told.judged.fitted_on:
        yield f"Claims were judged by the rule {told.judged.name} ({told.judged.fitted_on})."
    if played and not told.judged.fitted_on:
        yield f"No rule judged the claims: to {', '.join(played)} all unused ones look alike."
    unsure = sorted({each.certainty for each in told.materials} - {"annotated"})
    if unsure:
        yield f"Some supports were {' and '.join(unsure)}, not annotated: an estimate."
    made = sorted({each.question_source for each in told.materials} - {"given", "log"})
    if made:
        yield f"Some questions come from a {' and a '.join(made)}: near to circular."
