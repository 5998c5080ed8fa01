"""A black box behind MCP as a memory system."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import urlsplit

from memspan.errors import ContractError
from memspan.material import Claim, Note, Query
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.mcp_session import McpSession, Server
from memspan.systems.remote_form import Fields, first_at
from memspan.systems.remote_notes import Ledger

READ = 10
"""Notes that are asked of a server for a question."""
TIMEOUT = 60.0
"""Seconds that a server may take to start, and for each call."""

# Words of tool names and names of arguments, the surest first; the MCP adapter of benchd-harness 0.2.0 looks
# for the same ones, so that tools written for it are found here.
_INGEST = ("ingest", "add", "store", "remember", "save", "write", "put", "insert")
_QUERY = ("query", "search", "recall", "retrieve", "find", "ask")
_HELD = ("held", "list", "all", "dump")
_RESET = ("reset", "clear", "wipe")
_TEXT = ("content", "text", "data", "input", "memory", "fact", "messages")
_QUESTION = ("query", "query_text", "question", "text", "q", "search", "input")
_ALSO = {
    "id": ("id", "claim_id", "memory_id", "key"),
    "time": ("time", "timestamp", "date", "created_at"),
    "source": ("source", "session", "session_id"),
    "speaker": ("speaker", "author", "name"),
    "k": ("k", "top_k", "limit", "n", "max_results"),
    "capacity": ("capacity",),
}
_LISTS = ("notes", "results", "memories", "items", "result", "data")


@dataclass(frozen=True)
class McpTools:
    """The tools of an MCP server; what is None is found by its name.

    Attributes:
        ingest: takes a text.
        query: takes a question, and answers texts.
        held: lists all that is held, without arguments.
        reset: forgets everything.
        fields: where an object that stands for a note holds what.
    """

    ingest: str | None = None
    query: str | None = None
    held: str | None = None
    reset: str | None = None
    fields: Fields = field(default_factory=Fields)


class McpSystem:
    """A memory behind the tools of an MCP server; implements `memspan.ports.MemorySystem`.

    It needs a tool to write (``ingest``, or a name such as ``add_memory``) and one to ask (``query``, or
    ``search_memory``). They are found by their names, and their arguments by theirs: the text goes to
    ``content``, ``text``, ``messages`` or the first text there is; id, time, source, speaker and k
    where there are arguments for them, and into ``metadata``. A tool to reset and one to list are used
    where there are any. The server is started, or connected to, when the first claim comes. Answers are
    matched to claims as `HttpSystem` does it. Close it, or use it in a ``with`` block.

    Args:
        server: a command that starts it, as text or as a list; or its URL.
        tools: names of tools where they are not found.
        capacity: given to the reset, where it takes one.
        env: further environment variables for a command, which sees few otherwise.
        timeout: seconds that the start, and each call, may take.

    Raises:
        ContractError: the command is empty.

    >>> McpSystem("python my_memory.py").name
    'python my_memory.py'
    """

    def __init__(
        self,
        server: str | Sequence[str],
        *,
        tools: McpTools | None = None,
        capacity: int | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        """Keep the settings; nothing is started yet."""
        self._server = _server(server, env or {})
        self._wanted, self._capacity, self._timeout = tools or McpTools(), capacity, timeout
        self._ledger = Ledger(self._wanted.fields)
        self._session: McpSession | None = None
        self._arguments: dict[str, dict[str, Any]] = {}
        self._tools = self._wanted

    @property
    def name(self) -> str:
        """The command, or host and port."""
        return urlsplit(self._server.url).netloc or self._server.shown

    def __getstate__(self) -> dict[str, Any]:
        """Let a system be copied only before it is used: what its server holds cannot be."""
        if self._session is not None:
            raise ContractError(f"{self.name} runs and cannot be copied; save what its server keeps")
        return self.__dict__

    def __enter__(self) -> Self:
        """Return this system."""
        return self

    def __exit__(self, *_: object) -> None:
        """Disconnect."""
        self.close()

    def close(self) -> None:
        """Disconnect; a server that was started is ended, with what it kept in memory."""
        if self._session is not None:
            self._session.close()

    def observe(self, claim: Claim) -> None:
        """Tell the server *claim*.

        Raises:
            SystemUnavailableError: the server does not start, is too slow or its tool fails.
            ContractError: it has no tool to write or to ask.
            MissingExtra: the package mcp is not installed.
        """
        session = self._started()
        tool = str(self._tools.ingest)
        takes = self._arguments[tool]
        spoken = claim.speaker and not any(name in takes for name in _ALSO["speaker"])
        sent = f"{claim.speaker}: {claim.text}" if spoken else claim.text
        told = {"id": claim.id, "time": claim.time, "source": claim.source, "speaker": claim.speaker}
        session.call(tool, _written(takes, sent) | _besides(takes, told))
        self._ledger.add(claim, sent)

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return the first *k* notes that the server answers.

        Raises:
            MemspanError: as `observe`.
        """
        if k < 1:
            return ()
        session = self._started()
        tool = str(self._tools.query)
        takes = self._arguments[tool]
        asked = {_argument(takes, _QUESTION, "query"): query.text} | _besides(takes, {"k": k})
        return self._notes(session.call(tool, asked), k)

    def held(self) -> tuple[Note, ...]:
        """Return what the server lists; where it cannot, all it was told, marked as ``assumed``.

        Raises:
            MemspanError: as `observe`.
        """
        session = self._started()
        if self._tools.held is None:
            return self._ledger.assumed()
        return self._notes(session.call(self._tools.held, {}))

    def _notes(self, answer: Any, most: int | None = None) -> tuple[Note, ...]:
        return self._ledger.notes(_records(answer, self._wanted.fields)[:most])

    def _started(self) -> McpSession:
        if self._session is None:
            self._session = McpSession(self._server, self._timeout)
            self._arguments = self._session.tools()
            self._tools = self._found()
            if self._tools.reset is not None:
                takes = self._arguments[self._tools.reset]
                self._session.call(self._tools.reset, _besides(takes, {"capacity": self._capacity}))
        return self._session

    def _found(self) -> McpTools:
        names, wanted = list(self._arguments), self._wanted
        told = (wanted.ingest, wanted.query, wanted.held, wanted.reset)
        missing = [name for name in told if name is not None and name not in names]
        ingest = wanted.ingest or _tool(names, _INGEST)
        query = wanted.query or _tool(names, _QUERY)
        if missing or ingest is None or query is None:
            lacks = f"no tool {missing[0]!r}" if missing else "no tool to write, or none to ask"
            has = ", ".join(names) or "none"
            raise ContractError(
                f"{self.name} has {lacks}; it has {has}; name them in McpTools(ingest=…, query=…)"
            )
        left = [name for name in names if name not in {ingest, query}]
        free = [name for name in left if not self._arguments[name] or name in told]
        held = wanted.held or _tool(free, _HELD)
        return McpTools(ingest, query, held, wanted.reset or _tool(left, _RESET), wanted.fields)


