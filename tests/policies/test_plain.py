"""The plain policies: what each lets go of."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memspan.material import Claim, Query, Settlement
from memspan.policies import Chosen, Everything, Likeness
from memspan.policies.fifo import fifo
from memspan.policies.lfu import lfu
from memspan.policies.lru import lru
from memspan.policies.random import random
from memspan.policies.recency import recency

NAMES = "abcdefgh"


def observed(memory, names=NAMES):
    for i, name in enumerate(names):
        memory.observe(Claim(name, f"text of {name}", time=f"2026-01-{28 - i:02d}"))
    return memory


def ids(memory):
    return [note.id for note in memory.held()]


def test_fifo_holds_what_came_last():
    assert ids(observed(fifo(Likeness(), 3))) == ["h", "g", "f"]


def test_lru_is_fifo_until_a_query_is_settled_and_then_keeps_what_was_read():
    memory = observed(lru(Likeness(), 3), "abc")
    memory.settle(Settlement("q", 1, ("a",)))
    memory.observe(Claim("d"))
    assert set(ids(memory)) == {"a", "c", "d"}


def test_lfu_keeps_what_was_read_most():
    memory = observed(lfu(Likeness(), 2), "ab")
    for _ in range(2):
        memory.settle(Settlement("q", 1, ("a",)))
    memory.settle(Settlement("q", 0, ("b",)))
    memory.observe(Claim("c"))
    assert set(ids(memory)) == {"a", "b"}, "the newcomer was read least"


def test_recency_goes_by_time_and_not_by_order():
    assert ids(observed(recency(Likeness(), 2))) == ["a", "b"]


def test_recency_reads_the_latest_whatever_is_asked():
    memory = observed(recency(Likeness()), "abc")
    assert [note.id for note in memory.read(Query("q", "text of c"), 1)] == ["a"]


def test_full_context_holds_everything():
    assert ids(observed(Everything())) == list(NAMES)


def test_a_chosen_memory_holds_what_was_chosen_and_was_there():
    assert ids(observed(Chosen("optimum", ["b", "zz"], Likeness()))) == ["b"]


@given(st.integers(0, 10), st.integers(0, 10))
def test_shrinking_afterwards_is_being_bounded_from_the_start(capacity, seed):
    for make in (fifo, lru, lfu, recency):
        late = observed(make(Likeness()))
        late.shrink(capacity)
        assert ids(late) == ids(observed(make(Likeness(), capacity)))
    one = observed(random(Likeness(), rng=np.random.default_rng(seed)))
    one.shrink(capacity)
    assert ids(one) == ids(observed(random(Likeness(), capacity, rng=np.random.default_rng(seed))))


def test_a_random_memory_holds_each_claim_equally_often():
    held = [ids(observed(random(Likeness(), 2, rng=np.random.default_rng(seed)))) for seed in range(600)]
    counts = [sum(name in memory for memory in held) for name in NAMES]
    assert all(105 < count < 195 for count in counts)  # 150 expected, 4 deviations of 10.6 wide
