"""The exact numbers of the Odyssey instance that concern single memories."""

import numpy as np
import pytest

from memspan.coverage import compile_material, gains, inflation, u_cov, u_prec
from memspan.datasets import bundled
from memspan.material import Claim, Material, Query, Support


def utilities(name, *held):
    coverage = compile_material(bundled(name))
    memory = coverage.memory(held)
    return u_cov(coverage, memory), u_prec(coverage, memory), inflation(coverage, memory)


@pytest.mark.parametrize(
    ("claim", "mass"), [("e1", 0.25), ("e2", 0.3), ("e3", 0.35), ("e4", 0.2), ("e5", 0.05), ("e6", 0.05)]
)
def test_each_claim_answers_its_mass(claim, mass):
    assert utilities("odyssey", claim) == (mass, mass, 0)


def test_the_write_policy_of_the_example_reaches_three_quarters():
    assert utilities("odyssey", "e1", "e2", "e3", "e6")[0] == 0.75


def test_the_false_claim_answers_nothing_but_water():
    assert utilities("odyssey-noise", "e0") == (0.45, 0, 0.45)
    assert utilities("odyssey-noise", "e0", "e3") == (0.8, 0.35, pytest.approx(0.45, abs=1e-15))
    assert utilities("odyssey-noise", "e1", "e3") == (0.6, 0.6, 0)


def test_a_composite_raises_what_a_claim_adds_but_not_above_its_standing():
    coverage = compile_material(bundled("odyssey-composites"))
    e3 = coverage.claims.index("e3")
    assert gains(coverage, coverage.memory([]))[e3] == 0.35
    assert gains(coverage, coverage.memory(["e2"]))[e3] == 0.2


def test_synergy_makes_a_gain_grow_with_the_memory():
    claims = tuple(Claim(name) for name in "abx")
    alone = {"q1": "a", "q2": "b", "q3": "x", "q4": None}
    queries = tuple(
        Query(name, supports=(Support(tuple("abx")), *([Support((own,))] if own else [])))
        for name, own in alone.items()
    )
    coverage = compile_material(Material("synergy", claims, queries=queries))
    x = coverage.claims.index("x")
    few, more = (gains(coverage, coverage.memory(held))[x] for held in ("a", "ab"))
    assert (few, more) == (0.25, 0.5)
    assert u_cov(coverage, np.ones(3, np.bool_)) == 1
