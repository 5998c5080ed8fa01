"""Learning from words alone: what a query rests on, by a reader and by how it was settled."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asked_world import Told, lived
from memspan.answering.hybrid import Hybrid
from memspan.environments.episode import Rules
from memspan.material import Claim, Query
from memspan.policies.attributed import Attributed, Settled, attribute, conditioned
from memspan.policies.plain import plain
from memspan.ports import Outcome, View

N = 6
SHARES = st.lists(st.floats(0, 1), min_size=N, max_size=N).map(np.array)
CHANCES = st.lists(st.floats(0.01, 0.99), min_size=N, max_size=N).map(np.array)
HELD = st.lists(st.booleans(), min_size=N, max_size=N).map(np.array)


def by_claim(rest):
    """Return how likely the query rests on each claim, alone or with another."""
    found = np.bincount(rest.places, rest.chances, N)
    for support, weight in zip(rest.sets, rest.weights.tolist(), strict=True):
        found[list(support)] += weight
    return found


@given(SHARES, CHANCES)
def test_chances_are_never_more_than_one(read, prior):
    rest = attribute(read, prior)
    assert 0 <= rest.known <= 1
    assert (rest.chances >= 0).all()
    assert (rest.weights >= 0).all()


@given(SHARES, CHANCES, HELD, st.sampled_from([0.0, 1.0]))
def test_right_speaks_for_what_was_held_and_wrong_for_what_was_missing(read, prior, held, correct):
    before = attribute(read, prior)
    after = conditioned(before, Settled(correct, held, float(prior @ held) / prior.sum()))
    whole = np.array([held[list(support)].all() for support in after.sets])
    mass_before = before.chances[held[before.places]].sum() + before.weights[whole].sum()
    mass_after = after.chances[held[after.places]].sum() + after.weights[whole].sum()
    share = mass_before / before.known if before.known else 0
    share_after = mass_after / after.known if after.known else 0
    assert share_after >= share - 1e-9 if correct else share_after <= share + 1e-9


@given(SHARES, CHANCES, HELD)
def test_an_outcome_that_says_nothing_changes_nothing(read, prior, held):
    before = attribute(read, prior)
    after = conditioned(before, Settled(0.5, held, float(prior @ held) / prior.sum()))
    assert after.chances == pytest.approx(before.chances)
    assert after.weights == pytest.approx(before.weights)


@given(SHARES, CHANCES, st.permutations(range(N)))
def test_permuted_claims_give_permuted_chances(read, prior, order):
    if len(np.unique(read)) == N:
        straight, moved = attribute(read, prior), attribute(read[order], prior[order])
        assert by_claim(moved) == pytest.approx(by_claim(straight)[list(order)])


def test_settled_again_and_again_from_other_memories_the_claim_is_found():
    rest = attribute(np.full(N, 0.2), np.full(N, 0.3))
    for claim in (0, 1, 2, 3):
        held = np.zeros(N, bool)
        held[claim] = True
        rest = conditioned(rest, Settled(float(claim == 3), held, 1 / N))
    assert by_claim(rest).argmax() == 3


class Reads:
    """A reader that sees the claim that the query names, and another one besides."""

    name = "reads"

    def scorer(self, items):
        """Return the reader of *items*."""
        return lambda query: np.array([0.4 * (item.text in query.text) + 0.01 for item in items])


def made(n=4):
    policy = Attributed(Told(np.full(n, 0.3)), Reads())
    policy.start(0)
    policy.observe([Claim(f"c{i}", f"t{i}") for i in range(n)])
    return policy


def view(memory, capacity=1):
    return View(
        memory, np.ones(len(memory), bool), np.zeros(len(memory), bool), np.ones(len(memory)), capacity
    )


def test_what_words_speak_of_is_held_once_it_is_asked_again():
    policy = made()
    none = np.zeros(4, bool)
    for _ in range(2):
        policy.settle(Outcome(0.0, query=Query("", "t2")))
        scores = policy.score(view(none))
    assert scores.argmax() == 2


def test_without_words_the_order_is_that_of_the_prior():
    policy = Attributed(Told(np.array([0.1, 0.4, 0.2])), Reads())
    policy.observe([Claim(f"c{i}", f"t{i}") for i in range(3)])
    policy.settle(Outcome(1.0))
    assert np.argsort(-policy.score(view(np.zeros(3, bool)))).tolist() == [1, 2, 0]


def test_claims_that_came_after_a_query_are_not_what_it_rests_on():
    policy = made(2)
    policy.score(view(np.zeros(2, bool)))
    for _ in range(3):
        policy.settle(Outcome(0.0, query=Query("", "t0 t3")))
    policy._prior.chances = np.full(4, 0.3)
    policy.observe([Claim("c2", "t2"), Claim("c3", "t3")])
    assert policy.score(view(np.zeros(4, bool))).argmax() == 0


@pytest.mark.parametrize("order", ["uniform", "zipf", "once"])
def test_words_are_never_worse_than_the_prior_alone_and_better_where_queries_come_again(order):
    def share(make, *, answers=False):
        rules = Rules(disclosure="text", answers=answers)
        return lived(make, 0, order, 80, 10, rules, claims=60, queries=20)[0]

    static = share(lambda prior: plain("static", prior))
    words = share(lambda prior: Attributed(prior, Hybrid()))
    assert words >= static - 0.02
    if order != "once":
        assert words > static + 0.1
        assert share(lambda prior: Attributed(prior, Hybrid()), answers=True) > static + 0.1
