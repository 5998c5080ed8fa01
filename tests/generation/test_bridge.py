"""Bridge: what it joins, what it leaves, and what it says about its caps."""

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.datasets import load
from memspan.generation import Bridge, Declared
from memspan.material import Claim
from memspan.testing import check_operator, claims


def told(*texts, **fields):
    return [Claim(f"c{i}", text, **fields) for i, text in enumerate(texts)]


def composed(claims, **settings):
    """Return the supports of what Bridge composes, as sets of ids."""
    items = Bridge(**settings).generate(claims).items[len(claims) :]
    return {support.claims for item in items for support in item.supports}


def test_claims_that_name_the_same_entity_are_joined():
    assert composed(told("Ana met Rui.", "Later Rui left.", "It rained.")) == {("c0", "c1")}


def test_a_claim_that_names_a_title_is_joined_with_what_stands_under_it():
    film = Claim("c0", "The film was made by Ana Lima.", source="The Ferry (film)")
    born = [
        Claim(f"c{i}", text, source="Ana Lima")
        for i, text in ((1, "She was born in Faro."), (2, "She sang."))
    ]
    items = Bridge().generate([film, *born]).items
    assert [item.text for item in items[3:]] == [
        "The film was made by Ana Lima. She was born in Faro.",
        "The film was made by Ana Lima. She sang.",
    ]
    assert composed(born) == set()


def test_reading_starts_with_the_claim_that_leads_to_the_other():
    later = [Claim("c0", "She was born in Faro.", source="Ana Lima"), Claim("c1", "It was made by Ana Lima.")]
    item = Bridge().generate(later).items[-1]
    assert item.text == "It was made by Ana Lima. She was born in Faro."
    assert item.supports[0].claims == ("c0", "c1")


def test_a_title_is_found_in_small_letters_too():
    pair = [
        Claim("c0", "He wrote the long way home."),
        Claim("c1", "It sold well.", source="The Long Way Home"),
    ]
    assert composed(pair) == {("c0", "c1")}


@pytest.mark.parametrize(
    "texts",
    [
        ("In 1984 it opened.", "It closed in 1984."),
        ("It opened on Monday in March.", "They left on Monday in March."),
        ("However, it rained.", "However, it stopped."),
        ("He said I can.", "She said I can."),
        ("Ana met Rui.", "Ana met Rui."),
        ("", ""),
        ("شارع طويل", "شارع طويل جدا"),
    ],
    ids=["numbers", "dates", "sentence starts", "I", "same words", "empty", "no capitals"],
)
def test_what_is_no_shared_name_joins_nothing(texts):
    assert composed(told(*texts)) == set()


def test_subject_and_object_of_a_triple_are_what_it_names():
    triples = [("ana", "mother", "rui"), ("rui", "job", "cook"), ("eva", "mother", "cook")]
    stated = [Claim(f"c{i}", " - ".join(triple), triple=triple) for i, triple in enumerate(triples)]
    assert composed(stated) == {("c0", "c1"), ("c1", "c2")}
    assert composed(stated, hops=3) == {("c0", "c1"), ("c1", "c2"), ("c0", "c1", "c2")}


def test_a_speaker_is_joined_with_who_names_them():
    chat = [Claim("c0", "I moved to Porto.", speaker="Ana"), Claim("c1", "I wrote to Ana.", speaker="Rui")]
    assert composed(chat) == {("c0", "c1")}


def test_three_hops_need_two_different_entities():
    assert ("c0", "c1", "c2") not in composed(told("A Nimbus.", "The Nimbus.", "Our Nimbus."), hops=3)


def test_claims_of_the_same_words_are_alternatives_within_one_item():
    items = Bridge().generate(told("Ana met Rui.", "Ana met Rui.", "Later Rui left.")).items
    assert [[s.claims for s in item.supports] for item in items[3:]] == [[("c0", "c2"), ("c1", "c2")]]


