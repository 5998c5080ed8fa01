"""What is wrong with a memory on its own: nothing in it, nobody behind it, nothing it says alone."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from memspan.audit.findings import Finding
from memspan.audit.pointing import pointer_of
from memspan.audit.reading import Reading
from memspan.language.words import STOPWORDS

_NOTHING_TEXT = (
    "null none undefined nan nil n/a na {} [] - -- unknown empty deleted [object,object] [object,promise]"
)
_NOTHING = frozenset(_NOTHING_TEXT.split())
_BLOB = re.compile(r"[A-Za-z0-9+/=_-]{80,}")
_BROKEN = "\N{REPLACEMENT CHARACTER}"
_OPEN_END_TEXT = """
    a an the and or but because of to with for from in on at by is are was were that which who if when his
    her their my your our its as than would could should will has have had be been not
"""
_OPEN_END = frozenset(_OPEN_END_TEXT.split())
_WEAK_TEXT = """
    like great good nice ok okay yes no exactly sure thing things again agreed agree said did do done went
    go say fine right true thanks maybe cool bad really really interesting it's that's
"""
_WEAK = frozenset(_WEAK_TEXT.split())


def empty(readings: Iterable[Reading]) -> Iterator[Finding]:
    """Yield memories without a word, or that no person can read."""
    for each in readings:
        reason = _unreadable(each)
        if reason:
            yield Finding("empty", (each.claim.id,), reason, "sure")


def _unreadable(each: Reading) -> str:
    text = each.text.strip()
    if not text:
        return "holds no text"
    if ",".join(text.lower().rstrip(".").split()) in _NOTHING:
        return "holds only a word for nothing"
    plain = text.isascii() and text.isprintable() and " " in text and text[0].isalpha()
    return "" if plain else _illegible(text)  # nearly every memory is plain


def _illegible(text: str) -> str:
    if not any(unicodedata.category(c)[0] in "LNS" for c in text if c != _BROKEN):
        return "holds no letter and no number"
    broken = sum(c == _BROKEN or (unicodedata.category(c) == "Cc" and c not in "\n\t\r") for c in text)
    if 5 * broken > len(text):
        return "is unreadable: its characters were lost"
    blob = _BLOB.search(text)
    encoded = blob is not None and 2 * len(blob.group()) > len(text) and any(c.isdigit() for c in text)
    return "is unreadable: encoded, not written" if encoded else ""


def vague(readings: Iterable[Reading]) -> Iterator[Finding]:
    """Yield memories that answer nothing alone: nobody named, nothing said, or cut off."""
    for each in readings:
        reason = (_pointing(each) or _unclear(each)) if each.words and not each.unspaced else ""
        if reason:
            yield Finding("vague", (each.claim.id,), reason, "likely")


def _pointing(each: Reading) -> str:
    pointer = pointer_of(each)
    return f"does not say what {pointer!r} is" if pointer else ""


def _unclear(each: Reading) -> str:
    plain = [word.plain for word in each.words]
    if plain[-1] in _OPEN_END and each.text.rstrip()[-1:].isalnum() and len(plain) > 2:
        return f"breaks off behind {plain[-1]!r}"
    if each.text.rstrip().endswith(("...", "\u2026")) and len(plain) < 12:
        return "breaks off"
    telling = [word for word in plain if word not in STOPWORDS and word not in _WEAK]
    if not telling:
        return "says nothing that can be looked for"
    if each.pronoun in {"he", "she", "they"} and not any(word.capital for word in each.words):
        return f"does not say who {each.pronoun!r} is"
    if each.pronoun and each.pronoun != "it" and len(telling) < 2:
        return f"does not say what {each.pronoun!r} is"
    return ""


def without_provenance(readings: Sequence[Reading]) -> Iterator[Finding]:
    """Yield memories that do not say where they come from, by what is missing."""
    groups: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for each in readings:
        claim = each.claim
        told = {"source": claim.source, "speaker": claim.speaker, "time": claim.time}
        missing = tuple(name for name, value in told.items() if not value)
        if missing:
            groups[missing].append(claim.id)
    for missing, ids in sorted(groups.items(), key=lambda group: -len(group[1])):
        yield Finding("provenance", tuple(ids), f"no {_listed(missing)}", "sure")


def without_scope(readings: Sequence[Reading]) -> Iterator[Finding]:
    """Yield memories that do not say whose they are."""
    ids = tuple(each.claim.id for each in readings if not each.scope)
    if ids:
        yield Finding("scope", ids, "no user, agent, run or namespace", "sure")


def _listed(names: Sequence[str]) -> str:
    return ", no ".join(names)
