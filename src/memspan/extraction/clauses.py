"""Plain statements inside claims: a subject that names somebody, a known verb, and what follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memspan.extraction.naming import TOKEN, Names, sentences
from memspan.language.verbs import AUXILIARY, base_of, is_finite, known_verbs, third_person

LONGEST = 16  # words behind the verb; what is longer is no plain statement

_LEADING = """
    and but so for then now yet while when meanwhile however therefore moreover here thus presently where
    because also finally soon afterwards later today yesterday whereon whereupon well still
"""
_CONNECTING = frozenset(("'", *_LEADING.split()))
_CUTTING = """
    who whom which whose where when while whereon whereupon because though although till until unless if so
    whether whence whither lest wherein
"""
CUTTING = frozenset(_CUTTING.split())
_CUTTING_BEFORE_PRONOUN = frozenset(
    ("as", "for", "before", "after", "since", "than", "that", "and", "but", "or")
)
SUBJECTS = frozenset(("he", "she", "it", "they", "we", "i", "you", "there"))
BOUNDS = frozenset(',;:()[]"\u201c\u201d\u2013\u2014-*\u2026')
_PEOPLE = """
    girl boy man woman men women maid maids king queen daughter son mother father brother sister wife
    husband goddess god servant servants people stranger friend captain captains workman child children
    uncle aunt prophet crew sailors companions comrades herald suitors nurse swineherd shepherd giant nymph
    teacher doctor owner boss colleague neighbour manager student team family parents couple seer guest
    guests gods goddesses girls boys men daughters sons mothers fathers brothers sisters kings queens
    friends sailors heralds ghosts pair crews bard
