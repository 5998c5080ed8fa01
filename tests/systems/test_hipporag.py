"""HippoRAG: the graph, the seeds and the ranks of a question, by hand."""

from dataclasses import dataclass

import numpy as np
import pytest

from memspan.material import Claim, Query
from memspan.policies import Likeness
from memspan.systems.author import PlainAuthor
from memspan.systems.hipporag import HippoRag
from memspan.systems.knowledge import Knowledge, facts_of
from tabled import Tabled, at

TRIPLES = {"p1": ("a", "r", "b"), "p2": ("b", "r", "c"), "p3": ("d", "r", "e")}


@dataclass(frozen=True)
class Chooser(PlainAuthor):
    """Finds the facts at these ranks relevant."""

    ranks: tuple[int, ...] = ()

    def relevant(self, query, texts):  # noqa: ARG002 - whatever is asked
        """Stand at one of the ranks."""
        return tuple(rank for rank in self.ranks if rank < len(texts))


def remembered(table, author, triples=TRIPLES, capacity=None):
    memory = HippoRag(Likeness(Tabled(table)), author, capacity)
    for name, triple in triples.items():
        memory.observe(Claim(name, f"text {name}", triple=triple))
    return memory


def ids(notes):
    return [note.id for note in notes]


# The graph of TRIPLES: passages p1 p2 p3, entities a b c d e. A passage is linked to its entities with 1,
# and the ends of a fact with 2: both ways count. Degrees: passages 2, a c d e 1 + 2 = 3, b 2 + 2 * 2 = 6.
NODES = ["p1", "p2", "p3", "a", "b", "c", "d", "e"]
EDGES = {
    ("p1", "a"): 1,
    ("p1", "b"): 1,
    ("p2", "b"): 1,
    ("p2", "c"): 1,
    ("p3", "d"): 1,
    ("p3", "e"): 1,
    ("a", "b"): 2,
    ("b", "c"): 2,
    ("d", "e"): 2,
}


def by_hand(seeds):
    """Solve p = W D^-1 p / 2 + s / 2 for the graph above."""
    weights = np.zeros((8, 8))
    for (one, other), weight in EDGES.items():
        i, j = NODES.index(one), NODES.index(other)
        weights[i, j] = weights[j, i] = weight
    ranks = np.linalg.solve(np.eye(8) - weights / weights.sum(axis=0) / 2, seeds)
    return ranks / ranks.sum()


def test_without_a_question_passages_stand_by_pagerank_as_solved_by_hand():
    # s = 1/8 each. The triangle p3 d e (Q, E, E):
    #   Q = E/3 + 1/16 and E = Q/4 + E/3 + 1/16, so E = 3Q/8 + 3/32 and Q = 3/28.
    # The rest, by symmetry p1 = p2 = P, a = c = A, b = B:
    #   P = A/6 + B/12 + 1/16, A = P/4 + B/6 + 1/16, B = P/2 + 2A/3 + 1/16,
    #   so P = 8B/69 + 7/92, A = 9B/46 + 15/184, B = 171/896 and P = 11/112.
    ranks = by_hand(np.full(8, 1 / 8))
    assert ranks[:3] == pytest.approx([11 / 112, 11 / 112, 3 / 28])
    memory = remembered({}, PlainAuthor())
    assert ids(memory.held()) == ["p3", "p1", "p2"]
    assert memory._standing == pytest.approx({"p1": 11 / 112, "p2": 11 / 112, "p3": 3 / 28}, rel=1e-8)
    memory.shrink(1)
    assert ids(memory.held()) == ["p3"]


# A question and its cosines: with the facts 0.8, 0.6 and 0, stretched to 1, 0.75 and 0; with the
# passages 0.6, 0 and 0.8, stretched to 0.75, 0 and 1.
TABLE = {
    "question": (1.0,),
    "a r b": at(0.8),
    "b r c": at(0.6),
    "d r e": at(0.0),
    "text p1": at(0.6),
    "text p2": at(0.0),
    "text p3": at(0.8),
}


