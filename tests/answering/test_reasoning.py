import pytest

from memspan.answering.reasoning import ChatReasoner, ExtractiveReasoner, FunctionReasoner
from memspan.errors import ModelError
from memspan.material import Note, Query
from memspan.models import function_chat

NOTES = (
    Note("a", "Rui cooks fish. Ana moved to Porto in May.", time="2023-05-08"),
    Note("b", "The bridge was painted green."),
)
ASKED = Query("q", "Where did Ana move?", answer="Porto")


def _chat(text):
    return ChatReasoner(function_chat("scripted", lambda *_: text))


def test_a_model_answers_or_refuses():
    assert _chat('{"known": true, "answer": " Porto "}').reason(ASKED, NOTES) == "Porto"
    assert _chat('{"known": false, "answer": "Lisbon"}').reason(ASKED, NOTES) == ""


def test_without_notes_nobody_is_asked():
    def never(*_):
        raise AssertionError

    assert ChatReasoner(function_chat("never", never)).reason(ASKED, ()) == ""
    assert ExtractiveReasoner().reason(ASKED, ()) == ""
    assert ExtractiveReasoner().reason(ASKED, [Note("n", " ")]) == ""


def test_a_model_sees_question_and_notes_only():
    reasoner = _chat("")
    _, user = reasoner.question(Query("q", "Where?", answer="the secret"), NOTES)
    assert "secret" not in user.content
    assert len(user.content.splitlines()) == 1 + len(NOTES)


def test_a_model_that_fills_no_form_is_refused():
    with pytest.raises(ModelError):
        _chat("Porto").reason(ASKED, NOTES)


def test_a_function_is_a_reasoner():
    last = FunctionReasoner("last", lambda _question, notes: notes[-1])
    assert last.reason(ASKED, NOTES) == NOTES[-1].text


def test_the_offline_reasoner_says_a_sentence_that_was_read():
    said = ExtractiveReasoner(least=0.0).reason(ASKED, NOTES)
    assert said == "Ana moved to Porto in May."


def test_the_offline_reasoner_never_sees_the_right_answer():
    told = ExtractiveReasoner(least=0.0)
    other = Query("q", ASKED.text, answer="green")
    assert told.reason(ASKED, NOTES) == told.reason(other, NOTES)


def test_the_offline_reasoner_refuses_below_its_threshold():
    assert ExtractiveReasoner(least=1.0).reason(ASKED, NOTES) == ""
    with pytest.raises(ValueError, match="least is 2"):
        ExtractiveReasoner(least=2)
