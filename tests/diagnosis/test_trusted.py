"""Beliefs in an evaluation: what memories are expected to be worth, and how good the beliefs are."""

import itertools
import math
import pickle
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memspan as ms
from evaluations import material
from memspan.coverage import compile_material, expected_precision
from memspan.diagnosis import Reliability, Terms, Trusted, evaluate
from memspan.diagnosis.advice import advise
from memspan.diagnosis.running import memory_given
from memspan.diagnosis.trusted import believed, together
from memspan.errors import ShapeError, UnknownName
from memspan.material import Claim, Material, Query, Settlement, Support
from memspan.testing import problems
from memspan.trust import TrustModel
from memspan.trust.calibration import calibration

NOISY = ms.bundled("odyssey-noise")
SYSTEMS = ("fifo", "random", "full context")


def products(tau):
    """Return the product of the claims' own beliefs: right where claims are independent."""
    tau = np.asarray(tau, float)

    def beliefs(coverage):
        pairs = itertools.pairwise(coverage.ptr)
        return np.array([math.prod(tau[coverage.members[a:b]]) for a, b in pairs])

    return beliefs


def trusting(tau, touched=None):
    return Trusted(np.asarray(tau, float), products(tau), touched)


class Posting:
    """Runs jobs as a pool would: each travels as bytes."""

    def map(self, function, jobs):
        """Yield what comes of each of *jobs*."""
        for job in jobs:
            run, given = pickle.loads(pickle.dumps((function, job)))  # noqa: S301 - our own
            yield run(given)


def by_trial(coverage, memory, beliefs):
    """Return the chance of each query by trying every way in which its supports can turn out."""
    chances = np.zeros(len(coverage.queries))
    for q in range(len(chances)):
        held = [
            beliefs[s]
            for s, (a, b) in enumerate(itertools.pairwise(coverage.ptr))
            if coverage.owner[s] == q and memory[coverage.members[a:b]].all()
        ]
        for ways in itertools.product((0, 1), repeat=len(held)):
            chances[q] += any(ways) * math.prod(
                p if way else 1 - p for p, way in zip(held, ways, strict=True)
            )
    return chances


@settings(max_examples=40)
@given(problems(), st.data())
def test_the_chance_of_a_query_is_that_of_every_way_its_supports_can_turn_out(found, data):
    coverage = compile_material(found)
    shares = st.floats(0, 1)
    beliefs = np.array(
        data.draw(st.lists(shares, min_size=coverage.n_supports, max_size=coverage.n_supports))
    )
    memory = np.array(
        data.draw(st.lists(st.booleans(), min_size=coverage.n_claims, max_size=coverage.n_claims)), bool
    )
    told = believed(coverage, memory, beliefs)
    assert told == pytest.approx(by_trial(coverage, memory, beliefs), abs=1e-9)
    held = believed(coverage, np.ones_like(memory), beliefs)
    assert (held >= told - 1e-12).all()
    assert (believed(coverage, memory, np.sqrt(beliefs)) >= told - 1e-12).all()


@settings(max_examples=15)
@given(problems(truth=st.sampled_from((0.0, 1.0))), st.sampled_from(("answerable", "all")))
def test_beliefs_that_are_the_truth_expect_what_is_measured(found, over):
    truth = [claim.truth for claim in found.claims]
    trust = {found.id: trusting(truth)}
    evaluation = evaluate(found, SYSTEMS, [1, 3], terms=Terms(over=over), trust=trust)
    for point in evaluation.points:
        assert point.u_prec_expected.estimate == pytest.approx(point.u_prec.estimate, abs=1e-12)
        assert point.water_expected.estimate == pytest.approx(point.inflation.estimate, abs=1e-12)
    if truth:
        assert evaluation.trust[found.id].known.brier == 0


