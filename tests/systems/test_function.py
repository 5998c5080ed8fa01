"""A function is a system: what it may return, and what it is told when it returns something else."""

# ruff: noqa: ARG001, ARG005 - these functions are called with more than they need

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.errors import ContractError, ShapeError, UnknownName
from memspan.material import Claim, Query
from memspan.systems import Setting, function_system
from memspan.testing import check_system

CLAIMS = [Claim(name, f"{name} tells of {topic}") for name, topic in zip("abcd", "xyzx", strict=True)]


def newest(claims, capacity):
    return claims[-capacity:]


def longest(claims, capacity):
    return [len(claim.text) for claim in claims]


def first_ids(claims, capacity):
    return [claim.id for claim in claims][:capacity]


def by_id(claims, capacity):
    return {claim.id: -i for i, claim in enumerate(claims)}


def last_held(query, held, k):
    return held[::-1][:k]


def observed(kind, capacity=2, claims=CLAIMS):
    memory = kind.make(Setting(capacity=capacity))
    for claim in claims:
        memory.observe(claim)
    return memory


def held(keep, capacity=2, claims=CLAIMS):
    return [note.id for note in observed(function_system(keep), capacity, claims).held()]


@pytest.mark.parametrize("keep", [newest, longest, first_ids, by_id], ids=lambda keep: keep.__name__)
def test_a_function_in_any_form_keeps_the_laws_of_a_system(keep):
    report = check_system(function_system(keep, last_held), examples=5)
    assert report.ok, report


@pytest.mark.parametrize(
    ("keep", "kept"),
    [
        (newest, ["c", "d"]),
        (first_ids, ["a", "b"]),
        (by_id, ["a", "b"]),
        (lambda claims, _: [1, 3.5, 3.5, 2], ["b", "c"]),
        (lambda claims, _: np.array([0, 1, 2, 3]), ["d", "c"]),
        (lambda claims, _: np.array([0, 1, 2, 3], np.float32), ["d", "c"]),
        (lambda claims, _: {"d": 1.0, "a": 2.0}, ["a", "d"]),
        (lambda claims, _: {"d": 1.0}, ["d"]),
        (lambda claims, _: (claim for claim in claims if claim.id == "c"), ["c"]),
        (lambda claims, _: {"b"}, ["b"]),
        (lambda claims, _: ["b", "b"], ["b"]),
        (lambda claims, _: np.array(["d", "a"]), ["d", "a"]),
        (lambda claims, _: [], []),
    ],
)
def test_ids_claims_and_scores_say_what_is_held(keep, kept):
    assert held(keep) == kept


@pytest.mark.parametrize(
    ("keep", "error", "said"),
    [
        (lambda claims, _: None, ContractError, "returned None; it lacks a return"),
        (lambda claims, _: "a", ContractError, "returned str 'a'; give ids"),
        (lambda claims, _: 3, ContractError, "returned int 3"),
        (lambda claims, _: [claims], ContractError, "list .* among others"),
        (lambda claims, _: ["a", 1], ContractError, "int 1 among others"),
        (lambda claims, _: [0.5, float("nan"), 0, 0], ContractError, "scored 'b' with float nan"),
        (lambda claims, _: [True, False, True, False], ContractError, "scored 'a' with bool True"),
        (lambda claims, _: {"a": "high"}, ContractError, "scored 'a' with str 'high'"),
        (
            lambda claims, _: [0.5, 0.1],
            ShapeError,
            "returned 2 scores for 4 claims; return one score for each",
        ),
        (lambda claims, _: claims, ShapeError, "returned 4 claims but capacity is 2; drop 2"),
        (lambda claims, _: ["zz"], UnknownName, "returned 'zz'; pick among the 4 claims"),
        (lambda claims, _: {"zz": 1.0}, UnknownName, "returned 'zz'"),
        (lambda claims, _: list("vwxyz"), UnknownName, "'v', 'w', 'x' and 2 more"),
    ],
)
def test_what_cannot_be_used_is_told_with_its_cure(keep, error, said):
    with pytest.raises(error, match=f"keep of function .*{said}|keep of function {said}"):
        held(keep)


@pytest.mark.parametrize(
    ("read", "error", "said"),
    [
        (lambda query, held, k: held, ShapeError, "read of newest returned 2 claims but k is 1"),
        (lambda query, held, k: ["a"], UnknownName, "read of newest returned 'a'; pick among the 2 claims"),
        (lambda query, held, k: None, ContractError, "read of newest returned None"),
    ],
)
def test_a_reading_function_is_held_to_the_same(read, error, said):
    with pytest.raises(error, match=said):
        observed(function_system(newest, read)).read(Query("q"), 1)


def test_a_reading_function_reads_and_sees_what_is_held_alone():
    seen = []

    def read(query, held, k):
        seen.append((query.text, [claim.id for claim in held], k))
        return [0.1, 0.9]

    memory = observed(function_system(newest, read))
    assert [note.id for note in memory.read(Query("q", "who?"), 1)] == ["d"]
    assert seen == [("who?", ["c", "d"], 1)]


def test_without_a_reading_function_the_likest_is_read():
    assert [note.id for note in observed(function_system(newest)).read(Query("q", "c tells of z"), 1)] == [
        "c"
    ]


def test_a_function_is_asked_once_however_often_one_looks_and_anew_when_a_claim_comes():
    calls = []

    def keep(claims, capacity):
        calls.append(len(claims))
        return newest(claims, capacity)

    memory = observed(function_system(keep))
    for _ in range(3):
        memory.held()
        memory.read(Query("q", "x"), 1)
    memory.observe(Claim("e"))
    memory.held()
    assert calls == [4, 5]


def test_without_a_bound_a_function_may_keep_all_and_without_room_it_is_not_asked():
    assert held(newest, None) == list("abcd")
    assert held(newest, 0) == [], "claims[-0:] are all of them"


def test_a_function_cannot_change_what_was_observed():
    assert held(lambda claims, _: (claims.clear(), ["a"])[1]) == ["a"]


def test_an_error_of_the_function_is_its_own():
    def keep(claims, capacity):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        held(keep)


def test_a_kind_made_of_functions_of_a_module_can_be_sent_to_other_processes():
    again = pickle.loads(pickle.dumps(function_system(newest, last_held, "mine")))  # noqa: S301 - our own
    assert again.label == "mine"
    assert [note.id for note in observed(again).held()] == ["c", "d"]


def test_what_cannot_be_called_is_refused():
    with pytest.raises(ContractError, match="is no function"):
        function_system("newest")


@given(st.lists(st.floats(-9, 9), max_size=8), st.integers(0, 9))
def test_of_scores_the_highest_stay(scores, capacity):
    claims = [Claim(f"c{i}") for i in range(len(scores))]
    kept = {int(name[1:]) for name in held(lambda *_: scores, capacity, claims)}
    assert len(kept) == min(capacity, len(scores))
    gone = set(range(len(scores))) - kept
    assert all(scores[i] >= scores[j] for i in kept for j in gone)
