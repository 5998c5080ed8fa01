"""Plain rows of outcomes: their own ids, what amends them, thumbs and scales."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.datasets import Correction, Revocation, in_force, read_questions
from memspan.datasets.outcomes import read_outcomes
from memspan.datasets.question_outcomes import outcome_in, scales_of
from memspan.datasets.question_rows import OUTCOME, Row
from memspan.errors import FileError
from memspan.material import Settlement
from outcome_files import TRIP


@pytest.fixture
def read(tmp_path):
    def made(rows, name="run.jsonl"):
        path = tmp_path / name
        path.write_text(rows if isinstance(rows, str) else "\n".join(map(json.dumps, rows)), "utf-8")
        return read_outcomes(path, [TRIP])

    return made


def row(name=None, correct=1, **more):
    return {"query_id": "q1", "correct": correct, **({} if name is None else {"id": name}), **more}


def told(outcomes):
    return [(each.id, each.correct) for each in outcomes.settlements["trip"]]


# --- ids and amendments -------------------------------------------------------------------------


def test_a_row_keeps_its_id_and_what_kind_it_is_of(read):
    outcomes = read([row("o1"), row(7), row(None), row("o3", kind="settlement"), row("o4", kind="temporal")])
    assert told(outcomes) == [("o1", 1), ("7", 1), (None, 1), ("o3", 1), ("o4", 1)]
    assert [each.extra for each in outcomes.settlements["trip"]] == [{}] * 4 + [{"given_kind": "temporal"}]


AMENDED = [
    row("o1"),
    row("o2", 0),
    row(None),
    row("o3"),
    {"kind": "correction", "of": "o1", "correct": "wrong"},
    {"kind": "revocation", "of": "o2"},
    {"kind": "Correction", "of": "o2", "correct": 1},
    row("o6"),
    {"kind": "revocation", "of": "o6", "time": "2026-03-02"},
]


def test_rows_are_read_as_what_amends_them_leaves_them(read):
    left = [("o1", 0), (None, 1), ("o3", 1)]
    assert told(read(AMENDED)) == left
    assert told(read(json.dumps(AMENDED), "run.json")) == left


def test_a_table_amends_too(read):
    outcomes = read(
        "id,query_id,correct,kind,of\no1,q1,1,,\no2,q1,1,,\n,,0,correction,o1\n,,,revocation,o2\n"
    )
    assert told(outcomes) == [("o1", 0)]


NAMES = st.sampled_from(["a", "b", "c"])


@given(st.lists(st.tuples(st.sampled_from(["correction", "revocation"]), NAMES, st.sampled_from([0, 1]))))
def test_rows_and_a_log_that_say_the_same_leave_the_same(tmp_path_factory, amends):
    rows = [row(name) for name in "abcd"]
    rows += [{"kind": kind, "of": of, "correct": correct} for kind, of, correct in amends]
    log = [Settlement("q1", 1, id=name) for name in "abcd"]
    log += [Revocation(of) if kind == "revocation" else Correction(of, c) for kind, of, c in amends]
    path = tmp_path_factory.getbasetemp() / "same.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    assert told(read_outcomes(path, [TRIP])) == [(each.id, each.correct) for each in in_force(log)]


FAULTS = {
    "nothing above": ([row("o1"), {"kind": "revocation", "of": "o2"}], "line 2.of: names settlement 'o2'"),
    "below": ([{"query_id": "q1", "correct": 1}, {"kind": "revocation", "of": "o"}, row("o")], "line 2.of"),
    "an id twice": (
        [row("o1"), row("o1"), {"kind": "revocation", "of": "o1"}],
        "line 2.id: 'o1' stands in line 1 already; ids are unique",
    ),
    "no name": (
        [row("o1"), {"kind": "correction", "correct": 0}],
        "line 2.of: is missing; a correction names",
    ),
    "a category": ([row("o1"), row("o2", kind="correction")], "where `kind` means something else"),
    "no outcome": ([row("o1"), {"kind": "correction", "of": "o1"}], "line 2.outcome: is missing"),
    "no share": (
        [row("o1"), {"kind": "correction", "of": "o1", "correct": 3}],
        "line 2.correct: holds numbers",
    ),
    "another kind": ([row("o1"), {"kind": "undo", "of": "o1"}], 'line 2.kind: is "undo"; a row with `of`'),
    "no kind": ([row("o1"), {"of": "o1", "correct": 0}], "line 2.kind: is missing"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_an_amendment_at_fault_is_told_by_its_line(name, read):
    rows, said = FAULTS[name]
    with pytest.raises(FileError) as caught:
        read(rows)
    assert said in str(caught.value)


def test_an_id_of_several_rows_names_none_of_them_where_nothing_is_amended(read):
    outcomes = read([row("o1"), row("o1", 0), row("o2")])
    assert told(outcomes) == [(None, 1), (None, 0), ("o2", 1)]
    assert [(each.record, each.field, each.kept) for each in outcomes.dropped] == [
        ("line 1 and 1 more row", "id", True)
    ]


def test_what_amends_a_row_that_was_left_out_is_left_out_with_it(read):
    outcomes = read([row("o1", "pending"), row("o2"), {"kind": "correction", "of": "o1", "correct": 1}])
    assert told(outcomes) == [("o2", 1)]
    assert [(each.record, each.field) for each in outcomes.dropped] == [
        ("line 1", "outcome"),
        ("line 3", "of"),
    ]


# --- words, thumbs and scales -------------------------------------------------------------------

WORDS = [
    ("thumbs", "up", "down"),
    ("thumbs", "thumbs_up", "Thumbs-down"),
    ("thumbs", "\N{THUMBS UP SIGN}", "\N{THUMBS DOWN SIGN}"),
    ("rating", 1, -1),
    ("feedback", "+1", "-1"),
    ("correct", 1, -1),
    ("feedback", 1, 0),
    ("rating", "positive", "negative"),
    ("feedback", "good", "bad"),
    ("thumbs", True, False),
    ("rating", "yes", "no"),
]


@pytest.mark.parametrize(("name", "right", "wrong"), WORDS)
def test_thumbs_are_outcomes_under_each_of_their_names(name, right, wrong, read):
    rows = [{"query_id": "q1", name: value} for value in (right, wrong)]
    assert told(read(rows)) == [(None, 1), (None, 0)]


@pytest.mark.parametrize("name", ["rating", "score"])
def test_stars_are_refused_and_not_even_one_star_is_taken_for_right(name, read):
    with pytest.raises(FileError, match="holds numbers from 1 to 5; memspan does not guess") as caught:
        read([{"query_id": "q1", name: stars} for stars in (1, 4, 5)])
    assert "allowed are right or wrong" in str(caught.value)
    assert "line 1 and 2 more rows" in str(caught.value)


def test_a_zero_beside_thumbs_is_neither_of_them(read):
    outcomes = read([{"query_id": "q1", "thumbs": value} for value in (1, 0, -1)])
    assert told(outcomes) == [(None, 1), (None, 0)]
    assert "neither thumb" in outcomes.dropped[0].reason


def test_a_slip_among_shares_costs_no_other_outcome(read):
    assert told(read([row(correct=1), row(correct=2), row(correct=0)])) == [(None, 1), (None, 0)]


def test_a_row_without_an_outcome_says_what_it_may_be_called(read):
    with pytest.raises(FileError, match="under outcome, correct, score, label, thumbs, rating or feedback"):
        read([{"query_id": "q1", "verdict": 1}])


def test_an_outcome_beside_the_one_that_counts_is_kept(read):
    outcomes = read([row(feedback="too long")])
    assert outcomes.settlements["trip"][0].extra == {"feedback": "too long"}


def test_thumbs_are_read_in_a_log_of_questions_too(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("question,thumbs\nWho cooks?,-1\nWho sings?,1\n", "utf-8")
    assert [each.correct for each in read_questions(path).settlements] == [0, 1]


NUMBERS = st.lists(st.sampled_from([-2, -1, -0.5, 0, 0.5, 1, 2, 5]), min_size=1, max_size=4)


@given(st.sampled_from(OUTCOME), NUMBERS)
def test_a_number_is_a_share_on_its_own_scale_or_refused(name, numbers):
    scales = scales_of(Row(f"line {i}", {name: number}) for i, number in enumerate(numbers))
    for number in numbers:
        made = outcome_in(name, number, scales)
        if isinstance(made, str):
            assert "left out" in made
            assert min(numbers) < 0 or max(numbers) > 1
        else:
            assert made == max(number, 0)
            assert number in {-1, 1} or min(0, *numbers) > -1 or name in {"outcome", "correct"}
