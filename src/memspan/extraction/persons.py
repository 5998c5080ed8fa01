"""First person to name: ``I moved`` said by Ana is ``Ana moved``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memspan.language.words import words


@dataclass(frozen=True, slots=True)
class Edit:
    """New words for a stretch of text."""

    start: int
    end: int
    words: str


_ROLES = {
    **dict.fromkeys(("user", "human"), "the user"),
    **dict.fromkeys(("assistant", "ai", "gpt", "bot", "model", "chatgpt"), "the assistant"),
    **dict.fromkeys(("system", "developer"), "the system"),
    **dict.fromkeys(("tool", "function"), "the tool"),
}
_ADVERBS = (
    "also|really|always|never|just|still|often|usually|sometimes|actually|even|currently|now|only|truly|"
    "absolutely|totally|recently|finally|definitely|personally|honestly"
)
_BEFORE = r"(?<![\w@/.\\\-'’&])"  # noqa: RUF001
_AFTER = r"(?![\w@/\\\-]|\.\w)"
_I = re.compile(
    rf"(?:\b(?P<helper>am|was|have|do|did|can|could|will|would|should|may|might|must|shall|had|"
    rf"(?:did|have|do|was|could|would|should|had|ca|wo)n['’]t)\s+)?"  # noqa: RUF001
    rf"{_BEFORE}(?P<i>[Ii])(?P<short>['’](?:m|ve|d|ll))?{_AFTER}"  # noqa: RUF001
    rf"(?:\s+(?P<adverb>(?:{_ADVERBS})\s+)?(?P<verb>[a-z]+(?:['’]t)?)\b)?",  # noqa: RUF001
    re.IGNORECASE,
)
_MINE = re.compile(rf"{_BEFORE}[Mm](?:y|e|yself){_AFTER}|(?<=\bof )mine\b{_AFTER}|(?<=\bis )mine\b{_AFTER}")
_EXCLAIMED = re.compile(r"\b(?:oh,?\s+|dear\s+)my\b|\bmy\s+(?:god|goodness|gosh|word)\b", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*(?:"|\Z)|“[^”]*(?:”|\Z)|«[^»]*(?:»|\Z)|(?<!\w)`[^`\n]+`')
_SHORT = {"m": " is", "ve": " has", "d": "'d", "ll": " will"}
_THIRD = {"am": "is", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't", "go": "goes"}
_PRESENT = frozenset(
    """
    love like want need know think live work feel hope enjoy believe mean see play get make take come use
    plan prefer own keep run teach study try remember wish guess agree understand hate miss look wear eat
    drink drive speak write sing dance cook bake swim walk start spend support appreciate admire dream
    volunteer plan consider collect grow visit call say tell ask find give help share suffer worry care
    """.split()  # noqa: SIM905 - a list of words reads better than a column of quotes
)
_COMPOUND = re.compile(
    r"(?:\b[A-Z][\w.]*|\b(?:he|she|you|they|wife|husband|partner|friend|mom|dad|sister|brother))\s+(?:and|or)\s+\Z"
)
_NUMBERED = frozenset(("war", "part", "book", "chapter", "volume", "act", "type", "phase", "level", "class"))
_ENGLISH = frozenset(
    """
    the and is was of you that it have with for this are what been to in my your on at
    """.split()  # noqa: SIM905
)
_FOREIGN = frozenset(
    """
    el la los las que de del una por und der das ist nicht ein les le des est une il di che non nie jest je
    het een van um uma os och att det en det och som zu mit auf para con pas du gli sono
    """.split()  # noqa: SIM905
)


def name_of(speaker: str) -> str:
    """Return how a sentence calls a speaker: a role gets an article.

    >>> name_of("user"), name_of("Ana")
    ('the user', 'Ana')
    """
    return _ROLES.get(speaker.lower(), speaker)


def seems_english(text: str, *, otherwise: bool = True) -> bool:
    """Tell whether the small words of *text* are English; *otherwise* where it has none."""
    told = words(text[:5_000])
    english = sum(word in _ENGLISH for word in told)
    foreign = sum(word in _FOREIGN for word in told)
    return otherwise if english == foreign else english > foreign


def quoted(text: str) -> list[tuple[int, int]]:
    """Return where the words of others and code stand in *text*: between quotation marks or backticks."""
    return [match.span() for match in _QUOTED.finditer(text)]


def third_person(text: str, speaker: str) -> Iterator[Edit]:
    """Yield the edits that put *speaker* for the first person singular in English *text*.

    >>> [edit.words for edit in third_person("I'm sure my cat likes me.", "Ana")]
    ['Ana is', "Ana's", 'Ana']
    """
    name = name_of(speaker)
    kept = [match.span() for match in _EXCLAIMED.finditer(text)]
    for match in _I.finditer(text):
        yield from _subject(text, match, name)
    for match in _MINE.finditer(text):
        if any(start <= match.start() < end for start, end in kept):
            continue
        word = match.group().lower()
        told = {"me": name, "myself": "themself"}.get(word, f"{name}'s")
        yield Edit(match.start(), match.end(), _capital(text, match.start(), told))


def _subject(text: str, match: re.Match[str], name: str) -> Iterator[Edit]:
    """Yield the edits for one ``I`` and the verb beside it."""
    start = match.start("i")
    if _is_numeral(text, start, match):
        return
    if match["helper"]:
        helper = match["helper"]
        third = _third(helper)
        if third != helper.lower() and not _compound(text, start):
            yield Edit(
                match.start("helper"),
                match.end("helper"),
                third.capitalize() if helper[0].isupper() else third,
            )
    short = match["short"]
    end = match.end("short") if short else start + 1
    yield Edit(start, end, _capital(text, start, name) + (_SHORT[short[1:].lower()] if short else ""))
    verb = match["verb"]
    if verb and not short and not match["helper"] and not _compound(text, start):
        third = _third(verb)
        if third != verb.lower():
            yield Edit(match.start("verb"), match.end("verb"), third)


def _is_numeral(text: str, start: int, match: re.Match[str]) -> bool:
    """Tell whether this ``I`` numbers something, as in World War I, or is a letter of a list."""
    behind = text[start + 1 : start + 2]
    before = text[max(0, start - 40) : start].split()[-1:]
    if before and before[0].lower() in _NUMBERED and text[start] == "I":
        return True
    if match["short"] or match["verb"]:
        return behind in {".", ")"}
    return text[start] == "i" or behind in {")", ":"} or bool(before and before[0][:1].isupper())


def _compound(text: str, start: int) -> bool:
    """Tell whether another subject is joined to this one, so that the verb is plural."""
    return _COMPOUND.search(text[max(0, start - 40) : start]) is not None


def _third(verb: str) -> str:
    """Return the third person of a *verb* that is known to be in the present; else the verb."""
    plain = verb.lower().replace("’", "'")  # noqa: RUF001
    if plain in _THIRD:
        return _THIRD[plain]
    if plain not in _PRESENT:
        return verb.lower()
    if plain.endswith(("ch", "sh", "ss", "x")):
        return f"{plain}es"
    return f"{plain[:-1]}ies" if plain.endswith("y") and plain[-2] not in "aeiou" else f"{plain}s"


def _capital(text: str, start: int, words_: str) -> str:
    """Return *words_* with a capital where a sentence starts there."""
    before = text[:start].rstrip() if start < 200 else text[start - 40 : start].rstrip()
    opens = not before.strip("\"'“‘(*_-–—> ") or before[-1] in ".!?"  # noqa: RUF001
    return words_[0].upper() + words_[1:] if opens else words_
