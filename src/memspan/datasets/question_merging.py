"""Which questions of a log are one question, without comparing each with each.

Two questions are one when their words that mean something have the same stems, in any order, and
nothing that turns a question into another one differs: the question word, a negation, the person
meant, the order of names. Near-duplicates on top of that: one word more where at least six are
shared (a Jaccard similarity of 6/7 or more), or one word that is a slip of the pen for the other.

A wrong merge changes what is asked, a missed one only splits a weight: doubtful pairs stay apart.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memspan.language.words import folded, stem, words

SHARED = 6  # words that two questions share at least when one has a word more: Jaccard >= 6/7
LONGEST_PAIRED = 24  # stems; longer texts are prompts with a document inside, equal or not at all
SLIP = 5  # letters of the shortest word in which a slip is told from another word

_SAYING_NOTHING = """
    a an the of to in on at by for as and this that these those there then so just very
    am is are was were be been being do does did doing have has had having
    please can could would will shall should it its
"""
_TURNING = """
    no not nor never none without before after from until since under over off out up down between
    more most less least few only same other again all any some each both own once further during
    against above below through or than first last next
"""
_DENYING = """
    dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt havent hasnt hadnt shouldnt
"""
_MEANT = (
    "i me my mine myself",
    "we us our ours",
    "you your yours",
    "he him his",
    "she her hers",
    "they them their",
)
_DOUBLED = re.compile(r"(.)\1+")
_LIGHT = frozenset(_SAYING_NOTHING.split())
_ASKING = frozenset(("who", "whom", "whose", "what", "which", "when", "where", "why", "how"))
_PERSONS = {word: forms.split()[0] for forms in _MEANT for word in forms.split()}
_CONTRASTS = frozenset(_TURNING.split())
_NEGATED = frozenset(_DENYING.split())


@dataclass(frozen=True, slots=True)
class Meaning:
    """What two wordings of one question share.

    Attributes:
        stems: stems of the words that mean something, sorted.
        turns: what turns a question into another one, sorted: question words, persons, contrasts,
            negations, and whether a question word is followed by an auxiliary.
        names: stems of the names, in order: who calls whom.
    """

    stems: tuple[str, ...]
    turns: tuple[str, ...]
    names: tuple[str, ...] = ()

    def without(self, stem_out: str) -> Meaning:
        """Return what is left when one stem is taken out."""
        left = tuple(other for other in self.stems if other != stem_out)
        return Meaning(left, self.turns, tuple(name for name in self.names if name != stem_out))


def meanings(texts: Sequence[str]) -> list[Meaning]:
    """Return the meaning of each of *texts*; names are the words that are mostly capitalised in them.

    >>> asked = meanings(["Who did Ana call?", "who DID Ana call, please", "Who called Ana?"])
    >>> asked[0] == asked[1], asked[0] == asked[2]
    (True, False)
    """
    names = _names(texts)
    told = {text: _meaning(words(text), names) for text in dict.fromkeys(texts)}
    return [told[text] for text in texts]


def _meaning(asked: list[str], names: frozenset[str]) -> Meaning:
    turns: list[str] = []
    kept: list[str] = []
    after = ["", *asked]
    for before, word in zip(after, asked, strict=False):
        if word in _ASKING:
            turns.append(word)
        elif word in ("did", "does", "do") and before in ("who", "whom", "what", "which"):
            turns.append("do")  # "who did Ana call" is not "who called Ana"
        elif word in _NEGATED:
            turns.append("not")
        elif word in _CONTRASTS:
            turns.append(word)
        elif word in _PERSONS:
            turns.append(_PERSONS[word])
        elif word not in _LIGHT:
            kept.append(stem(word))
    order = tuple(stem(word) for word in asked if word in names)
    return Meaning(tuple(sorted(set(kept))), tuple(sorted(turns)), order)


def _names(texts: Sequence[str]) -> frozenset[str]:
    """Return the words, folded, that stand capitalised inside texts more often than not."""
    tokens: Counter[str] = Counter()
    for text in dict.fromkeys(texts):
        inner = [token.strip(".,;:!?\"'()") for token in text.split()[1:]]
        some = sum([token[:1].isupper() for token in inner])
        if 2 * some <= len(inner) + 1:  # else a heading or shouting: capitals tell nothing there
            tokens.update(inner)
    large: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for token, n in tokens.items():
        for word in words(token):
            every[word] += n
            large[word] += n * token[:1].isupper()
    known = _ASKING | _PERSONS.keys() | _LIGHT | _CONTRASTS
    return frozenset(word for word, n in large.items() if 2 * n > every[word] and word not in known)


def leaders(meant: Sequence[Meaning], weights: Sequence[float]) -> list[int]:
    """Return for each distinct meaning the position of the one that speaks for it, often itself.

    The heaviest speaks first; a lighter one joins it directly or stays apart, so that no chain of
    small steps makes one of two questions. Time is linear in the letters of *meant*.
    """
    order = sorted(range(len(meant)), key=lambda i: (-weights[i], i))
    rank = {i: position for position, i in enumerate(order)}
    near: dict[int, list[int]] = defaultdict(list)
    for left, right in _near(meant):
        first, second = sorted((left, right), key=rank.__getitem__)
        near[second].append(first)
    speaker = list(range(len(meant)))
    for i in order:
        free = [other for other in near[i] if speaker[other] == other]
        if free:
            speaker[i] = min(free, key=rank.__getitem__)
    return speaker


def _near(meant: Sequence[Meaning]) -> Iterator[tuple[int, int]]:
    """Yield pairs that are near-duplicates, found through what is left when one stem is taken out."""
    whole = {_number(meaning.turns, meaning.stems): i for i, meaning in enumerate(meant)}
    alone: dict[int, tuple[int, str]] = {}
    crowds: dict[int, list[tuple[int, str]]] = {}
    for i, meaning in enumerate(meant):
        if len(meaning.stems) > LONGEST_PAIRED:
            continue
        number = _number(meaning.turns, meaning.stems)
        for out in meaning.stems:
            if not out.isalpha():
                continue  # another number asks another thing
            left = number - hash(out)
            if len(meaning.stems) > SHARED and left in whole and _extends(meaning, meant[whole[left]], out):
                yield whole[left], i
            first = alone.setdefault(left, (i, out))
            if first[0] != i:
                crowds.setdefault(left, [first]).append((i, out))
    for members in crowds.values():
        yield from _slips(meant, members)


def _number(turns: tuple[str, ...], stems: Sequence[str]) -> int:
    """Return a number from which a stem is taken out by subtraction; equal numbers are looked at again."""
    return hash(turns) + sum(map(hash, stems))


def _extends(more: Meaning, less: Meaning, out: str) -> bool:
    """Whether *more* is *less* with the word *out* on top, which is no name: a name asks another thing."""
    return out not in more.names and more.without(out) == less


def _slips(meant: Sequence[Meaning], members: list[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """Yield pairs of members one slip apart: the same letters, or the same but for doubled ones."""
    forms: dict[str, set[tuple[int, str]]] = defaultdict(set)
    for member in members:
        word = member[1]
        if len(word) >= SLIP:
            forms[_DOUBLED.sub(r"\1", word)].add(member)
            forms[" ".join(sorted(word))].add(member)
    for alike in forms.values():
        if 1 < len(alike) <= SLIP * SLIP:  # a crowd at one form is a series, not slips
            ranked = sorted(alike)
            yield from (
                (a, b)
                for k, (a, left) in enumerate(ranked)
                for b, right in ranked[k + 1 :]
                if is_slip(left, right) and meant[a].without(left) == meant[b].without(right)
            )


def is_slip(left: str, right: str) -> bool:
    """Whether one word is the other with a letter doubled or halved, or two neighbours exchanged.

    Another letter makes another word too often (Marie and Maria, form and farm).

    >>> is_slip("porto", "portto"), is_slip("recieve", "receive"), is_slip("maria", "marie")
    (True, True, False)
    """
    if left == right or min(len(left), len(right)) < SLIP:
        return False
    short, long = sorted((left, right), key=len)
    if len(short) == len(long):
        apart = [i for i in range(len(short)) if short[i] != long[i]]
        return len(apart) == 2 and apart[1] == apart[0] + 1 and sorted(short) == sorted(long)
    doubled = (i for i in range(1, len(long)) if long[i] == long[i - 1])
    return any(long[:i] + long[i + 1 :] == short for i in doubled)


def answer_key(answer: str | None) -> str:
    """Return what two wordings of one answer share: words but articles, in order.

    >>> answer_key("The Hotel Park."), answer_key("not safe")
    ('hotel park', 'not safe')
    """
    told = words(answer or "")
    return (
        " ".join(stem(word) for word in told if word not in ("a", "an", "the"))
        or folded(answer or "").strip()
    )
