"""What a memory system stored although it had it: recalled text, notes of machines."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from memspan.audit.exact import fullness
from memspan.audit.findings import Finding
from memspan.audit.near import says_all
from memspan.audit.reading import Reading, content_key
from memspan.language.words import folded

_WHOSE = (
    r"(?:(?:the|my|your|our|user'?s?|stored|saved|previous|past|long[- ]term|earlier|relevant|retrieved"
    r"|available) ){0,3}"
)
_STORES = (
    rf"{_WHOSE}(?:memor(?:y|ies)|notes|records?|profile|conversations?)"
    r"(?: (?:bank|store|entry|entries|file|about you|about the user))?"
)
_SAYS = r"(?:says?|states?|shows?|indicates?|notes?|mentions?|contains?|tells? (?:me|us)|suggests?)"
_BEFORE = r"(?: (?:before|earlier|previously|last time|once))?"
_RECALLING = (
    rf"(?:according to|based on|from|per|judging by|as (?:stored|noted|recorded) in) {_STORES}",
    rf"(?:the )?{_STORES} {_SAYS}",
    rf"(?:recalled|retrieved|remembered)(?: (?:from )?{_STORES})?(?=\s*:)",
    rf"{_STORES}(?=\s*:)",
    r"i (?:do |can |also )?(?:remember|recall)(?: from (?:before|earlier|our (?:chats?|conversations?)))?",
    rf"as (?:you|the user) (?:have )?(?:told|mentioned|said|shared)(?: (?:to )?(?:me|us))?{_BEFORE}",
    r"(?:you|the user) (?:previously|once|already) (?:told|mentioned|said)(?: (?:to )?(?:me|us))?",
    r"the (?:assistant|agent|bot) (?:recalled|remembered|recalls|remembers)",
)
_FRAMES = tuple(
    re.compile(rf"^\W*(?:{frame})(?:\s*[,:;\u2013-]+\s*|\s+that\s+|\s+)", re.IGNORECASE)
    for frame in _RECALLING
)
_MACHINE_TEXT = (
    "heartbeat heartbeats cron ping pong poll polled polling keepalive uptime nightly idle cronjob"
)
_MACHINE = frozenset(_MACHINE_TEXT.split())
_MACHINE_TALK = re.compile(
    r"\b(?:health ?checks?|keep-?alive|no changes|nothing to report|no new messages"
    r"|scheduled (?:task|run|job)|status(?: check)? ok|sync(?:ed)? ok|cache (?:hit|miss)|exit code)\b",
    re.IGNORECASE,
)
_MACHINE_TALKING_TEXT = "health healthcheck keep nothing no scheduled status sync synced cache exit"
_MACHINE_TALKING = frozenset(_MACHINE_TALKING_TEXT.split())
_VARYING = re.compile(r"\b(?=[\w-]*\d)[\w-]+\b|\d+")
HANDED_OUT = "an assistant handed an earlier memory out, and it was stored again"
"""Reason of what only a transcript tells."""
_FEWEST = 3  # notes of one pattern that are a repetition


def recalled(readings: Sequence[Reading], turns: Sequence[Reading] = ()) -> Iterator[Finding]:
    """Yield memories that repeat an earlier one in a frame of recall, or as an assistant handed it out.

    Args:
        readings: the memories.
        turns: what assistants said, from a transcript, in order.
    """
    index = _Earlier(readings)
    for each in readings:
        inner = _unframed(each.text)
        found = index.saying(each, inner) if inner else None
        if found is not None:
            sure = content_key(inner) == found.key
            yield _again(each, found, "says that it was recalled, and repeats an earlier memory", sure=sure)
    if turns:
        yield from _handed_out(readings, turns, index)


def _again(each: Reading, found: Reading, reason: str, *, sure: bool) -> Finding:
    pair = sorted((each, found), key=lambda reading: reading.position)
    ids = tuple(reading.claim.id for reading in pair)
    return Finding("recalled", ids, reason, "sure" if sure else "likely", found.claim.id)


def _unframed(text: str) -> str:
    """Return *text* without its frame of recall; empty where it has none."""
    for frame in _FRAMES:
        found = frame.match(text)
        if found:
            return text[found.end() :].strip()
    return ""


class _Earlier:
    """Finds the earlier memory that says what a text says."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self._readings = readings

    @cached_property
    def _keys(self) -> Mapping[tuple[str, str], list[Reading]]:
        keys: defaultdict[tuple[str, str], list[Reading]] = defaultdict(list)
        for each in self._readings:
            keys[each.scope, each.key].append(each)
        return keys

    @cached_property
    def _holding(self) -> Mapping[tuple[str, str], list[Reading]]:
        holding: defaultdict[tuple[str, str], list[Reading]] = defaultdict(list)
        for each in self._readings:
            for root in each.bag:
                holding[each.scope, root].append(each)
        return holding

    def saying(self, each: Reading, text: str) -> Reading | None:
        """Return the first memory before *each* that says all of *text*; None where none does."""
        same = [old for old in self._keys[each.scope, content_key(text)] if old.order < each.order]
        if same:
            return same[0]
        inner = each.retold(text)
        if not inner.bag:
            return None
        rarest = min((self._holding[each.scope, root] for root in inner.bag), key=len)
        fitting = (old for old in rarest if old.order < each.order and old.bag >= inner.bag)
        return next((old for old in fitting if old.negated == inner.negated and says_all(old, inner)), None)


def _handed_out(readings: Sequence[Reading], turns: Sequence[Reading], index: _Earlier) -> Iterator[Finding]:
    """Yield memories whose words stand in what an assistant said, where an earlier memory said them first."""
    holding: defaultdict[str, list[Reading]] = defaultdict(list)
    for turn in turns:
        for root in turn.bag:
            holding[root].append(turn)
    for each in readings:
        if len(each.bag) < 2:
            continue
        rarest = min((holding.get(root, []) for root in each.bag), key=len)
        if not any(turn.bag >= each.bag and _before(turn, each) and _verbatim(each, turn) for turn in rarest):
            continue
        found = index.saying(each, each.text)
        if found is not None:
            yield _again(each, found, HANDED_OUT, sure=found.key == each.key)


def _before(turn: Reading, each: Reading) -> bool:
    return not turn.time or not each.time or turn.time[:10] <= each.time[:10]


def _verbatim(each: Reading, turn: Reading) -> bool:
    """Whether the stems of *each* stand in *turn* in the same order."""
    rest = iter(turn.stems)
    return all(root in rest for root in each.stems)


# --- notes of machines ----------------------------------------------------------------------------


def noise(readings: Sequence[Reading]) -> Iterator[Finding]:
    """Yield notes of machines that repeat but for numbers, times and ids; the newest is kept."""
    groups: defaultdict[tuple[str, str], list[Reading]] = defaultdict(list)
    for each in readings:
        if _is_of_machine(each):
            groups[each.scope, " ".join(_VARYING.sub("#", folded(each.text)).split())].append(each)
    for group in groups.values():
        if len(group) >= _FEWEST:
            keep = max(group, key=lambda each: (each.order, fullness(each)))
            ids = tuple(each.claim.id for each in group)
            reason = "a machine's note that repeats but for numbers, times and ids; the newest is kept"
            yield Finding("noise", ids, reason, "likely", keep.claim.id)


def _is_of_machine(each: Reading) -> bool:
    if not each.said.isdisjoint(_MACHINE):
        return True
    return not each.said.isdisjoint(_MACHINE_TALKING) and _MACHINE_TALK.search(each.text) is not None
