from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.datasets import bundled
from memspan.errors import MaterialError
from memspan.material import CHANCES, Claim, KnowledgeItem, Material, Query, Support
from memspan.span import draw, is_uncertain
from memspan.span.drawing import chances_of

CLAIMS = (Claim("a"), Claim("b"), Claim("c"))


def asking(*queries, items=()):
    return Material("m", CLAIMS, items, queries, support_source="found")


def drawn(material, n, seed=0):
    """Return how often each of *n* draws gives the supports of the first question."""
    rng = np.random.default_rng(seed)
    draws = (draw(material, rng) for _ in range(n))
    return Counter(tuple(s.claims for s in each.supports_of(each.queries[0])) for each in draws)


def test_annotated_supports_are_left_as_they_are():
    material = bundled("odyssey-composites")
    assert draw(material, np.random.default_rng(0)) == material
    assert not is_uncertain(material)


def test_the_same_state_draws_the_same():
    material = asking(
        Query("q", supports=(Support(("a",)),), extra={CHANCES: {"a": 0.5, "b": 0.5, "c": 0.5}})
    )
    draws = [draw(material, np.random.default_rng(seed)) for seed in (0, 0, 1, 2, 3, 4, 5)]
    assert draws[0] == draws[1]
    assert len({draw.queries[0].supports[0].claims for draw in draws}) > 1


def test_each_claim_is_in_the_one_support_by_its_chance():
    material = asking(Query("q", supports=(Support(("a",)),), extra={CHANCES: {"a": 0.5, "c": 0.5}}))
    seen = drawn(material, 3000)
    assert set(seen) == {(("a",),), (("c",),), (("a", "c"),)}
    assert all(abs(count / 3000 - 1 / 3) < 0.05 for count in seen.values())
    assert is_uncertain(material)


def test_each_alternative_is_drawn_by_its_own_chance_and_sure_ones_always():
    maybe, sure = Support(("a",), probability=0.25), Support(("b", "c"))
    material = asking(Query("q", supports=(maybe, sure)))
    seen = drawn(material, 2000)
    assert set(seen) == {(("b", "c"),), (("a",), ("b", "c"))}
    assert abs(seen[("a",), ("b", "c")] / 2000 - 0.25) < 0.05


def test_supports_of_items_are_drawn_as_well():
    item = KnowledgeItem("n", supports=(Support(("a",), probability=0.5), Support(("b",), probability=0.5)))
    material = asking(Query("q", items=("n",)), items=(item,))
    assert is_uncertain(material)
    assert set(drawn(material, 200)) == {(("a",),), (("b",),), (("a",), ("b",))}


def test_a_question_without_an_answer_has_no_support_whatever_is_drawn():
    refused = Query(
        "q", answerable=False, supports=(Support(("a",), probability=0.5),), extra={CHANCES: {"a": 1}}
    )
    material = asking(refused)
    assert drawn(material, 3) == {(): 3}


@given(st.dictionaries(st.sampled_from("abc"), st.floats(0, 1), min_size=1), st.integers(0, 9))
def test_a_drawn_material_is_whole_and_its_supports_are_sure(chances, seed):
    query = Query("q", supports=(Support(("a",), probability=0.0),), extra={CHANCES: chances})
    made = draw(asking(query), np.random.default_rng(seed))
    (support,) = made.supports_of(made.queries[0])
    assert support.probability is None
    assert support.claims


@pytest.mark.parametrize(
    "field", [None, {}, [], "high", {"a": "high"}, {"a": 2}, {"a": True}, {"a": float("nan")}]
)
def test_a_field_that_holds_no_chances_is_not_ours(field):
    query = Query("q", supports=(Support(("a",)),), extra={CHANCES: field})
    assert chances_of(query) == {}
    assert draw(asking(query), np.random.default_rng(0)).queries == (query,)
    assert not is_uncertain(asking(query))


def test_a_chance_of_a_claim_that_is_not_there_is_refused():
    query = Query("q", supports=(Support(("a",)),), extra={CHANCES: {"lost": 1.0}})
    with pytest.raises(MaterialError, match="lost"):
        draw(asking(query), np.random.default_rng(0))