def test_an_entity_that_many_name_joins_nothing_and_is_told():
    many = told(
        *(f"They saw Porto {word}." for word in ["again", "today", "once", "twice", "never", "often"])
    )
    found = Bridge(rare=5).generate(many)
    assert len(found.items) == 6
    assert [(each.record, each.field) for each in found.limits] == [("entity 'porto'", "claims")]
    assert "6 claims name it, more than 5" in found.limits[0].reason
    assert Bridge(rare=6).generate(many).limits == ()


def test_the_rarest_entities_win_where_there_are_too_many():
    texts = ["Our Porto and Faro.", "Only Faro.", "Also Porto, one.", "Also Porto, two."]
    found = Bridge(most_items=0.25).generate(told(*texts))
    assert [item.supports[0].claims for item in found.items[4:]] == [("c0", "c1")]
    assert found.limits[0].record == "composed items"
    assert "the 1 over the rarest" in found.limits[0].reason


@pytest.mark.parametrize("wrong", [{"hops": 1}, {"hops": 4}, {"rare": 1}, {"most_items": -1}])
def test_bounds_that_mean_nothing_are_refused(wrong):
    with pytest.raises(ValueError, match="give 2 or 3 hops"):
        Bridge(**wrong)


@pytest.mark.parametrize("hops", [2, 3])
def test_bridge_keeps_the_laws_and_is_monotone_where_no_cap_bites(hops):
    report = check_operator(Bridge(hops=hops, most_items=99), claims(most=4), monotone=True, examples=60)
    assert report.ok, report
    assert not report.limited
    assert report.synergy.share > 0.1


@settings(max_examples=30)
@given(claims(most=8), st.integers(2, 3), st.floats(0, 2))
def test_what_is_declared_of_all_claims_is_monotone_whatever_cap_bites(told, rare, most):
    phi = Declared(Bridge(hops=3, rare=rare, most_items=most).generate(told).items)
    report = check_operator(phi, told, monotone=True, examples=5)
    assert report.ok, report


@given(claims(most=8), st.randoms())
def test_the_order_of_claims_changes_no_text(told, chance):
    mixed = list(told)
    chance.shuffle(mixed)
    one, other = (Bridge(hops=3, most_items=999).generate(each).items for each in (told, mixed))
    assert {(item.id, item.text) for item in one} == {(item.id, item.text) for item in other}


@given(claims(most=8))
def test_the_number_of_items_keeps_to_its_bound(told):
    found = Bridge(hops=3, most_items=2).generate(told)
    assert len(found.items) <= 3 * len(told)


def test_many_claims_take_seconds():
    names = [
        f"{a}{b}{c}" for a in ("Ba", "Ko", "Ri", "Su") for b in "aeiou" for c in ("lo", "mi", "ne", "tu")
    ]
    many = told(*(f"It was {names[i % 80]} who met {names[i * 7 % 79]} near {i}." for i in range(5000)))
    started = time.monotonic()
    assert len(Bridge(hops=3, rare=100).generate(many).items) <= 35_000
    assert time.monotonic() - started < 60


def test_bridges_of_2wiki_hold_four_in_five_compositional_supports(data):
    materials = [m for m in load(data / "multihop" / "2wiki_dev.json") if m.claims]
    asked = [(m, q.supports[0].claims) for m in materials for q in m.queries if q.category == "compositional"]
    found = [frozenset(needed) in set(map(frozenset, composed(m.claims))) for m, needed in asked]
    assert len(found) > 30
    assert sum(found) / len(found) > 0.8


def test_a_claim_of_a_triple_without_text_still_says_something():
    stated = [Claim("c0", triple=("Ana", "knows", "Rui")), Claim("c1", "Only Rui left.")]
    texts = {item.text for item in Bridge().generate(stated).items[2:]}
    assert texts == {"Ana knows Rui Only Rui left."}
    assert composed([replace(stated[0], triple=None), stated[1]]) == set()
