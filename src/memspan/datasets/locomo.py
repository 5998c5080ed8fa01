"""LoCoMo: long conversations over many sessions, with questions and the turns that answer them.

Source: Maharana et al., *Evaluating Very Long-Term Conversational Memory of LLM Agents*,
ACL 2024; data CC BY-NC 4.0, https://github.com/snap-research/locomo.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from memspan.datasets.fields import (
    Misfit,
    answer_of,
    distinct,
    each,
    each_material,
    iso,
    listing,
    mapping,
    optional_text,
    rest_of,
    text,
)
from memspan.datasets.format import Format
from memspan.datasets.json_text import shown
from memspan.datasets.source import Source
from memspan.material import Claim, Dropped, Material, Query, Support

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}

Carriers = Mapping[str, tuple[str, ...]]
"""Turn id to the claims that carry the turn's content."""

_SESSION = re.compile(r"session_(\d+)")
_DATE = re.compile(r"(session_\d+)_date_time")
_OBSERVED = re.compile(r"session_(\d+)_observation")
_TURN = re.compile(r"D:?0*(\d+):0*(\d+)")


def _detect(source: Source) -> bool:
    return {"qa", "conversation"} <= source.first.keys()


def _read(source: Source, claims: str) -> list[Material]:
    return each_material(source, lambda place, record: _material(place, record, claims))


def _material(place: str, record: Any, unit: str) -> Material:
    dropped: list[Dropped] = []
    claims = _turns(mapping(record, "conversation"), dropped)
    carriers: Carriers = {turn.id: (turn.id,) for turn in claims}
    if unit == "observations":
        claims, carriers = _observations(record, claims, dropped)
    asked = listing(record, "qa")
    queries = tuple(each(asked, "qa", lambda at, qa: _query(at, qa, carriers, dropped), dropped))
    _report_repeats(asked, dropped)
    name = optional_text(record, "sample_id") or f"conversation {place}"
    return Material(name, tuple(claims), queries=queries, dropped=tuple(dropped))


# --- turns --------------------------------------------------------------------------------------


def _turns(conversation: Mapping[str, Any], dropped: list[Dropped]) -> list[Claim]:
    """Return the turns of all sessions in order; a later use of an id gets a number."""
    turns: list[Claim] = []
    for number in sorted(int(m[1]) for m in map(_SESSION.fullmatch, conversation) if m):
        place = f"conversation.session_{number}"
        said = listing(conversation, f"session_{number}")
        if not said:
            dropped.append(Dropped(place, "", "has no turns", kept=True))
        session = Claim("", source=f"session {number}", time=_date(conversation, number))
        turns += each(said, place, partial(_turn, session), dropped)
    _report_dates(conversation, dropped)
    _report_captions(turns, dropped)
    return _renumbered(turns, dropped)


def _date(conversation: Mapping[str, Any], number: int) -> str | None:
    return iso(optional_text(conversation, f"session_{number}_date_time"))


def _turn(session: Claim, _: str, raw: Any) -> Claim:
    speaker = text(raw, "speaker")
    said = f"{speaker}: {text(raw, 'text')}"
    caption = optional_text(raw, "blip_caption")
    told = f"{said} (image: {caption})" if caption else said
    rest = rest_of(raw, {"dia_id", "text", "speaker"})
    return replace(session, id=text(raw, "dia_id"), text=told, speaker=speaker, extra=rest)


def _renumbered(turns: list[Claim], dropped: list[Dropped]) -> list[Claim]:
    names = distinct([turn.id for turn in turns])
    for turn, name in zip(turns, names, strict=True):
        if name != turn.id:
            reason = f"{turn.id!r} stands twice; the later turn becomes {name!r}"
            dropped.append(Dropped(f"turn {name}", "dia_id", reason, kept=True))
    return [replace(turn, id=name) for turn, name in zip(turns, names, strict=True)]


def _report_dates(conversation: Mapping[str, Any], dropped: list[Dropped]) -> None:
    for match in filter(None, map(_DATE.fullmatch, conversation)):
        if match[1] not in conversation:
            reason = "is the date of a session that is not there; left out"
            dropped.append(Dropped("conversation", match[0], reason, kept=True))


def _report_captions(turns: list[Claim], dropped: list[Dropped]) -> None:
    bare = sum("blip_caption" in turn.extra and not turn.extra.get("img_url") for turn in turns)
    if bare:
        reason = f"{bare} turns have a caption and no image; the caption is used"
        dropped.append(Dropped("conversation", "img_url", reason, kept=True))


# --- observations -------------------------------------------------------------------------------


def _observations(record: Any, turns: list[Claim], dropped: list[Dropped]) -> tuple[list[Claim], Carriers]:
    """Return the observations as claims, and which of them cite each turn."""
    known = {turn.id for turn in turns}
    times = {turn.source: turn.time for turn in turns}
    claims: list[Claim] = []
    carriers: dict[str, tuple[str, ...]] = dict.fromkeys(known, ())
    for number, place, speaker, raw in _observed(mapping(record, "observation")):
        told, cited = _observation(place, raw, known, dropped)
        name = f"O{number}:{1 + sum(claim.source == f'session {number}' for claim in claims)}"
        source = f"session {number}"
        claims.append(Claim(name, told, source, times.get(source), speaker=speaker, extra={"turns": cited}))
        for turn in cited:
            carriers[turn] += (name,)
    return claims, carriers