@dataclass(frozen=True)
class _OverMcp:
    server: str | tuple[str, ...]
    tools: McpTools | None
    env: tuple[tuple[str, str], ...]
    timeout: float

    def __call__(self, setting: Setting) -> McpSystem:
        return McpSystem(
            self.server,
            tools=self.tools,
            capacity=setting.capacity,
            env=dict(self.env),
            timeout=self.timeout,
        )


def mcp_system(
    server: str | Sequence[str],
    *,
    tools: McpTools | None = None,
    bounded: bool = False,
    env: Mapping[str, str] | None = None,
    timeout: float = TIMEOUT,
) -> SystemKind:
    """Return an MCP server as a kind of memory system; see `McpSystem`.

    Args:
        server: a command that starts it, or its URL.
        tools: names of tools where they are not found.
        bounded: whether its reset takes the capacity; else it is run once, as large as it grows.
        env: further environment variables for a command.
        timeout: seconds that the start, and each call, may take.

    Raises:
        ContractError: the command is empty.

    >>> mcp_system(["python", "my_memory.py"]).label
    'python my_memory.py'
    """
    name = McpSystem(server).name
    given = server if isinstance(server, str) else tuple(server)
    made = _OverMcp(given, tools, tuple((env or {}).items()), timeout)
    return SystemKind(name, "", made, READ, bounded=bounded)


def _server(given: str | Sequence[str], env: Mapping[str, str]) -> Server:
    if isinstance(given, str) and given.startswith(("http://", "https://")):
        return Server(url=given)
    command = tuple(shlex.split(given) if isinstance(given, str) else given)
    if not command:
        raise ContractError("the command of the MCP server is empty; give one such as: python my_memory.py")
    return Server(command=command, env=tuple(env.items()))


def _tool(names: Sequence[str], words: Iterable[str]) -> str | None:
    """Return the tool whose name is, or has among its words, the surest of *words*."""
    parts = {name: name.lower().replace("-", "_").replace(".", "_").split("_") for name in names}
    ranked = [(word, name) for word in words for name in names if word in parts[name]]
    exact = [name for word, name in ranked if name.lower() == word]
    return next(iter([*exact, *(name for _, name in ranked)]), None)


def _argument(takes: Mapping[str, Any], names: Sequence[str], otherwise: str) -> str:
    """Return the first of *names* that a tool takes, else its first text."""
    texts = [
        name for name, told in takes.items() if isinstance(told, Mapping) and told.get("type") == "string"
    ]
    return next((name for name in (*names, *texts) if name in takes), otherwise)


def _written(takes: Mapping[str, Any], text: str) -> dict[str, Any]:
    name = _argument(takes, _TEXT, "content")
    return {name: [{"role": "user", "content": text}] if name == "messages" else text}


def _besides(takes: Mapping[str, Any], told: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a tool takes of what can be *told* besides the text; nothing that is not known."""
    known = {what: value for what, value in told.items() if value is not None}
    given = {name: value for what, value in known.items() for name in _ALSO[what] if name in takes}
    if "metadata" in takes and "id" in known:
        given["metadata"] = {"claim_id" if what == "id" else what: value for what, value in known.items()}
    return given


def _records(answer: Any, fields: Fields) -> list[Any]:
    """Return the notes in *answer*: a list somewhere in it, an object, or texts, which may be JSON."""
    if isinstance(answer, Mapping):
        lists = [answer[name] for name in _LISTS if isinstance(answer.get(name), list)]
        if lists or isinstance(first_at(answer, fields.text), str):
            return _records(lists[0], fields) if lists else [answer]
        inner = next((answer[name] for name in _LISTS if isinstance(answer.get(name), str | Mapping)), None)
        return [answer] if inner is None else _records(inner, fields)
    if isinstance(answer, str):
        with suppress(ValueError, RecursionError):
            document = json.loads(answer)
            if isinstance(document, list | Mapping):
                return _records(document, fields)
        return [answer] if answer.strip() else []
    found: list[Any] = []
    for each in answer:
        found += _records(each, fields) if isinstance(each, str) else [each]
    return found
