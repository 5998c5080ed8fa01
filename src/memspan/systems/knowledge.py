"""What passages state: facts between entities, as HippoRAG files them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from memspan.language.words import words
from memspan.material import Claim, Triple
from memspan.policies import Likeness
from memspan.systems.pagerank import PageRank
from memspan.systems.said import named

if TYPE_CHECKING:
    from memspan.ports import Author

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SYNONYM = 0.8  # synonymy_edge_sim_threshold; OSU-NLP-Group/HippoRAG src/hipporag/utils/config_utils.py
SHORTEST = 3  # letters from which on an entity looks for synonyms; HippoRAG.py, add_synonymy_edges
DAMPING = 0.5  # damping; config_utils.py
_TOGETHER = 512  # entities that are compared at once: a few megabytes


def facts_of(claim: Claim, author: Author) -> tuple[Triple, ...]:
    """Return the facts that *claim* states, lower case: its triple; without one a stand-in for OpenIE.

    The stand-in finds the names and keywords of the text and states that the first, the speaker where
    there is one, has to do with each of the others.

    >>> from memspan.systems.author import PlainAuthor
    >>> facts_of(Claim("c", "Rui cooks fish.", speaker="Rui"), PlainAuthor())
    (('rui', '', 'cook'), ('rui', '', 'fish'))
    """
    if claim.triple is not None:
        subject, relation, object_ = (" ".join(words(part)) for part in claim.triple)
        return ((subject, relation, object_),)
    speaker = [" ".join(words(claim.speaker))] if claim.speaker else []
    names = named(claim.text)
    told = {word for name in (*speaker, *names) for word in name.split()}
    others = (word for word in author.keywords(claim.text) if word not in told)
    found = list(dict.fromkeys(chain(speaker, names, others)))
    return tuple((found[0], "", other) for other in found[1:])


@dataclass(frozen=True)
class Graph:
    """The graph of some passages: passages come first, then the entities that they name.

    Attributes:
        passages: how many.
        facts: which facts they state, as `Knowledge` numbers them.
        ends: the two nodes of each of those facts, shape (n facts, 2).
        spread: how many passages name each node; 0 for passages.
        walk: PageRank over the nodes.
    """

    passages: int
    facts: Ints
    ends: Ints
    spread: Ints
    walk: PageRank


class Knowledge:
    """Numbers the entities and facts of all passages seen, and links those of some of them.

    >>> from memspan.policies import Likeness
    >>> known = Knowledge(Likeness())
    >>> passages = [known.learn([("rui", "cooks", "fish")]), known.learn([("ana", "sells", "fish")])]
    >>> known.graph(passages).spread.tolist()  # two passages; rui, fish, ana
    [0, 0, 1, 2, 1]
    """

    def __init__(self, likeness: Likeness) -> None:
        """Start with nothing known; *likeness* is that of entities."""
        self._entities: dict[str, int] = {}
        self._facts: dict[Triple, int] = {}
        self._ends: list[tuple[int, int]] = []
        self._synonyms = Synonyms(likeness)

    @property
    def facts(self) -> tuple[Triple, ...]:
        """Every fact, in the order of its number."""
        return tuple(self._facts)

    def learn(self, facts: Sequence[Triple]) -> Ints:
        """Return the numbers of *facts*: what `graph` wants of a passage."""
        return np.array([self._numbered(fact) for fact in facts], np.int64)

    def _numbered(self, fact: Triple) -> int:
        if fact not in self._facts:
            self._facts[fact] = len(self._facts)
            head, tail = (self._entities.setdefault(end, len(self._entities)) for end in (fact[0], fact[2]))
            self._ends.append((head, tail))
        return self._facts[fact]

    def graph(self, stated: Sequence[Ints]) -> Graph:
        """Link the passages that state the facts *stated*, by number.

        A fact links its ends both ways, once for each time it is stated; a passage is linked to its
        entities with weight 1; a synonym link has its cosine and takes the place of what was there. As
        both ways become edges of one undirected graph, links between entities count twice.

        Source: OSU-NLP-Group/HippoRAG src/hipporag/HippoRAG.py, add_fact_edges to add_new_edges.
        """
        count = len(stated)
        every = np.concatenate([*stated, np.zeros(0, np.int64)]).astype(np.int64)
        ends = np.array(self._ends, np.int64).reshape(-1, 2)[every]
        alive, node = np.unique(ends, return_inverse=True)
        nodes = count + node.reshape(-1, 2)
        size = count + len(alive)
        owner = np.repeat(np.arange(count), [len(numbers) for numbers in stated])
        naming = np.unique(owner[:, None] * size + nodes)
        facts, first = np.unique(every, return_index=True)
        weights = _undirected(naming, _linked(nodes, size), self._alike(alive, count, size), size)
        spread = np.bincount(naming % size, minlength=size) if size else np.zeros(0, np.int64)
        return Graph(count, facts, nodes[first], spread, PageRank.of(weights, DAMPING))

    def _alike(self, alive: Ints, count: int, size: int) -> tuple[Ints, Floats]:
        """Return the links between synonyms among the entities *alive*, as places in a square of *size*."""
        self._synonyms.learn(tuple(self._entities))
        place = np.full(len(self._entities), -1)
        place[alive] = np.arange(count, size)
        sources, targets, cosines = self._synonyms.pairs
        both = (place[sources] >= 0) & (place[targets] >= 0)
        return place[sources[both]] * size + place[targets[both]], cosines[both]


def _linked(nodes: Ints, size: int) -> tuple[Ints, Floats]:
    """Return the links that the facts make between their ends, both ways, and how often each is made."""
    ends = nodes[nodes[:, 0] != nodes[:, 1]]
    places, often = np.unique(np.concatenate([ends @ [size, 1], ends @ [1, size]]), return_counts=True)
    return places, often.astype(np.float64)


def _undirected(naming: Ints, linked: tuple[Ints, Floats], alike: tuple[Ints, Floats], size: int) -> Any:
    """Return the graph in which each link, either way, is an edge: scipy CSR, symmetric."""
    from scipy.sparse import coo_matrix

    stays = ~np.isin(linked[0], alike[0])
    places = np.concatenate([naming, linked[0][stays], alike[0]])
    values = np.concatenate([np.ones(len(naming)), linked[1][stays], alike[1]])
    rows, columns = np.divmod(places, max(size, 1))
    one_way = coo_matrix((values, (rows, columns)), (size, size)).tocsr()
    return one_way + one_way.T


class Synonyms:
    """Pairs of entities that are as good as the same.

    >>> from memspan.policies import Likeness
    >>> same = Synonyms(Likeness())
    >>> same.learn(("new york city", "sea", "york city new"))  # the same words
    >>> [pair.tolist() for pair in same.pairs[:2]]
    [[2, 0], [0, 2]]
    """

    def __init__(self, likeness: Likeness) -> None:
        """Start with no entities."""
        self._likeness = likeness
        self._known = 0
        self._vectors: npt.NDArray[np.float32] = np.zeros((0, 0), np.float32)
        self._pairs: list[tuple[Ints, Ints, Floats]] = []

    @property
    def pairs(self) -> tuple[Ints, Ints, Floats]:
        """From which entity to which, and their cosine."""
        none = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
        sources, targets, cosines = zip(none, *self._pairs, strict=True)
        return np.concatenate(sources), np.concatenate(targets), np.concatenate(cosines)

    def learn(self, entities: Sequence[str]) -> None:
        """Compare those of *entities* that are new, at the end, with all of them."""
        old, self._known = self._known, len(entities)
        if old == len(entities):
            return
        self._hold(entities[old:], old)
        long = np.array([len(name.replace(" ", "")) >= SHORTEST for name in entities])
        for start in range(old, len(entities), _TOGETHER):
            self._compare(start, min(start + _TOGETHER, len(entities)), long)

    def _compare(self, start: int, end: int, long: npt.NDArray[np.bool_]) -> None:
        """Find the pairs of which the later entity is one of *start* to *end*."""
        cosines = self._vectors[start:end] @ self._vectors[:end].T
        later, earlier = np.nonzero(cosines >= SYNONYM)
        values = cosines[later, earlier].astype(np.float64)
        later = later + start
        before = earlier < later
        one, other, value = later[before], earlier[before], values[before]
        sources, targets = np.concatenate([one, other]), np.concatenate([other, one])
        asks = long[sources]
        self._pairs.append((sources[asks], targets[asks], np.concatenate([value, value])[asks]))

    def _hold(self, entities: Sequence[str], old: int) -> None:
        self._likeness.places(entities)  # embeds them together
        rows = np.array([self._likeness.vector(name) for name in entities])
        if old + len(rows) > len(self._vectors):
            grown = np.zeros((max(2 * old, old + len(rows)), rows.shape[1]), np.float32)
            grown[:old] = self._vectors[:old] if old else 0
            self._vectors = grown
        self._vectors[old : old + len(rows)] = rows
