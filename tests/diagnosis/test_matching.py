import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memspan as ms
from memspan.diagnosis.answered import Answered, answered
from memspan.diagnosis.facts import conflict, facts
from memspan.diagnosis.matching import match
from memspan.diagnosis.pairing import LEAST, pairs
from memspan.diagnosis.telling import BLOCK, FEATURES, compare
from memspan.material import Claim, Material, Query, Support

TOLD = (
    "Ana moved to Porto in May 2023.",
    "Rui cooks fish on Sundays.",
    "Ana earns 1,800 euros a month.",
    "Ana does not eat meat.",
    "Rui works at the harbour as an engineer.",
    "The bridge of iron was painted green.",
)
TRIP = Material(
    "trip",
    tuple(Claim(f"c{i}", text, source=f"session {i // 3 + 1}") for i, text in enumerate(TOLD, 1)),
    queries=(Query("q", "What does Rui do for a living?", answer="engineer", supports=(Support(("c5",)),)),),
)


def _claims(text, **told):
    return match([Claim("m", text, **told)], TRIP, answers=False).notes[0].claims


# --- laws ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", range(len(TOLD)))
def test_a_copy_rests_on_its_claim_whatever_its_case_and_marks(place):
    copy = TOLD[place].upper().replace(".", "!")
    found = match([Claim("m", copy)], TRIP)
    assert found.notes[0].claims == (f"c{place + 1}",)
    assert found.how == {"m": "text"}


@pytest.mark.parametrize(
    "other",
    [
        "Ana moved to Porto in May 2022.",
        "Ana moved to Lisbon in May 2023.",
        "Tom moved to Porto in May 2023.",
        "Ana never moved to Porto in May 2023.",
        "Ana earns 2,800 euros a month.",
        "Ana does eat meat.",
        "Tom works at the harbour as an engineer.",
        "The bridge of iron was not painted green.",
    ],
)
def test_a_memory_that_says_something_else_is_no_match(other):
    found = match([Claim("m", other)], TRIP)
    assert found.notes[0].claims == ()
    assert found.unmatched == ("m",)


def test_a_likely_pair_with_a_conflict_is_reported():
    memories = [Claim("m", "Rui cooks fish on Sundays and paid 20 euros.")]
    claims = (*TRIP.claims, Claim("c9", "Rui cooks fish on Sundays and paid 30 euros."))
    reports = match(memories, Material("trip", claims)).reports
    assert [(report.record, report.kept) for report in reports] == [("memory m", True)]
    assert "another number than claim c9" in reports[0].reason


@given(
    st.lists(
        st.sampled_from([*TOLD, "", "rain", "Ana moved", "Rui, 30, cooks. Ana earns 1800 euros"]), max_size=6
    )
)
@settings(max_examples=30)
def test_every_memory_is_a_note_once_and_its_chances_are_probabilities(texts):
    memories = [Claim(f"m{i}", text) for i, text in enumerate(texts)]
    found = match(memories, TRIP)
    assert [note.id for note in found.notes] == [memory.id for memory in memories]
    assert sum(found.counts.values()) == len(memories)
    for told in found.chances.values():
        assert all(LEAST <= chance <= 1 for chance in told.values())
        places = [TRIP.claim_position[claim] for claim in told]
        assert all(a < b for a, b in pairwise(places))
    assert found.unmatched == tuple(note.id for note in found.notes if not note.claims)


def test_draws_follow_the_chances_and_the_same_seed_draws_the_same():
    found = match([Claim("m", "Rui works at the harbour now"), Claim("n", TOLD[0])], TRIP)
    chance = found.chances["m"]["c5"]
    assert 0 < chance < 1
    rng = np.random.default_rng(3)
    draws = [found.draw(rng) for _ in range(2000)]
    share = np.mean(["c5" in first.claims for first, _ in draws])
    assert abs(share - chance) < 0.05
    assert all(second.claims == ("c1",) for _, second in draws)
    assert found.draw(np.random.default_rng(1)) == found.draw(np.random.default_rng(1))


