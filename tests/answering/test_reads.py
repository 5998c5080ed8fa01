from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.answering.hybrid import Hybrid
from memspan.answering.reads import Everything, TokenLimit, TopK, read_utility, tokens_to_read
from memspan.coverage import compile_material, u_cov
from memspan.datasets import bundled
from memspan.errors import ShapeError
from memspan.material import Claim, Material, Query, Support
from memspan.testing.strategies import materials


class Told:
    """An answerability whose chances a test chooses; it counts how often it prepares."""

    name = "told"

    def __init__(self, chances):
        """Keep the chances by claim."""
        self.chances, self.prepared = chances, 0

    def scorer(self, items):
        """Score as told."""
        self.prepared += 1
        scores = np.array([self.chances[claim.id] for claim in items], np.float64)
        return lambda _query: scores


@st.composite
def ranked(draw):
    """Draw claims with costs and chances among which ties are common."""
    n = draw(st.integers(0, 8))
    sizes = draw(st.lists(st.integers(0, 9), min_size=n, max_size=n))
    chances = draw(st.lists(st.sampled_from([0, 0.1, 0.5, 1]), min_size=n, max_size=n))
    claims = tuple(Claim(f"c{i}", costs={"tokens": size}) for i, size in enumerate(sizes))
    return claims, Told({claim.id: chance for claim, chance in zip(claims, chances, strict=True)})


@st.composite
def held(draw):
    """Draw a material, a memory of it, and an answerability."""
    material = draw(materials())
    n = len(material.claims)
    memory = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), np.bool_)
    chances = draw(st.lists(st.floats(0, 1), min_size=n, max_size=n))
    return material, memory, Told({c.id: p for c, p in zip(material.claims, chances, strict=True)})


QUERY = Query("q", "?")


def best_first(told, claims):
    return sorted(range(len(claims)), key=lambda place: (-told.chances[claims[place].id], place))


@given(ranked(), st.integers(0, 10))
def test_the_best_k_are_read_best_first_ties_by_position(drawn, k):
    claims, told = drawn
    assert list(TopK(told, k).read(QUERY, claims)) == best_first(told, claims)[:k]


@given(ranked(), st.integers(0, 30))
def test_what_is_read_fits_into_the_tokens_and_nothing_left_out_would_have_fitted(drawn, tokens):
    claims, told = drawn
    chosen = TokenLimit(told, tokens).read(QUERY, claims)
    spent = sum(tokens_to_read(claims[place]) for place in chosen)
    assert spent <= tokens
    assert all(tokens_to_read(claims[p]) > tokens - spent for p in range(len(claims)) if p not in chosen)
    order = best_first(told, claims)
    assert list(chosen) == sorted(chosen, key=order.index)
    likelier = 0  # tokens read that are likelier than the item looked at
    for place in order:
        fits = tokens_to_read(claims[place]) <= tokens - likelier
        assert (place in chosen) == fits
        likelier += fits * tokens_to_read(claims[place])


def test_a_claim_without_a_cost_takes_its_words_and_marks():
    claims = [Claim("c1", "Rui, too, cooks."), Claim("c2", "Yes", costs={"bytes": 3})]
    assert [tokens_to_read(claim) for claim in claims] == [6, 1]
    assert TokenLimit(Told({"c1": 1, "c2": 0.5}), 5).read(QUERY, claims) == (1,)


@pytest.mark.parametrize("make", [lambda told: TopK(told, 3), lambda told: TokenLimit(told, 3)])
def test_items_are_prepared_once_until_they_change(make):
    claims = [Claim("c1", "a"), Claim("c2", "b")]
    told = Told({"c1": 0.1, "c2": 0.2, "c3": 0.3})
    policy = make(told)
    for _ in range(3):
        assert policy.read(QUERY, claims) == (1, 0)
    assert policy.read(QUERY, tuple(claims)) == (1, 0)
    assert told.prepared == 1
    claims.append(Claim("c3", "c"))  # the same list, with more in it
    assert policy.read(QUERY, claims) == (2, 1, 0)
    claims[2] = replace(claims[0], id="c1")
    assert policy.read(QUERY, claims) == (1, 0, 2)
    assert told.prepared == 3


@pytest.mark.parametrize(("make", "value"), [(TopK, -1), (TokenLimit, -0.5), (TokenLimit, float("nan"))])
def test_a_bound_that_is_none_is_refused(make, value):
    with pytest.raises(ValueError, match="0 or more"):
        make(Told({}), value)


def test_policies_say_what_they_are():
    names = [policy.name for policy in (TopK(Hybrid(), 5), TokenLimit(Hybrid(), 200), Everything())]
    assert names == ["top 5 by shipped reader", "200 tokens by shipped reader", "everything"]


# --- u_read -----------------------------------------------------------------------------------------


@settings(max_examples=40)  # each compiles a material several times
@given(held(), st.integers(0, 6))
def test_a_read_never_answers_more_than_the_memory_covers(drawn, k):
    material, memory, told = drawn
    covers = u_cov(compile_material(material), memory)
    assert 0 <= read_utility(material, memory, TopK(told, k)) <= covers
    assert read_utility(material, memory, TokenLimit(told, k)) <= covers


@settings(max_examples=40)  # each compiles a material several times
@given(held())
def test_a_read_of_everything_answers_all_that_is_covered(drawn):
    material, memory, told = drawn
    covers = u_cov(compile_material(material), memory)
    assert read_utility(material, memory, Everything()) == covers
    assert read_utility(material, memory, TopK(told, len(material.claims))) == covers
    everywhere = u_cov(compile_material(material, over="all"), memory)
    assert read_utility(material, memory, Everything(), over="all") == everywhere


@settings(max_examples=40)  # each compiles a material several times
@given(held())
def test_reading_more_items_never_answers_less(drawn):
    material, memory, told = drawn
    values = [read_utility(material, memory, TopK(told, k)) for k in range(len(material.claims) + 1)]
    assert values == sorted(values)


@settings(max_examples=40)  # each compiles a material several times
@given(held(), st.integers(0, 4))
def test_u_read_is_what_its_definition_says(drawn, k):
    material, memory, told = drawn
    claims = [c for c, stored in zip(material.claims, memory, strict=True) if stored]
    names, policy = {c.id for c in claims}, TopK(told, k)

    def answered(query):
        read = {claims[place].id for place in policy.read(query, claims)}
        return any(
            read.issuperset(s.claims) and names.isdisjoint(s.unless) for s in material.supports_of(query)
        )

    coverage = compile_material(material)
    weights = dict(zip(coverage.queries, coverage.weights.tolist(), strict=True))
    expected = sum(weight for name, weight in weights.items() if answered(material.query(name)))
    assert read_utility(material, memory, policy) == coverage.mass(expected)


def test_a_claim_that_defeats_need_not_be_read_to_defeat():
    claims = (Claim("old", "Ana lives in Lisbon."), Claim("new", "Ana lives in Porto."))
    query = Query("q", "Where does Ana live?", supports=(Support(("old",), unless=("new",)),))
    material = Material("m", claims, queries=(query,))
    policy = TopK(Told({"old": 0.9, "new": 0.1}), 1)
    assert read_utility(material, np.array([True, False]), policy) == 1
    assert read_utility(material, np.array([True, True]), policy) == 0


def test_a_memory_of_another_size_is_refused():
    with pytest.raises(ShapeError, match="shape"):
        read_utility(bundled("odyssey"), np.ones(3, np.bool_), Everything())
