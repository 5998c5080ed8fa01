"""The league of an evaluation in words and rows: who makes most of the capacity, and where the rest goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import shorten

from memspan.diagnosis import Evaluation, Interval, Point, Standing
from memspan.diagnosis.advice import advise, fix_first
from memspan.diagnosis.recorded import RECORDED
from memspan.diagnosis.running import AS_IT_IS
from memspan.material import Claim
from memspan.report.tables import Table
from memspan.report.wording import counted, percent
from memspan.systems import KINDS, baselines, ruled

COLUMNS = (0.05, 0.1, 0.2, 0.4)
"""Shares of the claims whose standings are shown, where there are more capacities than fit."""
MOST_TOLD = 4
LONGEST = 110
"""Characters of a claim that are told."""
MADE_ELSEWHERE = frozenset({AS_IT_IS, RECORDED})
SIMULATED = frozenset(kind.label for kind in KINDS) - frozenset(
    kind.label for kind in (*baselines.KINDS, *ruled.KINDS)
)
UNRANKED = frozenset({"optimum", "full context"})
"""What systems are held against: no system of its own."""
NEAR = 0.3
"""Percentage points by which whole claims may miss a whole percent that names them."""
SHOWN = 0.2
"""The share of the claims by which systems are sorted, the nearest there is."""
FEW, HALF = 20, 0.5
"""With fewer claims than that a fifth of them is one or two; then systems are sorted at half of them."""
PARTS = {
    "unanswerable": "have no answer",
    "generation": "no support",
    "compression": "capacity",
    "write": "not kept",
    "false": "false claims",
    "read": "held, not read",
    "reasoner": "answered wrongly",
    "anyway": "right anyway",
}
"""What the parts of a waterfall are called."""
MEANINGS = {
    "unanswerable": "nothing in the material answers them: a refusal is right",
    "generation": "they have an answer, but extraction and composition left them without a support",
    "compression": "even the best memory of this capacity leaves them open",
    "write": "the best memory of this capacity answers them, this one does not hold what they need",
    "false": "they are answered, but not by true claims alone",
    "read": "what they need is held, and was not read when they were asked",
    "reasoner": "what they need was read, and the answer was wrong all the same",
    "anyway": "answered rightly though not read: refused rightly, guessed, or known from elsewhere",
}
"""What they mean."""


def end_name(*, answered: bool) -> str:
    """Return what is called that is left at the end of a waterfall."""
    return "answered rightly" if answered else "read"


@dataclass(frozen=True)
class League:
    """Standings as they are shown.

    Attributes:
        places: the capacities shown, as places among those asked for, ascending.
        shares: those capacities as shares of the claims.
        place: the one that sorts; None where systems have only their own size.
        rows: labels of systems, the best first; the optimum before all.
    """

    places: tuple[int, ...]
    shares: tuple[float, ...]
    place: int | None
    rows: tuple[str, ...]


def league_of(evaluation: Evaluation) -> League:
    """Return who stands where in *evaluation*."""
    found = {each.place: each.capacity_share for each in evaluation.standings if each.place is not None}
    places = sorted(found, key=lambda place: found[place])
    small = all(len(ground.material.claims) < FEW for ground in evaluation.grounds)
    sorts = HALF if small else SHOWN
    place = _nearest(found, sorts) if found else None
    some = {_nearest(found, share) for share in (*COLUMNS, sorts)} if found else set()
    chosen = places if len(places) <= len(COLUMNS) else sorted(some, key=lambda each: found[each])
    at = {each.label: each for each in evaluation.standings if each.place == place}
    own = {each.label: each for each in evaluation.standings if each.place is None}
    labels = list(dict.fromkeys(each.label for each in evaluation.standings))
    rows = sorted(labels, key=lambda label: _order(label, at.get(label) or own[label]))
    return League(tuple(chosen), tuple(found[each] for each in chosen), place, tuple(rows))


def sorting(evaluation: Evaluation) -> str:
    """Return the head of the column by which the table of *evaluation* is sorted."""
    league = league_of(evaluation)
    at = {each.place: each.capacity_share for each in evaluation.standings}
    return "own size" if league.place is None else f"at {place_name(at[league.place])}"


def _order(label: str, standing: Standing) -> tuple[bool, float]:
    return label != "optimum", -standing.share_prec.estimate


def place_name(share: float) -> str:
    """Return a capacity as a share of the claims: a whole percent where whole claims miss it by little.

    >>> place_name(0.0493), place_name(0.2), place_name(0.0153)
    ('5 %', '20 %', '1.5 %')
    """
    whole = round(100 * share)
    return f"{whole} %" if whole and abs(100 * share - whole) < NEAR else percent(share)


def _nearest(shares: dict[int, float], wanted: float) -> int:
    return min(shares, key=lambda place: abs(shares[place] - wanted))


def table(evaluation: Evaluation) -> Table:
    """Return one row for each system: its share of the optimum at some capacities, and what it reads."""
    league = league_of(evaluation)
    answered = any(point.u_e2e is not None for point in evaluation.points)
    head = (
        "system",
        *(f"at {place_name(share)}" for share in league.shares),
        "own size",
        "read",
        *(("right",) if answered else ()),
        "tokens a question",
    )
    known = {(each.label, each.place): each for each in evaluation.standings}
    rows = []
    for label in league.rows:
        own = known.get((label, None))
        shown = known.get((label, league.place)) or own
        cells = [told(known.get((label, place))) for place in league.places]
        right = shown.u_e2e if shown else None
        rows.append(
            (
                label,
                *cells,
                told(own),
                percent(shown.u_read.estimate) if shown else "",
                *((percent(right.estimate) if right else "",) if answered else ()),
                f"{shown.tokens_read.estimate:,.0f}" if shown else "",
            )
        )
    return Table(head, tuple(rows))


def told(standing: Standing | None) -> str:
    """Return a share of the optimum as text; true claims alone count."""
    return "" if standing is None else percent(standing.share_prec.estimate)


def ranged(value: Interval) -> str:
    """Return *value* in percent with its limits where they are known and apart."""
    middle = percent(value.estimate)
    if not value.known or percent(value.lower) == percent(value.upper) == middle:
        return middle
    return f"{middle} ({percent(value.lower).removesuffix(' %')} to {percent(value.upper)})"


def headline(evaluation: Evaluation) -> str:
    """Return the finding in one sentence: the best system, and what it makes of its size."""
    if not evaluation.points:
        return "Nothing could be placed under the frontier."
    doubts = [left for left in evaluation.dropped if left.field == "memories"]
    if doubts:  # what follows from so few would sound surer than it is
        return f"{doubts[0].record[:1].upper()}{doubts[0].record[1:]}: {doubts[0].reason}."
    league, label = league_of(evaluation), shown_label(evaluation)
    known = {(each.label, each.place): each for each in evaluation.standings}
    shown = known.get((label, league.place)) or known[label, None]
    if label == "optimum":
        return "Only the optimum was placed: it lies on the frontier by definition."
    at = "At its own size" if shown.place is None else f"At {place_name(shown.capacity_share)} of the claims"
    text = f"{at}, {label} covers {ranged(shown.share_prec)} of what the best memory could"
    chance = known.get(("random", shown.place))
    more = f"; a random one {percent(chance.share_prec.estimate)}" if chance and chance is not shown else ""
    return f"{text}{more}."


def shown_label(evaluation: Evaluation) -> str:
    """Return the system that is told of: the best of those brought as they are, else the best one.

    What was brought, a store or a recorded run, has its own size only; it is what the reader asks about.
    """
    league = league_of(evaluation)
    at = {each.label for each in evaluation.standings if each.place is not None}
    ranked = [label for label in league.rows if label not in UNRANKED]
    brought = [label for label in ranked if label not in at]
    chosen = [label for label in ranked if label != "random"]  # luck is no rule
    return (brought or chosen or ranked or list(league.rows))[0]


def losses(points: Sequence[Point]) -> Table:
    """Return where the questions of *points*, one system on all materials, are lost, on average."""
    names = [name for name, _ in points[0].waterfall.parts]
    means = {
        name: sum(dict(point.waterfall.parts)[name].estimate for point in points) / len(points)
        for name in names
    }
    rows = [(PARTS[name], percent(abs(mean))) for name, mean in means.items() if mean]
    left = 1 - sum(point.waterfall.lost.estimate for point in points) / len(points)
    end = end_name(answered=points[0].waterfall.answered)
    return Table(("of all questions", ""), (*rows, (end, percent(left))))


def shown_points(evaluation: Evaluation) -> tuple[Point, ...]:
    """Return the points of the best system at the capacity that is shown; the only one where there is one."""
    place, points = league_of(evaluation).place, evaluation.of(shown_label(evaluation))
    return tuple(each for each in points if each.place == place) or points


def first_fix(evaluation: Evaluation) -> str:
    """Return what to fix first in the system that `shown_points` shows, on the material that loses most."""
    points = shown_points(evaluation)
    worst = max(points, key=lambda point: point.waterfall.lost.estimate)
    of = f" on {worst.material}" if len(points) > 1 else ""
    return f"{worst.label}{of}: {fix_first(worst)[1]}"


def to_do(evaluation: Evaluation) -> list[str]:
    """Return what to add to and to drop from the memory shown; nothing where there are several materials."""
    points = shown_points(evaluation)
    if len(points) != 1:
        return []
    advice = advise(points[0], evaluation.ground_of(points[0]))
    added = [f"{' and '.join(each.claims)} (+{percent(each.gain)})" for each in advice.add[:MOST_TOLD]]
    dropped = [f"{each.claim} ({each.reason})" for each in advice.drop[:MOST_TOLD]]
    lines = []
    if (
        points[0].variant in MADE_ELSEWHERE
    ):  # its notes have names of their own: claims are told by their words
        material = evaluation.ground_of(points[0]).material
        lines += [
            f"Missing (+{percent(each.gain)}): {'; '.join(_worded(material.claim(c)) for c in each.claims)}"
            for each in advice.add[:MOST_TOLD]
        ]
        return [*lines, f"… {_more(advice.add).strip()}"] if _more(advice.add) else lines
    if added:
        lines.append(f"Add {', '.join(added)}{_more(advice.add)}.")
    if dropped:
        lines.append(f"Drop {', '.join(dropped)}{_more(advice.drop)}: without loss.")
    return lines


def _worded(claim: Claim) -> str:
    where = f" ({claim.source})" if claim.source else ""
    return f"{shorten(claim.text, LONGEST, placeholder=' …')}{where} [{claim.id}]"


def _more(listed: Sequence[object]) -> str:
    return f" and {len(listed) - MOST_TOLD:,} more" if len(listed) > MOST_TOLD else ""


def caution(evaluation: Evaluation) -> str:
    """Return why the numbers are estimates, in one sentence; nothing where nothing was found or made."""
    sources = sorted({ground.frontier.support_source for ground in evaluation.grounds} - {"annotated"})
    origins = {ground.material.question_source for ground in evaluation.grounds} & {"model", "template"}
    parts = [f"supports were {' or '.join(sources)}, not annotated"] if sources else []
    parts += [f"questions were made by a {' or a '.join(sorted(origins))}"] if origins else []
    return f"An estimate, not a proof: {' and '.join(parts)}." if parts else ""


def flattery(evaluation: Evaluation) -> list[str]:
    """Return for each system that was fitted on what it is evaluated on that it is flattered."""
    several = len(evaluation.grounds)
    told = []
    for label, names in evaluation.flattered.items():
        if several > 1 and len(names) == several:
            on = "every material here"
        else:
            on = ", ".join(names[:MOST_TOLD])
            on += f" and {len(names) - MOST_TOLD:,} more" if len(names) > MOST_TOLD else ""
        told.append(
            f"{label} was fitted on {on}: it is flattered there; judge it on material that it has not seen."
        )
    return told


def whole(evaluation: Evaluation) -> str:
    """Return what was evaluated, in one sentence."""
    systems = len({point.label for point in evaluation.points})
    questions = sum(len(ground.material.queries) for ground in evaluation.grounds)
    simulated = any(point.label in SIMULATED for point in evaluation.points)
    how = (
        " Named systems are simulated: a plain stand-in writes what a language model would."
        if simulated
        else ""
    )
    return (
        f"{counted(systems, 'systems')} on {counted(len(evaluation.grounds), 'materials')}, "
        f"{counted(questions, 'questions')}; shares are of what the best memory of the same size covers.{how}"
    )
