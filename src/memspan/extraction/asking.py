"""Windows to atomic claims by a chat model; each claim must show where the source says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from memspan.errors import ModelError, SpendingError
from memspan.extraction.claims import Report, headings_told
from memspan.extraction.document import Document
from memspan.extraction.journal import Journal
from memspan.extraction.locating import located
from memspan.extraction.windows import Region, Window, windows_of
from memspan.language.dates import iso_time
from memspan.language.tokens import count_tokens
from memspan.material import Claim, Dropped, Material
from memspan.ports import ChatModel, Message

UNSUPPORTED = 0.1  # prior truth of a claim whose quote the source does not hold
_MODEL = "model"  # the field of `Dropped` that failures of the model are told under
PATIENCE = 3  # failures in a row after which nothing more is asked

INSTRUCTION = """\
You take notes for a memory. List every statement of the text that could be asked about later: facts,
events, preferences, plans, rules. Each claim is atomic, stands alone (write names instead of I, you, he,
it; write dates instead of yesterday or last week) and carries a quote: the words of the text that say it,
copied letter by letter. Claim nothing that the text does not say. Skip greetings and small talk. What
stands under "Before it" only helps to understand; list nothing from there."""


@dataclass
class _Work:
    """What has been done so far."""

    answers: list[tuple[Window, Any]]
    dropped: list[Dropped]
    failures: int = 0
    unfinished: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    stopped: str = ""


def atomic_claims(
    document: Document, chat: ChatModel, *, journal: Journal | None = None, report: Report | None = None
) -> Material:
    """Return the atomic claims that *chat* finds in *document*, each checked against the source.

    A claim's `quote` is the source's own words at its `span`. A claim whose quote is nowhere in its
    window stays, without a span, with a prior truth of 0.1 and a line in `dropped`. A window for
    which the model fails is told in `dropped`; after three failures in a row, or when a spending cap
    is reached, the rest is not asked. Nothing of this raises: ``extra["extracted"]["unfinished"]``
    says how many windows are missing, and with a *journal* a second call asks those alone.

    Args:
        document: what `read` gives.
        chat: the model.
        journal: keeps each answer on disk as soon as it is there.
        report: told how many windows are done, and of how many.

    Raises:
        FileError: the journal cannot be written.
    """
    windows = list(windows_of(document))
    work = _asked(windows, chat, journal, report)
    claims = _ordered(document, work)
    how = {
        "kind": document.kind,
        "unit": "atomic",
        "model": chat.name,
        "windows": len(windows),
        "unfinished": work.unfinished,
        "tokens_in": work.tokens_in,
        "tokens_out": work.tokens_out,
    }
    dropped = (*document.dropped, *headings_told(document), *work.dropped)
    return Material(document.id, claims, dropped=dropped, extra={**document.extra, "extracted": how})


def _asked(
    windows: Sequence[Window], chat: ChatModel, journal: Journal | None, report: Report | None
) -> _Work:
    work = _Work([], [])
    for done, window in enumerate(windows):
        if report is not None:
            report(done, len(windows))
        key = window.key(chat.name, INSTRUCTION)
        answer = _known(journal, key)
        if answer is None and not work.stopped:
            answer = _answer(window, chat, work)
            if answer is not None and journal is not None:
                journal.add(key, answer)
        if answer is None:
            work.unfinished += 1
        else:
            work.answers.append((window, answer))
    if work.stopped:
        left = "1 window is" if work.unfinished == 1 else f"{work.unfinished} windows are"
        work.dropped.append(Dropped("windows", _MODEL, f"{work.stopped}; {left} not finished"))
    return work


def _known(journal: Journal | None, key: str) -> list[dict[str, Any]] | None:
    """Return what *journal* holds under *key*; None where it is nothing that a model could have said."""
    from pydantic import ValidationError

    from memspan.extraction.forms import AtomicClaims

    kept = journal.get(key) if journal is not None else None
    if kept is None:
        return None
    try:
        return [claim.model_dump() for claim in AtomicClaims.model_validate({"claims": kept}).claims]
    except ValidationError:
        return None


def is_failure(dropped: Dropped) -> bool:
    """Tell whether *dropped* says why the model did not answer."""
    return dropped.field == _MODEL


def _answer(window: Window, chat: ChatModel, work: _Work) -> list[dict[str, Any]] | None:
    """Return what the model finds in *window*; None where it fails, with the reason in *work*."""
    from pydantic import ValidationError

    from memspan.extraction.forms import AtomicClaims

    messages = (Message("system", INSTRUCTION), Message("user", window.shown))
    try:
        reply = chat.reply(messages, AtomicClaims)
        value = (
            reply.value
            if isinstance(reply.value, AtomicClaims)
            else AtomicClaims.model_validate_json(reply.text)
        )
    except SpendingError as error:
        work.stopped = f"stopped: {error}"
        return None
    except (ModelError, ValidationError) as error:
        work.failures += 1
        work.dropped.append(Dropped(window.place, _MODEL, f"the model failed: {error}"))
        if work.failures >= PATIENCE:
            work.stopped = f"stopped after {work.failures} failures in a row"
        return None
    work.failures = 0
    work.tokens_in += reply.tokens_in
    work.tokens_out += reply.tokens_out
    return [claim.model_dump() for claim in value.claims]


# --- answers to claims ------------------------------------------------------------------------------


def _ordered(document: Document, work: _Work) -> tuple[Claim, ...]:
    """Return the claims of all answers, by their place in each window, the same one only once."""
    claims: dict[tuple[Any, ...], Claim] = {}
    for window, answer in work.answers:
        made = [_claim(window, record, document, work.dropped) for record in answer if record["text"].strip()]
        for claim in sorted(made, key=lambda claim: (claim.span is None, _position(window, claim))):
            claims.setdefault((claim.text, claim.source, claim.span), claim)
    return tuple(replace(claim, id=f"c{i}") for i, claim in enumerate(claims.values(), 1))


def _position(window: Window, claim: Claim) -> tuple[int, int]:
    sources = [region.piece.passage.source for region in window.regions]
    source = sources.index(claim.source) if claim.source in sources else len(sources)
    return source, claim.span[0] if claim.span else 0


def _claim(window: Window, record: dict[str, Any], document: Document, dropped: list[Dropped]) -> Claim:
    text = " ".join(record["text"].split())
    costs = {"tokens": count_tokens(text)}
    place = _place(record["quote"], window)
    if place is None:
        reason = (
            f"unsupported: the quote {record['quote'][:60]!r} of the claim {text[:60]!r} is not in the text"
        )
        dropped.append(Dropped(window.place, "quote", reason, kept=True))
        extra = {"unsupported": True, "given_quote": record["quote"]}
        first = window.regions[0].piece.passage
        return Claim(
            "",
            text,
            first.source,
            _time(record, None),
            costs,
            UNSUPPORTED,
            speaker=record["speaker"],
            extra=extra,
        )
    region, start, end, likeness = place
    passage = region.piece.passage
    own = passage.text[start:end]
    return Claim(
        "",
        text,
        passage.source,
        _time(record, passage.time or document.time),
        costs,
        speaker=passage.speaker or record["speaker"],
        quote=None if " ".join(own.split()) == text else own,
        span=(start, end),
        extra={} if likeness == 1 else {"likeness": likeness},
    )


def _place(quote: str, window: Window) -> tuple[Region, int, int, float] | None:
    """Return where the quote stands: the first place that holds it whole, else the likest."""
    best: tuple[Region, int, int, float] | None = None
    for region in window.regions:
        found = located(quote, region.text)
        if found and (best is None or found[2] > best[3]):
            best = (region, region.start + found[0], region.start + found[1], found[2])
    return best


def _time(record: dict[str, Any], otherwise: str | None) -> str | None:
    given = record["time"]
    return (iso_time(given) if isinstance(given, str) else None) or otherwise
