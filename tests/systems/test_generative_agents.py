"""Generative Agents: scores by hand."""

import numpy as np
import pytest

from memspan.material import Claim, Note, Query, Settlement
from memspan.policies import Likeness
from memspan.systems import PlainAuthor, Setting
from memspan.systems.generative_agents import KINDS, PAPER, RELEASED, by_hours, by_rank, spread
from memspan.systems.stream import Stream


class _Told(PlainAuthor):
    """Finds as important what says so: the last word of a text."""

    def importance(self, text):
        last = text.split()[-1]
        return int(last) if last.isdigit() else 1


class _Table:
    """Vectors by hand: the cosine of a text with the question is the number in brackets."""

    name = "table"

    def embed(self, texts):
        cosines = [float(text.partition("[")[2].partition("]")[0] or 1) for text in texts]
        return np.array([[c, (1 - c * c) ** 0.5] for c in cosines], np.float32)


def made(kind, claims, capacity=None, author=None):
    memory = kind.make(Setting(capacity, Likeness(_Table()), author or _Told()))
    for claim in claims:
        memory.observe(claim)
    return memory


def ids(notes):
    return [note.id for note in notes]


A = Claim("a", "[0.2] 1", time="2026-03-01T00:00")
B = Claim("b", "[0.6] 4", time="2026-03-01T10:00")
C = Claim("c", "[0.4] 10", time="2026-03-02T00:00")


def stream(*accessed):
    held = Stream(Likeness())
    for i, at in enumerate(accessed):
        held.write(Note(str(i)), at, 1)
    return held


def test_the_released_rank_counts_from_the_access_longest_ago():
    # sorted: 1 (hour 0), 2 (hour 5), 0 (hour 9); 0.99**1, 0.99**2, 0.99**3: the oldest is the most recent
    held = stream(9.0, 0.0, 5.0)
    order, recency = by_rank(held, held.rows, 9.0)
    assert order.tolist() == [1, 2, 0]
    assert recency == pytest.approx([0.99, 0.9801, 0.970299])


def test_the_published_recency_falls_by_the_hour():
    # now 9: 0.995**9 = 0.9559, 0.995**4 = 0.9801, 0.995**0 = 1
    held = stream(9.0, 0.0, 5.0)
    order, recency = by_hours(held, held.rows, 9.0)
    assert order.tolist() == [1, 2, 0]
    assert recency == pytest.approx([0.9559, 0.9801, 1], abs=5e-5)


def test_the_released_read_by_hand():
    # recency 0.99, 0.9801, 0.9703 -> 1, 0.4975, 0; importance 1, 4, 10 -> 0, 1/3, 1; cosine -> 0, 1, 1/2
    # score 0.5 r + 3 rel + 2 imp: a 0.5 + 0 + 0 = 0.5; b 0.249 + 3 + 0.667 = 3.915; c 0 + 1.5 + 2 = 3.5
    memory = made(KINDS[0], [A, B, C])
    assert ids(memory.read(Query("q", "[1.0]"), 3)) == ["b", "c", "a"]
    places, fixed = memory._scored()
    low, high = 0.99**3, 0.99
    assert places.tolist() == [0, 1, 2]
    assert fixed == pytest.approx([0.5, 0.5 * (0.9801 - low) / (high - low) + 2 / 3, 2.0])


def test_the_published_read_by_hand():
    # hours since: 24, 14, 0 -> 0.995**24 = 0.8867, 0.9322, 1 -> 0, 0.4019, 1; weights 1, 1, 1:
    # a 0 + 0 + 0 = 0; b 0.402 + 1 + 1/3 = 1.735; c 1 + 0.5 + 1 = 2.5
    memory = made(KINDS[1], [A, B, C])
    assert ids(memory.read(Query("q", "[1.0]"), 3)) == ["c", "b", "a"]
    _, fixed = memory._scored()
    middle = (0.995**14 - 0.995**24) / (1 - 0.995**24)
    assert middle == pytest.approx(0.4019, abs=5e-4)
    assert fixed == pytest.approx([0, middle + 1 / 3, 2])


def test_what_does_not_differ_counts_one_half():
    assert spread(np.array([3.0, 3.0])).tolist() == [0.5, 0.5]


def test_its_own_ranking_weighs_importance_and_recency_and_an_old_access_is_recent_as_released():
    # released, without relevance: a 0.5, b 0.916, c 2.0; of two equally important the older stays
    assert ids(made(KINDS[0], [A, B, C]).held()) == ["c", "b", "a"]
    alike = [Claim(name, f"{name} 5", time=f"2026-03-0{day}") for day, name in enumerate("xyz", 1)]
    assert ids(made(KINDS[0], alike).held()) == ["x", "y", "z"]
    assert ids(made(KINDS[1], alike).held()) == ["z", "y", "x"]


def test_reading_refreshes_the_access_time():
    memory = made(
        KINDS[1], [Claim(name, f"{name} 5", time=f"2026-03-0{day}") for day, name in enumerate("xyz", 1)]
    )
    memory.settle(Settlement("q", 1, ("x",), time="2026-03-09"))
    assert ids(memory.held()) == ["x", "z", "y"]


def test_an_event_like_one_of_the_latest_five_is_not_stored_again():
    texts = ["sun 1", "rain 1", "sun 1", *[f"wind{i} 1" for i in range(5)], "sun 1"]
    memory = made(KINDS[0], [Claim(str(i), text) for i, text in enumerate(texts)])
    assert sorted(ids(memory.held())) == sorted("01345678")


def test_the_released_code_never_reads_what_is_idle():
    told = [Claim("a", "the bed is idle 9"), Claim("b", "Rui cooks 1")]
    assert ids(made(KINDS[0], told).read(Query("q", "bed"), 5)) == ["b"]
    assert set(ids(made(KINDS[1], told).read(Query("q", "bed"), 5))) == {"a", "b"}
    assert ids(made(KINDS[0], told).held()) == ["b", "a"], "it lets go of it first"


def test_it_reflects_when_what_came_was_important_enough():
    # 10 a piece: 14 spend 140 of 150, the 15th spends the rest
    events = [Claim(f"c{i}", f"Ana met Rui on day {i} and they cooked 10") for i in range(15)]
    before = made(KINDS[0], events[:14])
    after = made(KINDS[0], events)
    assert {note.kind for note in before.held()} == {"event"}
    thoughts = [note for note in after.held() if note.kind == "thought"]
    assert 1 <= len(thoughts) <= 15, "three questions, five insights each"
    assert all(len(note.claims) == 2 for note in thoughts), "each rests on its evidence"
    assert after._budget == 150


def test_the_variants_weigh_as_the_research_says():
    assert RELEASED.weights == (0.5, 3, 2)
    assert PAPER.weights == (1, 1, 1)
    assert [kind.k for kind in KINDS] == [30, 30]
