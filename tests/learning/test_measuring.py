import numpy as np
import pytest

from memspan.answering.hybrid import Hybrid
from memspan.answering.rule import shipped
from memspan.learning.measuring import Asked, agreement, asked_on, evidence, measure
from memspan.material import Claim, Material, Query, Support

CLAIMS = (
    Claim("c1", "Ana moved to Porto in March."),
    Claim("c2", "Rui cooks on Sundays."),
    Claim("c3", "The bridge was painted green."),
)
QUERIES = (
    Query("q1", "Where did Ana move?", answer="Porto", supports=(Support(()), Support(("c1",)))),
    Query("q2", "What does Rui do?", supports=(Support(("c2",)), Support(("c3",)))),
    Query("q3", "What is for dinner?"),
    Query("q4", "Who is Kai?", answerable=False, supports=(Support(("c2",)),)),
)
MATERIAL = Material("m", CLAIMS, queries=QUERIES)


class Knows:
    """An answerability that reads the annotation, or its opposite."""

    name = "knows"

    def __init__(self, *, right=True):
        """Read it rightly, or the other way round."""
        self.right = right

    def scorer(self, items):
        """Score by the annotation."""

        def score(query):
            truth = evidence(MATERIAL, query)
            assert len(truth) == len(items)
            return np.where(truth == self.right, 1.0, 0.0)

        return score


def test_a_side_takes_the_questions_that_fit_it_and_hides_the_answers_of_the_other():
    assert [q.id for q in asked_on(MATERIAL, "answered").queries] == ["q1"]
    alone = asked_on(MATERIAL, "asked").queries
    assert [(q.id, q.answer) for q in alone] == [("q1", None), ("q2", None)]


def test_a_question_counts_with_its_first_support_that_holds_a_claim():
    assert [evidence(MATERIAL, query).tolist() for query in QUERIES[:2]] == [
        [True, False, False],
        [False, True, False],
    ]


def test_who_knows_is_perfect_and_who_errs_is_not():
    asked = [asked_on(MATERIAL, "asked")]
    best, worst = (agreement(Knows(right=right), asked) for right in (True, False))
    assert (best.questions, best.recall_1, best.set_f1, best.set_exact, best.ece) == (2, 1, 1, 1, 0)
    assert (worst.recall_1, worst.set_f1, worst.ece) == (0, 0, 1)


def test_a_rule_is_measured_by_side_and_a_side_without_questions_is_left_out():
    told = []
    found = measure(shipped(), [MATERIAL], told=told.append)
    assert told == ["answered: m", "asked: m"]
    for side in ("answered", "asked"):
        assert found[side] == agreement(Hybrid(), [asked_on(MATERIAL, side)])
    alone = Material("m", CLAIMS, queries=QUERIES[1:])
    assert list(measure(shipped(), [alone])) == ["asked"]
    assert measure(shipped(), []) == {}


def test_without_questions_there_is_nothing_to_measure():
    with pytest.raises(ValueError, match="no question"):
        agreement(Hybrid(), [Asked(MATERIAL, ())])
