"""What a frontier says: published numbers, real conversations, edges, costs and options."""

import csv
import json

import numpy as np
import pytest

import memspan as ms
from memspan.errors import CostError, ShapeError, UnknownName
from memspan.material import Claim, Material, Query, Support
from memspan.optimum import Size

ODYSSEY = [0.00, 0.35, 0.60, 0.80, 0.90, 0.95, 1.00]


def test_the_odyssey_has_the_published_frontier():
    frontier = ms.frontier(ms.bundled("odyssey"))
    np.testing.assert_allclose(frontier.lower, ODYSSEY)
    assert frontier.proven
    expected = [(), ("e3",), ("e1", "e3"), ("e1", "e3", "e4"), ("e1", "e2", "e3", "e4")]
    assert frontier.memories(range(5)) == expected
    assert frontier.memory(5) in {("e1", "e2", "e3", "e4", "e5"), ("e1", "e2", "e3", "e4", "e6")}
    assert frontier.saturation == 6
    assert frontier.loss(size=4, utility=0.75).upper == pytest.approx(0.15)


def test_a_false_claim_parts_coverage_from_precision():
    noisy = ms.bundled("odyssey-noise")
    coverage, precision = ms.frontier(noisy), ms.frontier(noisy, utility="precision")
    assert coverage.memory(1) == ("e0",)
    assert coverage.at(1).lower == pytest.approx(0.45)
    assert set(coverage.memory(2)) == {"e0", "e3"}
    assert coverage.at(2).lower == pytest.approx(0.80)
    compiled = coverage.coverage
    assert ms.u_prec(compiled, compiled.memory(["e0", "e3"])) == pytest.approx(0.35)
    assert set(precision.memory(2)) == {"e1", "e3"}
    assert precision.at(2).lower == pytest.approx(0.60)


def test_composites_shrink_a_marginal_gain():
    composites = ms.compile_material(ms.bundled("odyssey-composites"))
    alone = ms.u_cov(composites, composites.memory(["e3"]))
    after = ms.u_cov(composites, composites.memory(["e2", "e3"])) - ms.u_cov(
        composites, composites.memory(["e2"])
    )
    assert alone == pytest.approx(0.35)
    assert after == pytest.approx(0.20)


def test_synergy_makes_gains_grow():
    rows = [("a", "q1"), ("b", "q2"), ("x", "q3")]
    whole = Support(("a", "b", "x"))
    queries = [Query(q, supports=(Support((claim,)), whole)) for claim, q in rows]
    queries.append(Query("q4", supports=(whole,)))
    material = Material("synergy", tuple(Claim(c) for c in "abx"), queries=tuple(queries))
    arrays = ms.compile_material(material)

    def gain(held):
        return ms.u_cov(arrays, arrays.memory([*held, "x"])) - ms.u_cov(arrays, arrays.memory(held))

    assert (gain(["a"]), gain(["a", "b"])) == (0.25, 0.5)


def test_edges_are_plain():
    empty = ms.frontier(Material("empty"))
    assert empty.lower.tolist() == [0.0]
    free = Material("free", (Claim("c"),), queries=(Query("q", supports=(Support(()),)), Query("none")))
    frontier = ms.frontier(free)
    assert frontier.lower.tolist() == [1.0, 1.0]
    assert [dropped.record for dropped in frontier.dropped] == ["query none"]
    assert ms.verify(frontier, free).ok
    huge = Material(
        "huge",
        (Claim("a"), Claim("b")),
        queries=tuple(Query(c, weight=w, supports=(Support((c,)),)) for c, w in (("a", 10**15), ("b", 1))),
    )
    assert ms.frontier(huge).memories([1, 2]) == [("a",), ("a", "b")]
    assert ms.frontier(huge).at(1).upper < 1


def test_costs_other_than_claims_are_capacities():
    claims = (
        Claim("long", "one two three four five"),
        Claim("short", "one two"),
        Claim("other", "one two three"),
    )
    queries = tuple(Query(f"q{c.id}", supports=(Support((c.id,)),)) for c in claims)
    material = Material("costs", claims, queries=queries)
    frontier = ms.frontier(material, cost="tokens", capacities=[0, 2, 5, 10])
    assert frontier.memories([2, 5]) == [("short",), ("short", "other")]
    assert frontier.certified.all()
    assert ms.verify(frontier, material).ok
    assert frontier.memory(3) == frontier.memory(2)
    with pytest.raises(ShapeError, match="whole number >= 0"):
        frontier.memory(-1)
    with pytest.raises(UnknownName, match="choose one of"):
        ms.frontier(material, cost="euros")


