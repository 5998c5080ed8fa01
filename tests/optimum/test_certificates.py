"""Certificates of wide parts: what they prove is recomputed, and a forged one is refused."""

from dataclasses import replace

import numpy as np
import pytest

from instances import random_problem
from memspan.optimum.bounds import Bounds, Searched
from memspan.optimum.certificates import Sharing, Tree
from memspan.optimum.check_bounds import curve_faults
from memspan.optimum.curves import kind_names
from memspan.optimum.enumeration import enumerate_problem
from memspan.optimum.presolve import presolve
from memspan.optimum.reduction import fix
from memspan.optimum.relaxation import Relaxation
from memspan.optimum.shares import Shares
from memspan.optimum.wide import NODES, branch, grow


@pytest.fixture(scope="module")
def searched():
    """A wide part of eleven items, closed by branch and bound alone."""
    problem = random_problem(14, 18, 5, alternatives=3, weights="power")
    part = max(presolve(problem).parts, key=lambda p: len(p.costs))
    found = Bounds(part)
    grow(found, np.inf)
    model = Relaxation(part)
    for capacity in range(len(found.lower)):
        found.bound(model.solve(capacity, 1.0).shares)
    for capacity in found.open.tolist():
        shares = found.shares_at(capacity) or found.proofs[0].shares
        branch(found, model, fix(part, shares, capacity, int(found.lower[capacity])), NODES[-1], np.inf)
    return Searched(found)


def test_branch_and_bound_closes_every_capacity(searched):
    best, _ = enumerate_problem(searched.part)
    np.testing.assert_array_equal(searched.lower, best)
    np.testing.assert_array_equal(searched.upper, best)
    assert any(isinstance(proof, Tree) for proof in searched.bounds.proofs)
    assert list(curve_faults(searched.part, searched)) == []
    named = [kind_names(kind) for kind in searched.kinds.tolist()]
    assert set(named) == {"multipliers", "branch and bound"}
    for name, proof in zip(named, searched.bounds.proof.tolist(), strict=True):
        assert name == searched.bounds.proofs[proof].kind


def forged(searched, change):
    """Return the same curve with every proof changed by *change*."""
    bounds = Bounds(searched.part)
    bounds.lower, bounds.upper = searched.lower, searched.upper
    bounds.proofs = [change(proof) for proof in searched.bounds.proofs]
    return Searched(bounds)


def drop_leaf(proof):
    return replace(proof, leaves=proof.leaves[1:]) if isinstance(proof, Tree) else proof


def fix_more(proof):
    if not isinstance(proof, Tree):
        return proof
    fixed = {**proof.fixing.fixed, 0: False, 1: False}
    leaves = tuple(replace(leaf, fixed={**leaf.fixed, 0: False, 1: False}) for leaf in proof.leaves)
    return replace(proof, fixing=replace(proof.fixing, fixed=fixed), leaves=leaves)


def negative_shares(proof):
    if not isinstance(proof, Sharing):
        return proof
    return Sharing(Shares(proof.shares.scale, proof.shares.values - proof.shares.scale))


def larger_scale(proof):
    if not isinstance(proof, Sharing):
        return proof
    return Sharing(Shares(2 * proof.shares.scale, proof.shares.values))


def no_proof(proof):
    return Sharing(Shares(1, np.zeros_like(proof.shares.values))) if isinstance(proof, Sharing) else proof


@pytest.mark.parametrize("change", [drop_leaf, fix_more, negative_shares, larger_scale, no_proof])
def test_a_forged_proof_is_refused(searched, change):
    assert list(curve_faults(searched.part, forged(searched, change))) != []
