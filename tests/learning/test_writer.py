import sys
from dataclasses import replace

import numpy as np
import pytest

from memspan.answering.linear import Linear, probability
from memspan.coverage import compile_material, u_cov
from memspan.datasets import load
from memspan.errors import MaterialError, MissingExtra, ModelError, ShapeError
from memspan.learning.recalibrating import recalibrate
from memspan.learning.writer import LEAST_NEEDED, against_heuristics, left_out, sheet, train_writer
from memspan.learning.writing import SHARES, Compared, Ground, needed, trait_table
from memspan.material import Claim, Material, Query, Support
from memspan.models import HashedEmbedder
from memspan.policies.traits import TRAITS
from memspan.policies.writer import WriterRule, shipped

PLACES = ["Porto", "Braga", "Faro", "Evora", "Lagos", "Tomar", "Sintra", "Beja", "Viseu", "Aveiro"]
IDLE = ["Good morning, how are you?", "Thanks, that sounds great!", "Nice, I agree, you know."]


def talk(name, seed, *, claims=60):
    """Return a talk in which every third claim tells something, and questions need those."""
    rng = np.random.default_rng(seed)
    said, queries = [], []
    for i in range(claims):
        told = i % 3 == 1
        text = f"On day {i} I moved to {rng.choice(PLACES)}." if told else str(rng.choice(IDLE))
        said.append(Claim(f"c{i}", text, f"session {i // 12}"))
        if told:
            queries.append(Query(f"q{i}", supports=(Support((f"c{i}",)),)))
    return Material(name, tuple(said), queries=tuple(queries))


@pytest.fixture(scope="module")
def talks():
    return [talk(f"t{i}", i) for i in range(3)]


@pytest.fixture(scope="module")
def fitted(talks):
    return train_writer(talks, name="mine")


def test_what_is_needed_is_recovered_on_materials_that_were_left_out(fitted):
    assert fitted.reliability["rule"]["5%"] == 1
    assert fitted.reliability["rule"]["20%"] == 1
    assert fitted.reliability["random"]["20%"] < 0.5
    assert fitted.reliability["chances"]["needed"] == pytest.approx(1 / 3, abs=0.001)
    assert fitted.reliability["chances"]["expected"] == pytest.approx(1 / 3, abs=0.02)
    stranger = talk("x", 9)
    chances = fitted.prior().observe(stranger.claims)
    assert chances[needed(stranger)].min() > chances[~needed(stranger)].max()


def test_a_fitted_rule_says_what_it_is_and_comes_back_from_its_file(fitted, tmp_path):
    assert (fitted.name, fitted.embedder, fitted.direction) == ("mine", None, ())
    assert fitted.fitted_on == "180 claims of t0, t1, t2, 60 of them needed"
    assert set(fitted.linear.weights) <= set(TRAITS)
    fitted.save(tmp_path / "rule.json")
    assert WriterRule.load(tmp_path / "rule.json") == fitted


