import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.material import Claim
from memspan.policies.cues import CUES, read
from memspan.policies.heuristics import HEURISTICS
from memspan.policies.traits import TRAITS, Traits

WORDS = ["Ana", "Rui", "moved", "Porto", "in", "March", "2024", "thanks", "you", "boat", "?", "!", ".", "7"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join) | st.text(max_size=20)
CLAIMS = st.builds(
    Claim,
    st.just("c"),
    TEXTS,
    source=st.sampled_from([None, "s1", "s2"]),
    speaker=st.sampled_from([None, "Ana", "assistant"]),
)
BATCHES = st.lists(st.lists(CLAIMS, max_size=5), min_size=1, max_size=4)
PLACE = {name: i for i, name in enumerate(TRAITS)}


def rows(*claims):
    """Return the traits of one batch as a dictionary for each claim."""
    return [dict(zip(TRAITS, row, strict=True)) for row in Traits().observe(claims)]


@settings(max_examples=40)
@given(BATCHES, st.lists(CLAIMS, max_size=4))
def test_a_row_depends_on_its_own_batch_and_on_earlier_ones_only(batches, other):
    whole, cut = Traits(), Traits()
    for i, batch in enumerate(batches):
        seen = whole.observe(batch)
        if i < len(batches) - 1:
            assert np.array_equal(cut.observe(batch), seen)
    assert np.array_equal(cut.observe(other), _after(batches[:-1], other))


def _after(batches, last):
    traits = Traits()
    for batch in batches:
        traits.observe(batch)
    return traits.observe(last)


@settings(max_examples=40)
@given(st.lists(CLAIMS, max_size=6), st.randoms(use_true_random=False))
def test_what_a_claim_alone_tells_moves_with_it_when_claims_are_permuted(claims, random):
    order = list(range(len(claims)))
    random.shuffle(order)
    table, moved = Traits().observe(claims), Traits().observe([claims[i] for i in order])
    told = [PLACE[name] for name in (*CUES, "length", "names", "mass", "heft", "rarity", "assistant")]
    assert moved[:, told] == pytest.approx(table[order][:, told])


@given(st.lists(CLAIMS, max_size=6))
def test_sources_in_another_order_change_nothing_that_neighbours_tell(claims):
    apart = sorted(claims, key=lambda claim: claim.source or "")
    places = sorted(range(len(claims)), key=lambda i: claims[i].source or "")
    told = [PLACE[name] for name in ("takes up", "taken up", "replies", "asked back", "opens", "closes")]
    table, moved = Traits().observe(claims), Traits().observe(apart)
    assert moved[:, told] == pytest.approx(table[places][:, told])


@given(BATCHES)
def test_traits_are_finite_and_bounded_by_what_is_in_a_claim(batches):
    traits = Traits()
    for batch in batches:
        table = traits.observe(batch)
        assert table.shape == (len(batch), len(TRAITS))
        assert np.isfinite(table).all()
        shares = [name for name, meaning in TRAITS.items() if meaning.startswith(("share", "1 where", "1 /"))]
        inside = table[:, [PLACE[name] for name in shares]]
        assert ((inside >= 0) & (inside <= 1 + 1e-9)).all()


@given(CLAIMS)
def test_truth_costs_and_ids_are_not_looked_at(claim):
    other = replace(claim, id="x", truth=0.0, costs={"tokens": 99.0}, extra={"weight": 1})
    assert np.array_equal(Traits().observe([claim]), Traits().observe([other]))


def test_each_trait_says_what_its_name_means():
    ask = Claim("a", "Ana: Where did you go?", "s1", speaker="Ana")
    told = Claim("b", 'Rui: On Friday I went to Porto with 2 friends, it was "grand"!', "s1", speaker="Rui")
    back = Claim("c", "Ana: Porto? Nice, thanks! (image: a boat)", "s1", speaker="Ana")
    asked, answer, echo = rows(ask, told, back)
    assert (asked["questions"], answer["replies"], asked["replies"]) == (1, 1, 0)
    assert asked["second person"] == pytest.approx(1 / 4)
    assert answer["numbers"] == answer["dates"] == answer["names"] == answer["new names"] == np.log(2)
    assert (answer["quoted"], answer["exclamations"], answer["image"]) == (1, 1, 0)
    assert (echo["image"], echo["new names"]) == (1, 0)
    assert echo["courtesy"] == pytest.approx(2 / 3)
    assert answer["taken up"] > asked["taken up"] == 0
    assert echo["takes up"] > 0
    assert echo["new words"] < answer["new words"] == 1
    assert [row["opens"] for row in (asked, answer, echo)] == pytest.approx([1, 1 / 2, 1 / 3])
    assert [row["closes"] for row in (asked, answer, echo)] == pytest.approx([1 / 3, 1 / 2, 1])
    assert answer["length"] > asked["length"]
    assert answer["mass"] > asked["mass"]


def test_a_speaker_is_no_news():
    known, other = rows(
        Claim("a", "Ana: Then Rui came.", speaker="Ana"), Claim("b", "Rui: Yes.", speaker="Rui")
    )
    assert known["names"] == 0
    assert other["assistant"] == 0
    assert rows(Claim("a", "Sure.", speaker="assistant"))[0]["assistant"] == 1


def test_a_session_goes_on_in_the_next_batch():
    traits = Traits()
    traits.observe([Claim("a", "Ana: Where to?", "s1", speaker="Ana")])
    row = dict(zip(TRAITS, traits.observe([Claim("b", "Rui: Home.", "s1", speaker="Rui")])[0], strict=True))
    assert (row["replies"], row["opens"]) == (1, 1 / 2)


def test_a_reading_knows_names_and_stems_each_once():
    reading = read(Claim("c", "Later Zoë met Zoë Lima, and Lima sang songs of songs."))
    assert len(set(reading.stems)) == len(reading.stems)
    assert "zoe lima" in reading.names
    assert len(reading.cues) == len(CUES)


def test_heuristics_score_each_claim_and_importance_likes_what_is_particular():
    table = Traits().observe(
        [Claim("a", "Thanks a lot, see you!"), Claim("b", "We met Ana Lima on 3 May 2024.")]
    )
    assert {name: heuristic(table).shape for name, heuristic in HEURISTICS.items()} == dict.fromkeys(
        HEURISTICS, (2,)
    )
    for name in ("importance", "tf-idf mass", "length", "recency"):
        assert HEURISTICS[name](table).argmax() == 1
    assert HEURISTICS["first"](table).argmax() == 0
    assert HEURISTICS["importance"](table[:0]).shape == (0,)


def test_traits_are_quick_enough_for_a_stream():
    claims = [
        Claim(f"c{i}", f"On day {i} Ana moved the boat number {i} to Porto.", f"s{i // 9}")
        for i in range(500)
    ]
    started = time.process_time()
    traits = Traits()
    for claim in claims:
        traits.observe([claim])
    assert time.process_time() - started < 10  # far below; a guard against what grows with all that was seen
