"""Questions made for a material that has none: by templates, and by a model."""

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.errors import MaterialError, ModelError, SpendingError
from memspan.extraction.model_questions import AT_ONCE, WINDOW, Asked, AskedForm, model_questions
from memspan.extraction.naming import names_in, sentences
from memspan.extraction.questions import PER_CLAIM, template_questions
from memspan.language.words import stems, words
from memspan.material import Claim, Material, Query
from memspan.ports import Reply

INTRODUCED = (
    "Soon Ana met Tom in Porto.",
    "Later Ana met Tom in Lisbon.",
    "So Ana met Tom.",
    "Then Tom met Ana.",
)


def material(*texts, speaker=None):
    claims = [Claim(f"c{i}", text, speaker=speaker) for i, text in enumerate((*texts, *INTRODUCED))]
    return Material("m", tuple(claims))


def asked(text, **about):
    made = template_questions(material(text, **about))
    return [(q.text, q.answer) for q in made.queries if q.supports[0].claims == ("c0",)]


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("Ana painted the old kitchen.", "Who painted the old kitchen?", "Ana"),
        ("In May it rained, but Tom carried the ladder home.", "Who carried the ladder home?", "Tom"),
        ("Tom, who sold the red ladder, was tired.", "Who sold the red ladder?", "Tom"),
        ("Ana left the town on 15 May 2026.", "When did Ana leave the town?", "on 15 May 2026"),
        ("Ana paints the kitchen on Monday.", "When does Ana paint the kitchen?", "on Monday"),
        ("Ana kept the ladder for two weeks.", "How long did Ana keep the ladder?", "two weeks"),
        ("Ana bought the kitchen table in Porto.", "Where did Ana buy the kitchen table?", "Porto"),
        ("Ana has six daughters.", "How many daughters does Ana have?", "six"),
        (
            "Two brown dogs were sleeping near the door.",
            "How many brown dogs were sleeping near the door?",
            "two",
        ),
        ("Ana gave the silver key to Tom.", "To whom did Ana give the silver key?", "Tom"),
        (
            "Ana sold the ladder because the kitchen was done.",
            "Why did Ana sell the ladder?",
            "the kitchen was done",
        ),
        ("Ana put a lamp on the table.", "What did Ana put on the table?", "a lamp"),
        ("Tom, the brother of Ana, slept.", "Who is Tom?", "the brother of Ana"),
        (
            "The waves had raised a high beach of shingle.",
            "What had raised a high beach of shingle?",
            "the waves",
        ),
    ],
)
def test_a_rule_replaces_what_it_asks_for(text, question, answer):
    assert (question, answer) in asked(text)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("I live in the old town of Porto.", "Who lives in the old town of Porto?"),
        ("Sounds lovely, and we all like the cable car.", "What did Mira say about the cable car?"),
        ("Is there a cable car?", "What did Mira ask about the cable car?"),
    ],
)
def test_a_turn_is_asked_by_the_name_of_its_speaker(text, question):
    assert question in [made for made, _ in asked(text, speaker="Mira")]


@pytest.mark.parametrize(
    "text",
    [
        "She told him about it.",
        "Did Ana paint the old kitchen?",
        "Ana went.",
        "He said so, and that was that.",
        "",
        "42",
        "...",
        "ANA!!!",
    ],
)
def test_what_a_reader_could_not_understand_alone_is_not_asked(text):
    assert asked(text) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Ana went to the old kitchen yesterday.", "yesterday"),
        ("It rained, and Ana sold the ladder and it's gone.", "it's"),
        ("Ana put courage into her heart.", "her"),
        ("Ana sold the red ladder to her.", "her"),
    ],
)
def test_no_question_holds_a_word_that_points_outside(text, word):
    assert [made for made, _ in asked(text) if word in re.split(r"[ ?]", made)] == []


NOUNS = st.sampled_from(
    ("the ladder", "Ana", "Tom", "a red lamp", "Porto", "it", "her", "two dogs", "the girl of Tom")
)
VERBS = st.sampled_from(
    ("sold", "is", "paints", "went to", "had seen", "was", "and", "because", "who", ", but", "in")
)
SENTENCES = st.lists(st.one_of(NOUNS, VERBS), min_size=1, max_size=12).map(
    lambda words: " ".join(words) + "."
)


