"""A chat model behind an OpenAI-compatible server: hosted, or one's own (llama.cpp, vLLM, Ollama)."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from memspan.errors import ModelError
from memspan.models.exchange import Heard, Patience, persist, send
from memspan.models.forms import fill, instruction, schema_of
from memspan.models.spending import estimate, tokens_of
from memspan.models.wording import Secret, advice, one_line
from memspan.ports import Message, Reply

if TYPE_CHECKING:
    import httpx2
    from pydantic import BaseModel

OPENAI = "https://api.openai.com/v1"
_PATH = "/chat/completions"
_LEVELS = ("json_schema", "json_object", "text")  # from the tightest to what every server knows
_REFUSING = frozenset({400, 422, 500})
_EXACT = {"temperature": 0}
_SHOWN = 4000  # characters of a bad answer that are sent back with it
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True)
class _Said:
    text: str
    tokens_in: int
    tokens_out: int
    end: str  # why the model stopped, in the server's word


class OpenAIChat:
    """A client for ``/v1/chat/completions``; implements `memspan.ports.ChatModel`.

    A form is asked for as ``json_schema``; a server that refuses it (400, 422, or 500 twice) is asked
    for ``json_object``, then for plain text in which the document is found; what worked is kept for
    that form. An answer that does not fit is sent back with what is wrong, `Patience.repairs` times.
    May be used by several threads. Close it, or use it in a ``with`` block.

    Args:
        model: as the server names it.
        url: up to and with ``/v1``.
        key: the API key. By default the environment variable MEMSPAN_API_KEY, and for OpenAI's own
            server OPENAI_API_KEY; a server that asks for none gets none.
        options: further fields of the request, e.g. ``{"max_tokens": 800}``; by default
            ``{"temperature": 0}``, which some models refuse: give ``{}``.
        patience: how long to wait and how often to try again.

    Raises:
        ModelError: the URL or the key cannot be used.

    >>> OpenAIChat("small", "http://localhost:8080/v1", key="sk-secret").name
    'small@localhost:8080'
    """

    def __init__(
        self,
        model: str,
        url: str = OPENAI,
        *,
        key: str | None = None,
        options: Mapping[str, Any] | None = None,
        patience: Patience | None = None,
    ) -> None:
        """Keep the settings; nothing is sent yet."""
        parts = _parts(url)
        self._model, self._host = model, parts.netloc
        self._local = parts.hostname in _HERE
        self._url = url.rstrip("/").removesuffix(_PATH) + _PATH
        self._options = dict(_EXACT if options is None else options)
        self._patience = patience or Patience()
        self._secret = Secret(_key(key, self._url))
        self._lock = threading.Lock()
        self._client: httpx2.Client | None = None
        self._worked: dict[type[BaseModel], int] = {}

    @property
    def name(self) -> str:
        """Model, server, and the options where they are not the default: all that changes answers."""
        options = json.dumps(self._options, sort_keys=True, default=str)
        return f"{self._model}@{self._host}" + ("" if self._options == _EXACT else f" {options}")

    def __repr__(self) -> str:
        """Return the name; never the key."""
        return f"OpenAIChat({self.name!r})"

    def __enter__(self) -> Self:
        """Return this model."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connections."""
        self.close()

    def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def reply(self, messages: Sequence[Message], form: type[BaseModel] | None = None) -> Reply:
        """Answer *messages*, in the *form* where one is given.

        Raises:
            ModelError: no answer that can be used; says what the server said and what to do.
        """
        if form is None:
            return self._plain(messages)
        return self._filled(messages, form)

    def _plain(self, messages: Sequence[Message]) -> Reply:
        said = self._complete(messages, None, spelled=False)
        if said.text.strip():
            return Reply(said.text, None, said.tokens_in, said.tokens_out)
        raise ModelError(
            f"{self.name} answered with no text ({said.end or 'no reason given'}); ask otherwise, allow"
            " longer answers (max_tokens), or take another model",
            tokens_in=said.tokens_in,
            tokens_out=said.tokens_out,
        )

    def _filled(self, messages: Sequence[Message], form: type[BaseModel]) -> Reply:
        asked, tokens_in, tokens_out, problem = list(messages), 0, 0, ""
        for _ in range(self._patience.repairs + 1):
            try:
                said = self._complete(asked, form, spelled=bool(problem))
            except ModelError as error:
                raise ModelError(str(error), tokens_in=tokens_in, tokens_out=tokens_out) from None
            tokens_in, tokens_out = tokens_in + said.tokens_in, tokens_out + said.tokens_out
            filled = fill(said.text, form)
            if filled.value is not None:
                return Reply(filled.text, filled.value, tokens_in, tokens_out)
            problem = filled.problem + ("; it was cut short" if said.end == "length" else "")
            asked = [*messages, *_repair(said.text, problem)]
        raise ModelError(
            f"{self.name} gave no answer in the form {form.__name__} in {self._patience.repairs + 1} tries;"
            f" the last one: {one_line(problem)}. Allow longer answers (max_tokens), or take a model"
            " that follows forms",
            tokens_in=tokens_in,
            tokens_out=tokens_out,
        )

    def _complete(self, messages: Sequence[Message], form: type[BaseModel] | None, *, spelled: bool) -> _Said:
        """Ask at the tightest level that the server takes; *spelled*: with the form in words as well."""
        first = len(_LEVELS) - 1 if form is None else self._worked.get(form, 0)
        for level in range(first, len(_LEVELS)):
            last = level == len(_LEVELS) - 1
            sure = last or (form is not None and form in self._worked)
            body = self._body(messages, form, _LEVELS[level], spelled=spelled)
            heard = self._heard(body, most_500=self._patience.tries if sure else 2)
            refused = heard.status in _REFUSING and not (sure and heard.status == 500)
            if last or not refused:
                break
        said = self._read(heard, messages, form)
        if form is not None and heard.tries == 1:
            self._worked.setdefault(form, level)
        return said

    def _body(
        self, messages: Sequence[Message], form: type[BaseModel] | None, level: str, *, spelled: bool
    ) -> dict[str, Any]:
        told = [{"role": message.role, "content": message.content} for message in messages]
        body = {"model": self._model, "messages": told, **self._options}
        if form is None:
            return body
        if spelled or level != "json_schema":
            _add(told, instruction(form))
        if level == "json_schema":
            named = {"name": form.__name__, "schema": schema_of(form), "strict": True}
            return body | {"response_format": {"type": level, "json_schema": named}}
        return body | ({"response_format": {"type": level}} if level == "json_object" else {})

    def _heard(self, body: Mapping[str, Any], most_500: int) -> Heard:
        client = self._connected()
        return persist(lambda: send(client, self._url, body, self._patience), self._patience, most_500)

    def _connected(self) -> httpx2.Client:
        import httpx2

        with self._lock:
            if self._client is None:
                self._client = httpx2.Client(
                    headers={"Content-Type": "application/json", **self._secret.headers()},
                    timeout=self._patience.timeout,
                    trust_env=not self._local,  # a proxy does not reach this machine's own servers
                )
            return self._client

    def _read(self, heard: Heard, messages: Sequence[Message], form: type[BaseModel] | None) -> _Said:
        """Return the text of the first choice, and what was paid: counted by the server, else estimated."""
        if not heard.fine:
            said = one_line(self._secret.hidden(heard.said))
            raise ModelError(f"{self.name}: {advice(heard.status, said, heard.tries, heard.wait)}")
        choice = _part(heard.document["choices"][0])
        text, usage = _text(choice), _part(heard.document.get("usage"))
        return _Said(
            text,
            _count(usage.get("prompt_tokens"), estimate(messages, form)),
            _count(usage.get("completion_tokens"), tokens_of(text)),
            one_line(str(choice.get("finish_reason") or "")),
        )


