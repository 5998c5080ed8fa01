"""MemGPT and Letta: what leaves the window, by hand."""

from dataclasses import replace

import pytest

from memspan.material import Claim, Query
from memspan.systems import Setting
from memspan.systems.memgpt import (
    KINDS,
    LETTA,
    PAPER,
    RELEASED,
    MemGPT,
    by_half_of_window,
    by_share_of_queue,
    by_sliding,
)

TEN = "one two three four five six seven eight nine ten"  # 10 tokens, 10 words


def made(rule, count, capacity=None, text=TEN):
    memory = MemGPT("memgpt", rule, Setting(capacity))
    for i in range(count):
        memory.observe(Claim(f"c{i}", text))
    return memory


def window(memory):
    return [note.id for note in memory._notes(memory._window())]


def test_the_released_rule_evicts_what_comes_before_three_quarters_of_the_tokens_are_passed():
    # 8 x 10 = 80 tokens, 60 wanted; candidates are the first 5 (the last 3 stay): never above 60, so the
    # loop ends at the 5th, and the slice before it holds 4
    assert by_share_of_queue([10] * 8, 100) == 4
    # 20 x 10 = 200, 150 wanted: the sum passes 150 at the 16th, and the 15 before it go
    assert by_share_of_queue([10] * 20, 100) == 15
    # one long message first: 500 of 590 tokens, 442 wanted: passed at once, nothing comes before it
    assert by_share_of_queue([500] + [10] * 9, 100) == 0


def test_the_published_rule_evicts_half_of_the_window():
    # window 100: 10 + 20 + 30 = 60 >= 50
    assert by_half_of_window([10, 20, 30, 40], 100) == 3
    assert by_half_of_window([10] * 10, 100) == 5


def test_letta_evicts_four_tenths_of_the_messages_and_then_a_tenth_more_until_the_rest_is_small():
    # ten of 10 tokens, window 100: 4 gone leave 60 < 70
    assert by_sliding([10] * 10, 100) == 4
    # the last three of 20: 4 gone leave 90, 5 leave 80, 6 leave 70, which is not below 70, 7 leave 60
    assert by_sliding([10] * 7 + [20] * 3, 100) == 7
    # none will do: all but the newest
    assert by_sliding([10] * 9 + [90], 100) == 9


def test_a_full_window_becomes_a_summary_and_the_rest():
    # window 200 tokens, the warning at 150 switched off: the 21st message makes 210 > 200;
    # 21 x 10 = 210, 157 wanted, passed at the 16th: c0..c14 go, a summary of 100 words: 10 claims of 10
    rule = replace(RELEASED, window=200, warned=9)
    assert window(made(rule, 20)) == [f"c{i}" for i in reversed(range(20))]
    memory = made(rule, 21)
    assert window(memory) == [*(f"c{i}" for i in reversed(range(15, 21))), "summary:0"]
    summary = memory.held()[6]
    assert summary.claims == tuple(f"c{i}" for i in range(10)), "equally telling: the first ten"
    assert {claim for note in memory.held() for claim in note.claims} == {f"c{i}" for i in range(21)}


def test_the_next_summary_is_of_the_summary_before_and_of_what_went_since():
    rule = replace(RELEASED, window=200, warned=9)
    memory = made(rule, 80)
    assert window(memory).count("summary:0") == 1
    assert set(memory.held()[window(memory).index("summary:0")].claims) >= {"c0"}


def test_the_published_variant_keeps_half_where_the_released_keeps_a_quarter():
    # window 1000, the 101st message makes 1010. Released: 757 wanted, passed at the 76th: c0..c74 go.
    # Published: 50 messages make 500 >= 500: c0..c49 go
    released, paper = (made(replace(rule, window=1000, warned=9), 101) for rule in (RELEASED, PAPER))
    assert window(released) == [*(f"c{i}" for i in reversed(range(75, 101))), "summary:0"]
    assert window(paper) == [*(f"c{i}" for i in reversed(range(50, 101))), "summary:0"]
    assert (PAPER.warned, PAPER.flush) != (RELEASED.warned, RELEASED.flush)
    assert LETTA.full == pytest.approx(0.9)


def test_under_pressure_the_model_saves_to_core_memory_and_then_to_the_archive():
    # window 200: warned above 150 tokens, at the 16th message; a line of 3 claims has 3 x 48 + 2 = 146
    # characters: it fits a block of 150, and the next does not
    rule = replace(RELEASED, window=200, block=150)
    assert not [note for note in made(rule, 15).held() if note.kind != "event"]
    core = [note for note in made(rule, 16).held() if note.kind == "core"]
    assert [len(note.claims) for note in core] == [3]
    assert made(rule, 16).held()[0].id == "core:0", "kept longest"
    kinds = [note.kind for note in made(rule, 60).held()]
    assert kinds.count("core") == 1
    assert kinds.count("archival") >= 1


def test_a_capacity_plays_the_role_of_the_window():
    memory = made(replace(RELEASED, warned=9), 9, capacity=8)
    # the 9th of 8: 9 x 10 tokens, 67 wanted, candidates 6, never passed: the 5 before the last of them go,
    # one stays told in the summary; c0 (told), c5..c8, and of what was paged out the last: c4, c3, c2
    assert [note.id for note in memory.held()] == ["c8", "c7", "c6", "c5", "summary:0", "c4", "c3", "c2"]
    assert memory.held()[4].claims == ("c0",)


def test_under_a_capacity_shares_of_the_window_are_shares_of_what_fits():
    # published, the 9th of 8: 90 tokens fill 9/8, so that 80 fit; 4 of 10 make half: c0..c3 go
    paper = made(replace(PAPER, warned=9), 9, capacity=8)
    assert window(paper) == ["c8", "c7", "c6", "c5", "c4", "summary:0"]
    assert [note.id for note in paper.held()][6:] == ["c3", "c2"]
    # Letta, the 8th: 8/8 is above 0.9; 80 fit; 40 % of 8 are 3, and the rest of 50 is below 0.7 x 80 = 56
    letta = made(replace(LETTA, warned=9), 8, capacity=8)
    assert window(letta) == ["c7", "c6", "c5", "c4", "c3", "summary:0"]


def test_messages_are_found_by_words_and_come_before_the_window():
    memory = made(replace(RELEASED, window=40, warned=9), 0)
    for i, text in enumerate(["Ana painted a boat", "Rui cooks", *["idle talk of the day"] * 12]):
        memory.observe(Claim(f"c{i}", text))
    assert "c0" not in window(memory)
    read = memory.read(Query("q", "Who was painting?"), 99)
    assert [note.id for note in read] == ["c0", *window(memory)]
    assert [note.id for note in memory.read(Query("q", "Who was painting?"), 1)] == ["c0"]


def test_letta_finds_by_likeness_too():
    memory = made(LETTA, 0)
    for i, text in enumerate(["Ana painted a boat", "Rui cooks", "rain"]):
        memory.observe(Claim(f"c{i}", text))
    assert memory.read(Query("q", "painter"), 3)[0].id == "c0"


def test_the_variants_are_three():
    assert [kind.label for kind in KINDS] == ["memgpt:released", "memgpt:paper", "memgpt:letta"]
    assert all(kind.bounded and kind.k is None for kind in KINDS)
