"""The page of an audit: the answer, how the store grew, and the list that a person works through."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from memspan.audit import TITLES, Audit
from memspan.diagnosis import Evaluation
from memspan.files import replace_file
from memspan.report.assets import asset, environment, script_hash
from memspan.report.audit_placed import placement
from memspan.report.audit_words import Needs, headline, kinds_table, missing_told, notes
from memspan.report.embedding import script_safe, shortened
from memspan.report.files import refuse_unwritable
from memspan.report.growth_chart import NARROW, WIDE, growth_chart
from memspan.report.method import versions
from memspan.report.tables import Table
from memspan.report.wording import counted, percent

MOST_STATIC = 300  # rows of a table that reads without JavaScript
MOST_CHARACTERS = 6_000_000  # of texts that one page carries
LONGEST = 400  # characters of one text
SCRIPTS = ("words.js", "table.js", "audit.js")


def render_audit(
    audits: Sequence[Audit], needs: Needs | None = None, placed: Evaluation | None = None
) -> str:
    """Return *audits* as one HTML page that needs neither network nor JavaScript.

    Where the store was *placed* under the frontier of its transcript, the page says what it misses.

    >>> from memspan.audit import audit
    >>> from memspan.material import Claim, Material
    >>> store = Material("s", (Claim("a", "Tea is nice."), Claim("b", "tea is nice")))
    >>> render_audit([audit(store)]).startswith("<!doctype html>")
    True
    """
    code = "\n".join(asset(name) for name in SCRIPTS)
    page: str = (
        environment()
        .get_template("audit.html.jinja")
        .render(
            title=audits[0].material.id if len(audits) == 1 else counted(len(audits), "stores"),
            finding=headline(audits),
            notes=list(notes(audits, needs)),
            style=Markup("".join(asset(name) for name in ("chart.css", "page.css", "audit.css"))),  # noqa: S704 - our own files
            code=Markup(code),  # noqa: S704 - likewise
            code_hash=script_hash(code),
            kinds=kinds_table(audits),
            sections=[_section(i, audit, needs, several=len(audits) > 1) for i, audit in enumerate(audits)],
            missing=missing_told(audits),
            placed=None if placed is None else placement(placed),
            versions=versions(),
        )
    )
    return page.encode("utf-8", "replace").decode()


def write_audit(
    audits: Sequence[Audit],
    path: str | os.PathLike[str],
    needs: Needs | None = None,
    placed: Evaluation | None = None,
) -> None:
    """Write the page on *audits* to *path*; the file appears whole or not at all.

    Raises:
        FileError: the disk refuses.
    """
    target = Path(path)
    refuse_unwritable(target)
    replace_file(target, [render_audit(audits, needs, placed)])


def _section(index: int, audit: Audit, needs: Needs | None, *, several: bool) -> dict[str, Any]:
    grown = len(audit.growth.periods) > 1
    told = headline([audit])
    return {
        "index": index,
        "id": audit.material.id,
        "several": several,
        "finding": told,
        "charts": _charts(audit, told) if grown else None,
        "undated": counted(audit.growth.undated, "memories") if audit.growth.undated else "",
        "gone": _gone(audit),
        "removals": len(audit.removals),
        "vague": _vague(audit),
        "idle": _idle(audit, needs),
        "longest": _longest(audit),
        "memories": counted(audit.memories, "memories"),
        "tokens": counted(audit.all_tokens, "tokens"),
        "limits": audit.limits,
        "unread": audit.unread[:MOST_STATIC],
        "data": Markup(script_safe(_carried(audit))),  # noqa: S704 - escaped for a script element
    }


def _charts(audit: Audit, title: str) -> dict[str, Markup]:
    return {
        "wide": Markup(growth_chart(audit.growth, WIDE, title)),  # noqa: S704 - texts are escaped where it is drawn
        "narrow": Markup(growth_chart(audit.growth, NARROW, title)),  # noqa: S704 - likewise
    }


def _gone(audit: Audit) -> Table:
    rows = tuple(
        (
            each.memory,
            _text(audit, each.memory),
            TITLES[each.kind],
            each.confidence,
            _kept(audit, each.keep),
            each.reason,
        )
        for each in audit.removals[:MOST_STATIC]
    )
    head = ("id", "memory", "what", "how sure", "kept instead", "reason")
    return Table(head, rows, max(len(audit.removals) - MOST_STATIC, 0))


def _kept(audit: Audit, name: str | None) -> str:
    return "" if name is None else f"{name}: {_text(audit, name)}"


def _text(audit: Audit, name: str, longest: int = LONGEST) -> str:
    return shortened(audit.material.claim(name).text, longest)


def _vague(audit: Audit) -> Table:
    found = [each for each in audit.findings if each.kind == "vague"]
    rows = tuple(
        (each.memories[0], _text(audit, each.memories[0]), each.reason) for each in found[:MOST_STATIC]
    )
    return Table(("id", "memory", "reason"), rows, max(len(found) - MOST_STATIC, 0))


def _idle(audit: Audit, needs: Needs | None) -> Table:
    here = (
        () if needs is None else tuple(name for name in needs.idle if name in audit.material.claim_position)
    )
    rows = tuple((name, _text(audit, name)) for name in here[:MOST_STATIC])
    return Table(("id", "memory"), rows, max(len(here) - MOST_STATIC, 0))


def _longest(audit: Audit) -> Table:
    whole = max(audit.all_tokens, 1)
    rows = tuple(
        (name, _text(audit, name, 160), f"{tokens:,}", percent(tokens / whole))
        for name, tokens in audit.longest(5)
    )
    return Table(("id", "memory", "tokens", "share"), rows)


def _carried(audit: Audit) -> dict[str, Any]:
    """Return the list as the page's script reads it: columns, each text and each reason once."""
    kept = [each.keep for each in audit.removals]
    names = list(dict.fromkeys([*(each.memory for each in audit.removals), *(name for name in kept if name)]))
    longest = max(80, min(LONGEST, MOST_CHARACTERS // max(len(names), 1)))
    place = {name: i for i, name in enumerate(names)}
    reasons = list(dict.fromkeys(each.reason for each in audit.removals))
    return {
        "all": audit.all_tokens,
        "id": names,
        "text": [_text(audit, name, longest) for name in names],
        "time": [audit.material.claim(name).time or "" for name in names],
        "reasons": reasons,
        "rows": [
            [
                place[each.memory],
                TITLES[each.kind],
                reasons.index(each.reason),
                each.confidence,
                -1 if each.keep is None else place[each.keep],
                each.tokens,
            ]
            for each in audit.removals
        ],
    }
