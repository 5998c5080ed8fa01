"""The page of trust: the answer, how trust is spread, doubtful claims with what speaks against them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from markupsafe import Markup

from memspan.files import replace_file
from memspan.report.assets import asset, environment, script_hash
from memspan.report.embedding import script_safe, shortened
from memspan.report.files import refuse_unwritable
from memspan.report.method import versions
from memspan.report.reliability import reliability_chart, reliability_told
from memspan.report.shares import pull, share
from memspan.report.tables import Table
from memspan.report.tau_chart import NARROW, WIDE, tau_chart
from memspan.report.trust_reasons import reason, sentences
from memspan.report.trust_words import (
    ABOVE,
    SETTLED,
    STILL,
    UNRELIABLE,
    Told,
    doubted,
    headline,
    notes,
    outcome,
    settlers_table,
    sources_table,
    who,
)
from memspan.report.wording import percent
from memspan.trust import Terms
from memspan.trust.doubt import DoubtfulClaim
from memspan.trust.speaking import Spoken

MOST_STATIC = 40  # claims that open without JavaScript
MOST_ROWS = 300
LONGEST = 400  # characters of one text
SCRIPTS = ("words.js", "table.js", "trust.js")


def render_trust(told: Told) -> str:
    """Return what is *told* of trust as one HTML page that needs neither network nor JavaScript.

    >>> import memspan as ms
    >>> from memspan.trust import Terms, doubts
    >>> odyssey = ms.bundled("odyssey-noise")
    >>> model = ms.TrustModel(odyssey)
    >>> _ = model.settle(ms.Settlement("q1", 0, ("e0",)))
    >>> render_trust(Told(odyssey, doubts(model, odyssey), model.terms, None)).startswith("<!doctype html>")
    True
    """
    code = "\n".join(asset(name) for name in SCRIPTS)
    style = "".join(
        asset(name) for name in ("chart.css", "page.css", "audit.css", "reliability.css", "trust.css")
    )
    page: str = (
        environment()
        .get_template("trust.html.jinja")
        .render(
            title=told.material.id,
            finding=headline(told),
            notes=list(notes(told)),
            style=Markup(style),  # noqa: S704 - our own files
            code=Markup(code),  # noqa: S704 - likewise
            code_hash=script_hash(code),
            charts=None if told.mute else _charts(told),
            claims=[_claim(told, each) for each in told.doubts.claims[:MOST_STATIC]],
            doubted=doubted(told.doubts),
            inferred=told.doubts.inferred,
            unlisted=told.doubts.more,
            more=told.doubts.more + max(0, len(told.doubts.claims) - MOST_STATIC),
            data=Markup(script_safe([_claim(told, each) for each in told.doubts.claims])),  # noqa: S704 - escaped for a script element
            checked=_checked(told),
            sets=_sets(told),
            settlers=settlers_table(
                told.doubts.settlers, MOST_ROWS, flag=ABOVE if told.doubts.noisy else UNRELIABLE
            ),
            sources=sources_table(told, MOST_ROWS) if told.doubts.sources else None,
            method=list(_method(told)),
            versions=versions(),
        )
    )
    return page.encode("utf-8", "replace").decode()


def write_trust(told: Told, path: str | os.PathLike[str]) -> None:
    """Write the page to *path*; the file appears whole or not at all.

    Raises:
        FileError: the disk refuses.
    """
    target = Path(path)
    refuse_unwritable(target)
    replace_file(target, [render_trust(told)])


def _charts(told: Told) -> dict[str, Markup]:
    tau = told.doubts.trust.tau[told.doubts.trust.touched]
    return {
        "wide": Markup(tau_chart(tau, WIDE, headline(told))),  # noqa: S704 - texts are escaped where it is drawn
        "narrow": Markup(tau_chart(tau, NARROW, headline(told))),  # noqa: S704 - likewise
    }


def _checked(told: Told) -> Markup | None:
    found = told.calibration
    if found is None:
        return None
    return Markup(reliability_chart(found, reliability_told(found, SETTLED)))  # noqa: S704 - texts are escaped where it is drawn


def _claim(told: Told, claim: DoubtfulClaim) -> dict[str, Any]:
    """Return what a row and its fold say about one claim."""
    trust = claim.trust
    return {
        "id": claim.claim,
        "text": _text(told, claim.claim),
        "tau": trust.tau,
        "trust": share(trust.tau),
        "why": reason(claim),
        "prior": share(trust.prior),
        "source": claim.source or "",
        "against": claim.against,
        "for": claim.in_favour,
        "mass": claim.mass or 0.0,
        "share": "" if claim.mass is None else percent(claim.mass),
        "sentences": sentences(claim),
        "spoken": [_spoken(told, claim.claim, each) for each in claim.spoken],
        "unlisted": max(0, claim.against + claim.in_favour - len(claim.spoken)),
        "linked": [
            f"{how} {each.claim} (trust {share(each.tau)}): {_text(told, each.claim)}"
            for how, several in (("rival", claim.rivals), ("ally", claim.allies))
            for each in several[:10]
        ],
    }


def _spoken(told: Told, claim: str, spoken: Spoken) -> list[str]:
    question = told.material.query(spoken.query)
    partners = [name for name in spoken.claims if name != claim]
    return [
        f"{spoken.entry + 1:,}" if spoken.id is None else spoken.id,
        shortened(question.text, LONGEST) or question.id,
        outcome(spoken),
        pull(spoken.weight),
        who(spoken.settler),
        spoken.time or "",
        ", ".join(partners),
    ]


def _text(told: Told, name: str) -> str:
    return shortened(told.material.claim(name).text, LONGEST)


def _sets(told: Told) -> Table:
    found = told.doubts.sets
    rows = tuple(
        (share(each.belief), "; ".join(f"{name} {_text(told, name)}".strip() for name in each.claims))
        for each in found[:MOST_STATIC]
    )
    return Table(("all true", "claims"), rows, told.doubts.more_sets + max(0, len(found) - MOST_STATIC))


def _method(told: Told) -> list[tuple[str, str]]:
    terms, doubts = told.terms, told.doubts
    wrong, right = terms.noise.false_wrong.mean, terms.noise.false_right.mean
    noise = f"{wrong:.2g} wrong though true, {right:.2g} right though false"
    counts = f"{doubts.outcomes:,} in force, {doubts.silent:,} of them about no claim"
    return [
        (
            "Model",
            "support-factor expectation propagation: outcomes are about all claims of a support at once",
        ),
        ("Counted", f"{counts}, {doubts.unsure:,} about one of several supports"),
        ("Noise", f"{noise}; {'learned for each settler' if terms.learned else 'as given'}"),
        ("Prior", f"{terms.base:g} to begin with; then what all claims, and those of the same source, tell"),
        (
            "Drift",
            f"{terms.drift:g} of what a settler said of a support is kept each time it says more of it",
        ),
        ("Caps", f"a settler moves a support by {terms.cap:g} log-odds at most, {_capped(terms)}"),
        ("Refit", _refit(told)),
        ("Trust interval", "what a claim's source leaves open in 90 % of the cases"),
        ("Unreliable settler", "the middle 98 % of an error rate lies above what it was taken to be"),
        (
            "Reliability",
            f"share of true claims, among those settled and {terms.source_weight:g} more that are as all are",
        ),
        ("Unreliable source", "this interval lies below that of all claims"),
        (
            "Outcomes",
            "numbered from 1 as they were read; the JSON's entry and TrustModel.correct count from 0",
        ),
        ("Log-odds", "0.7 makes even odds 2 to 1, 2.2 makes them 9 to 1; shares of outcomes know no order"),
        ("Versions", versions()),
    ]


def _refit(told: Told) -> str:
    if told.refit is None:
        return "not done: outcomes counted once, in the order they came"
    last = f"{told.refit.sweeps} sweeps; messages changed by {told.refit.change:.1g} log-odds at last"
    if told.refit.converged:
        return f"{last}: at rest"
    close = "not at rest, yet too little to be seen" if told.refit.change <= STILL else "not at rest"
    return f"{last}: {close}"


def _capped(terms: Terms) -> str:
    return f"an untrusted one a claim by {terms.cap_untrusted:g}"
