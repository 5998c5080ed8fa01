"""A reliability diagram drawn as SVG: how many are true of the claims that are believed so much."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

from memspan.report.layout import Layout
from memspan.report.scale import Scale
from memspan.report.shapes import circle, number, path, rule, text
from memspan.report.systems_chart import svg
from memspan.report.wording import counted, percent, points
from memspan.trust.calibration import Bin, Calibration

SQUARE = Layout(width=344, height=364, left=44, right=332, top=28, bottom=316)
WHOLE, SMALLEST = 14.0, 2.5  # pixels: radius of a group of all claims; areas go with their share of them
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
SURE = 1e-9  # means of beliefs are rounded


def reliability_chart(found: Calibration, title: str) -> str:
    """Return *found* as an SVG element; *title* is what a screen reader says.

    Each point is a group of claims with alike beliefs: across its mean belief, up the share of them that
    is true with its 95 % limits. On the diagonal the two agree.

    >>> from memspan.trust.calibration import calibration
    >>> reliability_chart(calibration([0, 1, 1], [0.1, 0.8, 0.9]), "beliefs").count("<circle")
    3
    """
    x = Scale(1.0, SQUARE.left, SQUARE.right)
    y = Scale(1.0, SQUARE.bottom, SQUARE.top)
    # Small groups last, so that none hides behind a large one.
    drawn = sorted(found.bins, key=lambda each: -each.count)
    return svg(SQUARE, title, [*_ground(x, y), *(_group(each, each.count / found.n, x, y) for each in drawn)])


def reliability_told(found: Calibration, what: str = "claims") -> str:
    """Return how far belief and truth lie apart, in one sentence; *what* it is about stands in the plural.

    >>> from memspan.trust.calibration import calibration
    >>> reliability_told(calibration([0, 1, 1], [0.1, 0.8, 0.9]))
    'Of 3 claims whose truth is known, belief and truth lie 13.3 points apart on average (ECE).'
    """
    claims = f"Of {counted(found.n, what)} whose truth is known"
    apart = f"belief and truth lie {points(found.ece, found.ece)} apart on average (ECE)"
    missed = sum(not each.lower - SURE <= each.belief <= each.upper + SURE for each in found.bins)
    groups = counted(len(found.bins), "groups")
    more = f"; in {missed:,} of {groups} the belief lies outside the 95 % limits" if missed else ""
    return f"{claims}, {apart}{more}."


def _ground(x: Scale, y: Scale) -> Iterator[str]:
    layout = SQUARE
    for share in SHARES:
        yield rule("grid" if share else "axis", layout.left, y(share), layout.right)
        yield text("tick end", layout.left - 8, y(share) + 4, percent(share))
        yield f'<path class="axis" d="M{number(x(share))} {layout.bottom}v5"/>'
        late = share == SHARES[-1]
        place = x(share) + 4 if late else x(share)
        yield text(f"tick {'end' if late else 'middle'}", place, layout.bottom + 19, percent(share))
    yield text("note", 0, 12, "share of them that is true")
    yield text("note end", layout.right + 4, layout.bottom + 38, "belief in the claims")
    yield f'<path class="base" d="{path([(x(0), y(0)), (x(1), y(1))])}"/>'
    yield text("note", x(0) + 8, y(1) + 18, "too doubtful")
    yield text("note end", x(1) - 8, y(0) - 10, "too sure")


def _group(each: Bin, share: float, x: Scale, y: Scale) -> str:
    at = number(x(each.belief))
    limits = f'<path class="limits" d="M{at} {number(y(each.lower))}V{number(y(each.upper))}"/>'
    size = max(WHOLE * math.sqrt(share), SMALLEST)
    point = circle("group", x(each.belief), y(each.rate), size)
    return f"<g><title>{escape(_told(each))}</title>{limits}{point}</g>"


def _told(each: Bin) -> str:
    limits = f"{percent(each.lower).removesuffix(' %')} to {percent(each.upper)}"
    claims = f"{counted(each.count, 'claims')} believed {percent(each.belief)}"
    return f"{claims}: {percent(each.rate)} true ({limits})"
