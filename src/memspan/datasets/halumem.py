"""HaluMem: memory points taken from a user's sessions, some of them false, and questions about them.

Source: *HaluMem: Evaluating Hallucinations in Memory Systems of Agents*, 2025 (data CC
BY-NC-ND 4.0), https://github.com/MemTensor/HaluMem.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from memspan.datasets.evidence import choices
from memspan.datasets.fields import (
    Misfit,
    answer_of,
    each,
    each_material,
    iso,
    listing,
    optional_text,
    rest_of,
    text,
)
from memspan.datasets.format import Format
from memspan.datasets.json_text import shown
from memspan.datasets.source import Source
from memspan.material import Claim, Dropped, Material, Query, Support

_BOUNDARY = "Memory Boundary"
_MAPPED = frozenset({"memory_content", "timestamp", "original_memories", "is_update"})


@dataclass
class _User:
    """A user's points while the sessions are read.

    Attributes:
        points: claims so far, in order of time.
        named: ids of the points with a text.
        dropped: what was left out or repaired.
        spelled: how many booleans were written as text.
    """

    points: list[Claim] = field(default_factory=list)
    named: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    dropped: list[Dropped] = field(default_factory=list)
    spelled: int = 0


def _detect(source: Source) -> bool:
    sessions = source.first.get("sessions")
    first = sessions[0] if isinstance(sessions, list) and sessions else None
    return isinstance(first, dict) and "memory_points" in first


def _read(source: Source, _: str) -> list[Material]:
    return each_material(source, _material)


def _material(_: str, record: Any) -> Material:
    user = _User()
    name, sessions = text(record, "uuid"), listing(record, "sessions")
    for i, session in enumerate(sessions, start=1):
        _take_points(user, i, session)
    queries = [query for i, session in enumerate(sessions, start=1) for query in _questions(user, i, session)]
    _report(user, sessions)
    return Material(name, tuple(user.points), queries=tuple(queries), dropped=tuple(user.dropped))


# --- points -------------------------------------------------------------------------------------


def _take_points(user: _User, number: int, session: Any) -> None:
    points = session.get("memory_points") if isinstance(session, dict) else None
    if not isinstance(points, list):
        reason = f"is {shown(points)}; expected a list"
        user.dropped.append(Dropped(f"sessions[{number - 1}]", "memory_points", reason))
        return
    for i, raw in enumerate(points, start=1):
        place = f"sessions[{number - 1}].memory_points[{i - 1}]"
        try:
            point = _point(user, place, f"s{number}p{i}", f"session {number}", raw)
        except Misfit as misfit:
            user.dropped.append(Dropped(place, misfit.field, misfit.reason))
            continue
        user.points.append(point)
        user.named[point.text].append(point.id)


def _point(user: _User, place: str, name: str, source: str, raw: Any) -> Claim:
    return Claim(
        name,
        text(raw, "memory_content"),
        source,
        iso(optional_text(raw, "timestamp")),
        truth=0 if raw.get("memory_source") == "interference" else 1,
        supersedes=_overridden(user, place, raw) if _is_update(user, raw) else (),
        extra=rest_of(raw, _MAPPED),
    )


def _is_update(user: _User, raw: Any) -> bool:
    """Whether a point updates others; the set writes its booleans as text."""
    value = raw.get("is_update")
    user.spelled += isinstance(value, str)
    return value is True or value == "True"


def _overridden(user: _User, place: str, raw: Any) -> tuple[str, ...]:
    """Return the latest earlier point for each of the originals; many match none word for word."""
    given = raw.get("original_memories")
    originals = [str(original) for original in given] if isinstance(given, list) else []
    lost = [original for original in originals if original not in user.named]
    if lost:
        reason = f"{len(lost)} of {len(originals)} match no earlier point word for word: {shown(lost[0])}"
        user.dropped.append(Dropped(place, "original_memories", reason, kept=True))
    found = (user.named[original][-1] for original in originals if original in user.named)
    return tuple(dict.fromkeys(found))


# --- questions ----------------------------------------------------------------------------------


def _questions(user: _User, number: int, session: Any) -> list[Query]:
    asked = session.get("questions") if isinstance(session, dict) else None
    time = iso(optional_text(session, "end_time")) if isinstance(session, dict) else None
    name = f"sessions[{number - 1}].questions"
    read = each(
        asked if isinstance(asked, list) else (),
        name,
        lambda place, raw: _question(user, place, number, time, raw),
        user.dropped,
    )
    return list(read)


def _question(user: _User, place: str, number: int, time: str | None, raw: Any) -> Query:
    position = int(place.rpartition("[")[2].removesuffix("]")) + 1
    kind = optional_text(raw, "question_type")
    extra = {"session": number, **({"difficulty": raw["difficulty"]} if "difficulty" in raw else {})}
    supports = () if kind == _BOUNDARY else _supports(user, raw)
    return Query(
        f"s{number}q{position}",
        text(raw, "question"),
        answer=answer_of(raw, place, user.dropped),
        answerable=kind != _BOUNDARY,
        supports=supports,
        category=kind,
        time=time,
        extra={**extra, "evidence": raw["evidence"]} if kind == _BOUNDARY and raw.get("evidence") else extra,
    )


def _supports(user: _User, raw: Any) -> tuple[Support, ...]:
    """Return the points named in the evidence; where a text stands twice, either point will do."""
    evidence = listing(raw, "evidence")
    if not evidence:
        raise Misfit("evidence", "is empty, so nothing is known to answer the question")
    texts = [point.get("memory_content") if isinstance(point, dict) else point for point in evidence]
    points = [user.named.get(told, []) if isinstance(told, str) else [] for told in texts]
    if not all(points):
        raise Misfit("evidence", f"names no memory point: {shown(texts[points.index([])])}")
    return tuple(Support(claims) for claims in choices(points))


def _report(user: _User, sessions: list[Any]) -> None:
    """Report oddities of the whole file once, not a thousand times."""
    if user.spelled:
        reason = f"{user.spelled} booleans are written as text; read as booleans"
        user.dropped.append(Dropped("memory_points", "is_update", reason, kept=True))
    silent = sum(not (isinstance(session, dict) and session.get("questions")) for session in sessions)
    if silent:
        user.dropped.append(Dropped("sessions", "questions", f"{silent} sessions have none", kept=True))


HALUMEM = Format("halumem", "HaluMem", _detect, _read)
