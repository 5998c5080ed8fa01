"""How an evaluation was made: what a reader needs to judge or to repeat it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from memspan.diagnosis import Evaluation, Terms
from memspan.diagnosis.recorded import RECORDED
from memspan.material import Dropped
from memspan.report.league import UNRANKED, league_of, place_name
from memspan.report.levels import OPTIMUM, level_of
from memspan.report.line import certified_count
from memspan.report.method import SOURCES, versions
from memspan.report.origins import NOTES
from memspan.report.tables import Table
from memspan.report.wording import counted, percent
from memspan.systems import KINDS

PLAIN_AUTHOR = "plain"
AS_IT_IS = "as it is"
"""Variant of a store that was not replayed."""


def method(evaluation: Evaluation, terms: Terms | None = None) -> Iterator[tuple[str, str]]:
    """Yield how *evaluation* was made, as (name, value).

    Args:
        evaluation: what was found.
        terms: how it was made; what only they tell is left out without them.
    """
    yield "Supports", "; ".join(_supports(evaluation))
    yield "Questions", _questions(evaluation)
    yield "Level", _level(evaluation)
    yield "Capacities", _capacities(evaluation)
    yield "Frontier", _frontier(evaluation)
    yield "Intervals", _intervals(evaluation)
    if terms is not None:
        yield "Model-made parts", _author(terms)
        yield "Answers", _answers(evaluation, terms)
        if terms.noise is not None:
            yield "Judge", _noise(terms)
        yield "Likeness", _likeness(terms)
        yield "Seed", f"{terms.seed}; the same seed gives the same result, for any number of workers"
    if evaluation.trust:
        yield "Beliefs", _beliefs(evaluation)
    yield "Utilities", _utilities(evaluation)
    yield "Versions", versions()


def systems_table(evaluation: Evaluation) -> Table:
    """Return what each system reads for a question, how it meets a capacity, and where its rules stand."""
    kinds = {kind.label: kind for kind in KINDS}
    k = {point.label: point.k for point in evaluation.points}
    variants = {point.label: point.variant for point in evaluation.points}
    rows = []
    for label in league_of(evaluation).rows:
        kind = kinds.get(label)
        if kind is None:
            how, source = _foreign(label, variants[label])
        else:
            how = (
                "a run for each capacity"
                if kind.bounded or kind.needs_capacity
                else "one run, cut by its own ranking"
            )
            how, source = "its own size" if kind.fixed else how, kind.source or "memspan"
        rows.append((label, "all" if k[label] is None else str(k[label]), how, source))
    return Table(("system", "notes read", "at a capacity", "rules from"), tuple(rows))


def _foreign(label: str, variant: str) -> tuple[str, str]:
    if label in UNRANKED:
        return "the best memory of that capacity", "memspan; it is chosen knowing the questions"
    return (
        ("its own size", "recorded elsewhere") if variant == RECORDED else ("as it was given", "given by you")
    )


def dropped_of(evaluation: Evaluation) -> tuple[Dropped, ...]:
    """Return everything that was left out or repaired: runs, and what each material lacks."""
    found = list(evaluation.dropped)
    for ground in evaluation.grounds:
        found += [*ground.material.dropped, *ground.worlds[0].coverage.dropped]
    return tuple(found)


def _supports(evaluation: Evaluation) -> list[str]:
    found = Counter(ground.frontier.support_source for ground in evaluation.grounds)
    many = len(found) > 1
    return [f"{counted(n, 'materials')}: {SOURCES[s]}" if many else SOURCES[s] for s, n in found.items()]


def _questions(evaluation: Evaluation) -> str:
    asked = sum(len(ground.material.queries) for ground in evaluation.grounds)
    count = sum(len(ground.frontier.coverage.queries) for ground in evaluation.grounds)
    origins = dict.fromkeys(ground.material.question_source for ground in evaluation.grounds)
    notes = "; ".join(NOTES.get(origin, origin) for origin in origins)
    return f"{count:,} of {counted(asked, 'questions')} have a support; {notes}"


def _level(evaluation: Evaluation) -> str:
    levels = Counter(level for g in evaluation.grounds if (level := level_of(g.material)) is not None)
    optimum = f"the best memory is {OPTIMUM.name}: it knows how often each question is asked"
    many = len(levels) > 1 or sum(levels.values()) < len(evaluation.grounds)
    told = []
    for level, count in levels.items():
        of = f" ({counted(count, 'materials')})" if many else ""
        told.append(f"{level.name}{of}: {level.told}")
    return "; ".join([*told, optimum])


def _capacities(evaluation: Evaluation) -> str:
    shares = sorted({e.place: e.capacity_share for e in evaluation.standings if e.place is not None}.items())
    if not shares:
        return "each system at its own size, which counts the claims that its notes rest on"
    named = ", ".join(place_name(share) for _, share in shares)
    own = "systems without a bound also at their own size"
    return f"claims that notes may rest on, as shares of all claims: {named}; {own}"


def _frontier(evaluation: Evaluation) -> str:
    counts = [certified_count(world.frontier) for g in evaluation.grounds for world in g.worlds]
    met, total = (sum(each) for each in zip(*counts, strict=True))
    if met == total:
        return "bounds meet in exact arithmetic at every capacity of each material"
    return (
        f"bounds meet in exact arithmetic at {met:,} of {total:,} capacities; elsewhere the lower one is "
        "drawn, with a band up to the upper one"
    )


def _intervals(evaluation: Evaluation) -> str:
    draws = max(len(ground.worlds) for ground in evaluation.grounds)
    parts = []
    if len(evaluation.grounds) > 1:
        parts.append(
            "means over materials: the middle 95 % of a bootstrap that draws whole materials; with few it is "
            "too short"
        )
    if draws > 1:
        parts.append(
            f"supports that are not sure were drawn {draws} times by their probability: the middle 90 % of "
            "the draws; lists of questions and advice go by the first draw"
        )
    return (
        "; ".join(parts)
        or "none: one material with sure supports; where a number is a range, it rests on bounds"
    )


def _author(terms: Terms) -> str:
    name = terms.author.name
    if name == PLAIN_AUTHOR:
        return (
            "importance, summaries, keywords, links and verdicts, which a language model writes in the "
            f"originals, were written by the offline stand-in {name!r}: it counts words; no model was asked"
        )
    return f"importance, summaries, keywords, links and verdicts were written by {name}"


def _answers(evaluation: Evaluation, terms: Terms) -> str:
    if terms.reasoner is not None and terms.judge is not None:
        return f"{terms.reasoner.name} answered from the notes read alone; {terms.judge.name} judged"
    if any(point.u_e2e is not None for point in evaluation.points):
        return "recorded elsewhere; simulated systems end at what was read"
    return "nobody answered: a question counts as read where the notes read hold all claims of a support"


def _noise(terms: Terms) -> str:
    noise = terms.noise
    if noise is None:
        return ""
    return (
        f"calls {percent(noise.false_right)} of wrong answers right and {percent(noise.false_wrong)} of "
        "right ones wrong; masses answered rightly are corrected for it"
    )


def _likeness(terms: Terms) -> str:
    return "words, hashed; no model" if terms.embedder is None else terms.embedder.name


def _beliefs(evaluation: Evaluation) -> str:
    claims = sum(each.claims for each in evaluation.trust.values())
    return (
        f"about {counted(claims, 'claims')}; expected by true claims: for each question 1 - product of "
        "(1 - belief in a support) over the supports held; expected water is what is covered less that"
    )


def _utilities(evaluation: Evaluation) -> str:
    over = "the questions that have a support" if evaluation.over == "answerable" else "all questions"
    return f"shares of the weight of {over}; the waterfall starts from all questions, answerable or not"


def limits(told: Sequence[object], evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Yield what the page leaves out to stay small: *told* are the materials that it carries."""
    if len(told) < len(evaluation.grounds):
        some = f"the first {len(told):,} of {len(evaluation.grounds):,} materials"
        more = "means are over all; narrow the run with --material to see others"
        yield "This page", f"lists questions and memories of {some}; {more}"