def _observed(observation: Mapping[str, Any]) -> Iterator[tuple[int, str, str, Any]]:
    """Yield session number, place, speaker and the raw observation, in order of sessions."""
    for number in sorted(int(m[1]) for m in map(_OBSERVED.fullmatch, observation) if m):
        name = f"session_{number}_observation"
        for speaker in mapping(observation, name):
            for i, raw in enumerate(listing(observation[name], speaker)):
                yield number, f"observation.{name}.{speaker}[{i}]", speaker, raw


def _observation(
    place: str, raw: Any, known: Collection[str], dropped: list[Dropped]
) -> tuple[str, list[str]]:
    """Return an observation's text and the turns it cites; a misshapen one is kept without turns."""
    if not (isinstance(raw, list) and len(raw) >= 2 and isinstance(raw[0], str)):
        dropped.append(Dropped(place, "", f"is {shown(raw)}; expected a text and its turns", kept=True))
        return str(raw), []
    found, repairs, unknown = turn_ids(raw[1], known)
    if repairs:
        dropped.append(Dropped(place, "evidence", f"{'; '.join(repairs)}", kept=True))
    if unknown:
        dropped.append(Dropped(place, "evidence", f"names no turn: {', '.join(unknown)}", kept=True))
    return raw[0], found


# --- questions ----------------------------------------------------------------------------------


def turn_ids(evidence: Any, known: Collection[str]) -> tuple[list[str], list[str], list[str]]:
    """Return the turn ids that *evidence* means, what was repaired, and what names no turn.

    >>> turn_ids(["D1:2; D:3:04", "D9:9"], {"D1:2", "D3:4"})
    (['D1:2', 'D3:4'], ["'D1:2; D:3:04' holds several ids", "'D:3:04' is read as 'D3:4'"], ['D9:9'])
    """
    found: list[str] = []
    repairs: list[str] = []
    unknown: list[str] = []
    for raw in evidence if isinstance(evidence, list) else [evidence]:
        parts = [part for part in re.split(r"[;,\s]+", raw) if part] if isinstance(raw, str) else [shown(raw)]
        if len(parts) > 1:
            repairs.append(f"{raw!r} holds several ids")
        for part in parts:
            name = _canonical(part, known)
            (found if name in known else unknown).append(name if name in known else part)
            if name in known and name != part:
                repairs.append(f"{part!r} is read as {name!r}")
    return list(dict.fromkeys(found)), repairs, unknown


def _canonical(name: str, known: Collection[str]) -> str:
    match = None if name in known else _TURN.fullmatch(name)
    return f"D{match[1]}:{match[2]}" if match else name


def _query(place: str, qa: Any, carriers: Carriers, dropped: list[Dropped]) -> Query:
    number = place.removeprefix("qa[").removesuffix("]")
    asked = Query(f"qa{number}", text(qa, "question"), category=_category(qa))
    if qa["category"] == 5:
        return _adversarial(place, qa, asked, dropped)
    evidence = qa.get("evidence")
    if not evidence:
        raise Misfit("evidence", "is empty, so nothing is known to answer the question")
    found, repairs, unknown = turn_ids(evidence, carriers)
    if unknown:
        raise Misfit("evidence", f"names nothing that exists: {', '.join(unknown)}")
    silent = [turn for turn in found if not carriers[turn]]
    if silent:
        raise Misfit("evidence", f"no observation cites {', '.join(silent)}")
    if repairs:
        dropped.append(Dropped(place, "evidence", "; ".join(repairs), kept=True))
    claims = tuple(dict.fromkeys(name for turn in found for name in carriers[turn]))
    return replace(asked, answer=answer_of(qa, place, dropped), supports=(Support(claims),))


def _category(qa: Any) -> str:
    number = qa.get("category")
    if isinstance(number, bool) or not isinstance(number, int):
        raise Misfit("category", f"is {shown(number)}; expected a number, 1 to 5")
    return CATEGORIES.get(number, str(number))


def _adversarial(place: str, qa: Any, asked: Query, dropped: list[Dropped]) -> Query:
    """Return a question whose right answer is a refusal; its tempting evidence supports nothing."""
    if "answer" in qa and "adversarial_answer" in qa:
        reason = "stands beside an adversarial answer; the right answer is a refusal"
        dropped.append(Dropped(place, "answer", reason, kept=True))
    return replace(asked, answerable=False, extra=rest_of(qa, {"question", "category"}))


def _report_repeats(asked: list[Any], dropped: list[Dropped]) -> None:
    first: dict[str, int] = {}
    for i, qa in enumerate(asked):
        question = qa.get("question") if isinstance(qa, dict) else None
        if isinstance(question, str) and first.setdefault(question, i) != i:
            reason = f"asks the same as qa[{first[question]}]; both are kept"
            dropped.append(Dropped(f"qa[{i}]", "question", reason, kept=True))


LOCOMO = Format("locomo", "LoCoMo", _detect, _read, claims=("turns", "observations"))