def test_fitting_again_gives_the_same_bytes_measured_or_not(fitted, talks, tmp_path):
    fitted.save(tmp_path / "one.json")
    train_writer(talks, name="mine").save(tmp_path / "other.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "other.json").read_bytes()
    plain = train_writer(talks, measured=False)
    assert (plain.linear, plain.reliability, plain.measured_on) == (fitted.linear, {}, "")


def test_no_chance_of_a_material_comes_from_a_rule_that_saw_it(talks):
    sheets = [sheet(each) for each in talks]
    lied = replace(sheets[0], worth=1.0 - sheets[0].worth)
    assert np.array_equal(left_out(sheets)[0], left_out([lied, *sheets[1:]])[0])


def test_one_material_is_measured_on_parts_of_it():
    told = []
    rule = train_writer([talk("alone", 1, claims=90)], told=told.append)
    assert rule.reliability["rule"]["20%"] > 0.9
    assert "20% lower" not in rule.reliability["rule"]
    assert sum("fold" in each for each in told) == 5


def test_sessions_are_batches_where_that_is_asked_for(talks):
    whole, sessions = (trait_table(talks[0], batches) for batches in ("whole", "sessions"))
    assert whole.shape == sessions.shape == (60, len(TRAITS))
    assert np.array_equal(
        sessions[:12], trait_table(replace(talks[0], claims=talks[0].claims[:12], queries=()))
    )
    assert (
        train_writer(talks, batches="sessions", measured=False).linear
        != train_writer(talks, measured=False).linear
    )
    assert trait_table(Material("m"), "sessions").shape == (0, len(TRAITS))


def test_an_embedder_is_weighed_where_one_is_given(talks):
    rule = train_writer(talks, HashedEmbedder(64), measured=False)
    assert (rule.embedder, len(rule.direction)) == (HashedEmbedder(64).name, 64)
    assert any(rule.direction)
    given = sheet(talks[0], HashedEmbedder(64))
    assert rule.prior(HashedEmbedder(64)).observe(talks[0].claims) == pytest.approx(
        rule.chances(given.table, given.vectors)
    )


@pytest.mark.parametrize("materials", [[], [Material("m")], [talk("short", 0, claims=3 * LEAST_NEEDED - 3)]])
def test_with_fewer_than_twenty_needed_claims_there_is_nothing_to_fit(materials):
    with pytest.raises(MaterialError, match="fitting needs 20"):
        train_writer(materials)


def test_supports_that_were_found_teach_nothing(talks):
    with pytest.raises(MaterialError, match="0 claims stand in an annotated support"):
        train_writer([replace(each, support_source="found") for each in talks])


def test_without_scikit_learn_the_cure_is_told_before_anything_is_computed(monkeypatch, talks):
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    told = []
    with pytest.raises(
        MissingExtra, match=r"a write rule needs scikit-learn; .*pip install 'memspan\[text\]'"
    ):
        train_writer(talks, told=told.append)
    assert told == []


def test_where_all_claims_are_needed_the_rule_says_so(talks):
    every = [
        replace(each, queries=(Query("q", supports=(Support(tuple(c.id for c in each.claims)),)),))
        for each in talks
    ]
    rule = train_writer(every)
    assert rule.linear.weights == {}
    assert rule.prior().observe(talks[0].claims).min() > 0.9


# --- measuring ------------------------------------------------------------------------------------


def test_shares_are_those_of_the_best_memory_of_the_same_size(talks):
    ground = Ground.of(talks[0])
    assert ground.sizes == tuple(round(share * 60) for share in SHARES)
    assert ground.shares(needed(talks[0]).astype(float)) == pytest.approx(1)
    scores = np.random.default_rng(0).random(60)
    coverage = compile_material(talks[0])
    memory = np.isin(np.arange(60), np.argsort(-scores)[:12])
    assert ground.shares(scores)[2] == pytest.approx(u_cov(coverage, memory) / (12 / 20))
    assert (ground.by_chance() < 0.7).all()


def test_where_nothing_fits_a_share_is_unknown_and_stays_out_of_the_mean():
    pair = (Claim("a", "x"), Claim("b", "y"))
    material = Material("m", pair, queries=(Query("q", supports=(Support(("a", "b")),)),))
    assert np.isnan(Ground.of(material).shares(np.array([1.0, 0.0]))).all()
    found = Compared({"rule": np.array([[np.nan, 0.5]] * 2), "recency": np.array([[np.nan, 0.25]] * 2)})
    told = found.share("rule")
    assert np.isnan(told[0].estimate)
    assert told[1].estimate == 0.5


# --- moved towards another kind of material -------------------------------------------------------


def test_a_wrong_rule_moves_towards_what_settled_queries_need_and_a_right_one_stays(talks, fitted):
    wrong = WriterRule("wrong", Linear(0.0, {"numbers": -1.0, "courtesy": 1.0}))
    supports = [[f"c{i}"] for i in range(1, 37, 3)]
    rest = needed(talks[0]) & (np.arange(60) > 36)
    idle = ~needed(talks[0])
    table = trait_table(talks[0])

    def ahead(rule):
        chances = rule.chances(table)
        return (chances[rest][:, None] > chances[idle]).mean()

    moved = recalibrate(wrong, talks[0], supports)
    assert ahead(moved) > 0.9
    assert ahead(wrong) < 0.1
    assert ahead(recalibrate(fitted, talks[0], supports)) == 1
    assert moved.name == "wrong, recalibrated"
    assert "12 queries of t0" in moved.fitted_on
    assert not moved.reliability
    assert recalibrate(fitted, talks[0], supports).name in {"mine, not moved", "mine, recalibrated"}


def test_what_recalibration_did_is_told_in_name_and_origin(talks, fitted):
    few, any_claim = [["c1"], ["c4"]], [[f"c{i}"] for i in range(0, 60, 2)]
    still = recalibrate(fitted, talks[0], few)
    assert (still.linear, still.name) == (fitted.linear, "mine, not moved")
    assert still.fitted_on == f"{fitted.fitted_on}; not moved: 2 queries are too few"
    level = recalibrate(fitted, talks[0], few, asked=40)
    assert level.linear.weights == fitted.linear.weights
    assert level.linear.bias != fitted.linear.bias
    assert level.name == "mine, level set anew"
    assert level.fitted_on.endswith("level set anew by 2 queries; no weight moved: 2 queries are too few")
    even = recalibrate(WriterRule("even", Linear(0.0, {})), talks[0], any_claim, asked=40)
    assert even.linear.weights == {}
    assert even.fitted_on.endswith("no weight moved: 30 queries, left out in turn, saw no clear gain")


def test_a_moved_rule_was_fitted_on_what_moved_it(fitted):
    wrong = replace(fitted, linear=Linear(0.0, {"numbers": -1.0, "courtesy": 1.0}))
    stranger = talk("x", 9)
    assert not wrong.was_fitted_on(stranger)
    assert recalibrate(wrong, stranger, [[f"c{i}"] for i in range(1, 37, 3)]).was_fitted_on(stranger)


def test_the_mean_chance_stays_unless_it_is_told_how_much_is_asked(talks):
    table, supports = trait_table(talks[0]), [[f"c{i}"] for i in range(1, 25, 3)]
    before = shipped().chances(table).mean()
    assert recalibrate(shipped(), talks[0], supports).chances(table).mean() == pytest.approx(before)
    few, many = (recalibrate(shipped(), talks[0], supports, asked=n).chances(table).mean() for n in (8, 800))
    assert few < 8 / 60 + 1e-6
    assert many > 0.5


def test_with_fewer_than_five_queries_no_weight_moves(talks):
    moved = recalibrate(shipped(), talks[0], [["c1"], ["c4"], ["c7"], ["c10"]])
    assert moved.linear.weights == pytest.approx(
        {**dict.fromkeys(moved.linear.weights, 0.0), **shipped().linear.weights}
    )


def test_neither_queries_nor_supports_of_the_material_are_read(talks):
    supports = [[f"c{i}"] for i in range(1, 25, 3)]
    blind = replace(talks[0], queries=())
    assert recalibrate(shipped(), blind, supports) == recalibrate(shipped(), talks[0], supports)


def test_what_an_embedder_adds_stays(talks):
    small = HashedEmbedder(16)
    rule = train_writer(talks, small, measured=False)
    supports = [[f"c{i}"] for i in range(1, 25, 3)]
    moved = recalibrate(rule, talks[0], supports, embedder=small)
    assert moved.direction == rule.direction
    with pytest.raises(ModelError, match="give that embedder"):
        recalibrate(rule, talks[0], supports)


@pytest.mark.parametrize(
    ("supports", "asked", "problem"),
    [
        ([], None, "no claim is disclosed"),
        ([["c1"], ["zz"]], None, "'zz' is no claim of 't0'"),
        ([["c1"], ["c2"]], 1, "2 queries are disclosed and 1 asked in all"),
    ],
)
def test_what_cannot_be_learned_from_is_refused(talks, supports, asked, problem):
    with pytest.raises(ShapeError, match=problem):
        recalibrate(shipped(), talks[0], supports, asked=asked)


def test_the_gradient_of_the_draws_is_exact(talks):
    from memspan.learning.recalibrating import _likely, _moves

    table = trait_table(talks[0])
    rows = (table - table.mean(axis=0)) / np.maximum(table.std(axis=0), 1e-9)
    rows = rows[:, table.std(axis=0) > 1e-9]
    before, drawn = np.zeros(60), np.array([1, 4, 7, 10, 13])
    moves = _moves(before, rows, drawn, 3.0)

    def worth(m):
        return _likely(before + rows @ m, drawn) - 1.5 * m @ m

    rng = np.random.default_rng(0)
    assert all(worth(moves) >= worth(moves + rng.normal(0, 0.05, len(moves))) for _ in range(50))
    assert (probability(before + rows @ moves)[drawn] > 0.5).all()


# --- LoCoMo ---------------------------------------------------------------------------------------


def test_conversations_left_out_reach_the_targets_of_level_2(data):
    sheets = [sheet(each) for each in load(data / "locomo" / "locomo10_dev.json")]
    found = against_heuristics(sheets, left_out(sheets))
    means = [interval.estimate for interval in found.share("rule")]
    assert all(mean >= least for mean, least in zip(means, (0.45, 0.53, 0.58, 0.82), strict=True)), means
    assert min(found.over(place).lower for place in (2, 3)) > 0
    truth = np.concatenate([each.truth for each in sheets])
    assert np.concatenate(left_out(sheets)).mean() == pytest.approx(truth.mean(), abs=0.02)
