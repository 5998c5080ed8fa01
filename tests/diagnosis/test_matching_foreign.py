"""Stores of somebody else, and small ones: what is held is found, and what is not is not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import memspan as ms
from memspan.diagnosis.foreign import damped, factor, scaled
from memspan.diagnosis.matching import match
from memspan.diagnosis.pairing import CONTAINED, LEAST
from memspan.material import Claim, Material

JOB = "I started a new job at Leeds General Infirmary"
TALK = (
    ("Ines", "Hey Tom! Long time no see, how have you been?"),
    ("Tom", f"{JOB}."),
    ("Ines", "Wow, congrats! That is a big step, I am so proud of you."),
    ("Tom", "Thanks! The first week was hard, but the team is kind."),
    ("Ines", "I lost my job at the bank in January, so I know how that feels."),
    ("Tom", "Oh no, I am sorry. What will you do now?"),
    ("Ines", "I want to open a dance studio, dancing is my passion."),
    ("Tom", "That sounds great, dancing makes you happy."),
    ("Ines", "It does! I found a place downtown with a good floor."),
    ("Tom", "When do you open?"),
    ("Ines", "Next month, if the paint dries in time."),
    ("Tom", "I will come and paint with you on Saturday."),
    ("Ines", "You are a star. Bring your sister Marta."),
    ("Tom", "Marta is in Porto until Friday, she likes the river."),
    ("Ines", "Then bring cake. The lemon one."),
    ("Tom", "Deal. I bake it after my shift."),
    ("Ines", "Do you still run in the mornings?"),
    ("Tom", "Only on Sundays, ten kilometres along the canal."),
    ("Ines", "I started yoga with a new teacher, she is strict."),
    ("Tom", "Yoga is hard for me, I cannot touch my toes."),
    ("Ines", "You start slowly, a new stretch each day."),
    ("Tom", "Maybe after the exams of my course in April."),
    ("Ines", "Which course is it?"),
    ("Tom", "First aid for children, twice a week."),
    ("Ines", "My nephew broke his arm last year, that was a shock."),
    ("Tom", "Poor boy. Is he fine again?"),
    ("Ines", "Yes, he climbs trees again."),
    ("Tom", "Good. I have to go, my bus is here."),
    ("Ines", "Bye! See you on Saturday."),
    ("Tom", "See you!"),
)
TRANSCRIPT = Material(
    "talk", tuple(Claim(f"c{i}", text, speaker=who) for i, (who, text) in enumerate(TALK, 1))
)
PLACES = ("Whitby", "Ripon", "Skipton", "Malham", "Settle", "Hawes", "Grassington", "Ilkley")
FOREIGN = tuple(
    Claim(f"m{i}", text)
    for i, text in enumerate(
        (
            *(f"Cron job daily_summary ran at 2026-04-{day:02} 06:00, 0 new items" for day in range(1, 25)),
            *(f"Likes hiking from {place} in the Yorkshire Dales" for place in PLACES),
            *(f"Booked a table for two at the Black Swan in {place}" for place in PLACES),
            "Started a new job at Leeds General Infirmary",
            "Allergic to penicillin",
            "Prefers tea to coffee in the mornings",
            "Drives a blue Vauxhall Corsa",
            "Has a cat named Pickle",
            "Loves steak",
        )
    )
)
ABOUT_SHIPS = Material(
    "ships",
    tuple(
        Claim(f"c{i}", text, speaker="Gina" if i % 2 else "Jon")
        for i, text in enumerate(
            (
                "Lost my job as a banker yesterday, so I start my own business.",
                "Sorry about your job! I lost mine too, at the harbour.",
                "I like hiking, it clears my head on a new day.",
                "Started a new shop for sails, the first items came at 6.",
                "We ran in the park and had coffee in the morning.",
                "My new job starts in April, it is a daily run.",
                "I love to cook, a summary of my days.",
                "They named a ship after my cat.",
            )
            * 4
        )
    ),
)


def test_a_store_of_somebody_else_holds_next_to_nothing():
    found = match(FOREIGN, ABOUT_SHIPS)
    assert found.expected_size < 1
    assert found.likeliest_share < 0.2
    rng = np.random.default_rng(0)
    assert np.mean([sum(bool(note.claims) for note in found.draw(rng)) for _ in range(50)]) < 1


@pytest.mark.parametrize("others", [(), ("Loves steak",), ("Loves steak", "Has a cat", "Drives a blue car")])
def test_unrelated_memories_take_no_match_away(others):
    texts = ("Started a new job at Leeds General Infirmary", *others)
    found = match([Claim(f"m{i}", text) for i, text in enumerate(texts)], TRANSCRIPT)
    assert found.notes[0].claims == ("c2",)
    assert found.chances["m0"]["c2"] >= CONTAINED
    assert not any(note.claims for note in found.notes[1:])
    assert found.likeliest_share == pytest.approx(1 / len(texts))


@pytest.mark.parametrize("size", [2, 5, 12, 30])
def test_what_is_held_word_for_word_is_found_in_materials_of_any_size(size):
    few = Material("few", TRANSCRIPT.claims[:size])
    found = match([Claim("m", "Tom started a new job at the Leeds General Infirmary"), *FOREIGN[:9]], few)
    assert found.notes[0].claims == ("c2",)


def test_a_fact_held_among_many_foreign_memories_is_still_found():
    found = match(FOREIGN, TRANSCRIPT, answers=False)
    told = [note.text for note in found.notes if note.claims]
    assert told == ["Started a new job at Leeds General Infirmary"]
    assert found.expected_size < 2


@pytest.mark.parametrize(
    "other",
    [
        "Started a new job at York General Infirmary",
        "Never started a new job at Leeds General Infirmary",
        "Runs twelve kilometres on Sundays along the canal",
        "The course in first aid for adults is twice a week",
    ],
)
def test_near_words_that_say_something_else_are_not_held(other):
    chances = match([Claim("m", other)], TRANSCRIPT, answers=False).chances["m"]
    assert max(chances.values(), default=0) < CONTAINED


def test_common_words_alone_hold_nothing():
    found = match([Claim("m", "See you on Saturday")], ABOUT_SHIPS, answers=False)
    assert found.expected_size < LEAST


def test_memories_without_a_text_are_no_part_of_the_share():
    told = Claim("m", JOB)
    assert match([told, Claim("n", "")], TRANSCRIPT).likeliest_share == 1
    assert match([], TRANSCRIPT).likeliest_share == 0


# --- prior of a store ----------------------------------------------------------------------------


@given(st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 39)), min_size=1, max_size=40))
def test_damping_raises_no_chance_and_keeps_their_order(pairs):
    chances, memory = np.array([p for p, _ in pairs]), np.array([m for _, m in pairs])
    fewer = damped(chances, memory, 40)
    assert (fewer >= 0).all()
    assert (fewer <= chances + 1e-12).all()
    assert (np.diff(fewer[np.argsort(chances, kind="stable")]) >= -1e-12).all()


@given(st.integers(0, 400), st.integers(1, 400))
def test_the_factor_grows_with_what_is_told_and_never_passes_one(telling, n):
    assert 0 < factor(telling, n) <= factor(telling + 1, n) <= 1


def test_scaling_by_one_changes_nothing():
    assert scaled(np.array([0.2, 1.0]), 1).tolist() == [0.2, 1.0]


# --- real data -----------------------------------------------------------------------------------


def test_a_real_foreign_store_holds_next_to_nothing(data):
    talk = ms.load(data / "locomo" / "locomo10_dev.json")[1]
    assert match(FOREIGN, talk, answers=False).expected_size < 0.5
    found = match(FOREIGN, talk)
    assert found.expected_size < 2
    assert found.likeliest_share < 0.05
