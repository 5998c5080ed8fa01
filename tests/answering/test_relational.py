import numpy as np
import pytest

from memspan.answering.questions import described, readings, splits
from memspan.answering.relational import Relational
from memspan.answering.resolving import resolve
from memspan.answering.stating import Pages
from memspan.datasets import load
from memspan.generation.comparisons import Compared
from memspan.generation.lifetimes import Lifetimes
from memspan.generation.rules import Rules
from memspan.language.names import Names, reading
from memspan.material import Claim, Query

PAGES = (
    Claim("s0", "Last Ferry is a 1954 film directed by Zoë Lima.", "Last Ferry (1954 film)"),
    Claim("s1", "It was shot in Faro.", "Last Ferry (1954 film)"),
    Claim("s2", "Zoë Maria Lima (born 5 May 1920) was a Portuguese director.", "Zoë Lima"),
    Claim("s3", "The Mill is a film directed by Rui Pinto.", "The Mill"),
    Claim(
        "s4",
        "Rui Pinto (born 1 June 1900, died 2 July 1980) was a director from Brazil.",
        "Rui Pinto (director)",
    ),
    Claim("s5", "He was the son of Tomé Pinto.", "Rui Pinto (director)"),
    Claim("s6", "Tomé Pinto (died 1930) was the son of Abel Pinto.", "Tomé Pinto"),
)
TRIPLES = (
    ("Last Ferry", "director", "Zoe Lima"),
    ("Zoë Maria Lima", "date of birth", "5 May 1920"),
    ("Zoë Lima", "country of citizenship", "Portuguese"),
    ("The Mill", "director", "Rui Pinto"),
    ("Rui Pinto", "date of birth", "June 1, 1900"),
    ("Rui Pinto", "country of citizenship", "Brazil"),
    ("Rui Pinto", "father", "Tomé Pinto"),
    ("Tomé Pinto", "father", "Abel Pinto"),
)
CLAIMS = tuple(Claim(f"t{i}", triple=triple) for i, triple in enumerate(TRIPLES))
ASKED = {
    "Who directed Last Ferry?": None,
    "When was the director of film Last Ferry (1954 Film) born?": ("5 May 1920", "t0 t1"),
    "What nationality is the director of film The Mill?": ("Brazil", "t3 t5"),
    "Which film has the director born first, Last Ferry or The Mill?": ("The Mill", "t0 t1 t3 t4"),
    "Which film has the director who is younger, Last Ferry or The Mill?": ("Last Ferry", "t0 t1 t3 t4"),
    "Are the directors of both films Last Ferry and The Mill from the same country?": ("no", "t0 t2 t3 t5"),
    "Who is Rui Pinto's paternal grandfather?": ("Abel Pinto", "t6 t7"),
    "Who was born later, Zoë Lima or Rui Pinto?": ("Zoë Lima", "t1 t4"),
}


def world(claims, sentences, questions):
    resolved = resolve(claims, sentences)
    ask = Relational(resolved.names)
    wanted = ask.wanted(questions)
    phi = Compared(Lifetimes(Rules.parse(wanted.rules)), wanted.pairs)
    return resolved, ask, phi.generate(resolved.claims).items


def test_one_composed_item_answers_each_question_and_its_support_is_what_it_rests_on():
    _, ask, items = world(CLAIMS, PAGES, ASKED)
    for question, expected in ASKED.items():
        answer = ask.answer(question, items)
        if expected is None:
            assert answer.status == "unread"
            continue
        assert answer.text == expected[0]
        supports = [support.claims for i in answer.items for support in items[i].supports]
        assert supports == [tuple(expected[1].split())]


def test_without_any_claim_of_its_support_a_question_is_not_answered():
    for question, expected in ASKED.items():
        for missing in expected[1].split() if expected else ():
            left = [claim for claim in CLAIMS if claim.id != missing]
            _, ask, items = world(left, PAGES, ASKED)
            assert ask.answer(question, items).text is None


def test_items_that_disagree_are_ambiguous():
    twice = [Claim("a", triple=("Ana", "place of birth", p)) for p in ("Faro", "Porto")]
    answer = Relational(Names(["Ana"])).answer("Where was Ana born?", twice)
    assert (answer.status, answer.text, answer.items) == ("ambiguous", None, (0, 1))


