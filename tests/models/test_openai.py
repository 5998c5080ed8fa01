"""The client over real sockets: it gets an answer in the form, or says what to do; it never tells the key."""

import json
import logging
import traceback
from contextlib import suppress
from dataclasses import replace

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from memspan.errors import ModelError
from memspan.models import OpenAIChat, Patience
from memspan.models.exchange import _asked_wait
from memspan.ports import Message
from memspan.testing.chat_server import ChatServer, broken, cut, refused, rejecting, said, slow

ASK = [Message("system", "Be short."), Message("user", "Where does Ana live?")]
KEY = "sk-very-secret-0123456789"


class City(BaseModel):
    """A form."""

    name: str
    size: int = 0


GOOD = '{"name": "Porto", "size": 3}'


class Clockwork:
    """A patience whose waits are only written down."""

    def __init__(self, **settings):
        """Wait the whole of each wait, unless told otherwise."""
        self.waits = []
        self.patience = replace(Patience(sleep=self.waits.append, random=lambda: 0.0), **settings)


def chat(server, clockwork=None, **settings):
    return OpenAIChat("small", server.url, patience=(clockwork or Clockwork()).patience, **settings)


def test_an_answer_comes_with_what_was_paid():
    with ChatServer([said("In Porto.", tokens=(21, 4))]) as server, chat(server) as model:
        reply = model.reply(ASK)
    assert (reply.text, reply.value, reply.tokens_in, reply.tokens_out) == ("In Porto.", None, 21, 4)
    sent = server.requests[0].body
    assert sent["messages"][1] == {"role": "user", "content": "Where does Ana live?"}
    assert (sent["model"], sent["temperature"]) == ("small", 0)


def test_a_server_that_counts_no_tokens_is_counted_for():
    with ChatServer([said("In Porto.", tokens=None)]) as server, chat(server) as model:
        reply = model.reply(ASK)
    assert reply.tokens_in > 0 < reply.tokens_out


def test_a_form_is_asked_for_as_a_strict_schema():
    with ChatServer([GOOD]) as server, chat(server) as model:
        assert model.reply(ASK, City).value == City(name="Porto", size=3)
    schema = server.requests[0].body["response_format"]["json_schema"]
    assert (schema["name"], schema["strict"]) == ("City", True)
    assert schema["schema"]["required"] == ["name", "size"]
    assert schema["schema"]["additionalProperties"] is False


@pytest.mark.parametrize("status", [400, 422, 500])
@pytest.mark.parametrize("refusing", [("json_schema",), ("json_schema", "json_object")])
def test_a_server_that_refuses_a_form_of_answer_is_asked_in_the_next_one_and_the_last_is_remembered(
    status, refusing
):
    script = rejecting(*refusing, then=f"Sure: ```json\n{GOOD}\n```", status=status)
    with ChatServer(script) as server, chat(server) as model:
        assert model.reply(ASK, City).value.name == "Porto"
        before = len(server.requests)
        assert model.reply(ASK, City).value.name == "Porto"
    assert len(server.requests) == before + 1
    assert "JSON Schema" in server.requests[-1].last


def test_a_passing_failure_of_a_server_that_knows_the_form_does_not_loosen_it():
    with ChatServer([GOOD, refused(500), refused(500), refused(500), GOOD]) as server, chat(server) as model:
        model.reply(ASK, City)
        model.reply(ASK, City)
    assert [request.format for request in server.requests] == ["json_schema"] * 5


@pytest.mark.parametrize("bad", ['{"town": "Porto"}', "Porto, I think", '{"name": "Por', ""])
def test_a_bad_answer_is_sent_back_with_what_is_wrong(bad):
    with ChatServer([said(bad, tokens=(5, 2)), said(GOOD, tokens=(9, 4))]) as server, chat(server) as model:
        reply = model.reply(ASK, City)
    assert reply.value.name == "Porto"
    assert (reply.tokens_in, reply.tokens_out) == (14, 6)
    repair = server.requests[1].body["messages"]
    assert [message["role"] for message in repair] == ["system", "user", "assistant", "user"]
    assert "cannot be used" in repair[-1]["content"]


