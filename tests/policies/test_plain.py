"""The plain policies: what each lets go of."""

from hypothesis import given
from hypothesis import strategies as st

from memspan.material import Claim, Query, Settlement
from memspan.policies import Chosen, Everything, Likeness, Writing
from memspan.policies.plain import plain
from memspan.policies.recency import Recency

NAMES = "abcdefgh"


def observed(memory, names=NAMES):
    for i, name in enumerate(names):
        memory.observe(Claim(name, f"text of {name}", time=f"2026-01-{28 - i:02d}"))
    return memory


def memory_of(name, capacity=None, seed=0):
    return Writing(plain(name), Likeness(), capacity, seed)


def ids(memory):
    return [note.id for note in memory.held()]


def test_fifo_holds_what_came_last():
    assert ids(observed(memory_of("fifo", 3))) == ["h", "g", "f"]


def test_lru_is_fifo_until_a_query_is_settled_and_then_keeps_what_was_read():
    memory = observed(memory_of("lru", 3), "abc")
    memory.settle(Settlement("q", 1, ("a",)))
    memory.observe(Claim("d"))
    assert set(ids(memory)) == {"a", "c", "d"}


def test_lfu_keeps_what_was_read_most():
    memory = observed(memory_of("lfu", 2), "ab")
    for _ in range(2):
        memory.settle(Settlement("q", 1, ("a",)))
    memory.settle(Settlement("q", 0, ("b",)))
    memory.observe(Claim("c"))
    assert set(ids(memory)) == {"a", "b"}, "the newcomer was read least"


def test_recency_goes_by_time_and_not_by_order():
    assert ids(observed(Recency(Likeness(), 2))) == ["a", "b"]


def test_recency_reads_the_latest_whatever_is_asked():
    memory = observed(Recency(Likeness()), "abc")
    assert [note.id for note in memory.read(Query("q", "text of c"), 1)] == ["a"]


def test_full_context_holds_everything():
    assert ids(observed(Everything())) == list(NAMES)


def test_a_chosen_memory_holds_what_was_chosen_and_was_there():
    assert ids(observed(Chosen("optimum", ["b", "zz"], Likeness()))) == ["b"]


@given(st.integers(0, 10), st.integers(0, 10))
def test_shrinking_afterwards_is_being_bounded_from_the_start(capacity, seed):
    for name in ("fifo", "lru", "lfu", "recency", "random"):
        late = observed(memory_of(name, seed=seed))
        late.shrink(capacity)
        assert ids(late) == ids(observed(memory_of(name, capacity, seed)))


def test_a_random_memory_holds_each_claim_equally_often():
    held = [ids(observed(memory_of("random", 2, seed))) for seed in range(600)]
    counts = [sum(name in memory for memory in held) for name in NAMES]
    assert all(105 < count < 195 for count in counts)  # 150 expected, 4 deviations of 10.6 wide