@given(st.lists(st.one_of(SENTENCES, st.text(max_size=60)), max_size=12), st.integers(1, 9))
def test_laws_of_template_questions(texts, most):
    given_one = material(*texts)
    made = template_questions(given_one, most)
    assert len(made.queries) <= most
    assert made == template_questions(given_one, most)
    assert made.claims == given_one.claims
    assert made.support_source == "generated"
    assert made.question_source == "template"
    assert len({" ".join(words(q.text)) for q in made.queries}) == len(made.queries)
    for query in made.queries:
        assert (query.weight, query.category) == (1, "template")
        assert query.text.endswith("?")
        assert query.text[0].isupper()
        for support in query.supports:
            claim = made.claim(support.claims[0])
            assert query.extra["rule"] == "about" or set(stems(query.answer)) <= set(stems(claim.text))


def test_at_most_two_questions_come_from_a_claim_and_the_rest_is_spread():
    texts = [f"Ana sold the lamp number{chr(97 + i)} in Porto on 15 May." for i in range(20)]
    made = template_questions(material(*texts), 8)
    places = sorted(int(q.supports[0].claims[0][1:]) for q in made.queries)
    assert len(places) == 8
    assert (places[0] < 8, places[-1] > 12) == (True, True)
    full = template_questions(material(*texts))
    assert max(sum(q.supports[0].claims == (c.id,) for q in full.queries) for c in full.claims) <= PER_CLAIM


def test_the_same_question_from_two_claims_has_two_supports_and_one_with_two_answers_is_left_out():
    twice = template_questions(material("Ana painted the old kitchen.", "Soon Ana painted the old kitchen."))
    assert [len(q.supports) for q in twice.queries if "old kitchen" in q.text] == [2]
    torn = template_questions(material("Ana painted the old kitchen.", "Tom painted the old kitchen."))
    assert [q for q in torn.queries if "old kitchen" in q.text] == []


def test_a_material_with_queries_is_refused_and_an_empty_one_says_why_it_stays_so():
    with pytest.raises(MaterialError, match="drop its own first"):
        template_questions(Material("m", queries=(Query("q"),)))
    with pytest.raises(MaterialError, match="at least 1"):
        template_questions(Material("m"), 0)
    empty = template_questions(Material("m"))
    assert empty.queries == ()
    assert "no claim gave a question" in empty.dropped[0].reason


def test_names_are_told_by_capitals_inside_sentences():
    found = names_in(
        [
            Claim("c", "Hush, said Ana. Slowly Ana went to Porto. The end. On Monday I came."),
            Claim("d", "hush"),
        ]
    )
    assert found.words == {"Ana", "Porto"}
    assert names_in([Claim("c", "Hi.", speaker="Mira Holt")]).people == {"Mira", "Holt"}


# --- on real text -------------------------------------------------------------------------------


def whole(data):
    text = (data / "odyssey" / "odyssey_butler_books01-17.txt").read_text()
    parts = [" ".join(s.split()) for book in re.split(r"\nBOOK [IVXL]+\n", text)[:6] for s in sentences(book)]
    return Material("odyssey", tuple(Claim(f"s{i}", part) for i, part in enumerate(parts)))


def test_a_book_gives_questions_from_beginning_to_end(data):
    given_one = whole(data)
    made = template_questions(given_one)
    assert len(made.queries) == 300
    position = [made.claim_position[q.supports[0].claims[0]] for q in made.queries]
    assert position == sorted(position)
    tenth = len(given_one.claims) / 10
    assert len({int(p / tenth) for p in position}) == 10
    assert not re.search(r"\b(him|them|this|these|I|you|me)\b", " ".join(q.text for q in made.queries))