def test_repairs_are_bounded_and_what_they_cost_is_told():
    with (
        ChatServer(lambda _: said('{"town": 1}', tokens=(5, 2))) as server,
        chat(server, Clockwork(repairs=2)) as model,
        pytest.raises(ModelError, match=r"form City in 3 tries.*name: Field required.*max_tokens") as failed,
    ):
        model.reply(ASK, City)
    assert len(server.requests) == 3
    assert (failed.value.tokens_in, failed.value.tokens_out) == (15, 6)


@pytest.mark.parametrize("asked", ["7", "7.0", "Mon, 30 Nov 2026 09:00:07 GMT"])
def test_a_rate_limit_is_waited_for_as_long_as_the_server_asks(asked):
    clockwork = Clockwork(clock=lambda: 1796029200.0, first_wait=1.0)  # 30 November 2026, 09:00 GMT
    with ChatServer([refused(429, retry_after=asked), "late"]) as server, chat(server, clockwork) as model:
        assert model.reply(ASK).text == "late"
    assert clockwork.waits == [8.0]  # the seventh second is when everybody comes back


def test_a_server_that_asks_for_too_long_a_wait_is_given_up_at_once():
    clockwork = Clockwork()
    with (
        ChatServer([refused(429, retry_after="3600")]) as server,
        chat(server, clockwork) as model,
        pytest.raises(ModelError, match="try again in 3600 s, finished work is kept"),
    ):
        model.reply(ASK)
    assert (len(server.requests), clockwork.waits) == (1, [])


@pytest.mark.parametrize("nonsense", ["soon", "-5", "nan", ""])
def test_a_wait_that_makes_no_sense_is_none(nonsense):
    assert _asked_wait({"retry-after": nonsense}, 0.0) is None


PASSING = [
    refused(500),
    refused(503),
    refused(429),
    cut(sent=-1),
    cut(sent=20),
    broken(b""),
    broken(b"<html>busy</html>"),
    broken(b'{"error": {"message": "upstream"}}'),
    broken(b'{"choices": []}'),
]


@pytest.mark.parametrize("fault", PASSING)
def test_a_passing_fault_is_outlasted_with_growing_waits(fault):
    clockwork = Clockwork(tries=4, first_wait=1.0, longest_wait=3.0)
    with ChatServer([fault, fault, fault, "fine"]) as server, chat(server, clockwork) as model:
        assert model.reply(ASK).text == "fine"
    assert clockwork.waits == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("fault", PASSING)
def test_a_lasting_fault_ends_after_the_tries_allowed_and_says_what_to_do(fault):
    with ChatServer(lambda _: fault) as server, chat(server, Clockwork(tries=3)) as model:
        with pytest.raises(ModelError, match=r"small@127\.0\.0\.1:\d+: .* after 3 tries.*; .*"):
            model.reply(ASK)
        assert len(server.requests) == 3


def test_a_slow_server_is_asked_again():
    with ChatServer([slow(600), "fine"]) as server, chat(server, Clockwork(timeout=0.2)) as model:
        assert model.reply(ASK).text == "fine"


def test_a_random_share_of_up_to_one_half_is_left_off_a_wait():
    clockwork = Clockwork(random=lambda: 0.5)
    with ChatServer([refused(503), "fine"]) as server, chat(server, clockwork) as model:
        model.reply(ASK)
    assert clockwork.waits == [0.75]


@pytest.mark.parametrize(
    ("fault", "cure"),
    [
        (refused(401, "wrong key"), "check the API key"),
        (refused(404, "no such model"), "name of the model, and that the URL ends in /v1"),
        (refused(413, "too long"), "shorten it"),
        (refused(429, "You exceeded your quota (insufficient_quota)"), "no credit left"),
        (refused(302, "moved"), "give the final URL"),
    ],
)
def test_a_fault_that_no_try_mends_is_told_at_once(fault, cure):
    with ChatServer([fault]) as server, chat(server) as model, pytest.raises(ModelError, match=cure):
        model.reply(ASK)
    assert len(server.requests) == 1


def test_a_huge_answer_is_not_read_to_its_end(monkeypatch):
    monkeypatch.setattr("memspan.models.exchange._LONGEST_ANSWER", 2**20)
    with (
        ChatServer([broken(b"x" * 2**22)]) as server,
        chat(server) as model,
        pytest.raises(ModelError, match="more than 1 MiB"),
    ):
        model.reply(ASK)


