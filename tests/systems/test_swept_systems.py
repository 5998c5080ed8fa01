"""Laws of HippoRAG, Mem0, A-MEM and Reflexion, in every variant."""

import pickle
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.datasets import load
from memspan.material import Claim, Query, Settlement
from memspan.policies import Likeness
from memspan.systems import Setting, amem, hipporag, mem0, reflexion

KINDS = (*hipporag.KINDS, *mem0.KINDS, *amem.KINDS, *reflexion.KINDS)
LABELS = [kind.label for kind in KINDS]
WORDS = ["Ana", "Rui", "Porto", "sings", "cooks", "fish", "soup", "never", "not", "the", "old", "boat"]
kinds = pytest.mark.parametrize("kind", KINDS, ids=LABELS)
texts = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
triples = st.none() | st.tuples(*[st.sampled_from(["ana", "rui", "porto"])] * 3)
sessions = st.sampled_from([None, "session 1", "session 2"])
told = st.lists(st.tuples(texts, sessions, triples, st.sampled_from([None, "Ana", "Rui"])), max_size=12).map(
    lambda rows: [
        Claim(f"c{i}", text, source=source, triple=triple, speaker=speaker, time=f"2026-01-{i + 1:02d}")
        for i, (text, source, triple, speaker) in enumerate(rows)
    ]
)
QUESTION = Query("q", "Where does Ana cook fish?")
LIKENESS = Likeness()
few = settings(max_examples=25)


def made(kind, capacity=None):
    return kind.make(Setting(capacity, likeness=LIKENESS))


def run(kind, claims, capacity=None):
    memory = made(kind, capacity)
    for claim in claims:
        memory.observe(claim)
    return memory


def rests_on(notes):
    return {name for note in notes for name in note.claims}


@kinds
@few
@given(claims=told, capacity=st.integers(0, 6), failed=st.sets(st.integers(0, 11)))
def test_no_memory_rests_on_more_than_its_capacity_or_on_what_was_not_observed(
    kind, claims, capacity, failed
):
    memory, seen = made(kind, capacity), set()
    for i, claim in enumerate(claims):
        memory.observe(claim)
        seen.add(claim.id)
        if hasattr(memory, "settle") and i in failed:
            memory.settle(Settlement("q", 0))
        held = memory.held()
        assert len(rests_on(held)) <= capacity
        assert rests_on(held) <= seen
        assert len({note.id for note in held}) == len(held)


@kinds
@few
@given(claims=told, k=st.integers(0, 5))
def test_what_is_read_is_held_and_reading_changes_nothing(kind, claims, k):
    memory = run(kind, claims)
    held = memory.held()
    read = memory.read(QUESTION, k)
    assert len(read) <= k
    assert all(note in held for note in read)
    assert memory.read(QUESTION, k) == read
    assert memory.held() == held


@kinds
@few
@given(claims=told, cut=st.integers(0, 12), capacity=st.none() | st.integers(0, 6))
def test_a_memory_goes_on_the_same_after_it_was_saved_and_loaded(kind, claims, cut, capacity):
    memory = kind.make(Setting(capacity, likeness=Likeness()))
    for claim in claims[:cut]:
        memory.observe(claim)
    memory.read(QUESTION, 3)
    loaded = pickle.loads(pickle.dumps(memory))  # noqa: S301 - what was just saved
    for each in (memory, loaded):
        for claim in claims[cut:]:
            each.observe(claim)
    again = run(kind, claims, capacity)
    assert memory.held() == loaded.held() == again.held()
    assert memory.read(QUESTION, 4) == loaded.read(QUESTION, 4) == again.read(QUESTION, 4)


@kinds
@few
@given(claims=told, sizes=st.lists(st.integers(0, 8), min_size=1, max_size=4))
def test_shrinking_is_nested_and_twice_is_once(kind, claims, sizes):
    whole = run(kind, claims)
    everything = whole.held()
    for size in sorted(sizes, reverse=True):
        once = run(kind, claims)
        once.shrink(size)
        before = whole.held()
        whole.shrink(size)
        assert len(rests_on(once.held())) <= size
        assert once.held() == whole.held(), "cut once or in steps"
        assert all(note in before for note in whole.held())
    assert whole.held() == everything[: len(whole.held())], "what it would keep longest stays"


@cache
def conversation(path):
    return load(path)[0]


@kinds
def test_every_system_runs_on_a_real_conversation(kind, data):
    material = conversation(data / "locomo" / "locomo10_dev.json")
    memory = kind.make(Setting(likeness=LIKENESS, rng=np.random.default_rng(0)))
    for claim in material.claims:
        memory.observe(claim)
    known = set(material.claim_position)
    assert rests_on(memory.held()) <= known
    for query in material.queries[:20]:
        read = memory.read(query, 10)
        assert len(read) <= 10
        assert rests_on(read) <= rests_on(memory.held())
    memory.shrink(40)
    assert len(rests_on(memory.held())) <= 40
    assert memory.read(material.queries[0], 5) or not memory.held()


def test_variants_differ_on_a_real_conversation(data):
    material = conversation(data / "locomo" / "locomo10_dev.json")
    held, read = {}, {}
    for kind in KINDS:
        memory = kind.make(Setting(likeness=LIKENESS))
        for claim in material.claims:
            memory.observe(claim)
        held[kind.label] = [(note.id, note.claims, note.extra) for note in memory.held()]
        read[kind.label] = [[note.id for note in memory.read(query, 5)] for query in material.queries[:20]]
    assert held["mem0:released"] != held["mem0:paper"], "some memories are merged or not stored again"
    assert read["mem0:released"] != read["mem0:paper"], "words and names count in one of them"
    assert held["a-mem:released"] != held["a-mem:paper"]
    assert read["a-mem:released"] != read["a-mem:paper"]
    assert len(held["reflexion:programming"]) == 1
    assert len(held["reflexion:alfworld"]) == 3
    assert len(held["reflexion:hotpotqa"]) > 3
