import sys
from dataclasses import replace

import numpy as np
import pytest

from memspan.answering.again import LOOKS
from memspan.answering.features import features_for
from memspan.answering.hybrid import Hybrid
from memspan.answering.passages import Passages
from memspan.answering.rule import ReaderRule, shipped
from memspan.datasets import load
from memspan.errors import MaterialError, MissingExtra
from memspan.learning.lessons import EVERY, Lesson, annotated, folds, lessons_of
from memspan.learning.reader import LEAST_QUESTIONS, train_reader
from memspan.material import Claim, Material, Query, Support
from memspan.models import HashedEmbedder

NOUNS = [a + b for a in ("ba", "de", "fi", "lo", "mu") for b in ("rg", "nk", "st", "vel", "zor", "pim")]


def diary(name, seed, *, questions=12, answered=True):
    """Return a material in which the claim that names what a question names is its evidence."""
    rng = np.random.default_rng(seed)
    nouns = rng.permutation(NOUNS)[:20]
    filler = ["went", "home", "late", "early", "alone", "again", "there", "twice"]
    claims = tuple(
        Claim(f"c{i}", f"{noun} {' '.join(rng.choice(filler, 3))}", source=f"s{i // 5}")
        for i, noun in enumerate(nouns)
    )
    queries = tuple(
        Query(
            f"q{i}",
            f"What of {nouns[i]} {rng.choice(filler)}?",
            answer=str(rng.choice(filler)) if answered else None,
            supports=(Support((f"c{i}",)),),
        )
        for i in range(questions)
    )
    return Material(name, claims, queries=queries)


@pytest.fixture(scope="module")
def diaries():
    return [diary(f"d{i}", i) for i in range(3)]


@pytest.fixture(scope="module")
def fitted(diaries):
    return train_reader(diaries, name="mine")


def test_what_decides_is_recovered_on_materials_that_were_left_out(fitted):
    for side in ("answered", "asked"):
        figures = fitted.reliability[side]
        assert figures["questions"] == 36
        assert figures["recall_1"] > 0.9
        assert figures["set_f1"] > 0.9
    stranger = diary("x", 9)
    score = Hybrid(fitted).scorer(stranger.claims)
    assert all(score(query).argmax() == i for i, query in enumerate(stranger.queries))


def test_a_fitted_rule_says_what_it_is_and_comes_back_from_its_file(fitted, tmp_path):
    assert (fitted.name, fitted.embedder) == ("mine", None)
    assert fitted.fitted_on == "36 questions of d0, d1, d2"
    known = {*features_for(answered=False, embedded=False), *LOOKS}
    assert {*fitted.asked.first.weights, *fitted.asked.again.weights} <= known
    fitted.save(tmp_path / "rule.json")
    assert ReaderRule.load(tmp_path / "rule.json") == fitted