def test_a_server_that_is_not_there_is_told_so():
    with ChatServer([]) as server:
        gone = server.url
    with (
        OpenAIChat("small", gone, patience=Clockwork(tries=2).patience) as model,
        pytest.raises(ModelError, match=r"no answer after 2 tries: ConnectError.*is the server running"),
    ):
        model.reply(ASK)


@pytest.mark.parametrize("text", ["null \x00 byte", "emoji 🦭", "\ud800 alone", "سلام", "line\r\nend"])
def test_any_text_can_be_sent_and_received(text):
    with ChatServer(lambda request: said(request.last)) as server, chat(server) as model:
        back = model.reply([Message("user", text)]).text
    assert back == text.replace("\ud800", "?")


def test_the_answer_may_come_in_parts_and_after_thoughts():
    parts = [{"type": "text", "text": '<think>{"name": "Lisbon"}</think>'}, {"type": "text", "text": GOOD}]
    body = json.dumps({"choices": [{"message": {"content": parts}}]}).encode()
    with ChatServer([broken(body)]) as server, chat(server) as model:
        assert model.reply(ASK, City).value.name == "Porto"


def test_an_answer_without_text_names_its_reason():
    with (
        ChatServer([said("", end="length")]) as server,
        chat(server) as model,
        pytest.raises(ModelError, match=r"no text \(length\).*max_tokens"),
    ):
        model.reply(ASK)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "message", "content", "usage", "prompt_tokens", "error", "code", "text"]
            ),
            inner,
        )
    ),
    max_leaves=8,
)


@given(json_values, st.sampled_from([200, 400, 429, 500]))
def test_whatever_a_server_says_is_an_answer_or_a_clear_error(document, status):
    def said(_):
        return httpx2.Response(status, json=document)

    model = OpenAIChat("small", "http://x/v1", patience=Clockwork(tries=2, repairs=1).patience)
    model._client = httpx2.Client(transport=httpx2.MockTransport(said), verify=False)
    for form in (None, City):
        with suppress(ModelError):
            assert model.reply(ASK, form).text
    model.close()


# --- the key ------------------------------------------------------------------------------------


def test_the_key_is_sent_and_shown_nowhere(caplog):
    caplog.set_level(logging.DEBUG)
    echo = refused(401, f"Incorrect API key provided: {KEY}")
    with ChatServer([echo]) as server, chat(server, key=f" {KEY}\n") as model:
        with pytest.raises(ModelError) as failed:
            model.reply(ASK)
        shown = (
            "".join(traceback.format_exception(failed.value)) + repr(model) + model.name + repr(vars(model))
        )
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert "[key]" in str(failed.value)
    assert KEY not in shown + caplog.text


def test_a_key_that_no_header_can_carry_is_refused_without_being_shown():
    key = f"{KEY}\nX: 1"
    with pytest.raises(ModelError, match="copy it again") as failed:
        OpenAIChat("small", "http://127.0.0.1:1/v1", key=key)
    assert KEY not in "".join(traceback.format_exception(failed.value))


def test_the_key_for_openai_goes_to_openai_alone(monkeypatch):
    monkeypatch.delenv("MEMSPAN_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert OpenAIChat("small")._secret.headers() == {"Authorization": f"Bearer {KEY}"}
    assert OpenAIChat("small", "https://api.openai.com.evil.example/v1")._secret.headers() == {}
    monkeypatch.setenv("MEMSPAN_API_KEY", "sk-own-key")
    assert OpenAIChat("small", "http://box:1/v1")._secret.headers() == {"Authorization": "Bearer sk-own-key"}


@pytest.mark.parametrize(
    "url", ["", "localhost:80", "ftp://x/v1", "http://", "http://x:y/v1", "http://[::1", "http://a:b@x/v1"]
)
def test_a_url_that_cannot_be_used_is_refused(url):
    with pytest.raises(ModelError, match="like http://localhost:8080/v1"):
        OpenAIChat("small", url)


def test_options_that_change_answers_are_part_of_the_name():
    model = OpenAIChat("small", "http://box/v1", options={"temperature": 1})
    assert model.name == 'small@box {"temperature": 1}'
