"""Learning to write from settled queries alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import memspan as ms
from memspan.coverage import u_cov
from memspan.errors import MaterialError, ShapeError
from memspan.learning.credit import METHODS
from memspan.learning.gradient import DISCLOSED, Practice, learn, train_by_outcomes
from memspan.learning.practice import lesson, school
from memspan.learning.scorer import Scorer
from memspan.learning.writing import Ground
from memspan.material import Claim, Material, Query, Support

THINGS = ("bread", "tea", "books", "shoes", "paint", "rope", "seeds", "wine")
CHAT = ("how are you", "that sounds good", "I see what you mean", "let us talk again", "well, who knows")


def diary(seed):
    """A material in which what costs money is asked for, some of it in two ways, and small talk never."""
    rng = np.random.default_rng(seed)
    claims, queries = [], []
    for i in range(40):
        paid = rng.random() < 0.25 or i < 2
        thing = THINGS[rng.integers(len(THINGS))]
        text = f"Ana paid {rng.integers(10, 99)} euros for {thing}." if paid else f"{CHAT[i % len(CHAT)]}."
        claims.append(Claim(f"c{i}", text, speaker=("Ana", "Rui")[i % 2]))
        if paid:
            supports = (Support((f"c{i}",)), Support((f"c{(i * 7) % 40}", f"c{(i * 3 + 1) % 40}")))
            queries.append(Query(f"q{i}", supports=supports[: 1 + i % 2]))
    return Material(f"diary {seed}", tuple(claims), queries=tuple(queries))


LESSONS = [lesson(diary(seed)) for seed in range(4)]
SHORT = {"episodes": 1280, "shares": (0.1, 0.25)}


@pytest.mark.parametrize("credit", METHODS)
def test_what_is_learned_from_outcomes_beats_chance_where_nothing_was_learned_from(credit):
    learned = learn(LESSONS[1:], Practice(credit, **SHORT), seed=1)
    ground = Ground.of(diary(0))
    learned_shares, chance = ground.shares(learned.scores(LESSONS[0].table)), ground.by_chance()
    assert (learned_shares[1:] > chance[1:] + 0.1).all()
    assert learned.returns[-5:].mean() > learned.returns[:5].mean()


def test_hidden_units_learn_too():
    learned = learn(LESSONS[1:], Practice(hidden=3, **SHORT))
    ground = Ground.of(diary(0))
    assert (ground.shares(learned.scores(LESSONS[0].table))[1:] > ground.by_chance()[1:] + 0.1).all()
    with pytest.raises(ShapeError, match="hidden=0"):
        learned.rule()


def test_credit_for_single_claims_learns_from_fewer_episodes_than_plain_return():
    ground, few = Ground.of(diary(0)), {"episodes": 64, "together": 8, "shares": (0.25,)}

    def reached(credit):
        learned = [learn(LESSONS[1:], Practice(credit, **few), seed=seed) for seed in range(8)]
        return np.mean([ground.shares(each.scores(LESSONS[0].table)) for each in learned])

    assert reached("leave-one-out") > reached("return")


def test_the_same_seed_gives_the_same_weights_and_another_one_others():
    first, again, other = (learn(LESSONS, Practice(**SHORT), seed=seed) for seed in (3, 3, 4))
    assert (first.parameters == again.parameters).all()
    assert (first.parameters != other.parameters).any()


def test_a_rule_ranks_claims_as_the_scorer_does_and_says_what_it_was_told():
    learned = train_by_outcomes([diary(1), diary(2)], Practice(**SHORT))
    rule = learned.rule("mine")
    table = LESSONS[0].table
    logits = rule.linear.logits(tuple(rule.linear.weights), table)
    assert logits == pytest.approx(learned.scores(table), abs=1e-9)
    assert rule.name == "mine"
    assert rule.fitted_on == "1,280 episodes, claims used, on diary 1, diary 2"


def test_only_what_is_disclosed_is_looked_at():
    """With one support of each hit told, claims used are all there is: other supports change nothing."""
    assert DISCLOSED["baseline"] == DISCLOSED["return"] == "right or wrong alone"
    assert DISCLOSED["leave-one-out"] == DISCLOSED["shapley"] == "claims used"
    assert DISCLOSED["flip"] == "supports"
    heard = []
    learn(LESSONS, Practice(episodes=1, together=1), told=heard.append)
    assert heard[0].startswith("step 0 of 1: ")


@given(st.permutations(range(5)), st.integers(0, 3), st.integers(0, 99))
def test_permuted_claims_have_permuted_scores(order, hidden, seed):
    rng = np.random.default_rng(seed)
    scorer, table = Scorer(3, hidden), rng.normal(size=(1, 5, 3))
    parameters, every = rng.normal(size=scorer.size), np.ones((1, 5), bool)
    scores = scorer.scores(parameters, table, every)
    assert scorer.scores(parameters, table[:, order], every) == pytest.approx(scores[:, order])


@given(st.integers(0, 3), st.integers(0, 99))
def test_the_slope_in_the_parameters_is_that_of_the_scores(hidden, seed):
    rng = np.random.default_rng(seed)
    scorer, tables = Scorer(3, hidden), rng.normal(size=(2, 4, 3))
    valid = np.array([[True] * 4, [True, True, True, False]])
    tables[~valid] = 0
    parameters, slopes = rng.normal(size=scorer.size), rng.normal(size=(2, 4)) * valid

    def total(at):
        return np.sum(np.where(valid, scorer.scores(at, tables, valid), 0) * slopes)

    steps = np.eye(scorer.size) * 1e-6
    numeric = [(total(parameters + step) - total(parameters - step)) / 2e-6 for step in steps]
    assert scorer.slope(parameters, tables, valid, slopes) == pytest.approx(numeric, abs=1e-6)
    assert scorer.start(rng).shape == (scorer.size,)


def test_lessons_side_by_side_settle_as_each_would_alone():
    taught, rng = school(LESSONS), np.random.default_rng(0)
    material = np.arange(4).repeat(300)
    memories = (rng.random((len(material), taught.valid.shape[1])) < 0.3) & taught.valid[material]
    told = taught.settle(material, memories, 20, rng)
    for k, each in enumerate(LESSONS):
        alone = [u_cov(each.coverage, row[: taught.sizes[k]]) for row in memories[material == k]]
        assert told.correct.reshape(-1, 20)[material == k].mean() == pytest.approx(np.mean(alone), abs=0.03)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"credit": "blame"}, "there are return, baseline"),
        ({"shares": (0.5, 1)}, "between 0 and 1"),
        ({"shares": ()}, "at least one"),
        ({"episodes": 0}, "at least one of each"),
        ({"hidden": -1}, "hidden units from 0"),
    ],
)
def test_practice_that_cannot_be_is_refused(wrong, said):
    with pytest.raises(ShapeError, match=said):
        Practice(**wrong)


def test_materials_that_teach_nothing_are_named():
    silent = Material("silent", (Claim("a", "Hm."), Claim("b", "So.")))
    single = Material("single", (Claim("a", "Hm."),), queries=(Query("q", supports=(Support(("a",)),)),))
    with pytest.raises(
        MaterialError, match=r"material silent: has 2 claims and 0 (.|\n)*material single: has 1 claims"
    ):
        train_by_outcomes([silent, single, diary(0)])
    with pytest.raises(MaterialError, match="there is none"):
        train_by_outcomes([])


def test_on_locomo_a_quarter_of_the_episodes_nearly_reaches_the_targets(data):
    materials = ms.load(data / "locomo" / "locomo10_dev.json")
    lessons = [lesson(material) for material in materials]
    rows = []
    for i, material in enumerate(materials):
        learned = learn([*lessons[:i], *lessons[i + 1 :]], Practice(episodes=1600), seed=0)
        rows.append(Ground.of(material).shares(learned.scores(lessons[i].table)))
    assert (np.mean(rows, axis=0) >= (0.45, 0.52, 0.55, 0.78)).all()
