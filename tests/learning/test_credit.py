"""Laws of credit, each method against what trying every memory, or every order of claims, gives."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memspan.coverage import compile_material, covered
from memspan.errors import ShapeError, UnknownName
from memspan.learning.credit import METHODS, credit, others
from memspan.learning.settled import asked, used_alone
from memspan.learning.shapley import _by_orders, _by_subsets, _by_unions, shapley
from memspan.material import Claim, Material, Query, Support
from memspan.ports import Outcome
from memspan.testing import memories, problems

N = 6
ROWS = st.lists(st.integers(0, N - 1), max_size=3).map(tuple)
SUPPORTS = st.lists(ROWS, max_size=4).map(tuple)
HELD = st.lists(st.booleans(), min_size=N, max_size=N).map(np.array)
CORRECT = st.sampled_from([0, 1, 0.25])
SETTLED = st.tuples(st.builds(Outcome, CORRECT, supports=SUPPORTS), HELD)


def u(supports, held):
    return any(held[list(support)].all() for support in supports)


def but(held, claim, value):
    other = held.copy()
    other[claim] = value
    return other


def brute_leave_one_out(outcome, held):
    lost = [u(outcome.supports, held) - u(outcome.supports, but(held, i, value=False)) for i in range(N)]
    return outcome.correct * np.array(lost, float)


def brute_flip(outcome, held):
    taken = [u(outcome.supports, but(held, i, value=True)) - u(outcome.supports, held) for i in range(N)]
    return brute_leave_one_out(outcome, held) + (1 - outcome.correct) * np.array(taken, float)


def brute_shapley(outcome, held):
    """Count over all orders who completes the first support of those that held."""
    players, shares = np.flatnonzero(held).tolist(), [Fraction(0)] * N
    orders = list(permutations(players))
    for order in orders:
        come = np.zeros(N, bool)
        for claim in order:
            before = u(outcome.supports, come)
            come[claim] = True
            shares[claim] += Fraction(int(u(outcome.supports, come)) - int(before), len(orders))
    return outcome.correct * np.array([float(share) for share in shares])


BRUTE = {"leave-one-out": brute_leave_one_out, "flip": brute_flip, "shapley": brute_shapley}


@pytest.mark.parametrize("method", BRUTE)
@given(several=st.lists(SETTLED, min_size=1, max_size=4))
def test_credit_is_what_trying_every_memory_gives_and_so_is_its_variance(method, several):
    outcomes, held = [outcome for outcome, _ in several], np.array([memory for _, memory in several])
    each = np.array([BRUTE[method](outcome, memory) for outcome, memory in several])
    found = credit(outcomes, held, method)
    assert found.values == pytest.approx(each.mean(axis=0), abs=1e-12)
    if len(several) > 1:
        assert found.variance == pytest.approx(each.var(axis=0, ddof=1), abs=1e-12)
        assert found.spread == pytest.approx(np.sqrt(each.var(axis=0, ddof=1) / len(several)), abs=1e-12)
    else:
        assert np.isnan(found.variance).all()


@given(SETTLED)
def test_shapley_credits_sum_to_what_the_memory_gained_over_none(case):
    outcome, held = case
    gained = u(outcome.supports, held) - u(outcome.supports, np.zeros(N, bool))
    assert credit([outcome], held, "shapley").values.sum() == pytest.approx(outcome.correct * gained)


@given(SETTLED, st.permutations(range(N)))
def test_credit_of_claims_in_another_order_is_the_same_in_that_order(case, order):
    outcome, held = case
    place = np.argsort(order)
    moved = Outcome(
        outcome.correct, supports=tuple(tuple(place[list(row)].tolist()) for row in outcome.supports)
    )
    for method in METHODS:
        before, after = credit([outcome], held, method), credit([moved], held[order], method)
        assert after.values == pytest.approx(before.values[order], abs=1e-12)


@given(SETTLED)
def test_a_claim_that_no_support_needs_is_credited_nothing(case):
    outcome, held = case
    needed = {claim for row in outcome.supports for claim in row}
    idle = [claim for claim in range(N) if claim not in needed]
    for method in BRUTE:
        assert not credit([outcome], held, method).values[idle].any()


@given(st.lists(st.lists(st.integers(0, 7), min_size=1, max_size=4).map(tuple), min_size=1, max_size=6))
def test_all_ways_to_share_a_success_agree(rows):
    shares = shapley(rows)
    minimal = [set(row) for row in rows if not any(set(other) < set(row) for other in rows)]
    needs = np.array([[claim in row for claim in shares.claims] for row in minimal])
    assert _by_unions(needs) == pytest.approx(shares.values)
    assert _by_subsets(needs) == pytest.approx(shares.values)
    drawn, errors = _by_orders(needs, np.random.default_rng(0), 400)
    assert drawn.sum() == pytest.approx(1)
    assert (np.abs(drawn - shares.values) <= 5 * errors + 0.02).all()


def test_many_supports_over_many_claims_are_shared_by_drawing_orders_and_say_how_surely():
    rows = [(0, i) for i in range(1, 21)]
    shares = shapley(rows, np.random.default_rng(1), orders=4000)
    exact = 20 / 21  # the first claim completes unless it comes first: then the next one does
    assert shares.errors[0] > 0
    assert abs(shares.values[0] - exact) < 4 * shares.errors[0]
    assert shares.values.sum() == pytest.approx(1)
    found = credit([Outcome(1, supports=tuple(rows))] * 2, np.ones(21, bool), "shapley", orders=100)
    assert found.errors[0] > 0
    assert found.values.sum() == pytest.approx(1)


@given(st.lists(SETTLED, min_size=1, max_size=5))
def test_plain_return_credits_whatever_was_held_and_the_baseline_takes_off_the_mean_of_the_others(several):
    outcomes, held = [outcome for outcome, _ in several], np.array([memory for _, memory in several])
    correct = np.array([outcome.correct for outcome in outcomes], float)
    each = held * correct[:, None]
    assert credit(outcomes, held, "return").values == pytest.approx(each.mean(axis=0))
    less = held * (correct - others(correct))[:, None]
    assert credit(outcomes, held, "baseline").values == pytest.approx(less.mean(axis=0))


@given(SETTLED)
def test_claims_used_are_the_one_support_that_is_known(case):
    outcome, held = case
    inside = [row for row in outcome.supports if row and held[list(row)].all()]
    used = Outcome(outcome.correct, used=inside[0] if inside else ())
    alone = Outcome(outcome.correct, supports=inside[:1])
    for method in ("leave-one-out", "shapley"):
        assert (credit([used], held, method).values == credit([alone], held, method).values).all()


@given(problems(), st.data())
def test_settling_by_coverage_says_what_coverage_says(material, data):
    coverage = compile_material(material)
    assume(coverage.queries)
    memory = coverage.memory(data.draw(memories(material)))
    queries = np.arange(len(coverage.queries))
    told = asked(coverage, memory[None], np.zeros_like(queries), queries)
    assert (told.correct == covered(coverage, memory)).all()
    alone = used_alone(told)
    assert (alone.held == np.minimum(told.held, 1)).all()
    assert (alone.lacking == 0).all()


def test_a_right_answer_of_which_no_support_held_credits_nobody_and_is_counted():
    outcomes = [Outcome(1, used=()), Outcome(1, supports=((0, 1),)), Outcome(1, used=(0,)), Outcome(0)]
    found = credit(outcomes, np.array([True, False]))
    assert found.unexplained == 2
    assert found.values.tolist() == [0.25, 0]


def test_nothing_settled_is_nothing_credited():
    for method in METHODS:
        found = credit([], np.zeros((0, 3), bool), method)
        assert found.settlements == 0
        assert found.values.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("outcomes", "held", "method", "said"),
    [
        ([Outcome(1)], np.ones(2, bool), "leave-one-out", "position 0.*baseline needs the outcome alone"),
        ([Outcome(0, used=())], np.ones(2, bool), "flip", "leave-one-out needs those of hits alone"),
        ([Outcome(1, used=(2,))], np.ones(2, bool), "shapley", "names claim 2; memories have 2"),
        ([Outcome(1)], np.ones(2), "return", "type float64"),
        ([Outcome(1)], np.ones((2, 2), bool), "return", "a row for each query"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_cure(outcomes, held, method, said):
    with pytest.raises(ShapeError, match=said):
        credit(outcomes, held, method)


def test_an_unknown_kind_of_credit_is_refused():
    with pytest.raises(UnknownName, match="there are return, baseline"):
        credit([], np.zeros((0, 1), bool), "blame")


def test_supports_that_can_be_defeated_are_refused():
    defeated = Query("q", supports=(Support(("a",), ("b",)),))
    coverage = compile_material(Material("m", (Claim("a"), Claim("b")), queries=(defeated,)))
    with pytest.raises(ShapeError, match="defeaters"):
        asked(coverage, np.ones((1, 2), bool), np.zeros(1, int), np.zeros(1, int))
