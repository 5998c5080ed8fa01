from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from memspan.generation.updates import Updates
from memspan.material import Claim, Material, Query, Support
from memspan.testing import check_operator

triples = st.tuples(st.sampled_from("AB"), st.sampled_from(["lives in", "likes"]), st.sampled_from("xyz"))
times = st.sampled_from(["2024-01-01", "2024-02-01", "2024-03-01"])


@st.composite
def told(draw):
    said = draw(st.lists(st.tuples(triples, times), min_size=1, max_size=5))
    return tuple(Claim(f"c{i}", triple=triple, time=time) for i, (triple, time) in enumerate(said))


def parts(claims):
    return (part for n in range(len(claims) + 1) for part in combinations(claims, n))


def entailed(items, held):
    return {
        item.id
        for item in items
        if any(held.issuperset(s.claims) and held.isdisjoint(s.unless) for s in item.supports)
    }


def current(claims):
    """Say what holds by the plainest program: go through time, overwrite."""
    now = {}
    for claim in sorted(claims, key=lambda claim: claim.time):
        now[claim.triple[:2]] = claim.triple
    return set(now.values())


@given(told())
def test_what_holds_in_a_part_is_what_was_said_last_in_it(claims):
    items = Updates().generate(claims).items
    triple = {claim.id: claim.triple for claim in claims}
    for part in parts(claims):
        held = {claim.id for claim in part}
        assert {triple[name] for name in entailed(items, held)} == current(part)


def test_the_laws_of_operators_hold_but_an_overridden_claim_entails_itself_alone_only():
    claims = [
        Claim("c1", triple=("Ana", "lives in", "Faro"), time="2024-05-01"),
        Claim("c2", triple=("ana", "Lives in", "Porto")),
        Claim("c3", "She moved on.", supersedes=("c2",)),
        Claim("c4", triple=("Ana", "lives in", "Beja"), time="2024-01-01"),
        Claim("c5", triple=("Ana", "likes", "rain"), supersedes=("c1", "c3")),
    ]
    report = check_operator(Updates(), claims)
    assert not report.monotone
    assert report.ok, report


@given(told())
def test_the_supports_of_the_whole_tell_what_each_part_entails(claims):
    whole = Updates({"lives in"}).generate(claims).items
    for part in parts(claims):
        held = {claim.id for claim in part}
        assert entailed(whole, held) == entailed(Updates({"lives in"}).generate(part).items, held)


@given(told())
def test_each_claim_alone_entails_itself(claims):
    for claim in claims:
        (item,) = Updates().generate([claim]).items
        assert [(s.claims, s.unless) for s in item.supports] == [((claim.id,), ())]
        assert any((claim.id,) == s.claims for i in Updates().generate(claims).items for s in i.supports)


def test_a_relation_of_several_objects_overrides_nothing():
    claims = [Claim("c1", triple=("Ana", "likes", "figs")), Claim("c2", triple=("Ana", "likes", "rain"))]
    supports = [item.supports[0] for item in Updates({"lives in"}).generate(claims).items]
    assert [support.unless for support in supports] == [(), ()]


def test_superseding_overrides_whatever_the_claims_say():
    claims = [
        Claim("c1", "Ten."),
        Claim("c2", "Nine.", supersedes=("c1",)),
        Claim("c3", "Eight.", supersedes=("c2",)),
    ]
    assert [item.supports[0].unless for item in Updates().generate(claims).items] == [("c2",), ("c3",), ()]


def test_claims_that_supersede_each_other_leave_neither():
    claims = [Claim("c1", supersedes=("c2",)), Claim("c2", supersedes=("c1",))]
    items = Updates().generate(claims).items
    assert entailed(items, {"c1", "c2"}) == set()
    assert entailed(items, {"c1"}) == {"c1"}


def test_without_both_times_the_order_of_the_material_counts():
    claims = [
        Claim("c1", triple=("Ana", "lives in", "Faro"), time="2025-01-01"),
        Claim("c2", triple=("ANA", "lives in", "Porto")),
    ]
    faro, porto = Updates().generate(claims).items
    assert faro.supports[0].unless == ("c2",)
    assert porto.supports[0].unless == ()


@given(told(), st.integers(0, 4))
def test_right_and_wrong_of_a_query_are_what_the_span_says_of_it(claims, number):
    asked = claims[number % len(claims)]
    material = Material("m", claims, queries=(Query("q", supports=(Support((asked.id,)),)),))
    query = Updates().told(material).queries[0]
    right = {triple for triple in current(claims) if triple[:2] == asked.triple[:2]}
    for part in parts(claims):
        held = {claim.id for claim in part}
        said = {triple for triple in current(part) if triple[:2] == asked.triple[:2]}
        assert _any_holds(query.supports, held) == (said == right)
        assert _any_holds(query.wrong, held) == bool(said - right)


def test_a_support_of_several_claims_holds_unless_one_of_them_is_overridden():
    claims = (
        Claim("c1", triple=("Ana", "works at", "Nimbus")),
        Claim("c2", triple=("Nimbus", "is in", "Faro")),
        Claim("c3", triple=("Nimbus", "is in", "Beja")),
    )
    material = Material(
        "m", claims, queries=(Query("q", supports=(Support(("c1", "c2")), Support(("c1", "c3")))),)
    )
    supports = Updates().told(material).queries[0].supports
    assert [(s.claims, s.unless) for s in supports] == [(("c1", "c2"), ("c3",)), (("c1", "c3"), ())]


def _any_holds(supports, held):
    return any(held.issuperset(s.claims) and held.isdisjoint(s.unless) for s in supports)
