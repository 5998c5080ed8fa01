from collections import Counter
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.answering.sets import COVERED, LARGEST, SMALLEST, drawn, likeliest, mask

CHANCES = st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0, 0.005, 0.5])), max_size=8)


def subsets(n):
    return chain.from_iterable(combinations(range(n), size) for size in range(1, n + 1))


def law(chances):
    """Return the probability of each set under: draw each item by its chance until one is in."""
    told = {
        chosen: np.prod([chances[i] if i in chosen else 1 - chances[i] for i in range(len(chances))])
        for chosen in subsets(len(chances))
    }
    total = sum(told.values())
    return {chosen: p / total for chosen, p in told.items()}


@pytest.mark.parametrize(
    "chances", [(0.5, 0.2, 0.9), (0.02, 0.03, 0.05), (1.0, 0.4, 0.0), (0.3,), (1.0, 1.0)]
)
def test_sets_are_drawn_as_by_drawing_each_item_until_one_is_in(chances):
    n, rng = 20_000, np.random.default_rng(1)
    seen = Counter(tuple(drawn(np.array(chances), rng).tolist()) for _ in range(n))
    expected = law(chances)
    assert set(seen) <= {chosen for chosen, p in expected.items() if p > 0}
    apart = sum((seen[chosen] - n * p) ** 2 / (n * p) for chosen, p in expected.items() if p > 0)
    assert apart < 30  # chi-square with at most 6 degrees of freedom: beyond it once in 25,000


@given(CHANCES, st.integers(0, 99))
def test_a_drawn_set_holds_an_item_none_that_is_next_to_impossible_and_all_that_are_sure(values, seed):
    chances = np.array(values)
    places = drawn(chances, np.random.default_rng(seed)).tolist()
    assert places == drawn(chances, np.random.default_rng(seed)).tolist() == sorted(set(places))
    assert bool(places) == bool(values)
    if (chances >= SMALLEST).any():
        assert (chances[places] >= SMALLEST).all()
        assert set(np.flatnonzero(chances == 1)) <= set(places)
    elif values:
        assert chances[places].tolist() == [chances.max()]


@given(CHANCES)
def test_the_likeliest_set_is_the_best_items_and_never_empty(values):
    chances = np.array(values)
    places = likeliest(chances).tolist()
    assert bool(places) == bool(values)
    assert places == sorted(set(places))
    left = set(range(len(values))) - set(places)
    assert all(chances[kept] >= chances[other] for kept in places for other in left)


@given(CHANCES)
def test_no_number_of_best_items_agrees_better_than_the_likeliest_set(values):
    chances = np.where(np.array(values) < SMALLEST, 0, values)
    if not (chances > 0).any():
        return
    nothing = np.prod(1 - chances)
    size = chances.sum() / (1 - nothing)

    def agreement(k):
        return 2 * np.sort(chances)[::-1][:k].sum() / (1 - nothing) / (k + size)

    found = agreement(len(likeliest(chances)))
    assert found >= max(agreement(k) for k in range(1, len(values) + 1)) - 1e-9


def test_sure_items_make_the_set_whatever_their_number():
    assert likeliest(np.array([1.0, 0, 1, 1])).tolist() == [0, 2, 3]
    assert len(likeliest(np.ones(500))) == LARGEST


@given(CHANCES.filter(len), st.data())
def test_a_part_that_a_likely_item_covers_is_covered(values, data):
    chances = np.array(values)
    shares = st.lists(st.sampled_from([0.0, 0.4, 0.5, 1.0]), min_size=len(values), max_size=len(values))
    parts = [np.array(part) for part in data.draw(st.lists(shares, min_size=2, max_size=4))]
    places = likeliest(chances, parts)
    assert places.tolist() == sorted(set(places.tolist()))
    assert len(places)
    for part in parts:
        if chances[part >= COVERED].max(initial=0) >= 0.5:
            assert part[places].max() >= COVERED
    assert likeliest(chances, parts[:1]).tolist() == likeliest(chances).tolist()


def test_what_adds_no_part_must_be_likelier_than_not():
    chances = np.array([0.9, 0.45, 0.4])
    parts = [np.array([1.0, 0, 0]), np.array([0, 0, 1.0])]
    assert likeliest(chances).tolist() == [0, 1, 2]
    assert likeliest(chances, parts).tolist() == [0, 2]


@given(st.sets(st.integers(0, 7)))
def test_a_mask_is_true_at_its_places_alone(places):
    assert set(np.flatnonzero(mask(np.array(sorted(places), np.int64), 8)).tolist()) == places
