"""HippoRAG 2: passages in a graph of the entities they name, read by personalised PageRank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from memspan.material import Claim, Note, Query
from memspan.policies import Holding, Likeness, best, note_of
from memspan.ports import Author
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.knowledge import Graph, Knowledge, facts_of

Floats = npt.NDArray[np.float64]

# all: OSU-NLP-Group/HippoRAG @c617143, src/hipporag/utils/config_utils.py
FACTS = 5  # linking_top_k: facts that a question is linked to, and entities that stay of their ends
PASSAGE = 0.05  # passage_node_weight: what a passage's own likeness counts among the seeds
READ = 5  # qa_top_k


class HippoRag:
    """Holds each claim as a passage; a `MemorySystem` with `Shrinks`.

    A question is linked to the facts most like it, of which the author keeps the relevant ones. Their
    ends and, weakly, all passages are where a walk through the graph starts; the passages where it
    spends most time are read. Without a relevant fact, likeness alone ranks.

    It has no bound and no forgetting. Its own ranking is the PageRank of a passage without a question:
    the walk may start at any node. It is computed when claims have come since the last cut, and stays
    while claims are dropped, so that a memory cut twice is the memory cut once. A text that is held
    already adds nothing, as passages are keyed by their text; the graph is that of one indexing of all
    that is held, not of many small ones, which in the released code pile up synonym edges.

    >>> from memspan.systems.author import PlainAuthor
    >>> memory = HippoRag(Likeness(), PlainAuthor())
    >>> for name, text in (("a", "Rui cooks fish."), ("b", "Fish is sold in Porto."), ("c", "Eva reads.")):
    ...     memory.observe(Claim(name, text))
    >>> [note.id for note in memory.read(Query("q", "What does Rui cook?"), 2)]
    ['a', 'b']
    """

    name = "hipporag"

    def __init__(self, likeness: Likeness, author: Author, capacity: int | None = None) -> None:
        """Start with nothing held; *author* finds keywords and tells relevant facts."""
        self._author, self._capacity = author, capacity
        self._holding = Holding(likeness)
        self._knowledge = Knowledge(likeness.apart("entities"))
        self._likeness = likeness.apart("facts")
        self._stated: dict[str, npt.NDArray[np.int64]] = {}
        self._texts: set[str] = set()
        self._graph: _Linked | None = None
        self._standing: dict[str, float] | None = None

    def observe(self, claim: Claim) -> None:
        """Hold *claim*, unless its text is held."""
        if claim.text and claim.text in self._texts:
            return
        self._texts.add(claim.text)
        self._holding.add(note_of(claim))
        self._stated[claim.id] = self._knowledge.learn(facts_of(claim, self._author))
        self._graph = self._standing = None
        if self._capacity is not None and self._holding.size > self._capacity:
            self.shrink(self._capacity)

    def shrink(self, capacity: int) -> None:
        """Let go of the passages of lowest PageRank until at most *capacity* are held."""
        for note in self.held()[max(capacity, 0) :]:
            self._holding.drop(note.id)
            self._texts.discard(note.text)
            del self._stated[note.id]
            self._graph = None

    def held(self) -> tuple[Note, ...]:
        """Return the passages, the highest PageRank without a question first; ties by age."""
        if self._standing is None:
            graph = self._linked().graph
            ranks = graph.walk.ranks(np.ones(len(graph.spread)))
            self._standing = dict(zip(self._stated, ranks.tolist(), strict=False))
        standing = self._standing
        return tuple(sorted(self._holding.notes, key=lambda note: -standing[note.id]))

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return the *k* passages where the walk from the question spends most time."""
        if not len(self._holding) or k < 1:
            return ()
        notes = self._holding.notes
        return tuple(notes[i] for i in best(self.scores(query.text), k))

    def scores(self, text: str) -> Floats:
        """Return how each passage ranks for *text*, in the order they came: PageRank, or likeness."""
        alike = stretched(self._holding.similarity(text))
        seeds = self.seeds(text)
        if seeds is None:
            return alike
        seeds[: len(alike)] = PASSAGE * alike
        return self._linked().graph.walk.ranks(seeds)[: len(alike)]

    def seeds(self, text: str) -> Floats | None:
        """Return what each entity counts as a start for *text*; None where no fact is relevant.

        It is the mean score of the chosen facts that it ends, each over the passages that name it.
        """
        linked, graph = self._linked(), self._linked().graph
        if not len(graph.facts):
            return None
        scores = stretched(self._likeness.to(text)[linked.places])
        near = best(scores, FACTS)
        chosen = [near[i] for i in self._author.relevant(text, [linked.wordings[i] for i in near])]
        if not chosen:
            return None
        nodes = graph.ends[chosen].ravel()
        shares = np.repeat(scores[chosen], 2) / graph.spread[nodes]
        size = len(graph.spread)
        means = np.bincount(nodes, shares, size) / np.maximum(np.bincount(nodes, minlength=size), 1)
        ends = np.array(list(dict.fromkeys(nodes.tolist())))
        stay = ends[best(means[ends], FACTS)]
        seeds = np.zeros(size)
        seeds[stay] = means[stay]
        return seeds

    def _linked(self) -> _Linked:
        if self._graph is None:
            graph = self._knowledge.graph(tuple(self._stated.values()))
            every = self._knowledge.facts
            wordings = tuple(" ".join(part for part in every[i] if part) for i in graph.facts.tolist())
            self._graph = _Linked(graph, self._likeness.places(wordings), wordings)
        return self._graph


@dataclass(frozen=True)
class _Linked:
    """The graph of what is held, and for each of its facts the place among the alike and the wording."""

    graph: Graph
    places: npt.NDArray[np.int64]
    wordings: tuple[str, ...]


def stretched(scores: npt.NDArray[np.floating]) -> Floats:
    """Return *scores* between 0, the lowest, and 1, the highest; all 1 where all are equal.

    Source: OSU-NLP-Group/HippoRAG src/hipporag/utils/misc_utils.py, min_max_normalize.

    >>> stretched(np.array([2.0, 3.0, 6.0])).tolist()
    [0.0, 0.25, 1.0]
    """
    exact = scores.astype(np.float64)
    least, most = exact.min(), exact.max()
    return (exact - least) / (most - least) if most > least else np.ones_like(exact)


def released(setting: Setting) -> HippoRag:
    """Return HippoRAG 2 as the code does it."""
    return HippoRag(setting.likeness, setting.author, setting.capacity)


KINDS = (
    SystemKind(
        "hipporag",
        "released",
        released,
        READ,
        source="OSU-NLP-Group/HippoRAG@c617143 src/hipporag/HippoRAG.py; arXiv 2502.14802",
    ),
)
