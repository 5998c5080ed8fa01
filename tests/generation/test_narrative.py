from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.datasets import load
from memspan.generation.narrative import Narrative
from memspan.generation.story import asked, read_story
from memspan.material import Claim, Material, Query
from memspan.testing import check_operator

WHO, PLACES, THINGS = ("Ana", "Rui"), ("harbour", "market"), ("map", "lamp")
moves = st.builds("{} went to the {}.".format, st.sampled_from(WHO), st.sampled_from(PLACES))
gains = st.builds("{} took the {} there.".format, st.sampled_from(WHO), st.sampled_from(THINGS))
losses = st.builds("{} dropped the {}.".format, st.sampled_from(WHO), st.sampled_from(THINGS))
gifts = st.builds("Ana gave the {} to Rui.".format, st.sampled_from(THINGS))
stories = st.lists(st.one_of(moves, gains, losses, gifts), min_size=1, max_size=6)
questions = st.sampled_from(
    [
        "Where is Ana?",
        "Where is the map?",
        "Where was the map before the market?",
        "Where was Rui before the harbour?",
        "What is Rui carrying?",
        "How many objects is Ana carrying?",
    ]
)


def material(sentences, question):
    claims = tuple(Claim(str(i), text) for i, text in enumerate(sentences, 1))
    return Material("story", claims, queries=(Query(str(len(claims) + 1), question),))


def told(sentences, question, history="whole"):
    return Narrative(history).told(material(sentences, question)).queries[0]


def holds(supports, memory):
    return any(memory.issuperset(s.claims) and memory.isdisjoint(s.unless) for s in supports)


def outcome(history, topic, claims):
    """Read the story anew from nothing but *claims*: the oracle of what a memory entails."""
    return Narrative(history).procedure(topic, read_story(claims))(lambda _: True)


def claims_of(supports):
    return {support.claims for support in supports}


@settings(max_examples=60)
@given(stories, questions, st.sampled_from(["whole", "latest"]))
def test_supports_say_right_and_wrong_exactly_as_the_memory_itself_does(sentences, question, history):
    asking = material(sentences, question)
    query = Narrative(history).told(asking).queries[0]
    right = outcome(history, asked(question), asking.claims)
    for n in range(len(asking.claims) + 1):
        for part in combinations(asking.claims, n):
            memory, entailed = {claim.id for claim in part}, outcome(history, asked(question), part)
            if right is not None:
                assert holds(query.supports, memory) == (entailed == right)
                assert holds(query.wrong, memory) == (entailed not in {None, right})


@given(stories)
def test_each_claim_entails_itself_and_ids_name_the_content(sentences):
    claims = material(sentences, "Where is Ana?").claims
    items = Narrative().generate(claims).items
    assert [item.id for item in items[: len(claims)]] == [claim.id for claim in claims]
    assert len({item.id for item in items}) == len(items)
    triples = {item.id: item.triple for item in items}
    for item in Narrative().generate(claims[:-1]).items[len(claims) - 1 :]:
        assert triples.get(item.id, item.triple) == item.triple


def test_the_laws_of_operators_hold():
    told_claims = stories.map(lambda texts: [Claim(f"c{i}", text) for i, text in enumerate(texts)])
    for history in ("whole", "latest"):
        report = check_operator(Narrative(history), told_claims, examples=10)
        assert report.ok, str(report)
        assert not report.monotone


def test_the_latest_move_counts_and_missing_it_answers_wrongly():
    query = told(["Ana went to the harbour.", "Ana moved to the market."], "Where is Ana?")
    assert claims_of(query.supports) == {("2",)}
    assert [(s.claims, s.unless) for s in query.wrong] == [(("1",), ("2",))]


def test_taking_and_losing_each_prove_who_carried_it():
    sentences = [
        "Ana went to the harbour.",
        "Ana took the map.",
        "Ana went to the market.",
        "Ana dropped the map.",
    ]
    query = told(sentences, "Where was the map before the market?")
    assert {frozenset(c) for c in claims_of(query.supports)} == {frozenset("123"), frozenset("134")}


def test_counting_rests_on_all_gains_and_losses():
    sentences = ["Ana took the map.", "Ana dropped the map.", "Ana took the lamp."]
    query = told(sentences, "How many objects is Ana carrying?")
    assert ("1", "2", "3") in claims_of(query.supports)
    assert all("2" not in c or "1" in c for c in claims_of(query.supports))
    assert ("2", "3") in claims_of(told(sentences, "How many objects is Ana carrying?", "latest").supports)


