"""Laws that hold for MemoryBank, Generative Agents, MemGPT and MemOS, in each variant."""

import pickle
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memspan
from memspan.errors import ShapeError
from memspan.material import Claim, Query, Settlement
from memspan.policies import Likeness
from memspan.systems import Setting, generative_agents, memgpt, memorybank, memos
from memspan.systems.registry import systems_named

KINDS = (*memorybank.KINDS, *generative_agents.KINDS, *memgpt.KINDS, *memos.KINDS)
WORDS = ("Ana", "Rui", "moved", "cooks", "Porto", "rain", "idle", "boat", "old", "never")
FEW = settings(max_examples=20)  # of each law for each variant
LABELS = [kind.label for kind in KINDS]


@st.composite
def claims(draw):
    """Draw up to 25 claims of few words: some repeated, some without a time or a speaker."""
    many = draw(
        st.lists(st.tuples(st.lists(st.sampled_from(WORDS), max_size=6), st.integers(-1, 9)), max_size=25)
    )
    timed, speakers = (
        draw(st.booleans()),
        draw(st.sampled_from([(None,), ("user", "assistant"), ("Ana", "Rui")])),
    )
    day = 0
    told = []
    for i, (words, later) in enumerate(many):
        day += max(later - 6, 0)
        time = str(date(2026, 1, 1) + timedelta(day)) if timed and later >= 0 else None
        told.append(Claim(f"c{i}", " ".join(words), time=time, speaker=speakers[i % len(speakers)]))
    return told


def make(kind, capacity=None, seed=0, likeness=None):
    return kind.make(Setting(capacity, likeness or Likeness(), rng=np.random.default_rng(seed)))


def memory_of(system):
    return {claim for note in system.held() for claim in note.claims}


def observed(system, told):
    for claim in told:
        system.observe(claim)
    return system


@pytest.mark.parametrize("kind", KINDS, ids=LABELS)
@FEW
@given(told=claims(), capacity=st.integers(0, 12), read=st.sets(st.integers(0, 24)))
def test_it_is_never_above_its_capacity_and_invents_nothing(kind, told, capacity, read):
    system = make(kind, capacity)
    for i, claim in enumerate(told):
        system.observe(claim)
        if i in read:
            system.settle(Settlement("q", 1, (f"c{i // 2}", f"c{i}"))) if hasattr(system, "settle") else None
        held = system.held()
        assert len(memory_of(system)) <= capacity
        assert all(note.claims for note in held)
        assert memory_of(system) <= {each.id for each in told[: i + 1]}
        assert len({note.id for note in held}) == len(held)


@pytest.mark.parametrize("kind", KINDS, ids=LABELS)
@FEW
@given(told=claims(), capacity=st.none() | st.integers(0, 12), seed=st.integers(0, 3))
def test_the_same_seed_gives_the_same_memory_and_the_same_reads(kind, told, capacity, seed):
    one, two = (observed(make(kind, capacity, seed), told) for _ in range(2))
    assert one.held() == two.held()
    query = Query("q", "Where did Ana go in the rain?")
    assert one.read(query, 7) == two.read(query, 7)


@pytest.mark.parametrize("kind", KINDS, ids=LABELS)
@FEW
@given(told=claims(), large=st.integers(0, 15), small=st.integers(0, 15))
def test_shrinking_twice_is_shrinking_once(kind, told, large, small):
    large, small = max(large, small), min(large, small)
    once, twice = (observed(make(kind), told) for _ in range(2))
    once.shrink(small)
    twice.shrink(large)
    assert len(memory_of(twice)) <= large
    twice.shrink(small)
    assert once.held() == twice.held()
    assert len(memory_of(once)) <= small


@pytest.mark.parametrize("kind", KINDS, ids=LABELS)
@FEW
@given(told=claims(), capacity=st.none() | st.integers(1, 12))
def test_reading_gives_held_notes_at_most_as_many_as_asked_for_and_changes_nothing(kind, told, capacity):
    system = observed(make(kind, capacity), told)
    before = system.held()
    for k in (0, 1, 4, 99):
        read = system.read(Query("q", "Who cooks in Porto?"), k)
        assert len(read) <= k
        assert len({note.id for note in read}) == len(read)
        assert {note.id: note for note in read}.items() <= {note.id: note for note in before}.items()
    assert system.held() == before


@pytest.mark.parametrize("kind", KINDS, ids=LABELS)
@FEW
@given(told=claims(), capacity=st.none() | st.integers(1, 12), cut=st.integers(0, 25))
def test_it_goes_on_the_same_after_being_saved_and_loaded(kind, told, capacity, cut):
    kept = observed(make(kind, capacity), told[:cut])
    loaded = pickle.loads(pickle.dumps(kept))  # noqa: S301 - written here
    for system in (kept, loaded):
        if hasattr(system, "settle"):
            system.settle(Settlement("q", 1, ("c0", "c1")))
        observed(system, told[cut:])
    assert kept.held() == loaded.held()
    assert kept.read(Query("q", "Ana"), 5) == loaded.read(Query("q", "Ana"), 5)


@pytest.mark.parametrize("kind", KINDS, ids=LABELS)
def test_a_negative_capacity_is_refused(kind):
    with pytest.raises(ShapeError, match="capacity is -1"):
        make(kind, -1)


@pytest.mark.parametrize("kind", KINDS, ids=LABELS)
def test_it_can_be_named_and_says_where_its_rules_stand(kind):
    assert systems_named(kind.label) == (kind,)
    assert make(kind).name == kind.name
    assert kind.source


@pytest.fixture(scope="module")
def talk(data):
    """A real conversation, and how alike its texts are."""
    material = memspan.load(data / "locomo" / "locomo10_dev.json")[0]
    return material, Likeness()


@pytest.mark.parametrize("kind", KINDS, ids=LABELS)
def test_it_holds_something_sensible_of_a_real_conversation(kind, talk):
    material, likeness = talk
    whole = observed(make(kind, likeness=likeness), material.claims)
    size = len(memory_of(whole))
    assert size > 0
    assert (size < len(material.claims) / 4) == (kind.name == "memorybank"), "six months: most is forgotten"
    bounded = observed(make(kind, 40, likeness=likeness), material.claims)
    assert 0 < len(memory_of(bounded)) <= 40
    if kind.name != "memorybank":
        assert len(memory_of(bounded)) >= 36
    for query in material.queries[:5]:
        assert whole.read(query, kind.k or 50)
