"""Memories that a later one of the same scope overtakes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from memspan.audit.findings import Finding
from memspan.audit.places import left_places
from memspan.audit.pointing import pointer_of
from memspan.audit.reading import Reading, content_key
from memspan.audit.statements import Statement, statements
from memspan.audit.wording import ENDING, is_dated, meaning
from memspan.language.verbs import base_of, known_verbs
from memspan.language.words import words

_SWITCH = re.compile(
    r"\b(?:switched|changed|moved|updated|shifted|went|transitioned|migrated)\b.*?\bfrom\s+(?P<old>.+?)\s+to\s+(?P<new>.+)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r"(?P<new>.+?)\s+(?:instead of|rather than)\s+(?P<old>.+)", re.IGNORECASE)
_OVER = re.compile(r"\bno longer\b|\banymore\b|\bany more\b|\bused to\b", re.IGNORECASE)
_OVER_WORDS = frozenset({"longer", "anymore", "more", "used"})
_WEAK_TEXT = "drink eat use work live drive play like take go prefer have company home city title role is be"
_WEAK = frozenset(root for word in _WEAK_TEXT.split() for root in meaning(word))
_LONGEST = 16  # words of a memory that a later one can overtake as a whole
_MOST = 200  # later memories that one is held against


def superseded(readings: Sequence[Reading]) -> Iterator[Finding]:
    """Yield pairs of a memory and the later one that overtakes it, the latest where several do."""
    told = list(_told_by_store(readings))
    yield from told
    known = {finding.others for finding in told}
    later: dict[int, tuple[Reading, str]] = {}
    for old, new, reason in _judged(readings):
        if (old.claim.id,) not in known and (
            old.position not in later or later[old.position][0].order < new.order
        ):
            later[old.position] = new, reason
    by_position = {each.position: each for each in readings}
    for position, (new, reason) in sorted(later.items()):
        yield Finding(
            "version", (by_position[position].claim.id, new.claim.id), reason, "likely", new.claim.id
        )


def _told_by_store(readings: Sequence[Reading]) -> Iterator[Finding]:
    latest: dict[str, Reading] = {}
    for each in readings:
        for name in each.claim.supersedes:
            if name != each.claim.id and (name not in latest or latest[name].order < each.order):
                latest[name] = each
    for name, new in latest.items():
        reason = "the store says that a later one replaces it"
        yield Finding("version", (name, new.claim.id), reason, "sure", new.claim.id)
    yield from _kept_as_history(readings, latest)


def _kept_as_history(readings: Sequence[Reading], told: Collection[str]) -> Iterator[Finding]:
    """Yield memories whose text another one had before it was changed: ``extra["versions"]``."""
    past: dict[tuple[str, str], Reading] = {}
    for each in readings:
        versions = each.claim.extra.get("versions")
        for version in versions if isinstance(versions, list) else ():
            text = version.get("text") if isinstance(version, dict) else version
            if isinstance(text, str):
                past[each.scope, content_key(text)] = each
    for each in readings if past else ():
        new = past.get((each.scope, each.key))
        if new is not None and each.key and new.key != each.key and each.claim.id not in told:
            reason = "the store changed this text in another memory, which says it as it is now"
            yield Finding("version", (each.claim.id, new.claim.id), reason, "sure", new.claim.id)


def _judged(readings: Sequence[Reading]) -> Iterator[tuple[Reading, Reading, str]]:
    plain = [each for each in readings if each.words and not each.unspaced and "?" not in each.mood]
    plain = [each for each in plain if not pointer_of(each)]
    yield from _other_values(plain)
    yield from _other_numbers(plain)
    yield from _denied(plain)
    yield from _replaced(plain)
    yield from left_places(plain)


# --- another value of one attribute ---------------------------------------------------------------


def _other_values(readings: Iterable[Reading]) -> Iterator[tuple[Reading, Reading, str]]:
    groups: defaultdict[tuple[str, ...], list[tuple[Reading, Statement]]] = defaultdict(list)
    for each in readings:
        for statement in statements(each):
            groups[each.scope, each.voice, *statement.about].append((each, statement))
    for group in groups.values():
        group.sort(key=lambda pair: pair[0].order)
        new, said = group[-1]
        for old, before in group[:-1]:
            if said.differs(before) and len(old.words) <= _LONGEST:
                yield old, new, "a later one gives another value of the same thing"


# --- another number in the same sentence ----------------------------------------------------------


def _other_numbers(readings: Iterable[Reading]) -> Iterator[tuple[Reading, Reading, str]]:
    groups: defaultdict[tuple[object, ...], list[Reading]] = defaultdict(list)
    for each in readings:
        frame = _frame(each)
        if frame is not None:
            groups[frame].append(each)
    for group in groups.values():
        group.sort(key=lambda each: each.order)
        for old in group[:-1]:
            if old.dated != group[-1].dated:
                yield old, group[-1], "a later one says the same with another number"


def _frame(each: Reading) -> tuple[object, ...] | None:
    """Return all but the numbers of a lasting statement; None where there are none, or they are names."""
    numbers = {root for root in each.dated if root.isdigit()}
    if not numbers or each.happened or each.fleeting or each.mood or len(each.words) > _LONGEST:
        return None
    if any(_names_a_thing(each, i) for i in range(len(each.words))):
        return None
    rest = each.bag - numbers - {"time"}
    return (each.scope, each.voice, each.negated, rest, each.actors) if rest else None


def _names_a_thing(each: Reading, i: int) -> bool:
    """Whether the number at *i* is a name, as in room 4 or chapter 3, not a count or a measure."""
    told = each.meanings[i]
    if not told or not told[0].isdigit() or i == 0:
        return False
    before = each.words[i - 1].plain
    after = each.words[i + 1].plain if i + 1 < len(each.words) else ""
    counted = after in {"times", "time"} or each.words[i].plain in {"once", "twice"}
    return bool(each.meanings[i - 1]) and not counted and not _measures(before, each.meanings[i - 1])


def _measures(word: str, roots: tuple[str, ...]) -> bool:
    return (
        is_dated(roots[0])
        or base_of(word) is not None
        or word in known_verbs()
        or word in {"weighs", "costs", "about", "around", "number"}
    )


# --- denied ---------------------------------------------------------------------------------------


def _denied(readings: Iterable[Reading]) -> Iterator[tuple[Reading, Reading, str]]:
    """Yield what a later one says with *not*, and what a later one says without."""
    groups: defaultdict[tuple[object, ...], list[Reading]] = defaultdict(list)
    for each in readings:
        if len(each.words) <= _LONGEST and not each.fleeting and each.bag:
            groups[each.scope, each.voice, each.bag - {"no"}].append(each)
    for group in groups.values():
        group.sort(key=lambda each: each.order)
        new = group[-1]
        for old in group[:-1]:
            if old.negated != new.negated and not (old.happened and new.happened):
                yield old, new, "a later one says the opposite"


# --- replaced, by its own words -------------------------------------------------------------------


def _replaced(readings: Sequence[Reading]) -> Iterator[tuple[Reading, Reading, str]]:
    """Yield what a later one ends or switches from."""
    signals = [(each, ended) for each in readings for ended in _ended(each)]
    if not signals:
        return
    holding: defaultdict[tuple[str, str], list[Reading]] = defaultdict(list)
    for each in readings:
        for root in each.bag:
            holding[each.scope, root].append(each)
    for new, (value, allowed) in signals:
        roots = [min(value, key=lambda root: len(holding[new.scope, root]))] if value else sorted(new.bag)
        for old in dict.fromkeys(old for root in roots for old in holding[new.scope, root][-_MOST:]):
            if old.order < new.order and _is_replaced(old, new, value, allowed):
                yield old, new, "a later one says that this is over"


def _ended(each: Reading) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Yield what *each* says is over: the stems of the old value, and what else the old memory may say."""
    for rule, signal in ((_SWITCH, "from"), (_INSTEAD, "of"), (_INSTEAD, "than")):
        found = rule.search(each.text) if signal in each.said else None
        if found:
            old = _roots(each, re.split(r"[,;.]", found["old"])[0])
            if old - _roots(each, found["new"]):
                yield old - _roots(each, found["new"]), each.bag | _WEAK
    if not each.said.isdisjoint(ENDING) or (
        not each.said.isdisjoint(_OVER_WORDS) and _OVER.search(each.text)
    ):
        yield frozenset(), each.bag


def _is_replaced(old: Reading, new: Reading, value: frozenset[str], allowed: frozenset[str]) -> bool:
    if (
        old.negated
        or old.mood
        or len(old.words) > _LONGEST
        or old.voice != new.voice
        or old.dated - new.dated
    ):
        return False
    if ("from" in old.said and _SWITCH.search(old.text)) or not value <= old.bag:
        return False
    return old.bag <= allowed and set(old.actors) - old.own <= {
        *new.actors,
        *(word.plain for word in new.words),
    }


def _roots(each: Reading, text: str) -> frozenset[str]:
    return frozenset(root for word in words(text) if word not in each.own for root in meaning(word))