def test_times_of_day_order_moves():
    sentences = ["This evening Ana went to the market.", "Ana went to the harbour this morning."]
    query = told(sentences, "Where was Ana before the market?")
    assert claims_of(query.supports) == {("1", "2")}


def test_a_kind_fears_and_looks_like_what_its_kind_does():
    fears = told(["Mice are afraid of owls.", "Zoe is a mouse."], "What is zoe afraid of?")
    assert claims_of(fears.supports) == {("1", "2")}
    kinds = ["Zoe is a swan.", "Rui is a swan.", "Ana is a swan.", "Zoe is white.", "Rui is grey."]
    looks = told(kinds, "What color is Ana?")
    assert claims_of(looks.supports) == {("2", "3", "5")}
    assert claims_of(looks.wrong) == {("1", "3", "4")}


def test_what_the_grammar_does_not_hold_is_reported():
    told_twice = Narrative().told(
        Material("s", (Claim("1", "Rain."),), queries=(Query("2", "Why?"), Query("3", "Where is Ana?")))
    )
    assert [d.reason for d in told_twice.dropped] == [
        "is no question of the story grammar",
        "the story does not tell",
    ]


def test_ways_that_were_not_followed_are_reported():
    sentences = [f"Ana went to the {place}." for place in ("harbour", "market", "mill", "quay")]
    told_briefly = Narrative(most=2).told(material(sentences, "Where is Ana?"))
    assert [d.reason for d in told_briefly.dropped] == [
        "25.0% of random memories lie beyond the ways that were followed"
    ]


@pytest.mark.parametrize(
    ("task", "stories", "wrong", "right"),
    [
        (1, 40, 0.20, 0.52),
        (2, 20, 0.20, 0.36),
        (3, 4, 0.20, 0.17),
        (7, 30, 0.23, 0.52),
        (8, 30, 0.17, 0.49),
        (14, 30, 0.07, 0.27),
        (15, 30, 0.00, 0.27),
        (16, 150, 0.00, 0.12),
    ],
)
def test_babi_is_answered_from_the_annotated_facts_and_does_harm_as_measured(
    task, stories, wrong, right, data
):
    (path,) = (data / "babi").glob(f"qa{task}_*.txt")
    last = load(path)[-stories:]
    count = Counter()
    for story in last:
        _measure(story, count)
    asked_for = count["questions"]
    assert count["right"] / asked_for >= 0.99
    assert count["annotated"] / asked_for >= 0.99
    trials = count["trials"]
    for kind in ("wrong", "right"):  # what the cap leaves out of task 3 counts as no answer
        missed = (count[f"simulated {kind}"] - count[f"u_{kind}"]) / trials
        assert 0 <= missed <= (0.1 if task == 3 else 0)
    few = 0.15 if task == 3 else 0.1
    assert count["simulated wrong"] / trials == pytest.approx(wrong, abs=few)
    assert count["simulated right"] / trials == pytest.approx(right, abs=few)


def _measure(story, count):
    ours, latest = Narrative(most=64).told(story), Narrative("latest", most=64)
    rng = Random(int(story.id.split()[-1]))
    for query, mine in zip(story.queries, ours.queries, strict=True):
        topic, earlier = asked(query.text), [claim for claim in story.claims if int(claim.id) < int(query.id)]
        answer = outcome("whole", topic, earlier)
        count["questions"] += 1
        count["right"] += sorted(answer.split(",")) == sorted(query.answer.lower().split(","))
        count["annotated"] += set(query.supports[0].claims) in [set(s.claims) for s in mine.supports]
        shown = mine
        if topic[1].startswith("carries"):
            shown = latest.told(Material(story.id, story.claims, queries=(query,))).queries[0]
        for _ in range(8):
            memory = {claim.id for claim in earlier if rng.random() < 0.5}
            held = outcome("latest", topic, [claim for claim in earlier if claim.id in memory])
            count["trials"] += 1
            count["simulated right"] += held == answer
            count["simulated wrong"] += held not in {None, answer}
            count["u_right"] += holds(shown.supports, memory)
            count["u_wrong"] += holds(shown.wrong, memory)
