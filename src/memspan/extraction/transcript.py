"""Transcripts in plain text: ``Ana: text`` on lines, with a time or without."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from memspan.extraction.blocks import heading_level, lines_of
from memspan.extraction.document import Document, Passage
from memspan.language.dates import iso_time
from memspan.material import Dropped

_BARE = r"(?P<bare>\d[\d/.:\- ,T]{3,22}(?:\s?[APap]\.?[Mm]\.?)?)(?:\s+[-–])?"  # noqa: RUF001
_STAMP = rf"(?:[\[(](?P<stamp>[^\])\r\n]{{4,40}})[\])]|{_BARE})"
_NAME = r"(?P<name>(?:[^\W\d_]|\+\d)[\w.'’\-+&]{0,30}(?: [\w.'’\-+()&]{1,30}){0,4})"  # noqa: RUF001
_TURN = re.compile(
    rf"\s{{0,8}}(?:{_STAMP}\s{{1,4}})?\*{{0,2}}{_NAME}(?:\s[\[(](?P<late>[^\])\r\n]{{4,40}})[\])])?"
    r"\s?\*{0,2}:(?!//)\*{0,2}(?:[ \t]+|$)"
)
_CLOCK = re.compile(r"(?:\d{1,2}:)?\d{1,2}:\d\d(?:[.,]\d+)?(?:\s?[ap]\.?m\.?)?", re.IGNORECASE)
_HEAD = 200  # characters of a line in which a speaker is looked for
_LOOKED_AT = 2_000  # lines from which a transcript is told
_LABELLED = """
    note notes ps p.s update edit re fwd subject date time location address link url example warning
    tip todo attachment reminder http https
"""
_LABELS = frozenset(_LABELLED.split())


@dataclass(frozen=True, slots=True)
class _Turn:
    start: int
    end: int
    speaker: str | None
    stamp: str | None
    day: str | None
    session: str = ""


def looks_like_transcript(text: str) -> bool:
    """Tell whether most lines of *text* name a speaker: with a time, or some of them twice."""
    lines = [text[start:end] for start, end in islice(lines_of(text[: _LOOKED_AT * 200]), _LOOKED_AT)]
    filled = [line for line in lines if line.strip()]
    turns = [turn for turn in (_TURN.match(line[:_HEAD]) for line in filled) if turn]
    if len(turns) < 2 or 2 * len(turns) < len(filled):
        return False
    timed = sum(_stamp_of(turn) is not None for turn in turns)
    names = {turn["name"] for turn in turns}
    return 2 * timed >= len(turns) or (
        len(names) < len(turns) and not {name.lower() for name in names} <= _LABELS
    )


def read_transcript(name: str, ident: str, text: str, time: str | None) -> Document:
    """Return the transcript *text* as a document of turns; *time* is the anchor of its dates."""
    turns = list(_turns(text))
    day_first = _day_first(turns)
    passages = tuple(_passage(name, text, i, turn, (time, day_first)) for i, turn in enumerate(turns, 1))
    unread = [
        p.time for p in passages if p.time and iso_time(p.time) is None and not _CLOCK.fullmatch(p.time)
    ]
    dropped: tuple[Dropped, ...] = ()
    if unread:
        seen = (
            f"time {unread[0]!r} has"
            if len(unread) == 1
            else f"{len(unread):,} times such as {unread[0]!r} have"
        )
        reason = f"{seen} no certain reading; left as written"
        dropped = (Dropped("turns", "time", reason, kept=True),)
    headings = tuple(_headings(text, turns))
    return Document(ident, "transcript", passages, headings, time, dropped)


def _stamp_of(turn: re.Match[str]) -> str | None:
    return turn["stamp"] or turn["bare"] or turn["late"]


def _turns(text: str) -> Iterator[_Turn]:
    """Yield the turns in order; a line without a speaker goes on with the turn before it."""
    open_turn: _Turn | None = None
    day: str | None = None
    session = ""
    after_blank = True
    for start, end in lines_of(text):
        line = text[start : min(end, start + _HEAD)]
        found = _TURN.match(line)
        is_turn = found is not None and not (found["name"].lower() in _LABELS and _stamp_of(found) is None)
        new_day = None if is_turn else _day_line(line)
        heading = after_blank and not is_turn and heading_level(line)
        after_blank = not line.strip()
        if open_turn and (is_turn or new_day or heading):
            yield open_turn
            open_turn = None
        if found and is_turn:
            stamp = _stamp_of(found)
            open_turn = _Turn(start + found.end(), end, found["name"].strip(), stamp, day, session)
        elif new_day or heading:
            day = new_day or day
            session = line.strip() if heading else session
        elif line.strip():
            open_turn = (
                replace(open_turn, end=end) if open_turn else _Turn(start, end, None, None, day, session)
            )
    if open_turn:
        yield open_turn


def _day_line(line: str) -> str | None:
    """Return the day that a line of nothing else names."""
    bare = line.strip(" \t-–—=*#_[]")  # noqa: RUF001
    return iso_time(bare) if 6 <= len(bare) <= 40 and re.search(r"\d", bare) else None


def _headings(text: str, turns: list[_Turn]) -> Iterator[tuple[int, int]]:
    """Yield where text stands that is in no turn: names, times, lines that name a day or a part."""
    position = 0
    for turn in turns:
        if text[position : turn.start].strip():
            yield position, turn.start
        position = turn.end
    if text[position:].strip():
        yield position, len(text)


def _day_first(turns: list[_Turn]) -> bool | None:
    """Tell from all times whether the day stands before the month; None where nothing tells."""
    pairs = [re.match(r"(\d{1,2})[/.](\d{1,2})[/.]\d", turn.stamp or "") for turn in turns]
    firsts = [int(pair[1]) for pair in pairs if pair]
    seconds = [int(pair[2]) for pair in pairs if pair]
    if max(firsts, default=0) > 12:
        return True
    return False if max(seconds, default=0) > 12 else None


def _passage(
    name: str, text: str, number: int, turn: _Turn, given: tuple[str | None, bool | None]
) -> Passage:
    anchor, day_first = given
    place = ", ".join(part for part in (name, turn.session, f"turn {number}") if part)
    day = turn.day or (anchor[:10] if anchor else None)
    time = _time_of(turn.stamp, day, day_first)
    return Passage(text, turn.start, turn.end, place, f"t{number}", speaker=turn.speaker, time=time)


def _time_of(stamp: str | None, day: str | None, day_first: bool | None) -> str | None:
    if stamp is None:
        return day
    bare = stamp.strip(" ,-")
    if _CLOCK.fullmatch(bare):
        return iso_time(f"{day} {bare}") if day else bare
    return iso_time(bare, day_first=day_first) or bare
