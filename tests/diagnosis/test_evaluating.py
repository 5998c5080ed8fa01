"""Systems under the frontier: never above it, the same for any number of workers."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

import memspan as ms
from memspan.diagnosis import STAGES, JudgeNoise, Terms, evaluate
from memspan.diagnosis.advice import advise
from memspan.errors import ShapeError, UnknownName
from memspan.executor import Pool
from memspan.material import Claim, Material, Query, Settlement, Support
from memspan.testing import problems


def told(evaluation):
    return [
        (p.label, p.capacity, p.memory, p.u_cov, p.u_prec, p.u_read, p.loss, p.tokens_read, p.waterfall)
        for p in evaluation.points
    ]


@settings(max_examples=25)
@given(problems())
def test_no_point_lies_above_the_frontier(material):
    for point in evaluate(material, ["all"], [0, 1, 3]).points:
        assert point.u_cov.estimate <= point.frontier.upper + 1e-12
        assert point.capacity is None or point.size <= point.capacity
        assert 0 <= point.u_read.estimate <= point.u_prec.estimate <= point.u_cov.estimate + 1e-12
        assert 0 <= point.share.lower <= point.share.upper <= 1
        assert abs(point.waterfall.residual) < 1e-12


def test_the_optimum_is_on_the_frontier():
    for point in evaluate(ms.bundled("odyssey"), ["optimum"], [1, 2, 3, 4]).points:
        assert point.loss.estimate == 0


def test_a_pool_gives_the_same_as_one_process():
    several = [ms.bundled("odyssey"), ms.bundled("odyssey-noise")]
    alone = evaluate(several, ["all"], [0.3, 4], terms=Terms(seed=3))
    together = evaluate(several, ["all"], [0.3, 4], terms=Terms(seed=3), executor=Pool(2))
    assert told(alone) == told(together)


def test_another_seed_draws_another_random_memory():
    memories = {
        evaluate(ms.bundled("odyssey"), ["random"], [3], terms=Terms(seed=s)).points[0].memory
        for s in range(8)
    }
    assert len(memories) > 1


def test_full_context_reaches_the_baseline_and_reads_everything():
    (point,) = evaluate(ms.bundled("odyssey"), ["full context"]).points
    assert point.u_read.estimate == 1
    assert point.size == 6
    assert point.capacity is None


def test_false_claims_count_as_water():
    (point,) = [p for p in evaluate(ms.bundled("odyssey-noise"), ["optimum"], [2]).points if p.capacity == 2]
    assert point.memory == ("e3", "e0") or set(point.memory) == {"e0", "e3"}
    assert point.inflation.estimate == pytest.approx(0.45)
    assert point.loss_prec.estimate == pytest.approx(0.25)  # e1, e3 would have 0.60


def test_recorded_runs_are_placed_by_what_they_read():
    material = replace(
        ms.bundled("odyssey"),
        settlements=(
            Settlement("q1", 1, ("e1",), "run"),
            Settlement("q3", 0, ("e2",), "run"),
            Settlement("q4", 1, ("e1",), "run"),
            Settlement("q1", 1, None, "whole", extra={"context": "full"}),
            Settlement("q1", 1, None, "mute"),
        ),
    )
    found = evaluate(material, ["recorded"])
    (run,), (whole,) = found.of("run"), found.of("whole")
    assert [each.record for each in found.dropped] == ["run mute of odyssey"]
    assert run.memory == ("e1", "e2")
    assert whole.size == 6
    stages = [STAGES[i] for i in run.stages]
    assert stages == ["reached", "reasoner", "reached"]  # q4 is not covered and right all the same
    assert run.waterfall.anyway.estimate == pytest.approx(0.15 / 0.45)


def test_unsure_supports_make_intervals():
    maybe = (Support(("a",), probability=0.5), Support(("b",), probability=0.5))
    material = Material(
        "m",
        (Claim("a", "x"), Claim("b", "y")),
        queries=(Query("q", "x?", supports=maybe),),
        support_source="found",
    )
    (point,) = evaluate(material, ["optimum"], [1]).points
    assert point.u_cov.lower < point.u_cov.upper


def test_what_is_asked_for_wrongly_is_refused():
    odyssey = ms.bundled("odyssey")
    with pytest.raises(UnknownName, match="did you mean fifo"):
        evaluate(odyssey, ["fifoo"])
    with pytest.raises(ShapeError, match="share between 0 and 1"):
        evaluate(odyssey, ["fifo"], [-1])
    with pytest.raises(ShapeError, match="k is -1"):
        evaluate(odyssey, ["fifo"], terms=Terms(k=-1))
    with pytest.raises(UnknownName, match="there are fifo"):
        evaluate(odyssey, ["fifo"], [2]).of("lru")


def test_advice_adds_what_turns_most_and_drops_what_nothing_needs():
    odyssey = ms.bundled("odyssey-noise")
    found = evaluate(odyssey, ["optimum"], [2])
    advice = advise(found.points[0], found.grounds[0])
    assert advice.add[0].claims == ("e1",)
    assert [(each.claim, each.reason) for each in advice.drop] == [("e0", "false")]
    assert advice.turning[0] in {"q1", "q2"}


@settings(max_examples=50)
@given(problems())
def test_dropping_all_that_advice_drops_costs_no_precision(material):
    found = evaluate(material, ["optimum"], [3])
    coverage = found.grounds[0].worlds[0].coverage
    if not coverage.monotone:
        return
    advice = advise(found.points[0], found.grounds[0])
    before = coverage.memory(found.points[0].memory)
    after = coverage.memory([n for n in found.points[0].memory if n not in {d.claim for d in advice.drop}])
    assert ms.u_prec(coverage, after) == pytest.approx(ms.u_prec(coverage, before))


@settings(max_examples=50)
@given(problems())
def test_each_addition_gains_what_it_says(material):
    found = evaluate(material, ["random"], [1])
    coverage = found.grounds[0].worlds[0].coverage
    if not coverage.monotone or not found.points:
        return
    held = list(found.points[0].memory)
    for each in advise(found.points[0], found.grounds[0]).add:
        before = ms.u_prec(coverage, coverage.memory(held))
        held += each.claims
        assert ms.u_prec(coverage, coverage.memory(held)) - before == pytest.approx(each.gain)
    whole = ms.u_prec(coverage, np.ones(coverage.n_claims, np.bool_))
    assert len(held) > 20 or ms.u_prec(coverage, coverage.memory(held)) == pytest.approx(whole)


def test_a_league_says_how_sure_it_is():
    several = [replace(ms.bundled("odyssey"), id=name) for name in ("one", "two", "three")]
    standing = next(s for s in evaluate(several, ["random"], [3]).standings)
    assert standing.materials == 3
    assert standing.share.lower <= standing.share.estimate <= standing.share.upper
    json.dumps(standing.share.record())


def placed(*settlements, **terms):
    material = replace(ms.bundled("odyssey"), settlements=settlements)
    return evaluate(material, ["recorded"], terms=Terms(**terms))


def test_what_was_read_for_any_query_was_held_however_it_is_told():
    told = [
        Settlement("q1", 1, ("e1",), "run"),
        Settlement("q1", 0, None, "run"),  # says nothing of reading
        Settlement("q4", 1, None, "run", extra={"read": [ms.bundled("odyssey").claim("e3").text]}),
        Settlement("q3", 1, ("e2",), "run", weight=0),
    ]
    found = placed(*told)
    assert found.points[0].memory == ("e1", "e3")
    assert "2 of 4 answers" in found.dropped[0].reason


def test_noise_keeps_the_mass_answered_rightly_between_none_and_all():
    wrong = [Settlement(name, 0, ("e1",), "run") for name in ("q1", "q3")]
    (point,) = placed(*wrong, noise=JudgeNoise(0.2, 0.1)).points
    assert point.u_e2e.estimate == 0
    assert point.u_e2e.upper > 0
    assert point.waterfall.lost.estimate == 1
    assert abs(point.waterfall.residual) < 1e-12


def test_a_run_may_have_the_name_of_a_system():
    material = replace(ms.bundled("odyssey"), settlements=(Settlement("q1", 1, ("e1",), "fifo"),))
    found = evaluate(material, ["fifo", "recorded"], [2])
    simulated, recorded = found.points
    assert len(found.ground_of(simulated).material.queries) == 8
    assert len(found.ground_of(recorded).material.queries) == 1


def test_a_system_that_takes_a_known_name_gets_one_of_its_own():
    def optimum(claims, _):
        return claims[:0]

    found = evaluate(ms.bundled("odyssey"), ["optimum", optimum], [2])
    assert [(p.label, p.u_cov.estimate) for p in found.points] == [("optimum", 0.6), ("optimum (2)", 0.0)]


def test_shares_that_round_together_stand_at_the_place_they_were_asked_at():
    small = Material(
        "small", (Claim("a", "x"), Claim("b", "y")), queries=(Query("q", "x?", supports=(Support(("a",)),)),)
    )
    found = evaluate([ms.bundled("odyssey"), small], ["fifo"], [0.1, 0.2, 0.9])
    at = {(p.material, p.place): p.capacity for p in found.points}
    assert at == {("odyssey", 0): 1, ("odyssey", 1): 1, ("odyssey", 2): 5} | {
        ("small", 0): 1,
        ("small", 1): 1,
        ("small", 2): 2,
    }


def test_materials_of_one_id_are_refused():
    with pytest.raises(ShapeError, match="id of several materials"):
        evaluate([ms.bundled("odyssey")] * 2, ["fifo"], [2])


def test_where_claims_defeat_others_the_parts_sum_to_the_whole_too():
    a, b = Support(("a",), unless=("b",)), Support(("b",), unless=("a",))
    material = Material(
        "m",
        (Claim("a", "x"), Claim("b", "y")),
        queries=(Query("q1", supports=(a,)), Query("q2", supports=(b,))),
    )
    for point in evaluate(material, ["fifo"], [0, 1, 2]).points:
        assert abs(point.waterfall.residual) < 1e-12