def test_fitting_again_gives_the_same_bytes(fitted, diaries, tmp_path):
    fitted.save(tmp_path / "one.json")
    train_reader(diaries, name="mine").save(tmp_path / "other.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "other.json").read_bytes()


def test_what_is_fitted_does_not_depend_on_being_measured(fitted, diaries):
    plain = train_reader(diaries, name="mine", measured=False)
    assert (plain.answered, plain.asked) == (fitted.answered, fitted.asked)
    assert not any(plain.reliability.values())


def test_one_material_is_measured_on_parts_of_its_questions():
    told = []
    rule = train_reader([diary("alone", 1, questions=20)], told=told.append)
    assert rule.reliability["asked"]["questions"] == 20
    assert rule.reliability["asked"]["recall_1"] > 0.8
    assert sum("asked: fold" in each for each in told) == 5


def test_a_side_that_hardly_any_question_fits_keeps_the_shipped_weights_unmeasured():
    rule = train_reader([diary("d0", 0, answered=False), diary("d1", 1, answered=False)])
    assert rule.answered == shipped().answered
    assert not rule.reliability["answered"]
    assert rule.reliability["asked"]["questions"] == 24


def test_an_embedder_is_weighed_where_one_is_given():
    rule = train_reader([diary("d0", 0), diary("d1", 1)], HashedEmbedder(64), measured=False)
    assert rule.embedder == HashedEmbedder(64).name
    assert any(name.startswith("close_both") for name in rule.answered.first.weights)
    assert not any(name.startswith("close_both") for name in rule.asked.first.weights)
    assert Hybrid(rule, HashedEmbedder(64)).scorer([Claim("c", "x")])(Query("q", "x", answer="y")).shape == (
        1,
    )


@pytest.mark.parametrize("materials", [[], [Material("m")], [diary("d", 0, questions=LEAST_QUESTIONS - 1)]])
def test_with_fewer_than_twenty_questions_there_is_nothing_to_fit(materials):
    with pytest.raises(MaterialError, match="fitting needs 20"):
        train_reader(materials)


def test_supports_that_were_found_teach_nothing():
    found = [
        replace(query, supports=(replace(query.supports[0], probability=0.9),))
        for query in diary("d", 0).queries
    ]
    material = replace(diary("d", 0), queries=tuple(found), support_source="found")
    assert annotated(material) == {}
    with pytest.raises(MaterialError, match=r"queries\.supports: 12 questions have an annotated support"):
        train_reader([material, diary("e", 1)])


def test_without_scikit_learn_the_cure_is_told_before_anything_is_computed(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    told = []
    with pytest.raises(MissingExtra, match=r"pip install 'memspan\[text\]'"):
        train_reader([diary("d0", 0), diary("d1", 1)], told=told.append)
    assert told == []


def test_where_all_items_are_evidence_a_rule_is_fitted_all_the_same():
    one = Claim("c1", "Ana sings.")
    queries = tuple(Query(f"q{i}", "Who sings?", supports=(Support(("c1",)),)) for i in range(20))
    rule = train_reader([Material("m", (one,), queries=queries)])
    assert rule.asked.again is None
    assert rule.reliability["asked"]["recall_1"] == 1
    assert Hybrid(rule).scorer([one])(queries[0])[0] > 0.5


def test_where_items_do_not_differ_the_rule_says_how_many_are_evidence():
    claims = tuple(Claim(f"c{i}", source=f"s{i}") for i in range(8))
    queries = tuple(Query(f"q{i}", supports=(Support((f"c{i % 8}",)),)) for i in range(24))
    rule = train_reader([Material("m", claims, queries=queries)])
    assert rule.asked.first.weights == {}
    chances = Hybrid(replace(rule, asked=replace(rule.asked, again=None))).scorer(claims)(queries[0])
    assert chances == pytest.approx(1 / 8, abs=0.05)


# --- lessons --------------------------------------------------------------------------------------


def test_the_first_annotated_support_with_a_claim_is_the_evidence():
    queries = (
        Query(
            "q1",
            supports=(Support(()), Support(("c1",), probability=0.5), Support(("c2",)), Support(("c1",))),
        ),
        Query("q2", supports=(Support(()),)),
        Query("q3", answerable=False, supports=(Support(("c1",)),)),
        Query("q4"),
    )
    material = Material("m", (Claim("c1"), Claim("c2")), queries=queries)
    assert annotated(material) == {"q1": Support(("c2",))}
    (lesson,) = lessons_of([material], None).asked
    assert lesson.truth.tolist() == [[False, True]]
    assert lessons_of([material], None).answered == ()


def test_both_sides_see_the_same_of_a_question_alone(diaries):
    lessons = lessons_of(diaries, None)
    for answered, asked in zip(lessons.answered, lessons.asked, strict=True):
        shared = [answered.names.index(name) for name in asked.names]
        assert (answered.table[:, :, shared] == asked.table).all()
        assert (answered.truth == asked.truth).all()


def test_thinning_keeps_all_evidence_and_one_in_six_of_the_rest(diaries):
    for lesson in lessons_of(diaries, None).asked:
        rows, truths = lesson.thinned
        assert truths.sum() == lesson.truth.sum()
        assert (~truths).sum() == pytest.approx((~lesson.truth).sum() / EVERY, rel=0.2)
        assert rows.shape == (len(truths), len(lesson.names))


@pytest.mark.parametrize("items", [6, 7, 12])
def test_each_item_is_looked_at_for_some_question(items):
    table = np.tile(np.arange(items, dtype=np.float32), (EVERY, 1))[:, :, None]
    lesson = Lesson(Passages.of([]), (), ("place",), table, np.zeros((EVERY, items), np.bool_))
    assert sorted(lesson.thinned[0].ravel().tolist()) == list(range(items))


@pytest.mark.parametrize(("materials", "groups"), [(1, 5), (2, 2), (10, 10), (23, 10)])
def test_each_question_is_left_out_once(materials, groups):
    lessons = lessons_of([diary(f"d{i}", i, questions=5) for i in range(materials)], None).asked
    parts = folds(lessons)
    assert len(parts) == groups
    assert sum(len(lesson.truth) for part in parts for lesson in part) == 5 * materials


def test_one_conversation_of_81_questions_is_enough_for_chances_near_calibrated(data):
    rule = train_reader(load(data / "locomo" / "locomo10_dev.json")[:1])
    assert all(figures["ece"] <= 0.04 for figures in rule.reliability.values())
