"""The scripted server plays what it was told, over real sockets, and remembers what it was sent."""

import time

import httpx2
import pytest

from memspan.testing.chat_server import ChatServer, broken, cut, refused, rejecting, said, slow


def ask(server, timeout=20, **body):
    with httpx2.Client(trust_env=False, timeout=timeout) as client:
        return client.post(f"{server.url}/chat/completions", json={"model": "m", "messages": [], **body})


def words(response):
    return response.json()["choices"][0]["message"]["content"]


def test_answers_come_in_the_order_of_the_script_and_end_with_it():
    with ChatServer(["one", said("two", tokens=(5, 2))]) as server:
        first, second, third = (ask(server) for _ in range(3))
    assert (words(first), words(second), third.status_code) == ("one", "two", 410)
    assert second.json()["usage"] == {"prompt_tokens": 5, "completion_tokens": 2}
    assert "no answer left" in third.json()["error"]["message"]


def test_every_request_is_recorded_with_its_headers_and_body():
    with ChatServer(["yes"]) as server:
        ask(server, temperature=0)
    request = server.requests[0]
    assert request.path == "/v1/chat/completions"
    assert request.headers["content-type"] == "application/json"
    assert request.body == {"model": "m", "messages": [], "temperature": 0}
    assert request.format == "text"


def test_a_function_answers_by_what_was_asked():
    with ChatServer(lambda request: request.body["model"]) as server:
        assert words(ask(server)) == "m"


def test_faults_are_played_as_told():
    with ChatServer(
        [refused(429, retry_after="3"), broken(b""), broken(b"x" * 10**6), refused(500)]
    ) as server:
        limited, empty, huge, failed = (ask(server) for _ in range(4))
    assert (limited.status_code, limited.headers["retry-after"]) == (429, "3")
    assert (empty.content, len(huge.content), failed.status_code) == (b"", 10**6, 500)


@pytest.mark.parametrize("sent", [-1, 0, 20])
def test_a_connection_is_cut(sent):
    with ChatServer([cut(sent=sent)]) as server, pytest.raises(httpx2.RemoteProtocolError):
        ask(server)


def test_a_slow_answer_outlasts_the_patience_of_the_client_but_not_the_server():
    start = time.monotonic()
    with ChatServer([slow(600)]) as server, pytest.raises(httpx2.ReadTimeout):
        ask(server, timeout=0.05)
    assert time.monotonic() - start < 60


def test_a_server_can_refuse_forms_of_answer():
    with ChatServer(rejecting("json_schema", then="fine")) as server:
        refusal = ask(server, response_format={"type": "json_schema"})
        assert refusal.status_code == 400
        assert words(ask(server, response_format={"type": "json_object"})) == "fine"
