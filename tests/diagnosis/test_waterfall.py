"""Where questions are lost: parts that sum to the whole, each moved by its own fault alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import memspan as ms
from memspan.diagnosis.ground import ground_of
from memspan.diagnosis.measuring import measure
from memspan.diagnosis.waterfall import waterfall
from memspan.material import Claim, Material, Query, Support
from memspan.testing import memories, problems

PARTS = ("unanswerable", "generation", "compression", "write", "false", "read", "reasoner", "anyway")

TRIP = Material(
    "trip",
    tuple(Claim(name, f"text of {name}", truth=0 if name == "f" else 1) for name in "abcdef"),
    queries=(
        Query("q1", weight=2, supports=(Support(("a",)), Support(("f",)))),
        Query("q2", supports=(Support(("b", "c")),)),
        Query("q3", supports=(Support(("d",)),)),
        Query("q4", supports=(Support(("e",)),)),
        Query("lost"),
        Query("none", answerable=False),
    ),
)


def fall(held, capacity, *, read=None, right=None, material=TRIP):
    """Return the waterfall of a memory; all is read, and right where it was, unless said otherwise."""
    world = ground_of(material).worlds[0]
    memory = world.coverage.memory(held)
    places = frozenset(np.flatnonzero(memory).tolist()) if read is None else read
    measured = measure(world, memory, [places] * len(material.queries))
    answers = measured.read.astype(float) if right is None else right(measured)
    return waterfall([replace(measured, right=answers)], capacity)


def moved(before, after):
    return {
        name for name in PARTS if abs(getattr(before, name).estimate - getattr(after, name).estimate) > 1e-12
    }


HEALTHY = fall("abc", 3)


def test_the_parts_are_what_their_definitions_say():
    parts = {name: round(part.estimate * 7) for name, part in HEALTHY.parts}
    assert parts == {
        "unanswerable": 1,
        "generation": 1,
        "compression": 1,  # of 5 sevenths three claims answer 4: a, d, e
        "write": 1,  # a, b, c answer 3
        "false": 0,
        "read": 0,
        "reasoner": 0,
        "anyway": 0,
    }


def test_a_dropped_claim_moves_the_write_alone():
    assert moved(HEALTHY, fall("ab", 3)) == {"write"}


def test_a_false_claim_in_place_of_a_true_one_moves_the_false_alone():
    assert moved(HEALTHY, fall("fbc", 3)) == {"false"}


def test_a_blind_reader_moves_the_read_alone():
    assert moved(HEALTHY, fall("abc", 3, read=frozenset())) == {"read"}


def test_a_broken_reasoner_moves_the_reasoner_alone():
    assert moved(HEALTHY, fall("abc", 3, right=lambda m: np.zeros(len(m.read)))) == {"reasoner"}


def test_a_smaller_capacity_moves_the_compression_and_what_the_write_had_of_it():
    assert moved(HEALTHY, fall("abc", 2)) <= {"compression", "write"}


def test_a_lost_support_moves_the_generation():
    bare = replace(
        TRIP, queries=(*TRIP.queries[:3], replace(TRIP.queries[3], supports=()), *TRIP.queries[4:])
    )
    assert moved(HEALTHY, fall("abc", 3, material=bare)) == {"generation", "write"}  # U*(3) falls with it


def test_a_right_refusal_counts_against_the_unanswerable():
    refused = fall("abc", 3, right=lambda _: np.array([1.0, 1, 0, 0, 0, 1]))
    assert moved(HEALTHY, refused) == {"anyway"}
    assert refused.anyway.estimate == pytest.approx(1 / 7)


@given(problems(), st.data())
def test_the_parts_sum_to_the_whole(material, data):
    world = ground_of(material).worlds[0]
    memory = world.coverage.memory(data.draw(memories(material)))
    count = len(material.queries)
    claims = st.frozensets(st.integers(0, max(len(material.claims) - 1, 0)))
    reads = data.draw(st.lists(claims, min_size=count, max_size=count))
    right = np.array(data.draw(st.lists(st.floats(-0.5, 1.5), min_size=count, max_size=count)))
    for answers in (None, right):
        measured = measure(world, memory, reads, answers)
        for capacity in (None, int(memory.sum()), len(material.claims)):
            assert abs(waterfall([measured], capacity).residual) < 1e-12


@given(problems(), st.data())
def test_reading_everything_reads_what_is_precise_and_less_reads_no_more(material, data):
    world = ground_of(material).worlds[0]
    memory = world.coverage.memory(data.draw(memories(material)))
    everything = frozenset(range(len(material.claims)))
    whole = measure(world, memory, [everything] * len(material.queries))
    assert (whole.read == whole.precise).all()
    some = data.draw(st.frozensets(st.integers(0, max(len(material.claims) - 1, 0))))
    part = measure(world, memory, [some] * len(material.queries))
    assert not (part.read & ~whole.read).any()


def test_the_odyssey_policy_of_the_paper_loses_fifteen_points():
    measured = measure(
        ground_of(ms.bundled("odyssey")).worlds[0],
        ms.compile_material(ms.bundled("odyssey")).memory(["e1", "e2", "e3", "e6"]),
        [frozenset(range(6))] * 8,
    )
    found = waterfall([measured], 4)
    assert measured.share(measured.covered) == 0.75
    assert found.write.estimate == pytest.approx(0.15, abs=1e-12)
    assert found.compression.estimate == pytest.approx(0.10, abs=1e-12)
