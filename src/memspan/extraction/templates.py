"""Statements to questions, by rules.

    who      Minerva put courage into her heart          Who put courage into her heart?   -> Minerva
    when     Mira leaves Vienna on 15 May                When does Mira leave Vienna?      -> on 15 May
    where    Minerva went away to Olympus                Where did Minerva go away to?     -> Olympus
    how long Circe kept Ulysses for a year               How long did Circe keep Ulysses?  -> a year
    how many Aeolus has six daughters                    How many daughters does Aeolus have? -> six
    whom     Circe gave a cloak to Elpenor               To whom did Circe give a cloak?   -> Elpenor
    why      Mira stayed because she was ill             Why did Mira stay?                -> she was ill
    what     Mira booked a room in Ljubljana             What did Mira book in Ljubljana?  -> a room
    who is   Nausicaa, daughter of King Alcinous         Who is Nausicaa?    -> daughter of King Alcinous
    about    a turn that gives none of these             What did Mira say about the lake and Tilda?

A rule that is not sure of its grammar stays silent; `memspan.extraction.vague` drops what a reader
could not understand without the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memspan.extraction.clauses import PEOPLE, Clause, clauses
from memspan.extraction.naming import TOKEN, Names
from memspan.language.verbs import base_of, is_helper, participles
from memspan.material import Claim

_COUNTS = """
    two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred
"""
_SMALL = _COUNTS.split()
NUMBERS = frozenset(_SMALL)
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_HOURS = r"(?:dawn|daybreak|noon|night|midnight|sunset|sunrise|nightfall|dusk)"
_PART = r"(?:morning|afternoon|evening|night|summer|winter|autumn|spring|weekend)"
_WHEN = re.compile(
    rf" ((?:(?:on|in|at|by|since|until|before|after|around|for) )?(?:the )?"
    rf"(?:\d{{1,2}} {_MONTH}(?: \d{{4}})?|{_MONTH} \d{{1,2}}(?: , \d{{4}})?|{_MONTH}(?: \d{{4}})?"
    rf"|\d{{4}}-\d\d-\d\d|(?:next |last |this )?{_DAY}(?: {_PART})?|(?:in|since|until) \d{{4}}"
    rf"|at {_HOURS}|in the {_PART}|(?:next|last) (?:week|month|year|{_PART})"
    rf"|yesterday|tomorrow|today|tonight|(?:a |about |some )?\S+ (?:days|weeks|months|years) (?:ago|later)))$"
)
_LONG = re.compile(
    r" (?:for (?:a|one|a whole|another|\S+|\S+ whole|more than \S+|about \S+)|(?:\d+|"
    + "|".join(_SMALL)
    + r"))"
    r" (?:minute|hour|day|night|week|month|year|twelvemonth)s?$"
)
_ARTICLES = frozenset(("a", "an", "the", "his", "her", "their", "some", "its"))
_BEFORE_NOUNS = """
    in at on for from with to into over under upon near through by about against during without towards
    between
"""
_PREPOSITIONS = frozenset(_BEFORE_NOUNS.split())
_RELATIONS = """
    son daughter wife husband king queen brother sister mother father chief ruler prince god goddess owner
    friend uncle aunt captain leader author head