@settings(max_examples=15)
@given(problems(), st.floats(0, 1))
def test_what_is_expected_lies_between_nothing_and_what_is_covered(found, tau):
    trust = {found.id: trusting([tau] * len(found.claims))}
    for point in evaluate(found, SYSTEMS, [1, 3], trust=trust).points:
        expected, water, covered = (
            each.estimate for each in (point.u_prec_expected, point.water_expected, point.u_cov)
        )
        assert -1e-12 <= expected <= covered + 1e-12
        assert water >= 0
        assert expected + water == pytest.approx(covered, abs=1e-12)


def test_with_single_claims_it_is_the_expected_precision_of_independent_claims():
    odyssey = ms.bundled("odyssey-noise")
    tau = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3]
    unsure = replace(
        odyssey, claims=tuple(replace(c, truth=t) for c, t in zip(odyssey.claims, tau, strict=True))
    )
    coverage = compile_material(unsure)
    for point in evaluate(odyssey, SYSTEMS, [2, 4], trust={odyssey.id: trusting(tau)}).points:
        own = expected_precision(coverage, coverage.memory(point.memory))
        assert point.u_prec_expected.estimate == pytest.approx(own, abs=1e-12)


def test_the_belief_in_a_support_counts_not_the_product_of_its_claims():
    pair = Material("pair", (Claim("a"), Claim("b")), queries=(Query("q", supports=(Support(("a", "b")),)),))
    trust = Trusted(np.array([0.44, 0.44]), lambda _: np.array([0.001]))
    (point,) = evaluate(pair, ["full context"], trust={"pair": trust}).points
    assert point.u_prec_expected.estimate == pytest.approx(0.001)
    assert point.water_expected.estimate == pytest.approx(0.999)


def test_the_numbers_of_the_odyssey():
    odyssey = ms.bundled("odyssey-noise")
    tau = [0.0 if claim.id == "e0" else 1.0 for claim in odyssey.claims]
    given_ = memory_given(["e0", "e3"])
    (point,) = evaluate(odyssey, [given_], trust={odyssey.id: trusting(tau)}).points
    assert point.u_prec_expected.estimate == pytest.approx(0.35)
    assert point.water_expected.estimate == pytest.approx(0.45) == point.inflation.estimate


def test_supports_that_are_not_sure_make_an_interval():
    unsure = material(sure=False)
    (point,) = evaluate(unsure, ["full context"], trust={"small": trusting([0.7] * 8)}).points
    assert point.u_prec_expected.lower < point.u_prec_expected.estimate < point.u_prec_expected.upper


def test_recorded_runs_are_measured_on_what_they_settled():
    evaluation = evaluate(material(settled=True), ["recorded"], trust={"small": trusting([0.5] * 8)})
    assert [point.variant for point in evaluation.points] == ["recorded"]
    assert all(point.u_prec_expected is not None for point in evaluation.points)


def test_beliefs_need_not_travel_to_workers():
    several = [material("a"), material("b")]
    trust = {"a": trusting([0.6] * 8)}  # holds a function that cannot be pickled
    alone = evaluate(several, ["fifo"], [2, 4], trust=trust)
    pooled = evaluate(several, ["fifo"], [2, 4], trust=trust, executor=Posting())
    assert [p.water_expected for p in alone.points] == [p.water_expected for p in pooled.points]


def test_materials_without_beliefs_stay_as_they_were():
    several = [material("a"), material("b")]
    plain, some = (
        evaluate(several, SYSTEMS, [2, 4]),
        evaluate(several, SYSTEMS, [2, 4], trust={"a": trusting([0.6] * 8)}),
    )
    assert plain.trust == {}
    assert list(some.trust) == ["a"]
    for before, after in zip(plain.points, some.points, strict=True):
        assert before.water_expected is None
        assert (after.water_expected is None) == (after.material == "b")
        assert before == replace(after, u_prec_expected=None, water_expected=None)
    assert all(each.water_expected is None for each in plain.standings)
    assert all(each.water_expected is not None for each in some.standings)


