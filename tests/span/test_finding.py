from dataclasses import replace

import numpy as np
import pytest

from memspan.answering.hybrid import Hybrid
from memspan.answering.linear import Linear
from memspan.answering.rule import Side, shipped
from memspan.answering.sets import SMALLEST
from memspan.errors import MaterialError
from memspan.generation import Bridge, Declared, Decomposable, Rules
from memspan.material import CHANCES, READER, Claim, KnowledgeItem, Material, Query, Support
from memspan.optimum import frontier
from memspan.ports import Generated
from memspan.span import draw, find_supports, needs_supports, span_of

CLAIMS = (
    Claim("c1", "Ana moved to Porto in March.", "one", "2023-03-02", speaker="Ana"),
    Claim("c2", "Rui paints boats on Sundays.", "one", "2023-03-02", speaker="Rui"),
    Claim("c3", "The old bridge is green.", "two", "some day"),
    Claim("c4", ""),
)
KNOWN = Query("known", "Who paints?", supports=(Support(("c2",)),))
OPEN = Query("open", "Where did Ana move?", answer="Porto")
ALONE = Query("alone", "What does Rui paint?")
REFUSED = Query("refused", "Where is the king?", answerable=False)
MATERIAL = Material("m", CLAIMS, queries=(KNOWN, OPEN, REFUSED, ALONE))


def test_only_questions_that_could_have_a_support_and_have_none_get_one():
    found = find_supports(MATERIAL)
    assert [query.id for query in needs_supports(MATERIAL)] == ["open", "alone"]
    assert needs_supports(found) == ()
    assert (found.queries[0], found.queries[2]) == (KNOWN, REFUSED)
    assert [query.id for query in found.queries] == [query.id for query in MATERIAL.queries]
    assert found.query("open").supports[0].claims == ("c1",)
    assert found.query("alone").supports[0].claims == ("c2",)
    assert found.claims == MATERIAL.claims


def test_the_material_says_that_supports_were_found_by_what_and_for_how_many_questions():
    found = find_supports(MATERIAL)
    assert found.support_source == "found"
    told = found.extra[READER]
    assert (told["rule"], told["questions_with_answer"], told["questions_alone"]) == ("shipped", 1, 1)
    assert find_supports(replace(MATERIAL, support_source="generated")).support_source == "generated"


def test_what_was_found_is_found_again_and_not_read_twice():
    found = find_supports(MATERIAL)
    assert find_supports(MATERIAL) == found
    assert find_supports(found) is found


@pytest.mark.parametrize(
    "material",
    [
        Material("m"),
        Material("m", CLAIMS),
        Material("m", queries=(OPEN,)),
        Material("m", CLAIMS, queries=(KNOWN,)),
    ],
)
def test_where_nothing_can_be_found_the_material_stays_as_it_is(material):
    assert find_supports(material) is material


def test_chances_that_are_kept_are_those_that_can_be_drawn_and_those_of_the_support():
    chances = Hybrid().scorer(CLAIMS)(OPEN)
    found = find_supports(MATERIAL).query("open")
    kept = found.extra[CHANCES]
    worth = {claim.id for claim, chance in zip(CLAIMS, chances, strict=True) if chance >= SMALLEST}
    assert set(kept) == worth | set(found.supports[0].claims)
    assert all(
        kept[claim.id] == pytest.approx(chances[i], abs=1e-4)
        for i, claim in enumerate(CLAIMS)
        if claim.id in kept
    )
    assert 0 <= found.supports[0].probability <= 1


def certain(bias):
    """Return a reader that gives each claim the same chance."""
    side = Side(Linear(bias, {}))
    return Hybrid(replace(shipped(), answered=side, asked=side))


@pytest.mark.parametrize(("bias", "chance", "likelihood"), [(800, 1.0, 1.0)])
def test_sure_chances_make_supports_that_can_be_drawn_and_solved(bias, chance, likelihood):
    found = find_supports(MATERIAL, certain(bias))
    query = found.query("open")
    assert set(query.extra[CHANCES].values()) == {chance}
    assert len(query.supports[0].claims) == len(CLAIMS)
    assert query.supports[0].probability == pytest.approx(likelihood)
    made = draw(found, np.random.default_rng(0))
    assert made.query("open").supports[0].claims == query.supports[0].claims
    assert frontier(made).baseline == 1


def test_a_question_that_no_claim_is_likely_to_answer_gets_no_support():
    found = find_supports(MATERIAL, certain(-800))
    assert found.query("open").supports == ()
    assert [query.id for query in needs_supports(found)] == [query.id for query in needs_supports(MATERIAL)]


def test_claims_that_tell_the_whole_answer_each_are_alternatives():
    told = [Claim(f"c{i}", f"{text} lives in Porto.") for i, text in enumerate(("Rui", "Yes, Rui", "So Rui"))]
    material = Material(
        "m", (*told, Claim("c9", "Ana sings.")), queries=(Query("q", "Where does Rui live?", answer="Porto"),)
    )
    query = find_supports(material).query("q")
    assert {support.claims for support in query.supports} == {("c0",), ("c1",), ("c2",)}
    drawn = draw(find_supports(material), np.random.default_rng(0)).query("q")
    assert all(len(support.claims) == 1 for support in drawn.supports)


