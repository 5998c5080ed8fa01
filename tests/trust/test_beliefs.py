"""Belief in sets of claims, against all truths counted and against what no probability may break."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings

from memspan.coverage import compile_material
from memspan.kernels.plain import evidence as plain
from memspan.material import Claim, Material, Query, Settlement, Support
from memspan.trust import Terms, TrustModel
from memspan.trust.beliefs import WHOLE, beliefs_of, inside
from trust.streams import NAMES, UNTRUSTED, claims_of, streams, terms


def counted(model, rows):
    """Return the probability of each of *rows*, from all truths of ten claims without links or sources."""
    evidence, numbers = model.engine.state.evidence, model.terms.numbers
    truths = np.array(list(product((0, 1), repeat=10)))
    logs = np.where(truths, np.log(0.8), np.log(0.2)).sum(1)
    for factor in range(model.engine.state.n_factors):
        row = model.engine.state.claims_of(int(evidence.support[factor]))
        logs += plain._likelihood(evidence, numbers, factor) * truths[:, row].all(1)
    shares = np.exp(logs - logs.max())
    return np.array([shares[truths[:, row].all(1)].sum() for row in rows]) / shares.sum()


def test_sets_that_hold_settled_supports_are_near_to_what_counting_says():
    """Mean error of 60 worlds 0.0010, 95 % within 0.002; by the product of trust alone 0.0123 and 0.096."""
    errors, products = [], []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        model = TrustModel(terms=Terms(drift=1, base_weight=1e12))
        model.add(Claim(f"c{i}") for i in range(10))
        truth = rng.random(10) < 0.75
        supports = [tuple(sorted(rng.choice(10, k, replace=False).tolist())) for k in (1, 2, 2, 2, 2, 3, 3)]
        for k in rng.integers(0, len(supports), 60):
            right = 0.9 if truth[list(supports[k])].all() else 0.1
            claims = tuple(f"c{i}" for i in supports[k])
            model.settle(Settlement("q", int(rng.random() < right), claims))
        model.refit()
        rows = {tuple(sorted({*one, other})) for one in supports if len(one) > 1 for other in range(10)}
        rows = sorted(row for row in rows if len(row) > 2)
        exact = counted(model, rows)
        errors.append(np.abs(beliefs_of(model.engine, rows) - exact))
        tau = model.trust().tau
        products.append(np.abs([tau[list(row)].prod() for row in rows] - exact))
    assert np.concatenate(errors).mean() < 0.003
    assert np.concatenate(products).mean() > 3 * np.concatenate(errors).mean()


@given(claims_of(), terms, streams)
@settings(max_examples=30)
def test_a_set_never_settled_is_no_likelier_than_any_of_its_claims_and_settled_parts(claims, numbers, stream):
    model = TrustModel(terms=numbers, untrusted=UNTRUSTED)
    model.add(claims)
    model.settle_many(stream)
    settled = {each.claims and frozenset(each.claims) for each in stream}
    for size in range(2, len(NAMES) + 1):
        for names in map(frozenset, combinations(NAMES, size)):
            if names in settled:
                continue
            belief = model.belief(sorted(names))
            assert belief <= min(model.tau(name) for name in names) + 1e-12
            for part in settled:
                if part < names and len(part) > 1:
                    rest = np.prod([model.tau(name) for name in names - part])
                    assert belief <= model.belief(sorted(part)) * rest + 1e-12


def test_parts_of_a_large_set_are_found_as_those_of_a_small_one():
    model = TrustModel()
    model.add(Claim(f"c{i}") for i in range(40))
    rng = np.random.default_rng(0)
    supports = [frozenset(rng.choice(40, rng.integers(1, 4), replace=False).tolist()) for _ in range(300)]
    model.settle_many(Settlement("q", 0, tuple(f"c{i}" for i in each)) for each in supports)
    for size in (3, WHOLE, WHOLE + 1, 20):
        row = tuple(sorted(rng.choice(40, size, replace=False).tolist()))
        found = {frozenset(model.engine.state.claims_of(part)) for part in inside(model.engine.state, row)}
        assert found == {each for each in supports if len(each) > 1 and each < set(row)}


def test_beliefs_of_a_material_are_those_of_its_supports():
    claims = tuple(Claim(name) for name in "abc")
    supports = (Support(("a", "b")), Support(("a", "b", "c")), Support(("c",)))
    material = Material("m", claims, queries=(Query("q", supports=supports),))
    model = TrustModel(material)
    model.settle_many([Settlement("q", 0, ("a", "b"))] * 20)
    coverage = compile_material(material)
    beliefs = model.beliefs(coverage)
    rows = [coverage.members[a:b] for a, b in zip(coverage.ptr, coverage.ptr[1:], strict=False)]
    expected = [model.belief([coverage.claims[i] for i in row]) for row in rows]
    assert beliefs.tolist() == pytest.approx(expected)
    assert min(beliefs) < 0.01 < max(beliefs)
