from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.datasets import merge
from memspan.material import Claim, Dropped, KnowledgeItem, Material, Query, Settlement, Support
from memspan.testing import materials


def one(name: str, *claims: Claim) -> Material:
    """A material with one query that needs all *claims*."""
    support = Support(tuple(claim.id for claim in claims))
    item = KnowledgeItem("n", supports=(support,))
    return Material(
        name,
        claims,
        (item,),
        (Query("q", supports=(support,), items=("n",)),),
        (Settlement("q", 1, support.claims),),
        dropped=(Dropped("q9", "evidence", "is empty"),),
    )


def test_ids_that_clash_are_prefixed_everywhere() -> None:
    both = merge([one("a", Claim("c", "Rain.")), one("b", Claim("c", "Sun."))], "both")
    assert [claim.id for claim in both.claims] == ["a/c", "b/c"]
    assert [query.id for query in both.queries] == ["a/q", "b/q"]
    assert both.queries[1].supports == (Support(("b/c",)),)
    assert both.queries[1].items == ("b/n",)
    assert both.items[1].supports == (Support(("b/c",)),)
    assert both.settlements[1] == Settlement("b/q", 1, ("b/c",))
    assert both.dropped[1].record == "b: q9"


def test_the_same_claim_in_several_contexts_is_one() -> None:
    both = merge([one("a", Claim("c", "Rain.", "news")), one("b", Claim("d", "Rain.", "news"))], "both")
    assert [claim.id for claim in both.claims] == ["c"]
    assert {support.claims for query in both.queries for support in query.supports} == {("c",)}


def test_claims_that_differ_in_more_than_their_id_stay_apart() -> None:
    likes = [
        Claim("c", "Rain.", "news"),
        Claim("c", "Rain.", "radio"),
        Claim("c", "Rain.", "news", "2024"),
        Claim("c", "Rain.", "news", truth=0),
        Claim("c", "Rain.", "news", costs={"tokens": 1}),
        Claim("c", "Rain.", "news", supersedes=("c",)),
        Claim("c", "Rain.", "news", contradicts=("c",)),
        Claim("c", "Rain.", "news", corroborates=("c",)),
    ]
    both = merge([one(f"m{i}", claim) for i, claim in enumerate(likes)], "all")
    assert len(both.claims) == len(likes)


def test_what_speaks_of_other_claims_and_amends_settlements_is_renamed_with_them() -> None:
    claims = (Claim("c"), Claim("d", supersedes=("c",), contradicts=("c",), corroborates=("c",)))
    settled = (Settlement("q", 1, id="s"), Settlement("q", 0))
    parts = [Material(name, claims, queries=(Query("q"),), settlements=settled) for name in "ab"]
    both = merge([parts[0], replace(parts[1], claims=(Claim("c", "Rain."), *claims[1:]))], "both")
    assert [claim.id for claim in both.claims] == ["a/c", "a/d", "b/c", "b/d"]
    for claim, name in zip(both.claims[1::2], "ab", strict=True):
        assert claim.supersedes == claim.contradicts == claim.corroborates == (f"{name}/c",)
    assert [settlement.id for settlement in both.settlements] == ["a/s", None, "b/s", None]


def test_two_equal_claims_of_one_material_stay_two() -> None:
    twice = (Claim("c", "Rain."), Claim("d", "Rain."))
    assert len(merge([one("a", *twice), one("b", *twice)], "both").claims) == 2


def test_claims_without_text_are_one_only_under_the_same_id() -> None:
    both = merge([one("a", Claim("c"), Claim("d")), one("b", Claim("c"), Claim("e"))], "both")
    assert [claim.id for claim in both.claims] == ["c", "d", "e"]


def test_the_least_certain_source_of_supports_holds_for_the_union() -> None:
    parts = [Material("a"), Material("b", support_source="found")]
    assert merge(parts, "both").support_source == "found"


@given(st.lists(materials(), min_size=1, max_size=4, unique_by=lambda material: material.id))
@settings(deadline=None, max_examples=50)
def test_a_union_loses_nothing(parts: list[Material]) -> None:
    together = merge(parts, "all")
    for noun in ("items", "queries", "settlements", "dropped"):
        assert len(getattr(together, noun)) == sum(len(getattr(part, noun)) for part in parts)
    assert bodies(together.queries) == [body for part in parts for body in bodies(part.queries)]
    assert {claim.text for claim in together.claims} == {c.text for part in parts for c in part.claims}


def bodies(queries: tuple[Query, ...]) -> list[Any]:
    return [(q.text, q.weight, q.answer, q.answerable, len(q.supports), len(q.items)) for q in queries]


@given(materials())
@settings(deadline=None, max_examples=20)
def test_a_union_of_one_is_that_one_under_a_new_name(material: Material) -> None:
    together = merge([material], "all")
    assert (together.id, together.claims, together.queries) == ("all", material.claims, material.queries)
