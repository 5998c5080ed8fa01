"""A plain function is a chat model, held to the form like any other."""

import pytest
from pydantic import BaseModel

from memspan.errors import ModelError
from memspan.models import function_chat
from memspan.ports import Message, Reply

ASK = [Message("user", "Where?")]


class City(BaseModel):
    """A form."""

    name: str


@pytest.mark.parametrize("answer", ['{"name": "Porto"}', 'It is {"name": "Porto"}.', City(name="Porto")])
def test_the_answer_may_be_a_document_text_with_one_or_the_form_itself(answer):
    reply = function_chat("f", lambda *_: answer).reply(ASK, City)
    assert (reply.value, reply.text.replace(" ", "")) == (City(name="Porto"), '{"name":"Porto"}')


def test_without_a_form_the_text_is_the_answer():
    model = function_chat("echo", lambda messages, form: f"{messages[0].content} {form}")
    assert model.reply(ASK) == Reply("Where? None")
    assert model.name == "echo"


def test_an_answer_that_does_not_fit_is_an_error_that_says_why():
    with pytest.raises(ModelError, match="f gave an answer that does not fit the form City: name: F"):
        function_chat("f", lambda *_: "{}").reply(ASK, City)


def test_what_the_function_raises_passes_through():
    with pytest.raises(ZeroDivisionError):
        function_chat("f", lambda *_: str(1 / 0)).reply(ASK)