"""
_RELATED = frozenset(_RELATIONS.split())
_TELLING = frozenset(
    ("say", "tell", "suggest", "recommend", "mention", "ask", "know", "think", "want", "hear", "speak")
)
_NEXT = [[",", word] for word in ("then", "and", "so", "but", "or")]
_PARTICLES = frozenset(("down", "up", "out", "off", "away", "back", "together"))


@dataclass(frozen=True)
class Draft:
    """A question that a rule made from a claim.

    Attributes:
        rule: the rule's name, as the module's docstring lists them.
        question: the question.
        answer: the words that the question word stands for.
    """

    rule: str
    question: str
    answer: str


def drafts(claim: Claim, names: Names) -> Iterator[Draft]:
    """Yield what the rules make of *claim*, the more telling rules first."""
    for clause in clauses(claim.text, claim.speaker, names):
        yield from _of_clause(clause, names)
    yield from _counted(claim.text)
    yield from _related(claim.text, names)


def _of_clause(clause: Clause, names: Names) -> Iterator[Draft]:
    if is_helper(clause.verb) or base_of(clause.verb):  # else a verb whose plain form is not known
        yield from _why(clause)
        yield from _when(clause)
        yield from _where(clause, names)
        yield from _how_many(clause)
        yield from _whom(clause, names)
        yield from _what(clause)
    yield _made("who" if clause.person else "which", _who(clause), clause.subject)


def _made(rule: str, words: Sequence[str], answer: str) -> Draft:
    text = written(words)
    return Draft(rule, text[:1].upper() + text[1:] + "?", answer)


def written(words: Sequence[str]) -> str:
    """Return *words* as a text, marks drawn to the word before.

    >>> written(["at", "9", ",", "Ana", "'", "left"])
    "at 9, Ana' left"
    """
    return re.sub(r" (?=[,;:.!?')%])", "", " ".join(words)).strip(" ,;:")


def _who(clause: Clause) -> list[str]:
    verb = {"were": "was", "are": "is", "have": "has"}.get(clause.verb, clause.verb)
    return ["who" if clause.person else "what", verb, *clause.rest]


def _asked(word: Sequence[str], clause: Clause, rest: Sequence[str]) -> list[str]:
    """Return a question with the verb turned: When did Mira leave Vienna."""
    verb, subject = clause.verb, clause.subject
    if is_helper(verb):
        return [*word, verb, subject, *rest]
    if (
        verb in ("had", "has", "have")
        and rest
        and rest[0] in participles()
        and rest[0] not in ("put", "set", "let")
    ):
        return [*word, verb, subject, *rest]
    base, past = base_of(verb) or ("", False)
    helper = "did" if past else "does"
    return [*word, helper, subject, base, *rest]


def _cut(pattern: re.Pattern[str], rest: Sequence[str]) -> tuple[list[str], str] | None:
    """Return what stands before the match of *pattern* at the end of *rest*, and the match."""
    line = " " + " ".join(rest)
    found = pattern.search(line)
    return (line[: found.start()].split(), found[0].strip()) if found else None


def _when(clause: Clause) -> Iterator[Draft]:
    cut = _cut(_WHEN, clause.rest)
    if cut:
        yield _made("when", _asked(["when"], clause, cut[0]), cut[1].replace(" ,", ","))
    long = None if cut else _cut(_LONG, clause.rest)
    if long and not any(word in ("every", "each", "per", "once", "twice") for word in clause.rest):
        yield _made("how long", _asked(["how", "long"], clause, long[0]), long[1].removeprefix("for "))


def _where(clause: Clause, names: Names) -> Iterator[Draft]:
    start, preposition = _last_name(clause.rest, names)
    found = base_of(clause.verb)
    if found and found[0] in _TELLING:
        return
    if (
        start
        and clause.rest[-1] in names.places
        and preposition in ("in", "at", "to", "into", "from", "near")
    ):
        kept = [*clause.rest[: start - 1], *(["from"] if preposition == "from" else [])]
        yield _made("where", _asked(["where"], clause, kept), written(clause.rest[start:]))


def _whom(clause: Clause, names: Names) -> Iterator[Draft]:
    start, preposition = _last_name(clause.rest, names)
    if start > 1 and clause.rest[-1] in names.people and preposition in ("to", "with", "from", "against"):
        kept = clause.rest[: start - 1 - (clause.rest[start - 2] in ("along", "over", "together"))]
        asked = _asked([preposition, "whom"], clause, kept)
        yield _made("whom", asked, written(clause.rest[start:]))


def _last_name(rest: Sequence[str], names: Names) -> tuple[int, str]:
    """Return where the name at the end of *rest* begins, and the word before it; 0 where there is none."""
    start = len(rest)
    while start and rest[start - 1] in names.words:
        start -= 1
    return (start, rest[start - 1]) if 0 < start < len(rest) else (0, "")


def _how_many(clause: Clause) -> Iterator[Draft]:
    rest = clause.rest
    if rest[0].lower() not in NUMBERS and not rest[0].isdigit():
        return
    end = 1
    while (
        end < len(rest)
        and rest[end] not in _PREPOSITIONS
        and rest[end].isalpha()
        and rest[end] not in ("and", "or")
    ):
        end += 1
    if 1 < end <= 4 and _plural(rest[end - 1]) and not (end < len(rest) and rest[end] in ("and", "or")):
        things = ["how", "many", *rest[1:end]]
        yield _made("how many", _asked(things, clause, rest[end:]), rest[0])


def _plural(word: str) -> bool:
    return (word.endswith("s") and not word.endswith(("ss", "us", "'s"))) or word in (
        "men",
        "women",
        "people",
        "children",
    )


def _what(clause: Clause) -> Iterator[Draft]:
    """Ask for an object that a place, a time or a purpose follows."""
    rest = clause.rest
    if rest[0] not in _ARTICLES or is_helper(clause.verb):
        return
    end = 1
    while end < len(rest) and (rest[end] not in _PREPOSITIONS) and rest[end] not in ("and", "or"):
        end += 1
    if 2 <= end <= 5 and end < len(rest) and rest[end] in _PREPOSITIONS:
        noun = end - (rest[end - 1] in _PARTICLES)
        word = "whom" if rest[noun - 1] in PEOPLE else "what"
        if noun > 1:
            yield _made("what", _asked([word], clause, rest[noun:]), written(rest[:noun]))


def _why(clause: Clause) -> Iterator[Draft]:
    """Ask for a reason that is told as one: because, or a comma and for."""
    beyond = list(clause.beyond)
    if beyond[:1] == ["because"]:
        reason = beyond[1:]
    elif (
        beyond[:2] == [",", "for"]
        and beyond[2:3]
        and beyond[2].lower() in ("he", "she", "they", "it", "the", "there")
    ):
        reason = beyond[2:]
    else:
        return
    ends = (i for i, word in enumerate(reason) if word in '.;:!"\u201d()' or reason[i : i + 2] in _NEXT)
    end = next(ends, len(reason))
    if 2 <= end <= 25:
        yield _made("why", _asked(["why"], clause, clause.rest), written(reason[:end]))


def _counted(text: str) -> Iterator[Draft]:
    """Ask for a number that begins a sentence: Two maids slept near the door."""
    tokens = TOKEN.findall(text)
    if len(tokens) < 5 or tokens[0].lower() not in NUMBERS or "?" in tokens:
        return
    end = next((i for i, word in enumerate(tokens) if word in ".,;:!"), len(tokens))
    noun = next((i for i in range(1, min(4, end)) if _plural(tokens[i])), 0)
    if (
        noun
        and noun + 1 < end
        and tokens[noun + 1] in ("were", "are", "came", "went", "stood", "sat", "lay", "slept")
    ):
        yield _made("how many", ["how", "many", *tokens[1:end]], tokens[0].lower())


def _related(text: str, names: Names) -> Iterator[Draft]:
    """Ask who somebody is whom a relation explains: Nausicaa, daughter to King Alcinous."""
    tokens = TOKEN.findall(text)
    for i, token in enumerate(tokens):
        if token not in _RELATED or i + 2 >= len(tokens) or tokens[i + 1] not in ("of", "to"):
            continue
        end = names.run(tokens, i + 2)
        first = i - 1 if tokens[i - 1] not in ("the", "a", "an", "own") else i - 2
        comma = tokens[first] == ","
        start = first - comma
        if (
            end > i + 2
            and start >= 0
            and tokens[start] in names.people
            and not (comma and tokens[end : end + 1] == ["and"])
        ):
            while start and tokens[start - 1] in names.words:
                start -= 1
            told = written(tokens[first + 1 : end])
            yield _made("who is", ["who", "is", *tokens[start : first + 1 - comma]], told)