def test_the_expected_size_is_the_mean_of_drawn_sizes():
    memories = [Claim("m", "Rui works at the harbour"), Claim("n", "At the harbour Rui works as an engineer")]
    found = match(memories, TRIP)
    rng = np.random.default_rng(0)
    sizes = [len({c for note in found.draw(rng) for c in note.claims}) for _ in range(2000)]
    assert abs(np.mean(sizes) - found.expected_size) < 0.07


def test_the_confidence_is_the_chance_that_a_draw_gives_the_likeliest_claims():
    found = match([Claim("m", "Rui works at the harbour now")], TRIP)
    rng, note = np.random.default_rng(0), found.notes[0]
    share = np.mean([found.draw(rng)[0].claims == note.claims for _ in range(2000)])
    assert abs(share - note.extra["confidence"]) < 0.05


# --- provenance ----------------------------------------------------------------------------------


def test_provenance_is_believed_and_what_it_names_in_vain_is_reported():
    found = match([Claim("m", "Something else", extra={"claims": ["c2", "lost", "c4"]})], TRIP)
    assert found.notes[0].claims == ("c2", "c4")
    assert found.notes[0].extra["matched"] == "provenance"
    assert "1 of 3 claims" in found.reports[0].reason
    assert "lost" in found.reports[0].reason


def test_a_source_that_is_a_claim_is_provenance():
    assert _claims("in other words", source="c3") == ("c3",)


def test_a_memory_without_valid_provenance_is_matched_by_its_text():
    found = match([Claim("m", TOLD[1], extra={"claims": ["gone"]})], TRIP)
    assert found.notes[0].claims == ("c2",)
    assert found.counts == {"provenance": 0, "text": 1, "answer": 0, "none": 0}


def test_a_memory_of_one_session_rests_on_claims_of_that_session_only():
    twice = Material("t", (Claim("a", "Rui cooks.", source="s1"), Claim("b", "Rui cooks.", source="s2")))
    assert match([Claim("m", "Rui cooks.", source="s2")], twice).notes[0].claims == ("b",)
    assert match([Claim("m", "Rui cooks.", source="elsewhere")], twice).notes[0].claims == ("a", "b")


def test_of_equal_claims_a_copy_rests_on_that_of_its_day():
    twice = Material(
        "t", (Claim("a", "Rui cooks.", time="2023-01-02"), Claim("b", "Rui cooks.", time="2023-01-09"))
    )
    assert match([Claim("m", "Rui cooks.", time="2023-01-09T10:00")], twice).notes[0].claims == ("b",)


# --- several -------------------------------------------------------------------------------------


def test_a_merged_memory_may_rest_on_several_claims():
    merged = "Ana moved to Porto in May 2023. Rui cooks fish on Sundays."
    told = match([Claim("m", merged)], TRIP, answers=False).chances["m"]
    assert {"c1", "c2"} <= told.keys()
    assert min(told["c1"], told["c2"]) > max((p for c, p in told.items() if c not in {"c1", "c2"}), default=0)


def test_a_claim_may_be_told_by_several_memories():
    memories = [Claim("m", TOLD[0]), Claim("n", TOLD[0].lower())]
    assert [note.claims for note in match(memories, TRIP).notes] == [("c1",), ("c1",)]


def test_nothing_matches_nothing():
    assert match([], TRIP).notes == ()
    empty = match([Claim("m", "Rui cooks."), Claim("n", "")], Material("empty"))
    assert [note.claims for note in empty.notes] == [(), ()]
    assert empty.expected_size == 0


# --- answers -------------------------------------------------------------------------------------


def test_a_memory_in_other_words_rests_on_the_claims_of_what_it_answers():
    found = match([Claim("m", "For a living Rui is an engineer")], TRIP)
    assert found.notes[0].claims == ("c5",)
    plain = match([Claim("m", "For a living Rui is an engineer")], TRIP, answers=False)
    assert found.chances["m"]["c5"] >= plain.chances.get("m", {}).get("c5", 0)


def test_an_answer_with_another_number_answers_nothing():
    asked = Material("t", queries=(Query("q", "How many cats has Ana?", answer="3"),))
    assert "q" in answered([Claim("m", "Ana has 3 cats.")], asked)
    assert "q" not in answered([Claim("m", "Ana has 4 cats.")], asked)


