import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.answering.reliability import calibration_error, reliability, set_agreement

PAIRS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=30)


def truths(*each):
    return [np.array(truth, np.bool_) for truth in each]


@given(PAIRS)
def test_the_calibration_error_equals_a_plain_loop(pairs):
    considered = [(p, y) for p, y in pairs if p >= 0.01]
    error = 0.0
    for lower in range(10):
        inside = [(p, y) for p, y in considered if min(int(p * 10), 9) == lower]
        if inside:
            told, seen = (sum(column) / len(inside) for column in zip(*inside, strict=True))
            error += abs(told - seen) * len(inside) / len(considered)
    chances, seen = np.array([p for p, _ in pairs]), np.array([y for _, y in pairs], np.bool_)
    assert calibration_error(chances, seen) == pytest.approx(error)


def test_chances_that_come_true_as_often_as_they_say_have_no_error():
    chances = np.repeat([0.25, 0.75], 4)
    assert calibration_error(chances, np.array([1, 0, 0, 0, 1, 1, 1, 0], np.bool_)) == 0
    assert calibration_error(np.array([1.0, 1.0]), np.array([True, False])) == 0.5


def test_figures_of_two_questions_by_hand():
    chances = [np.array([0.9, 0.8, 0.1]), np.array([0.2, 0.6, 0.4])]
    annotated = truths([1, 0, 1], [1, 0, 0])
    found = truths([1, 1, 0], [1, 0, 0])
    figures = reliability(chances, annotated, found)
    assert figures.questions == 2
    assert figures.recall_1 == (1 / 2 + 0) / 2
    assert figures.recall_5 == figures.recall_10 == 1
    assert figures.reciprocal_rank == (1 + 1 / 3) / 2
    assert (figures.set_precision, figures.set_recall, figures.set_f1) == (0.75, 0.75, 0.75)
    assert figures.set_exact == 0.5
    assert figures.figures()["reciprocal_rank"] == 0.667
    assert list(figures.figures()) == [*figures.__dataclass_fields__]


def test_equal_chances_are_ranked_by_position():
    figures = reliability([np.zeros(3)], truths([0, 0, 1]), truths([0, 0, 1]))
    assert (figures.recall_1, figures.recall_5, figures.reciprocal_rank) == (0, 1, 1 / 3)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=8))
def test_the_f1_lies_between_precision_and_recall_and_is_one_where_the_sets_are_one(pairs):
    annotated, found = (np.array(column, np.bool_) for column in zip(*pairs, strict=True))
    if not annotated.any():
        return
    precision, recall, f1, exact = set_agreement(annotated, found)
    assert min(precision, recall) <= f1 + 1e-12
    assert f1 <= max(precision, recall) + 1e-12
    assert (f1 == 1) == (exact == 1) == bool((annotated == found).all())


@pytest.mark.parametrize(("chances", "annotated"), [([], []), ([np.zeros(2)], truths([0, 0]))])
def test_without_an_annotated_item_there_is_nothing_to_measure(chances, annotated):
    with pytest.raises(ValueError, match="annotated"):
        reliability(chances, annotated, annotated)