def test_a_chat_gives_questions_with_the_names_of_who_said_it(fixtures):
    messages = json.loads((fixtures / "chat_export.json").read_text())["messages"]
    claims = [
        Claim(f"m{i}", message["content"], speaker=message.get("name", "assistant"))
        for i, message in enumerate(messages, start=1)
    ]
    texts = {q.text: q.answer for q in template_questions(Material("chat", tuple(claims))).queries}
    assert texts["When did Jonas break his ankle?"] == "in February"
    assert texts["Who lives in the Josefstadt?"] == "Mira"
    assert "What did Mira say about the train tickets?" in texts
    assert any(text.startswith("What did the assistant say about") for text in texts)


# --- with a model -------------------------------------------------------------------------------


class Scripted:
    """A model that answers from a list; an error in it is raised."""

    name = "scripted"

    def __init__(self, *replies):  # noqa: D107 - said above
        self.replies = list(replies)
        self.seen = []

    def reply(self, messages, form=None):  # noqa: D102 - as the protocol says
        self.seen.append((messages[-1].content, form))
        answer = self.replies.pop(0) if self.replies else []
        if isinstance(answer, Exception):
            raise answer
        return Reply("", None if answer is None else AskedForm(questions=answer))


def one(question="Where did Ana meet Tom?", answer="in Porto", claims=("c0",)):
    return Asked(question=question, answer=answer, claims=list(claims))


def test_a_model_question_is_kept_with_the_claims_it_cites():
    model = Scripted([one(), one("Where did they meet later?", "Lisbon", ("[c1]", "c0", "c1"))])
    made = model_questions(material(), model)
    assert [(q.id, q.text, q.answer, q.supports[0].claims) for q in made.queries] == [
        ("m1", "Where did Ana meet Tom?", "in Porto", ("c0",)),
        ("m2", "Where did they meet later?", "Lisbon", ("c1", "c0")),
    ]
    assert {(q.category, q.weight) for q in made.queries} == {("model", 1)}
    assert (made.support_source, made.question_source) == ("generated", "model")
    assert "[c0] Soon Ana met Tom in Porto." in model.seen[0][0]
    assert model.seen[0][1] is AskedForm


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (one(claims=()), "cites no claim"),
        (one(claims=("c99",)), "cites 'c99', which was not shown"),
        (one(answer="in Madrid"), "the answer says 'madrid'"),
        (one(question="?!"), "has no words"),
        (one(answer=""), "has no words"),
        (one(question="where did ANA meet Tom"), "was asked before"),
    ],
)
def test_a_model_question_that_cannot_be_verified_is_rejected_and_told(wrong, said):
    made = model_questions(material(), Scripted([one(), wrong]))
    assert len(made.queries) == 1
    assert said in made.dropped[-1].reason
    assert "rejected" in made.dropped[-1].reason


def test_failures_of_the_model_never_lose_finished_work():
    many = material(*[f"Ana met Tom in town{i}." for i in range(5 * WINDOW)])
    later = one(claims=(f"c{WINDOW}",), answer=f"town{WINDOW}", question="Where?")
    made = model_questions(
        many, Scripted([one(answer="town0")], ModelError("slow"), [later], SpendingError("cap"))
    )
    assert len(made.queries) == 1
    assert [
        ("slow" in d.reason, "cap" in d.reason) for d in made.dropped if d.record.startswith("claims")
    ] == [
        (True, False),
        (False, True),
    ]
    with pytest.raises(ModelError, match="slow"):
        model_questions(material(), Scripted(ModelError("slow")))
    with pytest.raises(ModelError, match="did not fill in the form"):
        model_questions(material(), Scripted(None))


def test_the_model_is_asked_no_more_than_needed():
    many = material(*[f"Ana met Tom in town{i}." for i in range(10 * WINDOW)])
    model = Scripted()
    model_questions(many, model, 2 * AT_ONCE)
    assert len(model.seen) == 2
    shown = [re.findall(r"\[c(\d+)\]", content) for content, _ in model.seen]
    assert int(shown[1][0]) > 4 * WINDOW
    assert (
        len(model_questions(many, Scripted([one(answer="town0")] * 3, [one(answer="town0")]), 1).queries) == 1
    )
    with pytest.raises(MaterialError):
        model_questions(replace(many, queries=(Query("q"),)), model)