"""
PEOPLE = frozenset(_PEOPLE.split())
_ARTICLES = frozenset(("the", "The"))
_ADVERBS = frozenset(("also", "then", "now", "always", "still", "just", "soon", "once", "first", "again"))
_BEHIND = frozenset(
    ("when", "while", "where", "because", "as", "until", "after", "before", "since", "though")
)
_VAGUE = frozenset(
    ("other", "others", "rest", "same", "first", "second", "last", "one", "latter", "former", "two", "three")
)


@dataclass(frozen=True)
class Clause:
    """A statement of one subject and one verb.

    Attributes:
        subject: as it is put into a question; ``I`` has become the speaker's name.
        verb: the finite verb as it is put behind who.
        rest: what follows, up to the end of the statement, one entry per word or mark.
        beyond: the rest of the sentence.
        person: whether the subject is somebody; else something.
        single: whether the subject is one name, so that he or she can stand for it.
    """

    subject: str
    verb: str
    rest: tuple[str, ...]
    beyond: tuple[str, ...]
    person: bool
    single: bool


def clauses(text: str, speaker: str | None, names: Names) -> Iterator[Clause]:
    """Yield the plain statements of *text*; questions have none."""
    for sentence in sentences(text):
        tokens = TOKEN.findall(sentence)
        if "?" in tokens:
            continue
        for start in _starts(tokens):
            found = _clause(tokens, start, speaker, names)
            if found:
                yield found


def _starts(tokens: Sequence[str]) -> Iterator[int]:
    """Yield where a statement may begin: at the front, behind a mark, behind a connecting word."""
    fresh = True
    for i, token in enumerate(tokens):
        if fresh and token not in BOUNDS:
            yield i
        connects = token.lower() in _CONNECTING
        fresh = token in BOUNDS or (fresh and connects) or token in _BEHIND


def _clause(tokens: Sequence[str], start: int, speaker: str | None, names: Names) -> Clause | None:
    end, person = _subject(tokens, start, speaker, names)
    if end == start:
        return None
    single = tokens[start] in names.words or tokens[start] == "I"
    place = end + 2 if single and tuple(tokens[end : end + 2]) == (",", "who") else end
    while place < len(tokens) and (tokens[place] in _ADVERBS or tokens[place].endswith("ly")):
        place += 1
    if place >= len(tokens):
        return None
    subject = speaker if tokens[start] == "I" and speaker else _joined(tokens[start:end])
    verb = _verb(tokens[place], first=tokens[start] == "I")
    rest = _rest(tokens[place + 1 :], names)
    if verb is None or not 1 <= len(rest) <= LONGEST or not _sound(verb, rest, named=single):
        return None
    beyond = tuple(tokens[place + 1 + len(rest) :])
    return Clause(subject, verb, rest, beyond, person, single)


def _joined(tokens: Sequence[str]) -> str:
    words = ["the" if token in _ARTICLES else token for token in tokens]
    return " ".join(words)


def _subject(tokens: Sequence[str], start: int, speaker: str | None, names: Names) -> tuple[int, bool]:
    """Return where the subject that begins at *start* ends, and whether it is a person."""
    if tokens[start] == "I":
        return (start + 1, True) if speaker else (start, True)
    end = names.run(tokens, start)
    if end > start:
        if tokens[end - 1] in names.places:
            return start, False
        return end, True
    before = tokens[start - 1] if start else ""
    if tokens[start] not in _ARTICLES or before == ",":
        return start, False
    return _described(tokens, start, names)


def _described(tokens: Sequence[str], start: int, names: Names) -> tuple[int, bool]:
    """Return the end of a subject like ``the daughter of Alcinous`` or ``the Hotel Park``."""
    end = names.run(tokens, start + 1)
    if end > start + 1:
        return end, tokens[end - 1].endswith("s")
    end = start + 1
    while end < min(start + 4, len(tokens)) and _describes(tokens[end]):
        end += 1
    if end == start + 1 or not _VAGUE.isdisjoint(tokens[start:end]):
        return start, False
    of = names.run(tokens, end + 1) if end < len(tokens) and tokens[end] == "of" else 0
    end = of if of > end + 1 else end
    person = any(token in PEOPLE for token in tokens[start:end])
    return end, person


def _describes(token: str) -> bool:
    """Whether *token* can be an adjective or noun behind an article."""
    return token.isalpha() and token.islower() and not is_finite(token) and token not in _LINKING


def _verb(token: str, *, first: bool) -> str | None:
    if first and token in known_verbs():
        return third_person(token)
    if first and token in ("am", "have"):
        return {"am": "is", "have": "has"}[token]
    return token if _tells(token) and token not in ("did", "does", "do") else None


def _tells(token: str) -> bool:
    """Whether *token* is a finite verb, or looks like a past form."""
    return is_finite(token) or (token.endswith("ed") and token.islower() and len(token) > 4)


def _rest(tokens: Sequence[str], names: Names) -> tuple[str, ...]:
    """Return what belongs to the verb: up to a mark, a subordinate clause or another statement."""
    end = 0
    while end < len(tokens):
        token, after = tokens[end].lower(), tokens[end + 1] if end + 1 < len(tokens) else ""
        if token in BOUNDS | CUTTING or token in _STOPS:
            break
        if token in _CUTTING_BEFORE_PRONOUN and after.lower() in SUBJECTS:
            break
        if token in ("and", "but", "or") and (_tells(after) or _acts(tokens, end + 1, names)):
            break
        end += 1
    while end and tokens[end - 1].lower() in _IDLE:
        end -= 1
    return tuple(tokens[:end])


def _acts(tokens: Sequence[str], start: int, names: Names) -> bool:
    """Whether another statement begins at *start*: a name or an article, and a verb soon."""
    end = names.run(tokens, start)
    if end > start:
        return end < len(tokens) and is_finite(tokens[end])
    if tokens[start : start + 1] and tokens[start].lower() in _DETERMINERS:
        return any(map(_tells, tokens[start + 1 : start + 7]))
    return start + 1 < len(tokens) and tokens[start + 1] in AUXILIARY  # and darkness was over the land


def _sound(verb: str, rest: Sequence[str], *, named: bool) -> bool:
    """Whether verb and rest say something that can be asked for."""
    first, found = rest[0].lower(), base_of(verb)
    if first in ("not", "never", "n't", "by") or rest[-1].lower() in _DANGLING or _tells(rest[-1]):
        return False
    if _tells(first) and verb not in AUXILIARY:
        return False  # "the fierce winds bore": what looked like the verb is a noun
    if not named and found and not found[1] and first in ("of", "in", "and"):
        return False
    return _whole(rest) and not (found and _lacks(found[0], first))


def _lacks(base: str, first: str) -> bool:
    """Whether the verb cannot go on so: where Circe lives a great goddess, its subject is behind it."""
    return (base in _STAYING and first in ("a", "an", "the")) or (base == "say" and first == "to")


def _whole(rest: Sequence[str]) -> bool:
    """Whether nothing was cut off or run together: firm as, that the men, when Ana was small was a joy."""
    if rest[-2:-1] == ("as",) and rest.count("as") == 1:
        return False
    if not _JOINING.intersection(rest) and not _BEING.isdisjoint(rest[1:]):
        return False
    that = rest.index("that") if "that" in rest else len(rest)
    return that == len(rest) or any(map(_tells, rest[that + 1 :]))


_BEING = frozenset(("is", "was", "are", "were"))
_JOINING = frozenset(("that", "how", "what", "and", "but", "or"))
_STOPS = frozenset(".!?'")
_STAYING = frozenset(("live", "lie", "sleep", "go", "come", "arrive", "stay", "sit", "stand", "dwell"))
_DETERMINERS = frozenset(("the", "a", "an", "his", "her", "their", "its", "my", "your", "our", "some", "all"))
_IDLE = frozenset(
    (
        "just",
        "also",
        "too",
        "now",
        "then",
        "either",
        "even",
        "ever",
        "again",
        "however",
        "please",
        "along",
        "over",
    )
)
_LINKS = (
    "of to in on at by for with from into and or but not only even both all here there shall may might must"
)
_LINKING = SUBJECTS | _ADVERBS | CUTTING | _CUTTING_BEFORE_PRONOUN | frozenset(_LINKS.split())
_LEFT_OVER = """
    and but or of to in on at by for with from into as than that the a an his her their its my your our how
    what very too even not was were is are had has have be been
"""
_DANGLING = frozenset(_LEFT_OVER.split())
