"""The question that any claim can be asked: what is said about two things in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from memspan.extraction.clauses import CUTTING, SUBJECTS
from memspan.extraction.naming import CALENDAR, TOKEN, Names
from memspan.extraction.templates import NUMBERS, Draft
from memspan.language.verbs import AUXILIARY, base_of, is_finite, known_verbs
from memspan.language.words import STOPWORDS, stems
from memspan.material import Claim

_DETERMINERS = frozenset(("a", "an", "the", "my", "your", "his", "her", "our", "their", "its"))
_EMPTY = """
    thing things time times way ways day days one ones kind kinds lot bit part parts place places rest end
    ends matter matters side sides moment fact sort case number others whole same other others own first
    last word words man men woman women people great good few little sake course question idea name half
    pair rest once
"""
EMPTY = frozenset(_EMPTY.split())
_ROLES = frozenset(("user", "assistant", "system", "human", "ai", "bot", "tool"))


def about(claim: Claim, names: Names, telling: Callable[[str], float]) -> Iterator[Draft]:
    """Yield one question about the two most telling things of *claim*, if it has any.

    Args:
        claim: with a speaker, the question is what the speaker said or asked.
        names: the names of the material.
        telling: how telling a stem is, e.g. its idf.
    """
    if claim.speaker is None and _only_asks(claim.text):
        return
    own = set(TOKEN.findall(claim.speaker or ""))
    found = (phrase for phrase in _phrases(TOKEN.findall(claim.text), names) if phrase not in own)
    phrases = {phrase: _worth(phrase, telling) for phrase in found if phrase != claim.speaker}
    best = sorted(phrases, key=lambda phrase: (-phrases[phrase], phrase))[:2]
    best.sort(key=list(phrases).index)
    clear = any(phrase.split()[-1] in names.words or len(stems(phrase)) > 1 for phrase in best)
    if not clear or len({stem for phrase in best for stem in stems(phrase)}) < 2:
        return  # "the house and the mind" could be asked of any page
    opening = "What is said about" if claim.speaker is None else _said(claim.speaker, claim.text)
    yield Draft("about", f"{opening} {' and '.join(best)}?", claim.text)


def _said(speaker: str, text: str) -> str:
    who = f"the {speaker}" if speaker in _ROLES else speaker
    return f"What did {who} {'ask' if _only_asks(text) else 'say'} about"


def _only_asks(text: str) -> bool:
    return "?" in text and "." not in text and "!" not in text


def _worth(phrase: str, telling: Callable[[str], float]) -> float:
    found = stems(phrase)
    return sum(map(telling, found)) / (1 + len(found) / 2)


def _phrases(tokens: Sequence[str], names: Names) -> Iterator[str]:
    """Yield names, and nouns behind an article, a possessive or a number, as ``the good big waggon``."""
    i = 0
    while i < len(tokens):
        end, lead = names.run(tokens, i), tokens[i].lower()
        if end > i:
            yield from _name(tokens, i, end)
        elif lead in _DETERMINERS or lead in NUMBERS:
            end = _noun(tokens, i + 1)
            if end > i + 1 and (lead not in NUMBERS or tokens[end - 1].endswith("s")):
                yield " ".join(["the", *([lead] if lead in NUMBERS else []), *tokens[i + 1 : end]])
        i = max(end, i + 1)


def _name(tokens: Sequence[str], start: int, end: int) -> Iterator[str]:
    if tokens[end - 1].endswith(("'s", "\u2019s", "'", "\u2019")):
        return
    before = tokens[start - 1].lower() if start else ","
    if before in _CALLING and _closes(tokens, end):
        return  # "thanks, Evan!" says nothing about Evan
    more = _noun(tokens, end) if before in ("the", "a", "an") else end
    yield ("the " if before == "the" or more > end else "") + " ".join(tokens[start:more])


def _closes(tokens: Sequence[str], place: int) -> bool:
    return place >= len(tokens) or not tokens[place][0].isalnum()


def _noun(tokens: Sequence[str], start: int) -> int:
    """Return where the nouns from *start* end; *start* where there is none that says anything."""
    end = start
    while end < min(start + 3, len(tokens)) and _goes_on(tokens, start, end):
        end += 1
    after = tokens[end] if end < len(tokens) else "."
    if after[:1].isupper() or "'" in after or (after.islower() and _fits(after)):
        return start  # the noun is part of a name, or goes on
    while end > start and _is_loose(tokens[end - 1]):
        end -= 1
    if end == start or tokens[end - 1] in EMPTY:
        return start
    return _with_of(tokens, end) if after == "of" else end


def _goes_on(tokens: Sequence[str], start: int, end: int) -> bool:
    """Whether the token at *end* is still part of the nouns: no verb form behind the first word."""
    token = tokens[end]
    if not _fits(token):
        return False
    first = end == start
    if token.endswith("ing") or (token.endswith(("ed", "ly")) and not first):
        return False
    after = tokens[end + 1] if end + 1 < len(tokens) else "."
    closed = not after[0].isalnum() or after in (
        "of",
        "and",
        "or",
        "in",
        "on",
        "at",
        "for",
        "to",
        "with",
        "from",
    )
    return first or not (is_finite(token) or token in known_verbs()) or closed


def _with_of(tokens: Sequence[str], end: int) -> int:
    """Return the end of ``beach of shingle``; a longer supplement is left away."""
    more = tokens[end + 1] if end + 1 < len(tokens) else "."
    following = tokens[end + 2] if end + 2 < len(tokens) else "."
    sound = _fits(more) and more not in EMPTY and not _is_loose(more) and not more.endswith("ing")
    whole = sound and not _fits(following) and not following[:1].isupper()
    return end + 2 if whole else end


def _fits(token: str) -> bool:
    if not token.replace("-", "").isalpha() or not token.islower() or token in STOPWORDS | _NEVER:
        return False
    found = base_of(token)
    past = found is not None and found[1] and not token.endswith("ed")
    return not past and token not in AUXILIARY | CUTTING | SUBJECTS and token.capitalize() not in CALENDAR


def _is_loose(word: str) -> bool:
    """Whether *word* is an adjective or adverb, and no end for a noun."""
    return word in _LOOSE or word.endswith(
        ("ly", "ful", "ous", "ive", "less", "able", "ible", "ed", "est", "ier")
    )


_ADJECTIVES = """
    well long far late soon big old young small large high low dear happy glad taller thick short afraid
    ready sure true clear free full sorry ill sick alone alive dead better worse strong sweet poor rich kind
    new hot cold warm wide deep dry wet hard soft easy quick slow naked famous lazy proud fair fine
    beautiful lovely nice bad clean dirty pretty quiet safe close open certain different wrong right likely
    vegetarian ashamed fragrant finer bigger smaller higher fewer
"""
_LOOSE = frozenset(_ADJECTIVES.split())
_NEVER_NOUNS = """
    since throughout next against amid beneath least most nor among upon along without near enough else
    later longer much something somewhere anything nothing someone shall today tomorrow tonight
    yesterday within across behind beside besides beyond toward towards every either neither even ever
    never yet still almost quite rather perhaps maybe please together anyone everyone everything might
    may must let like around inside outside except per instead shall away round hither thither whither
    home fast aslant abroad asleep ashore aboard themselves himself herself itself myself
"""
_GREETING = ", : hey hi hello thanks wow congrats yeah yes no oh ok okay bye cheers dear"
_CALLING = frozenset(_GREETING.split())
_NEVER = frozenset(_NEVER_NOUNS.split())
