"""Declared and minimal supports against their definitions."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memspan as ms
from memspan.errors import MaterialError
from memspan.generation import Bridge, Declared, minimal
from memspan.material import Claim, KnowledgeItem, Support
from memspan.testing import check_operator, problems

NAMES = ("a", "b", "c", "d")
some = st.lists(st.sampled_from(NAMES), max_size=4, unique=True).map(tuple)
probability = st.sampled_from([None, 0.25, 0.5])
supports = st.lists(st.builds(Support, some, some, probability), max_size=5)


def memories(names):
    return [set(held) for size in range(len(names) + 1) for held in combinations(names, size)]


def chance(support):
    return 1 if support.probability is None else support.probability


def best(supports, held):
    """Return the most probable support that holds."""
    able = [s for s in supports if set(s.claims) <= held and not set(s.unless) & held]
    return max(map(chance, able), default=0)


@given(supports)
def test_minimal_supports_entail_the_same_under_every_memory(given_supports):
    kept = minimal(given_supports)
    assert all(best(kept, held) == best(given_supports, held) for held in memories(NAMES))


@given(supports)
def test_none_of_the_minimal_supports_can_be_left_out(given_supports):
    kept = minimal(given_supports)
    assert set(map(id, kept)) <= set(map(id, given_supports))
    for i in range(len(kept)):
        others = kept[:i] + kept[i + 1 :]
        spared = [s for s in others if set(s.claims) <= set(kept[i].claims) and chance(s) >= chance(kept[i])]
        assert not any(set(s.unless) <= set(kept[i].unless) for s in spared)


@given(supports)
def test_minimal_supports_stand_shortest_first_and_once_is_enough(given_supports):
    kept = minimal(given_supports)
    assert [len(s.claims) for s in kept] == sorted(len(s.claims) for s in kept)
    assert minimal(kept) == kept


@given(problems(most_claims=4, most_queries=0, defeaters=True))
def test_declared_items_are_those_with_a_support_that_holds(material):
    phi = Declared.of(material)
    whole = [claim.id for claim in material.claims]
    for held in memories(whole):
        entailed = phi.generate([claim for claim in material.claims if claim.id in held])
        expected = held | {item.id for item in material.items if best(item.supports, held)}
        spanned = {item.id for item in entailed.items if best(item.supports, held)}
        assert spanned == expected


@settings(max_examples=40)
@given(problems(most_claims=5, most_queries=0, defeaters=True))
def test_declared_operators_keep_the_laws_and_without_unless_are_monotone(material):
    report = check_operator(Declared.of(material), material.claims, examples=2)
    assert report.ok, report
    if not any(s.unless for item in material.items for s in item.supports):
        assert report.monotone


def test_the_composites_of_the_odyssey_are_its_synergy():
    material = ms.bundled("odyssey-composites")
    report = check_operator(Declared.of(material), material.claims, monotone=True, examples=20)
    assert report.ok, report
    assert report.synergy.composed == 3


def test_what_was_generated_can_be_declared():
    told = [Claim("c1", "Ana works for Nimbus."), Claim("c2", "In Porto, Nimbus builds ferries.")]
    generated = Bridge().generate(told)
    assert Declared(generated.items).generate(told) == generated


def test_an_item_named_like_a_claim_is_that_claim_or_is_refused():
    said = Claim("c1", "Ana moved."), Claim("c2", "Rui moved.")
    same = KnowledgeItem("c1", "Ana moved.", (Support(("c2",)),))
    found = Declared((same,)).generate(said).items
    assert [item.id for item in found] == ["c1", "c2"]
    assert [s.claims for s in found[0].supports] == [("c1",), ("c2",)]
    with pytest.raises(MaterialError, match=r"items\[0\] \(c1\).*rename"):
        Declared((KnowledgeItem("c1", "Ana stayed."),)).generate(said)