def test_only_claims_of_known_truth_are_held_against_it():
    claims = (Claim("a", truth=1), Claim("b", truth=0), Claim("c", truth=0.5), Claim("d"))
    trust = trusting([0.9, 0.4, 0.1, 0.1], np.array([True, False, True, True]))
    found = evaluate(Material("m", claims), [], trust={"m": trust}).trust["m"]
    assert (found.claims, found.known.n, found.touched.n) == (4, 2, 1)
    assert found.known == calibration([1, 0], [0.9, 0.4])
    bare = evaluate(Material("m", claims[2:]), [], trust={"m": trusting([0.9, 0.4])}).trust["m"]
    assert bare.known is None
    assert bare.touched is None


def test_several_together_are_one():
    rng = np.random.default_rng(1)
    parts = [
        Reliability(9, rng.integers(0, 2, 6) * 1.0, rng.random(6), rng.random(6) < 0.5) for _ in range(3)
    ]
    whole = together(parts)
    assert (whole.claims, whole.known.n) == (27, 18)
    assert whole.touched.n == sum(each.touched.n for each in parts)
    assert together([*parts, replace(parts[0], spoken=None)]).touched is None
    assert together([]).known is None


@pytest.mark.parametrize(
    ("trust", "said"),
    [
        (
            {"small": Trusted(np.ones(7), products(np.ones(8)))},
            "tau has shape (7,); give one probability for each of 8 claims",
        ),
        (
            {"small": Trusted(np.full(8, 1.5), products(np.ones(8)))},
            "tau[0] is 1.5; give a probability, 0 to 1",
        ),
        ({"small": Trusted(np.full(8, math.nan), products(np.ones(8)))}, "tau[0] is nan"),
        (
            {"small": Trusted(np.ones(8), lambda _: np.ones(2))},
            "beliefs has shape (2,); give one probability for each of 6 supports",
        ),
        ({"small": Trusted(np.ones(8), lambda c: -np.ones(c.n_supports))}, "beliefs[0] is -1.0"),
        (
            {"small": trusting(np.ones(8), np.ones(3, bool))},
            "touched has shape (3,); give one flag for each of 8 claims",
        ),
    ],
)
def test_beliefs_that_do_not_fit_are_refused_with_their_cure(trust, said):
    with pytest.raises(ShapeError, match=re.escape(said)):
        evaluate(material(), ["fifo"], [2], trust=trust)


def test_beliefs_about_a_material_that_is_not_there_are_refused():
    with pytest.raises(UnknownName, match=re.escape("trust names material 'other'; there are 'small'")):
        evaluate(material(), ["fifo"], [2], trust={"other": trusting(np.ones(8))})


def test_no_claim_is_added_that_is_more_likely_false_than_true():
    unknown = replace(NOISY, claims=tuple(replace(claim, truth=None) for claim in NOISY.claims))
    tau = np.array([0.1 if claim.id == "e0" else 0.9 for claim in unknown.claims])
    trusted = Trusted(tau, lambda coverage: tau[coverage.members])
    for trust, added in (({}, True), ({unknown.id: trusted}, False)):
        found = evaluate(unknown, ["fifo"], [0], trust=trust)
        told = advise(found.points[0], found.grounds[0])
        assert ("e0" in {name for each in told.add for name in each.claims}) == added


def test_the_memory_chosen_by_belief_needs_beliefs_and_holds_what_is_believed():
    model = TrustModel(NOISY)
    model.settle_many(Settlement(query, 0, ("e0",)) for query in ("q1", "q2", "q6"))
    told = model.trust()
    trusted = {NOISY.id: Trusted(told.tau, model.beliefs, told.touched)}
    found = evaluate(NOISY, ["believed"], [1, 2], trust=trusted)
    assert [point.memory for point in found.of("believed")] == [("e1", "e3"), ("e3",)]
    with pytest.raises(ShapeError, match="--trust"):
        evaluate(NOISY, ["believed"], [1])