def test_the_scorer_marks_the_items_that_answer():
    items = [Claim("a", "Rain."), Claim("b", triple=("Ana", "place of birth", "Faro"))]
    score = Relational(Names(["Ana"])).scorer(items)
    assert np.array_equal(score(Query("q", "Where was Ana born?")), [0, 1])
    assert not score(Query("q", "Why?")).any()


def test_a_subject_takes_the_title_of_its_page_and_objects_follow():
    resolved = resolve(CLAIMS, PAGES)
    assert resolved.claims[0].triple == ("Last Ferry (1954 film)", "director", "Zoë Lima")
    assert resolved.claims[1].triple == ("Zoë Lima", "date of birth", "5 May 1920")
    assert resolved.claims[3].triple == ("The Mill", "director", "Rui Pinto (director)")


def test_the_sentence_that_states_a_triple_is_found():
    pages = Pages(PAGES)
    found = [pages.stating(triple) for triple in TRIPLES]
    assert [sentence.id for sentence in found] == ["s0", "s2", "s2", "s3", "s4", "s4", "s5", "s6"]
    assert pages.stating(("Nobody", "father", "Ana")) is None


@pytest.mark.parametrize(
    ("question", "kind", "about", "relation"),
    [
        ("Who lived longer, A or B?", "last", ("A", "B"), "lifetime"),
        ("Was Ana or Rui born first?", "first", ("Ana", "Rui"), "date of birth"),
        ("Are both villages, X, Y and Z, located in the same country?", "same", ("X, Y", "Z"), "country"),
        ("Does Ana have the same nationality as Rui?", "same", ("Ana", "Rui"), "country of citizenship"),
        ("Why did Ana's father die?", "value", ("Ana",), "father's cause of death"),
        ("What is the place of birth of Ana's wife?", "value", ("Ana",), "spouse's place of birth"),
        ("Who is the spouse of the performer of song X?", "value", ("X",), "performer's spouse"),
    ],
)
def test_questions_are_read(question, kind, about, relation):
    first = readings(question)[0]
    assert (first.kind, first.about, first.relation) == (kind, about, relation)


def test_names_that_hold_small_words_are_split_in_every_way():
    assert list(splits("A and B and C", " and ")) == [("A", "B and C"), ("A and B", "C")]
    assert [d.mention for d in described("the father of Ana")] == ["Ana", "the father of Ana"]


def test_2wiki_is_answered_from_its_triples(data):
    (triples,) = load(data / "multihop" / "2wiki_dev.json", claims="triples", union=True)
    (sentences,) = load(data / "multihop" / "2wiki_dev.json", union=True)
    resolved, ask, items = world(triples.claims, sentences.claims, [q.text for q in triples.queries])
    seen = {query.id: ask.answer(query.text, items) for query in triples.queries}
    right = {query.id for query in triples.queries if _right(resolved.names, query, seen[query.id])}
    for kind in ("bridge_comparison", "comparison", "compositional", "inference"):
        asked = [query for query in triples.queries if query.category == kind]
        assert sum(query.id in right for query in asked) >= 0.93 * len(asked)
    answered = [query for query in triples.queries if seen[query.id].text is not None]
    assert len(answered) - len(right) <= 0.01 * len(seen)
    supports = {q.id: [set(s.claims) for i in seen[q.id].items for s in items[i].supports] for q in answered}
    assert sum(set(q.supports[0].claims) in supports[q.id] for q in answered) >= 0.97 * len(answered)
    home = {query.id: [set(s.claims) for s in query.supports] for query in sentences.queries}
    told = [query.id for query in answered if query.id in home]
    stated = {
        name: [{resolved.stating[c].id for c in s if c in resolved.stating} for s in supports[name]]
        for name in told
    }
    assert sum(any(s in home[name] for s in stated[name]) for name in told) >= 0.87 * len(told)


def _right(names, query, answer):
    if answer.text is None:
        return False
    known = names.link(answer.text).name
    return reading(answer.text) == reading(query.answer) or (
        known is not None and known == names.link(query.answer).name
    )
