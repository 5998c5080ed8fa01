"""A scripted chat server on this machine, for tests of what talks to OpenAI-compatible servers.

It plays answers and faults in the order of a list, or as a function of the request decides:

>>> import urllib.request
>>> with ChatServer(["Porto", refused(429, retry_after="1")]) as server:
...     request = urllib.request.Request(f"{server.url}/chat/completions", b'{"model": "m"}')
...     with urllib.request.urlopen(request) as response:
...         said = json.load(response)["choices"][0]["message"]["content"]
>>> said, server.requests[0].body
('Porto', {'model': 'm'})
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

__all__ = [
    "ChatRequest",
    "ChatServer",
    "Scripted",
    "broken",
    "cut",
    "refused",
    "rejecting",
    "said",
    "scripted",
    "slow",
]


@dataclass(frozen=True)
class ChatRequest:
    """What a client sent.

    Attributes:
        path: e.g. ``/v1/chat/completions``.
        headers: names in small letters.
        body: the JSON document; None where it is none.
        method: of HTTP.
    """

    path: str
    headers: Mapping[str, str]
    body: Any
    method: str = "POST"

    @property
    def format(self) -> str:
        """The form of answer asked for: ``json_schema``, ``json_object`` or ``text``."""
        asked = self.body.get("response_format") if isinstance(self.body, dict) else None
        return str(asked["type"]) if asked else "text"

    @property
    def last(self) -> str:
        """The text of the last message."""
        return str(self.body["messages"][-1]["content"])


@dataclass(frozen=True)
class Scripted:
    """One answer of the server, byte by byte; the functions of this module make the usual ones.

    Attributes:
        body: what is sent.
        status: of HTTP.
        headers: besides the length of the body.
        delay: seconds before anything is sent.
        sent: bytes of the body that are sent before the connection is cut; None for all, and -1
            cuts it before the status line.
    """

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    sent: int | None = None


Script = Sequence[str | Scripted] | Callable[[ChatRequest], str | Scripted]


def said(text: str, *, tokens: tuple[int, int] | None = (7, 3), end: str = "stop") -> Scripted:
    """Return a good answer.

    Args:
        text: what the model says.
        tokens: read and written, as the server counts them; None for a server that does not.
        end: why the model stopped: ``stop``, or ``length`` where the answer is cut short.
    """
    message = {"role": "assistant", "content": text}
    document: dict[str, Any] = {"choices": [{"index": 0, "message": message, "finish_reason": end}]}
    if tokens is not None:
        document["usage"] = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return Scripted(json.dumps(document).encode())


def refused(status: int, message: str = "scripted", *, retry_after: str | None = None) -> Scripted:
    """Return a failure in OpenAI's form, e.g. 429 with the header Retry-After, or 500."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return Scripted(json.dumps({"error": {"message": message}}).encode(), status, headers)


def broken(body: bytes = b"", status: int = 200) -> Scripted:
    """Return an answer that is no JSON: an empty body, a page, megabytes of anything."""
    return Scripted(body, status)


def slow(seconds: float, text: str = "late") -> Scripted:
    """Return a good answer that comes after so many seconds; the server stops waiting when it closes."""
    return Scripted(said(text).body, delay=seconds)


def cut(text: str = "half of it", *, sent: int = 20) -> Scripted:
    """Return a good answer whose connection ends after *sent* bytes; -1: before anything is sent."""
    return Scripted(said(text).body, sent=sent)


def rejecting(*formats: str, then: str, status: int = 400) -> Callable[[ChatRequest], str | Scripted]:
    """Return a script: requests for one of *formats* fail with *status*, others are answered with *then*."""

    def answer(request: ChatRequest) -> str | Scripted:
        if request.format in formats:
            return refused(status, f"response_format {request.format} is not supported")
        return then

    return answer


class ChatServer:
    """A server for one ``with`` block, on a free port of 127.0.0.1.

    Args:
        script: answers in order, a text standing for a good answer; when they are used up the
            server says so with status 410. Or a function from a request to its answer.

    Attributes:
        requests: what was sent so far, in order.
    """

    def __init__(self, script: Script) -> None:
        """Keep the script; nothing listens yet."""
        self._answer = scripted(script)
        self._closing = threading.Event()
        self.requests: list[ChatRequest] = []

    def __enter__(self) -> Self:
        """Start to listen."""
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = False  # closing waits for the last answer: no thread outlives a test
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop; answers that were to come late come at once."""
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """As a client takes it, up to and with ``/v1``."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            timeout = 30  # seconds for a request to come whole

            def do_POST(self) -> None:
                content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = ChatRequest(self.path, headers, _document(content), self.command)
                server.requests.append(request)
                answer = server._answer(request)
                server._closing.wait((played := _played(answer)).delay)
                with suppress(ConnectionError):  # the client may have given up
                    _play(self, played)

            def do_GET(self) -> None:
                self.do_POST()

            def do_DELETE(self) -> None:
                self.do_POST()

            def log_message(self, *_: object) -> None:
                """Say nothing: requests are recorded."""

        return Handler


def _play(handler: BaseHTTPRequestHandler, answer: Scripted) -> None:
    if answer.sent == -1:
        return
    handler.send_response(answer.status)
    for name, value in {"Content-Type": "application/json", **answer.headers}.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(answer.body)))
    handler.end_headers()
    handler.wfile.write(answer.body if answer.sent is None else answer.body[: answer.sent])


def scripted(script: Script) -> Callable[[ChatRequest], str | Scripted]:
    """Return *script* as a function from a request to its answer; for scripts made of others."""
    return script if callable(script) else _in_order(script)


def _in_order(script: Sequence[str | Scripted]) -> Callable[[ChatRequest], str | Scripted]:
    left, lock = list(script), threading.Lock()

    def answer(_: ChatRequest) -> str | Scripted:
        with lock:
            return left.pop(0) if left else refused(410, "the script has no answer left")

    return answer


def _played(answer: str | Scripted) -> Scripted:
    return said(answer) if isinstance(answer, str) else answer


def _document(content: bytes) -> Any:
    with suppress(ValueError):
        return json.loads(content)
    return None