def test_unanswerable_questions_are_not_asked():
    asked = Material(
        "t", queries=(Query("q", "Ana's cats?", answer="3", answerable=False), Query("p", "Cats?"))
    )
    assert answered([Claim("m", "Ana has 3 cats.")], asked) == {}
    assert answered([], TRIP) == {}


def test_the_chance_that_some_memory_answers_grows_with_each():
    assert Answered(("a", "b"), (0.5, 0.5)).probability == 0.75
    assert Answered((), ()).probability == 0


# --- parts ---------------------------------------------------------------------------------------


def test_blocks_change_no_pair():
    memories = [Claim(f"m{i}", f"{TOLD[i % 6]} Number {i} of them.") for i in range(BLOCK + 9)]
    whole, tail = compare(memories, TRIP.claims), compare(memories[BLOCK:], TRIP.claims)
    own = [FEATURES.index(name) for name in ("told_much", "asks", "rank")]
    late = whole.memory >= BLOCK
    assert (whole.memory[late] - BLOCK).tolist() == tail.memory.tolist()
    assert whole.claim[late].tolist() == tail.claim.tolist()
    assert np.allclose(whole.table[late][:, own[1:]], tail.table[:, own[1:]])


def test_shares_are_shares():
    table = compare([Claim("m", f"{TOLD[0]} {TOLD[1]}")], TRIP.claims).table
    for name in ("told", "echo", "clause_echo", "window_echo", "pieces"):
        column = table[:, FEATURES.index(name)]
        assert (column >= 0).all()
        assert (column <= 1 + 1e-9).all()


@pytest.mark.parametrize(
    ("memory", "claim", "against"),
    [
        ("Ana has two cats.", "Ana has 2 cats.", None),
        ("Ana has 3 cats.", "Ana has 2 cats.", "number"),
        ("Ana, 39, has 2 cats.", "Ana has 2 cats.", None),
        ("On 3 May 2023 it rained.", "On May 3, 2023 it rained.", None),
        ("On 9 May 2023 it rained.", "On May 3, 2023 it rained.", "date"),
        ("In May 2023 it rained.", "On May 3, 2023 it rained.", None),
        ("Emily Franco inspires Ana.", "Ana is inspired by Shirley Franco.", "name"),
        ("Sarah lives here.", "Sarah Garcia lives here.", None),
        ("Ana eats meat.", "Ana never eats meat.", "denial"),
        ("Ana can't wait to eat.", "Ana waits to eat.", None),
    ],
)
def test_what_speaks_against_a_pair(memory, claim, against):
    assert conflict(facts(Claim("m", memory)), memory, facts(Claim("c", claim))) == against


def test_a_relative_date_is_the_day_it_means():
    said = facts(Claim("c", "Yesterday it rained.", time="2023-05-08"))
    assert conflict(facts(Claim("m", "It rained on 7 May 2023.")), "It rained", said) is None
    assert conflict(facts(Claim("m", "It rained on 1 May 2023.")), "It rained", said) == "date"


def test_a_time_stamp_before_a_memory_is_not_what_it_says():
    assert _claims("2025-09-05T13:30:48+00:00: Rui cooks fish on Sundays.") == ("c2",)


# --- real data -----------------------------------------------------------------------------------


def test_observations_find_the_turns_that_they_were_written_from(data):
    path = data / "locomo" / "locomo10_dev.json"
    turns, observed = ms.load(path)[0], ms.load(path, claims="observations")[0]
    notes = [claim for claim in observed.claims if claim.extra["turns"]]
    found = pairs([Claim(note.id, note.text) for note in notes], turns.claims)
    chosen = [p for p in found if p.chance >= 0.5 and p.against is None]
    right = sum(turns.claims[p.claim].id in notes[p.memory].extra["turns"] for p in chosen)
    assert right / len(chosen) > 0.75
    assert right / len(notes) > 0.5


def test_a_real_store_is_placed_whole(data):
    material = ms.load(data / "halumem" / "user0.jsonl")[0]
    run = json.loads((data / "halumem" / "mem0_eval_user0.json").read_text())
    texts = dict.fromkeys(record["memory_content"] for record in run["memory_accuracy_records"])
    found = match([Claim(f"m{i}", text) for i, text in enumerate(texts)], material, answers=False)
    assert len(found.notes) == len(texts)
    assert 0 < found.expected_size < len(material.claims)