def test_locomo_equals_the_independent_integer_program(data):
    expected = json.loads((data / "locomo" / "expected_frontier.json").read_text())["materials"]
    materials = ms.load(data / "locomo" / "locomo10_dev.json")
    for material, known in zip(materials, expected, strict=True):
        frontier = ms.frontier(material)
        assert frontier.proven
        assert frontier.saturation == known["saturation"]
        for capacity, covered in known["covered"].items():
            assert frontier.lower_weight[int(capacity)] == covered, material.id
    assert ms.verify(frontier, material).ok


def test_listing_few_capacities_hides_none():
    frontier = ms.frontier(ms.bundled("odyssey"), capacities=[0, 3, 6])
    assert frontier.capacities.tolist() == [0, 3, 6]
    assert frontier.size_for(0.6) == Size(size=2, at_least=2, certified=True)
    assert frontier.at(2).lower == pytest.approx(0.6)
    assert frontier.size_for(0.0) == Size(size=0, at_least=0, certified=True)


def test_a_frontier_says_its_finding():
    assert repr(ms.frontier(ms.bundled("odyssey"))) == (
        "<Frontier 'odyssey': 2 of 6 claims reach half of the baseline 1, 6 all of it; proven>"
    )


def test_a_list_of_materials_is_no_material():
    with pytest.raises(ms.MemspanError, match="give one Material"):
        ms.frontier([ms.bundled("odyssey")])


def weighted(*weights):
    """Return a material of one claim and one query for each weight."""
    claims = tuple(Claim(f"c{i}") for i in range(len(weights)))
    supports = [(Support((claim.id,)),) for claim in claims]
    queries = tuple(
        Query(f"q{i}", weight=weight, supports=own)
        for i, (weight, own) in enumerate(zip(weights, supports, strict=True))
    )
    return Material("weighted", claims, queries=queries)


@pytest.mark.parametrize("weights", [(10**12, 10**12 + 1), (0.3333333333333, 0.3333333333334)])
def test_weights_that_differ_a_little_stay_different(weights):
    assert ms.frontier(weighted(*weights)).memory(1) == ("c1",)


def test_a_size_never_misses_its_target_by_a_hair():
    frontier = ms.frontier(weighted(10**13, 1))
    assert frontier.size_for(1.0) == Size(2, 2, certified=True)
    assert frontier.size_for(frontier.baseline).size == frontier.saturation


@pytest.mark.parametrize(
    "options",
    [
        {"capacities": [2**70]},
        {"capacities": [float("nan")]},
        {"capacities": [1.5]},
        {"capacities": []},
        {"utility": "foo"},
        {"over": "foo"},
    ],
)
def test_an_option_that_is_not_allowed_is_refused(options):
    with pytest.raises(ShapeError, match=r"allowed are|whole numbers"):
        ms.frontier(weighted(1, 2), **options)
    with pytest.raises(ShapeError, match="from 0 to 1"):
        ms.frontier(weighted(1)).size_for(float("nan"))


@pytest.mark.parametrize("cost", [10**11, 1e300, 0.5])
def test_costs_that_are_no_capacities_are_refused(cost):
    material = Material("dear", (Claim("c", costs={"tokens": cost}),))
    with pytest.raises(CostError, match=r"coarser unit|whole numbers"):
        ms.frontier(material, cost="tokens")


@pytest.mark.parametrize("name", ["scp42_unicost", "scp61_unicost", "scpd2_unicost", "scpcyc07_unicost"])
def test_bounds_never_contradict_a_published_cover(data, name):
    with (data / "orlib_scp" / "optima.csv").open() as file:
        known = {row["instance"]: row for row in csv.DictReader(file)}[name]
    frontier = ms.frontier(ms.load(data / "orlib_scp" / f"{name}.txt")[0], seconds=1.0)
    assert frontier.at(int(known["best_known"])).upper == 1.0
    assert frontier.at(int(known["best_bound_in_table"]) - 1).lower < 1.0
