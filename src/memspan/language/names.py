"""Which known name a mention means: first as it stands, then as it reads, then by what it shares.

Each step is tried only where the ones before found nothing. Two names that fit equally well are both
returned: who asks decides, nothing is guessed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from memspan.language.words import STOPWORDS, words

Step = Literal["exact", "folded", "alias", "bare", "overlap", "none"]

_BRACKETS = re.compile(r"\s*[(\[][^)\]]*(?:[)\]]|$)")
_ROMAN = re.compile(r"(?=.)x{0,3}(ix|iv|v?i{0,3})")


@dataclass(frozen=True)
class Link:
    """What a mention may mean.

    Attributes:
        mention: as it was given.
        names: the known names that fit; more than one is an ambiguity, none a stranger.
        step: which step found them: ``exact``; ``folded``, the same but for case, accents and
            punctuation; ``alias``, another known form; ``bare``, the same without what stands in
            brackets; ``overlap``, most words in common; ``none``.
    """

    mention: str
    names: tuple[str, ...]
    step: Step

    @property
    def ambiguous(self) -> bool:
        """Whether several names fit equally well."""
        return len(self.names) > 1

    @property
    def name(self) -> str | None:
        """The one name that fits; None where none or several do."""
        return self.names[0] if len(self.names) == 1 else None


class Names:
    """Known names, ready to be found by mentions.

    >>> names = Names(["Zoë Lima", "The Ferry (1954 film)"], {"Zoë Maria Lima": ["Zoë Lima"]})
    >>> names.link("zoe LIMA").name, names.link("The Ferry").step
    ('Zoë Lima', 'bare')
    """

    def __init__(
        self, names: Iterable[str], aliases: Mapping[str, Iterable[str]] | None = None, overlap: float = 0.6
    ) -> None:
        """Index *names*.

        Args:
            names: each once or more.
            aliases: another form, e.g. the title of a page, to the names it may stand for.
            overlap: least share of words in common, 0 < overlap <= 1; above 1 the step is left out.
        """
        self._names = dict.fromkeys(names)
        self._overlap = overlap
        forms = [(name, name) for name in self._names]
        others = [(form, name) for form, known in (aliases or {}).items() for name in known]
        self._steps: tuple[tuple[Step, Callable[[str], str], Mapping[str, dict[str, str]]], ...] = (
            ("exact", str, _index(forms, str)),
            ("folded", reading, _index(forms, reading)),
            ("alias", reading, _index(others, reading)),
            ("bare", bare, _index([*forms, *others], bare)),
        )
        self._holding: dict[str, set[str]] = defaultdict(set)
        self._words: dict[str, list[tuple[str, set[str]]]] = defaultdict(list)
        for form, name in (*forms, *others):
            told = _telling(form)
            self._words[name].append((form, told))
            for word in told:
                self._holding[word].add(name)

    def link(self, mention: str) -> Link:
        """Return the names that *mention* may mean, by the first step that finds any."""
        for step, key, index in self._steps:
            found = index.get(key(mention), {})
            fitting = [name for name, form in found.items() if step != "bare" or _compatible(mention, form)]
            if fitting:
                return Link(mention, tuple(fitting), step)
        overlapping = self._overlapping(mention)
        return Link(mention, overlapping, "overlap" if overlapping else "none")

    def _overlapping(self, mention: str) -> tuple[str, ...]:
        told = _telling(mention)
        near = set().union(*(self._holding.get(word, set()) for word in told))
        scores = {
            name: max(
                _share(told, own) if _compatible(mention, form) else 0.0 for form, own in self._words[name]
            )
            for name in near
        }
        best = max(scores.values(), default=0.0)
        return tuple(name for name in self._names if scores.get(name, -1.0) == best >= self._overlap)


def reading(name: str) -> str:
    """Return *name* without case, accents and punctuation.

    >>> reading("Ali'S  Eight Days!")
    'ali eight days'
    """
    return " ".join(words(name)) or name.strip().casefold()


def bare(name: str) -> str:
    """Return the `reading` of *name* without what stands in brackets, closed or not.

    >>> bare("Zoë (band)"), bare("The Charm (German: Zauber")
    ('zoe', 'the charm')
    """
    return reading(_BRACKETS.sub("", name)) if _BRACKETS.sub("", name).strip() else reading(name)


def _index(forms: Iterable[tuple[str, str]], key: Callable[[str], str]) -> Mapping[str, dict[str, str]]:
    index: dict[str, dict[str, str]] = defaultdict(dict)
    for form, name in forms:
        index[key(form)].setdefault(name, form)
    return index


def _compatible(mention: str, form: str) -> bool:
    """Tell whether brackets allow that two mean the same: at most one of them says what it is."""
    one, other = (reading(" ".join(_BRACKETS.findall(text))) for text in (mention, form))
    return not one or not other or one == other


def _telling(name: str) -> set[str]:
    """Return the words that tell *name* from others: no small words, no initials."""
    told = [word for word in bare(name).split() if word not in STOPWORDS]
    return {word for i, word in enumerate(told) if len(word) > 1 or (i and _is_number(word))} or set(told)


def _share(one: set[str], other: set[str]) -> float:
    """Return the words in common as a share of all; 0 where a number stands in one of them only."""
    if any(_is_number(word) for word in one ^ other):
        return 0.0
    return len(one & other) / len(one | other)


def _is_number(word: str) -> bool:
    return any(character.isdigit() for character in word) or bool(_ROMAN.fullmatch(word))