def test_claims_without_words_and_questions_without_text_are_read():
    silent = Material(
        "m", (Claim("c1"), Claim("c2", "?!")), queries=(Query("q1"), Query("q2", "?", answer=" "))
    )
    assert needs_supports(find_supports(silent)) == silent.queries


def test_progress_is_told():
    told = []
    find_supports(MATERIAL, report=lambda *at: told.append(at))
    assert told == [(0, 2), (1, 2)]


# --- with an operator -----------------------------------------------------------------------------

TRIPLES = (
    Claim("t1", "Abel is the father of Rui.", "one", triple=("Abel", "father of", "Rui")),
    Claim("t2", "Rui is the father of Zoë.", "one", triple=("Rui", "father of", "Zoë")),
    Claim("t3", "Ana sings.", "two", triple=("Ana", "does", "singing")),
)
GRANDFATHER = "compose father of + father of = grandfather of"
WHO = Query("q", "Who is the grandfather of Zoë?", answer="Abel grandfather of Zoë")


def test_decomposable_claims_answer_alone():
    found = span_of(MATERIAL, Decomposable())
    assert found.extra["operator"] == Decomposable().name
    assert {support.claims for support in found.query("open").supports} == {("c1",)}
    assert all(len(support.claims) == 1 for query in found.queries for support in query.supports)
    assert found.queries[0] == KNOWN
    assert found.query("refused") == REFUSED
    assert found.support_source == "found"


@pytest.mark.parametrize("operator", [Bridge(), Rules.parse(GRANDFATHER)], ids=lambda operator: operator.name)
def test_what_claims_entail_together_answers_by_both(operator):
    found = span_of(Material("m", TRIPLES, queries=(WHO,)), operator)
    assert ("t1", "t2") in [support.claims for support in found.queries[0].supports]
    assert len(found.items) > len(TRIPLES)
    assert all(0 <= support.probability <= 1 for support in found.queries[0].supports)


class Tells:
    """An operator that tells what it is given, and an answerability that knows the chances."""

    name = "tells"
    described = {}  # noqa: RUF012 - a test's

    def __init__(self, items, chances=()):
        """Keep what to tell."""
        self.items, self.chances = tuple(items), np.array(chances, np.float64)

    def generate(self, _):
        """Return the items."""
        return Generated(self.items)

    def scorer(self, items):
        """Return the chances."""
        self.seen = tuple(items)
        return lambda _: self.chances


def test_items_without_a_claim_behind_them_have_no_place_and_stop_nothing():
    items = (
        KnowledgeItem("n1", "Always so.", (Support(()),)),
        KnowledgeItem("n2", "Never."),
        KnowledgeItem("c3"),
    )
    knows = Tells(items, [0.9, 0.8, 0.1])
    found = span_of(MATERIAL, knows, knows)
    assert [claim.source for claim in knows.seen] == [None, None, "two"]
    assert knows.seen[2] == CLAIMS[2]
    assert [support.claims for support in found.query("open").supports] == [()]


def test_the_best_items_answer_at_most_five_and_of_two_with_the_same_claims_the_likelier():
    items = [
        KnowledgeItem(f"n{i}", supports=(Support((f"c{i % 3 + 1}",), ("c4",) * (i > 3)),)) for i in range(8)
    ]
    knows = Tells(items, [0.6, 0.9, 0.2, 0.7, 0.8, 0.85, 0.95, 0.5])
    supports = span_of(MATERIAL, knows, knows).query("open").supports
    assert [(s.claims, s.unless, s.probability) for s in supports] == [
        (("c1",), ("c4",), 0.95),
        (("c2",), (), 0.9),
        (("c3",), ("c4",), 0.85),
        (("c2",), ("c4",), 0.8),
        (("c1",), (), 0.7),
    ]
    doubtful = Tells(items, [0.1] * 7 + [0.2])
    assert len(span_of(MATERIAL, doubtful, doubtful).query("open").supports) == 1


def test_an_operator_that_makes_nothing_answers_nothing():
    knows = Tells(())
    assert span_of(MATERIAL, knows, knows).query("open") == OPEN


def test_items_that_a_material_declares_stay_with_the_questions_that_name_them():
    declared = KnowledgeItem("n", "Ana lives in Porto.", (Support(("c1",)),))
    named = Query("named", "Where does Ana live?", items=("n",))
    material = replace(MATERIAL, items=(declared,), queries=(named, OPEN))
    for operator in (Decomposable(), Declared.of(material)):
        found = span_of(material, operator)
        assert found.query("named") == named
        assert found.items.count(declared) == 1


def test_generated_supports_make_the_whole_generated_and_annotated_ones_stay_annotated():
    assert (
        span_of(replace(MATERIAL, support_source="generated"), Decomposable()).support_source == "generated"
    )
    assert span_of(Material("m", CLAIMS, queries=(KNOWN,)), Decomposable()).support_source == "annotated"


def test_an_item_that_names_a_lost_claim_is_refused():
    knows = Tells([KnowledgeItem("n", "x", (Support(("c1", "lost")),))], [0.9])
    with pytest.raises(MaterialError, match="lost"):
        span_of(MATERIAL, knows, knows)