def _parts(url: str) -> Any:
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises where it is no number
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and not parts.query
        usable = usable and "@" not in parts.netloc  # a password there would be logged with the URL
    except ValueError:
        usable = False
    if not usable:
        raise ModelError(
            "the URL of the model server is not usable; give one like http://localhost:8080/v1, without"
            " name, password or query; the API key is an argument of its own"
        )
    return parts


def _key(given: str | None, url: str) -> str:
    if given is not None:
        return given
    own = os.environ.get("MEMSPAN_API_KEY", "")
    # The key for OpenAI is nobody else's business.
    return own or (os.environ.get("OPENAI_API_KEY", "") if url.startswith(f"{OPENAI}/") else "")


def _add(told: list[dict[str, str]], text: str) -> None:
    """Add *text* to the last message: some servers take no two messages of one role in a row."""
    if told and told[-1]["role"] == "user":
        told[-1]["content"] += f"\n\n{text}"
    else:
        told.append({"role": "user", "content": text})


def _repair(text: str, problem: str) -> tuple[Message, Message]:
    return (
        Message("assistant", text[:_SHOWN] or "(nothing)"),
        Message("user", f"That answer cannot be used: {problem}."),
    )


def _part(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(choice: Mapping[str, Any]) -> str:
    content = _part(choice.get("message")).get("content")
    if isinstance(content, list):  # some servers answer in parts
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    text = content if isinstance(content, str) else ""
    return text.encode("utf-8", "replace").decode()


_MOST_TOKENS = 10**9  # in one answer; what says more is no count


def _count(told: object, own: int) -> int:
    return told if isinstance(told, int) and 0 <= told < _MOST_TOKENS else own
