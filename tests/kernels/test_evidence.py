"""Messages between claims and outcomes: compiled, plain, and naive from the formulas, all say the same."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

from memspan.material import Claim, Settlement
from memspan.trust import Noise, Rate, Terms, TrustModel, engine
from trust.naive import Naive, log_beta
from trust.streams import NAMES, UNTRUSTED, claims_of, streams, terms

COMPILED, PLAIN = 0, math.inf


def story(many, claims, numbers, stream):
    """Return what a model says of *stream*, with compiled or with plain kernels."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "MANY", many)
        model = TrustModel(terms=numbers, untrusted=UNTRUSTED)
        model.add(claims)
        for settlement in stream[: len(stream) // 2]:
            model.settle(settlement)
        model.settle_many(stream[len(stream) // 2 :])
        online = told(model)
        order = np.arange(model.engine.state.n_factors, dtype=np.int32)[::-1]
        changes = [model.engine.send(order, damping) for damping in (0.3, 0.0)]
        return [*online, *told(model), np.array(changes)]


def told(model):
    trust = model.trust()
    pairs = [model.belief(pair) for pair in pairwise(NAMES)]
    settled = [model.belief(sorted(each.claims)) for each in model.settlements()]
    return trust.tau, trust.prior, trust.lower, trust.upper, trust.touched, np.array(pairs), np.array(settled)


@given(claims_of(), terms, streams)
@settings(max_examples=40)
def test_compiled_and_plain_say_the_same(claims, numbers, stream):
    for plain, fast in zip(
        story(PLAIN, claims, numbers, stream), story(COMPILED, claims, numbers, stream), strict=True
    ):
        np.testing.assert_allclose(plain, fast, rtol=0, atol=1e-9)


@given(claims_of(), terms, streams)
@settings(max_examples=40)
def test_the_formulas_done_naively_say_the_same(claims, numbers, stream):
    model = TrustModel(terms=numbers, untrusted=UNTRUSTED)
    model.add(claims)
    naive = Naive(claims, numbers, UNTRUSTED)
    for each in stream:
        model.settle(each)
        right = each.weight * each.correct
        naive.settle(each.claims, each.settler, right, each.weight - right)
    expected = [naive.tau(name) for name in NAMES]
    np.testing.assert_allclose(model.trust().tau, expected, rtol=0, atol=1e-9)
    for damping in (0.3, 0.0):
        model.engine.send(np.arange(model.engine.state.n_factors, dtype=np.int32), damping)
        naive.sweep(list(naive.outcomes), damping)
        expected = [naive.tau(name) for name in NAMES]
        np.testing.assert_allclose(model.trust().tau, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("many", [PLAIN, COMPILED], ids=["plain", "compiled"])
@pytest.mark.parametrize(("right", "wrong"), [(0, 1), (1, 0), (3, 2), (2, 3), (1, 2)])
def test_one_claim_without_source_has_the_exact_posterior(monkeypatch, many, right, wrong):
    """Closed form: odds of the prior, times those of a Beta-binomial for each answer."""
    monkeypatch.setattr(engine, "MANY", many)
    numbers = Terms(drift=1, cap=30, base_weight=1e15, noise=Noise(Rate(2, 7), Rate(1, 5)))
    model = TrustModel(terms=numbers)
    model.add([Claim("c")])
    model.settle_many([Settlement("q", 1, ("c",))] * right + [Settlement("q", 0, ("c",))] * wrong)
    true = 0.8 * math.exp(log_beta(2 + wrong, 7 + right) - log_beta(2, 7))
    false = 0.2 * math.exp(log_beta(1 + right, 5 + wrong) - log_beta(1, 5))
    assert model.tau("c") == pytest.approx(true / (true + false), rel=0, abs=1e-12)


def test_a_message_is_exact_at_both_ends():
    """A certain rest passes on all of the outcome, an impossible one nothing, however strong it is."""
    from memspan.kernels.plain.evidence import _message

    for ratio in (-30.0, -6.0, 0.0, 6.0, 30.0):
        assert _message(ratio, 1.0) == ratio
        assert _message(ratio, 0.0) == pytest.approx(0, abs=1e-14)
        assert _message(ratio, 0.5) == pytest.approx(math.log((1 + math.exp(ratio)) / 2), abs=1e-13)
