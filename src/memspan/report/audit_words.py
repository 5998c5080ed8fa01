"""An audit in words: the answer first, what is sure apart from what is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from memspan.audit import REMOVABLE, TITLES, Audit, Heard, Kind, Removal
from memspan.datasets.stores.intake import WHOLE
from memspan.report.tables import Table
from memspan.report.wording import counted, percent

FLAGGED: tuple[Kind, ...] = ("vague", "provenance", "scope")
"""Kinds that are told and stay."""


_ONE: Mapping[Kind, str] = {
    **TITLES,
    "exact": "exact duplicate",
    "version": "superseded version",
    "near": "near duplicate",
    "noise": "repeated machine note",
    "boilerplate": "prompt or stock phrase",
}


@dataclass(frozen=True)
class Needs:
    """What a log of questions needs of a store.

    Attributes:
        told: what the best memory answers, in sentences: `memspan.report.finding`.
        idle: memories that help to answer none of them, as far as the text tells.
        questions: how many were asked.
    """

    told: tuple[str, ...]
    idle: tuple[str, ...]
    questions: int


def headline(audits: Sequence[Audit]) -> str:
    """Return what can go, in one sentence."""
    gone = [each for audit in audits for each in audit.removals]
    held = sum(audit.memories for audit in audits)
    of = f"{counted(held, 'memories')}{_across(audits)}"
    if not held:
        return f"There is no memory{_across(audits)} to look at."
    if not gone:
        return f"None of {of} was found to repeat, to be out of date or to be empty."
    kinds = Counter(each.kind for each in gone)
    listed = ", ".join(_named(kind, kinds[kind]) for kind in sorted(kinds, key=lambda kind: -kinds[kind]))
    return f"{_could_go(audits, gone, of)}: {listed}."


def _could_go(audits: Sequence[Audit], gone: Sequence[Removal], of: str) -> str:
    """Return how many surely could go, and how many more are a judgement."""
    sure = [each for each in gone if each.confidence == "sure"]
    judged = [each for each in gone if each.confidence == "likely"]
    first, how = (sure, "surely") if sure else (judged, "likely")
    share = percent(share_of(audits, first))
    told = f"{len(first):,} of {of} ({share} of the tokens) {how} could go at no loss"
    if not sure or not judged:
        return told
    return f"{told}, {len(judged):,} more likely ({percent(share_of(audits, judged))})"


def _named(kind: Kind, count: int) -> str:
    return f"{count:,} {_ONE[kind] if count == 1 else TITLES[kind]}"


def _across(audits: Sequence[Audit]) -> str:
    return f" in {len(audits)} stores" if len(audits) > 1 else ""


def share_of(audits: Sequence[Audit], removals: Sequence[Removal]) -> float:
    """Return the share of all tokens of *audits* that *removals* take, in [0, 1]."""
    whole = sum(audit.all_tokens for audit in audits)
    return sum(each.tokens for each in removals) / whole if whole else 0.0


def notes(audits: Sequence[Audit], needs: Needs | None = None) -> Iterator[str]:
    """Yield what a reader must know beside the headline."""
    gone = [each for audit in audits for each in audit.removals]
    sure = [each for each in gone if each.confidence == "sure"]
    if gone:
        yield _how_sure(len(sure), len(gone))
    unread = sum(len(audit.unread) for audit in audits)
    if unread:
        yield f"{counted(unread, 'records')} of the store could not be read: --json lists them."
    for audit in audits:
        yield from (f"{limit[0].upper()}{limit[1:]}." for limit in audit.limits)
    yield from dict.fromkeys(_of_the_whole(audits))
    if audits and audits[0].heard is not None:
        yield heard_told([audit.heard for audit in audits if audit.heard is not None])
    if needs is None:
        yield "No question was asked, so what is useful is unknown: what stays may still be of no use."
        return
    yield from needs.told
    staying = sum(audit.memories for audit in audits) - len(gone)
    yield _idle_told(len(needs.idle), staying, counted(needs.questions, "questions"))


def _of_the_whole(audits: Sequence[Audit]) -> Iterator[str]:
    """Yield what a reader of the store had to say about the store as a whole."""
    for audit in audits:
        for each in audit.material.dropped:
            if each.kept and each.record == WHOLE:
                yield f"{each.reason[0].upper()}{each.reason[1:]}."


def heard_told(heard: Sequence[Heard]) -> str:
    """Return what was looked for in a transcript and what came of it, in one line.

    >>> heard_told([Heard(54, 27, 0)])
    'Transcript: 54 turns; no memory repeats what the assistant handed out from memory.'
    """
    turns = f"Transcript: {counted(heard[0].turns, 'turns')}"
    if not heard[0].assistant:
        return f"{turns}, none of them by an assistant, so it tells nothing about what was stored again."
    again = sum(each.repeats for each in heard)
    verb = "repeats" if again == 1 else "repeat"
    some = f"{counted(again, 'memories')} {verb}" if again else "no memory repeats"
    return f"{turns}; {some} what the assistant handed out from memory."


def _idle_told(idle: int, staying: int, asked: str) -> str:
    if not idle:
        return f"Every memory that would stay may help with one of the {asked}."
    seem, them, are = ("seems", "it", "it is") if idle == 1 else ("seem", "them", "they are")
    return (
        f"{idle:,} of the {counted(staying, 'memories')} that would stay {seem} to help with none of the "
        f"{asked}. Other questions may need {them}, so {are} not in the list of what can go."
    )


def _how_sure(sure: int, gone: int) -> str:
    judged = gone - sure
    if not judged:
        return "All of this is sure: read off the text or told by the store."
    if not sure:
        return "All of this is a judgement: read the list before you delete."
    told = "Sure is read off the text or told by the store; likely is a judgement"
    return f"{told}: read the list before you delete."


def kinds_table(audits: Sequence[Audit]) -> Table:
    """Return one row for each kind that was found: how many, tokens, how sure, and what happens to them."""
    rows = [*_removable(audits), *_flagged(audits)]
    return Table(("found", "memories", "tokens", "share", "sure", "likely"), tuple(rows))


def _removable(audits: Sequence[Audit]) -> Iterator[tuple[str, ...]]:
    for kind in REMOVABLE:
        some = [each for audit in audits for each in audit.removals if each.kind == kind]
        if some:
            tokens = sum(each.tokens for each in some)
            sure = sum(each.confidence == "sure" for each in some)
            share = percent(share_of(audits, some))
            yield TITLES[kind], f"{len(some):,}", f"{tokens:,}", share, f"{sure:,}", f"{len(some) - sure:,}"


def _flagged(audits: Sequence[Audit]) -> Iterator[tuple[str, ...]]:
    for kind in FLAGGED:
        names = [_names(audit, kind) for audit in audits]
        if not any(names):
            continue
        tokens = sum(
            n for audit, some in zip(audits, names, strict=True) for claim, n in _rows(audit) if claim in some
        )
        whole = sum(audit.all_tokens for audit in audits)
        count = f"{sum(map(len, names)):,}"
        share = percent(tokens / whole) if whole else "-"
        yield f"{TITLES[kind]} (stays)", count, f"{tokens:,}", share, "", ""


def _names(audit: Audit, kind: Kind) -> set[str]:
    return {name for each in audit.findings if each.kind == kind for name in each.memories}


def _rows(audit: Audit) -> Iterator[tuple[str, int]]:
    return zip((claim.id for claim in audit.material.claims), audit.tokens, strict=True)


def missing_told(audits: Sequence[Audit]) -> list[str]:
    """Return which provenance is missing how often, the most frequent first."""
    found: Counter[str] = Counter()
    for audit in audits:
        for each in audit.findings:
            if each.kind in {"provenance", "scope"}:
                found[each.reason] += len(each.memories)
    return [f"{reason}: {counted(count, 'memories')}" for reason, count in found.most_common()]
