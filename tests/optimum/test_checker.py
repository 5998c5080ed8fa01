"""The checker accepts every result and refuses a tampered one."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

import memspan as ms
from instances import material_of, problems, random_problem
from memspan.optimum.elimination import Eliminated
from memspan.optimum.presolve import Step


@settings(max_examples=60, deadline=None)
@given(problems())
def test_every_frontier_verifies(problem):
    material = material_of(problem)
    frontier = ms.frontier(material)
    assert ms.verify(frontier, material).faults == ()


def tamper_lower(frontier):
    weights = frontier.lower_weight.copy()
    weights[2] += 1
    return replace(frontier, lower_weight=weights, upper_weight=np.maximum(frontier.upper_weight, weights))


def tamper_upper(frontier):
    weights = frontier.upper_weight.copy()
    weights[3:] -= 1
    return replace(frontier, upper_weight=weights, lower_weight=np.minimum(frontier.lower_weight, weights))


def tamper_part(frontier):
    first, *rest = frontier.solution.parts
    forged = replace(first, lower=np.maximum(first.lower - 1, 0))
    solution = replace(frontier.solution, parts=(forged, *rest))
    return replace(frontier, solution=solution)


def tamper_presolve(frontier):
    presolved = frontier.solution.presolved
    forged = replace(presolved, parts=presolved.parts[1:])
    return replace(frontier, solution=replace(frontier.solution, presolved=forged))


def tamper_total(frontier):
    return replace(frontier, coverage=replace(frontier.coverage, total=2 * frontier.coverage.total))


def tamper_unit(frontier):
    return replace(frontier, unit="tokens")


def tamper_source(frontier):
    return replace(frontier, support_source="generated")


def tamper_length(frontier):
    return replace(frontier, upper_weight=frontier.upper_weight[:1])


def tamper_type(frontier):
    return replace(frontier, upper_weight=np.full(len(frontier.upper_weight), np.nan))


def tamper_height(frontier):
    return replace(frontier, upper_weight=frontier.upper_weight + 10**6)


def tamper_steps(frontier):
    presolved = frontier.solution.presolved
    forged = replace(presolved, steps=(*presolved.steps, Step("zap", 0, 1)))
    return replace(frontier, solution=replace(frontier.solution, presolved=forged))


def tamper_order(frontier):
    parts = list(frontier.solution.parts)
    at = next(i for i, part in enumerate(parts) if isinstance(part, Eliminated))
    parts[at] = replace(parts[at], order=replace(parts[at].order, steps=parts[at].order.steps[1:]))
    return replace(frontier, solution=replace(frontier.solution, parts=tuple(parts)))


def tamper_baseline(frontier):
    return replace(frontier, baseline_weight=frontier.baseline_weight + 1)


TAMPERS = [
    tamper_baseline,
    tamper_lower,
    tamper_upper,
    tamper_part,
    tamper_presolve,
    tamper_total,
    tamper_unit,
    tamper_source,
    tamper_length,
    tamper_type,
    tamper_height,
    tamper_steps,
    tamper_order,
]


@pytest.mark.parametrize("tamper", TAMPERS)
def test_a_tampered_frontier_does_not_verify(tamper):
    material = material_of(random_problem(40, 25, 1, alternatives=2))
    frontier = ms.frontier(material)
    assert ms.verify(frontier, material).ok
    verification = ms.verify(tamper(frontier), material)
    assert not verification.ok
    with pytest.raises(ms.MemspanError, match="does not verify"):
        verification.require()


def test_a_checked_frontier_has_the_wrong_supports_of_its_material():
    query = ms.Query("q", supports=(ms.Support(("a",)),), wrong=(ms.Support(("b",)),))
    material = ms.Material("m", (ms.Claim("a"), ms.Claim("b")), queries=(query,))
    assert ms.verify(ms.frontier(material), material).ok
    for wrong in ((), (ms.Support(("a", "b")),)):
        changed = replace(material, queries=(replace(query, wrong=wrong),))
        assert ms.verify(ms.frontier(changed), material).faults == (
            "the compiled wrong supports differ from the material's",
        )