def test_seeds_are_mean_scores_of_the_chosen_facts_over_the_passages_that_name_an_entity():
    # The author keeps the first two facts. a: 1 / 1. b: the mean of 1 / 2 and 0.75 / 2 = 0.4375, as two
    # passages name it. c: 0.75 / 1. Passages start with 0.05 of their likeness.
    memory = remembered(TABLE, Chooser(ranks=(0, 1)))
    assert memory.seeds("question").tolist() == pytest.approx([0, 0, 0, 1, 0.4375, 0.75, 0, 0])
    seeds = np.array([0.0375, 0, 0.05, 1, 0.4375, 0.75, 0, 0])
    assert memory.scores("question") == pytest.approx(by_hand(seeds)[:3], rel=1e-6)
    assert ids(memory.read(Query("q", "question"), 2)) == ["p1", "p2"], (
        "p3 is most alike, but far in the graph"
    )


def test_without_a_relevant_fact_likeness_ranks():
    memory = remembered(TABLE, Chooser(ranks=()))
    assert ids(memory.read(Query("q", "question"), 3)) == ["p3", "p1", "p2"]


def test_five_entities_at_most_are_seeds():
    # Five facts with ten ends; scores 1, 0.75, 0.5, 0.25, 0: the ends of the first two, and one of the third.
    triples = {f"p{i}": (f"s{i}", "r", f"o{i}") for i in range(5)}
    table = {"question": (1.0,)} | {f"s{i} r o{i}": at(0.8 - 0.2 * i) for i in range(5)}
    seeds = remembered(table, Chooser(ranks=(0, 1, 2, 3, 4)), triples).seeds("question")
    assert seeds[5:].tolist() == pytest.approx([1, 1, 0.75, 0.75, 0.5, 0, 0, 0, 0, 0], abs=1e-6)


def test_a_synonym_takes_the_place_of_what_linked_two_entities_each_way():
    # ann and anna are ends of one fact (1 each way) and synonyms of cosine 0.9 (0.9 each way): 1.8 in all.
    # al is too short to look for synonyms, but ali finds it: 0.9 one way only.
    table = {"ann": (1.0,), "anna": at(0.9), "al": (0, 0, 1.0), "ali": (0, 0, 0.9, 0.19**0.5)}
    known = Knowledge(Likeness(Tabled(table)))
    walk = known.graph([known.learn([("ann", "r", "anna")]), known.learn([("al", "r", "ali")])]).walk
    weights = (walk.pulled.toarray() * 2) * np.outer(walk.root, walk.root)
    assert weights[2, 3] == pytest.approx(1.8)
    assert weights[4, 5] == pytest.approx(1.9), "the other way keeps the 1 of the fact"


def test_a_fact_stated_twice_links_its_ends_twice_as_strongly():
    known = Knowledge(Likeness())
    once = known.learn([("ana", "likes", "rui")])
    walk = known.graph([once, once]).walk
    weights = (walk.pulled.toarray() * 2) * np.outer(walk.root, walk.root)
    assert weights[2, 3] == pytest.approx(4)


def test_entities_are_the_ends_of_a_triple_and_else_names_and_keywords():
    assert facts_of(Claim("c", "whatever", triple=("Ana L.", "lives in", "Porto")), PlainAuthor()) == (
        ("ana l", "lives in", "porto"),
    )
    told = facts_of(Claim("c", "Gina: I dance with Jon.", speaker="Gina"), PlainAuthor())
    assert told == (("gina", "", "jon"), ("gina", "", "danc"))


def test_a_text_that_is_held_is_one_passage():
    memory = HippoRag(Likeness(), PlainAuthor())
    for name in ("a", "b"):
        memory.observe(Claim(name, "Ana sings."))
    assert ids(memory.held()) == ["a"]


def test_passages_without_text_are_told_apart():
    memory = HippoRag(Likeness(), PlainAuthor())
    for name in ("a", "b"):
        memory.observe(Claim(name, triple=(name, "likes", "rui")))
    assert sorted(ids(memory.held())) == ["a", "b"]
    assert len(memory.read(Query("q", "Whom does a like?"), 5)) == 2


def test_nothing_is_read_from_nothing():
    assert HippoRag(Likeness(), PlainAuthor()).read(Query("q", "Who?"), 5) == ()
