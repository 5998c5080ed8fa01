"""How Mem0 2 searches: likeness, words and entities added up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.answering.lexical import Lexicon, entries
from memspan.language.words import stems
from memspan.material import Note
from memspan.policies import Holding, Likeness, best
from memspan.systems.said import named

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# mem0ai/mem0 @8d5b7865 (mem0ai 2.2.1), mem0/memory/main.py
LEAST = 0.1  # threshold: the cosine from which on a memory can be found
POOL, POOLED = 4, 60  # internal_limit = max(limit * 4, 60)
SAME_ENTITY = 0.95  # _upsert_entity
NEAR_ENTITY = 0.5  # _compute_entity_boosts
MOST_ENTITIES = 8  # of a question; _compute_entity_boosts
CROWDED = 0.001  # memory_count_weight
# mem0/utils/scoring.py
BOOST = 0.5  # ENTITY_BOOST_WEIGHT
# get_bm25_params: up to how many words of a question, midpoint and steepness of the sigmoid
SIGMOIDS = ((3, 5.0, 0.7), (6, 7.0, 0.6), (9, 9.0, 0.5), (15, 10.0, 0.5))
LONG_QUESTION = (12.0, 0.5)
# fastembed, Qdrant/bm25: k1, b, and a length that is taken for the mean whatever the texts are
SATURATION, LENGTH, MEAN_LENGTH = 1.2, 0.75, 256.0


@dataclass(frozen=True)
class Words:
    """BM25 as Qdrant computes it for Mem0; our stems stand in for its lemmas.

    Attributes:
        lexicon: one document for each memory.
        gains: weight of each word in each memory, scipy CSC.

    >>> words = Words.of(["Ana moved to Porto", "Rui cooks"])
    >>> words.scores(["ana", "move"]).round(3).tolist()
    [2.327, 0.0]
    """

    lexicon: Lexicon
    gains: Any

    @classmethod
    def of(cls, texts: Sequence[str]) -> Words:
        """Read *texts*, one of each memory."""
        lexicon = Lexicon.of(texts)
        gains = lexicon.counts.copy()
        columns = np.repeat(np.arange(gains.shape[1]), np.diff(gains.indptr))
        held_back = SATURATION * (1 - LENGTH + LENGTH * lexicon.lengths / MEAN_LENGTH)
        seen = gains.data
        gains.data = lexicon.idf[columns] * seen * (SATURATION + 1) / (seen + held_back[gains.indices])
        return cls(lexicon, gains)

    def scores(self, asked_for: Sequence[str]) -> Floats:
        """Return the raw score of each memory for the stems *asked_for*."""
        terms = self.lexicon.terms
        asked = np.array([terms[word] for word in dict.fromkeys(asked_for) if word in terms], np.int64)
        at, _ = entries(self.gains.indptr, asked)
        counted = np.bincount(self.gains.indices[at], self.gains.data[at], len(self.lexicon.lengths))
        return counted.astype(np.float64)


def keyword_scores(raw: Floats, words: int, most: int) -> Floats:
    """Return *raw* scores as they are added: a sigmoid of the *most* highest above 0, else 0.

    Args:
        raw: score of each memory.
        words: words of the question, which move the sigmoid.
        most: memories that the word search returns.

    >>> keyword_scores(np.array([5.0, 0.0, 1.0]), 2, 1).tolist()
    [0.5, 0.0, 0.0]
    """
    middle, steep = next(((at, by) for up_to, at, by in SIGMOIDS if words <= up_to), LONG_QUESTION)
    found = np.flatnonzero(raw > 0)
    found = found[best(raw[found], most)]
    scores = np.zeros(len(raw))
    scores[found] = 1 / (1 + np.exp(-steep * (raw[found] - middle)))
    return scores


def combined(alike: Floats, words: Floats, boosts: Floats) -> Floats:
    """Return the sum of the parts over the most that the active ones could reach, at most 1.

    Likeness counts 1, words 1 where any memory has some, entities 0.5 where any memory has some.

    >>> combined(np.array([0.5, 0.2]), np.array([0.0, 0.8]), np.array([0.0, 0.0])).tolist()
    [0.25, 0.5]
    """
    reach = 1.0 + bool(words.any()) + BOOST * bool(boosts.any())
    return np.minimum((alike + words + boosts) / reach, 1.0)


class Entities:
    """The names that memories mention, each linked to those that do.

    >>> entities = Entities(Likeness())
    >>> entities.link([("m1", "Zoë met Rui."), ("m2", "Rui cooks.")])
    >>> entities.boosts("What does Rui do?", ["m1", "m2"]).round(4).tolist()
    [0.4995, 0.4995]
    """

    def __init__(self, likeness: Likeness) -> None:
        """Start with none; *likeness* is that of names."""
        self._likeness = likeness
        self._linked: dict[str, dict[str, None]] = {}
        self._links: _Links | None = None

    def link(self, memories: Sequence[tuple[str, str]]) -> None:
        """Link *memories* written together, each an id and a text, to the names in them.

        A name joins the one that is the same, else the nearest of those that were there before with a
        cosine of at least 0.95.
        """
        found: dict[str, dict[str, None]] = {}
        for memory, text in memories:
            for name in named(text):
                found.setdefault(name, {})[memory] = None
        homes = {name: self._home(name) for name in found}
        for name, mentioned in found.items():
            self._linked.setdefault(homes[name], {}).update(mentioned)
        self._links = None

    def _home(self, name: str) -> str:
        if name in self._linked or not self._linked:
            return name
        known = list(self._linked)
        places = self._likeness.places(known)
        alike = self._likeness.to(name)[places]
        nearest = int(alike.argmax())
        return known[nearest] if alike[nearest] >= SAME_ENTITY else name

    def unlink(self, memory: str) -> None:
        """Forget *memory*, and the names that only it mentioned."""
        for name in [name for name, linked in self._linked.items() if memory in linked]:
            del self._linked[name][memory]
            if not self._linked[name]:
                del self._linked[name]
        self._links = None

    def boosts(self, text: str, memories: Sequence[str]) -> Floats:
        """Return what the names of *text* add to each of *memories*, all that there are.

        It is the most, over the first eight names and the known ones of cosine c of at least 0.5 with
        them, of ``0.5 c / (1 + 0.001 (n - 1)²)``; n is how many memories mention the known one.
        """
        boosts = np.zeros(len(memories))
        asked = named(text)[:MOST_ENTITIES]
        if not asked or not self._linked:
            return boosts
        links = self._linked_to(memories)
        alike = np.max([self._likeness.to(name)[links.places] for name in asked], axis=0)
        worth = np.where(alike >= NEAR_ENTITY, BOOST * alike / links.crowds, 0.0)
        for i in np.flatnonzero(worth).tolist():
            members = links.members[i]
            boosts[members] = np.maximum(boosts[members], worth[i])
        return boosts

    def _linked_to(self, memories: Sequence[str]) -> _Links:
        if self._links is None:
            position = {memory: i for i, memory in enumerate(memories)}
            members = tuple(np.array([position[one] for one in linked]) for linked in self._linked.values())
            crowds = np.array([1 + CROWDED * (len(linked) - 1) ** 2 for linked in members])
            self._links = _Links(self._likeness.places(list(self._linked)), crowds, members)
        return self._links


@dataclass(frozen=True)
class _Links:
    """Of each name: its place among the alike, by how much it is crowded, and who mentions it."""

    places: Ints
    crowds: Floats
    members: tuple[Ints, ...]


class Search:
    """Mem0's search over the notes of a `Holding` that are told to it.

    >>> holding = Holding(Likeness())
    >>> search = Search(holding, Likeness())
    >>> for name, text in (("a", "Ana moved to Porto."), ("b", "Rui cooks.")):
    ...     holding.add(Note(name, text))
    ...     search.added([(name, text)])
    >>> [note.id for note in search.find("Where did Ana move?", 1)]
    ['a']
    """

    def __init__(self, holding: Holding, names: Likeness) -> None:
        """Search *holding*; *names* is the likeness of names."""
        self._holding = holding
        self._entities = Entities(names)
        self._words: Words | None = None
        self._names: tuple[str, ...] = ()

    def added(self, memories: Sequence[tuple[str, str]]) -> None:
        """Take *memories* written together, each an id and a text."""
        self._entities.link(memories)
        self._words = None

    def dropped(self, memory: str) -> None:
        """Forget *memory*."""
        self._entities.unlink(memory)
        self._words = None

    def find(self, text: str, k: int) -> list[Note]:
        """Return at most *k* notes for *text*, best first; of equal ones the more alike first."""
        if not len(self._holding) or k < 1:
            return []
        notes = self._holding.notes
        alike = self._holding.similarity(text).astype(np.float64)
        pool = np.array(best(alike, max(POOL * k, POOLED)))
        pool = pool[alike[pool] >= LEAST]
        scores = self.scores(text, alike, k)[pool]
        return [notes[pool[i]] for i in best(scores, k)]

    def scores(self, text: str, alike: Floats, k: int) -> Floats:
        """Return the combined score of each note for *text*, whatever its cosine *alike*."""
        asked = stems(text)
        keywords = keyword_scores(self._told().scores(asked), len(asked), max(POOL * k, POOLED))
        boosts = self._entities.boosts(text, self._names)
        return combined(alike, keywords, boosts)

    def _told(self) -> Words:
        if self._words is None:
            notes = self._holding.notes
            self._names = tuple(note.id for note in notes)
            self._words = Words.of([note.text for note in notes])
        return self._words
