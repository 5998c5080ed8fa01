"""One connection to an MCP server, for code that is not asynchronous: nothing waits longer than it may."""

from __future__ import annotations

import asyncio
import logging
import math
import os
import tempfile
import threading
import weakref
from collections.abc import AsyncIterator, Coroutine, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO, TypeVar
from urllib.parse import urlsplit

from memspan.errors import MissingExtra, SystemUnavailableError
from memspan.models.wording import Secret, one_line

if TYPE_CHECKING:
    import anyio
    import httpx2
    from mcp import Client

Got = TypeVar("Got")
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_SHOWN = 4096  # bytes of what a server wrote to its standard error
_NOISE = 1000  # lines that are no messages after which a program that starts is no MCP server
_CLOSING = 8.0  # seconds that a server may take to end; it is killed after less


@dataclass(frozen=True)
class Server:
    """Where an MCP server is.

    Attributes:
        command: program and arguments of one that is started and spoken to over its standard input
            and output; empty where there is a URL.
        url: of one that runs, e.g. ``http://localhost:3000/mcp``.
        env: further environment variables of one that is started, which sees few otherwise.
        key: sent as a bearer token to a URL.
    """

    command: tuple[str, ...] = ()
    url: str = ""
    env: tuple[tuple[str, str], ...] = ()
    key: str = ""

    @property
    def shown(self) -> str:
        """The command or the URL, as messages name it."""
        return self.url or " ".join(self.command)


class McpSession:
    """A connection that lives in a thread of its own until it is closed, or nobody needs it any more.

    Args:
        server: where it is.
        timeout: seconds that the start, and each call, may take.

    Raises:
        MissingExtra: the package mcp is not installed.
        SystemUnavailableError: the server does not start or does not answer.
    """

    def __init__(self, server: Server, timeout: float) -> None:
        """Connect."""
        self._server, self._timeout = server, timeout
        self._line = _Line(server, timeout)
        self._line.start()
        self._closed = weakref.finalize(self, self._line.close)
        self._client: Client = self._waited(self._line.ready, "to start")

    def tools(self) -> dict[str, dict[str, Any]]:
        """Return the names of the tools, each with the properties of its arguments."""
        listed = self._run(lambda client: client.list_tools(), "to list its tools")
        return {tool.name: dict(tool.input_schema.get("properties") or {}) for tool in listed.tools}

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """Return what *tool* answers: its structured result, else its texts.

        Raises:
            SystemUnavailableError: it fails, or takes too long.
        """
        result = self._run(lambda client: client.call_tool(tool, dict(arguments)), f"to call {tool}")
        texts = [block.text for block in result.content if getattr(block, "type", "") == "text"]
        if result.is_error:
            said = one_line(" ".join(texts))
            raise SystemUnavailableError(
                f"tool {tool} of {self._server.shown} failed: {said}{self._logged()}"
            )
        return texts if result.structured_content is None else result.structured_content

    def close(self) -> None:
        """Disconnect; a server that was started is ended."""
        self._closed()

    def _run(self, ask: Any, what: str) -> Any:
        if not (self._closed.alive and self._line.alive):
            raise SystemUnavailableError(
                f"the connection to {self._server.shown} has ended; make a new system"
            )
        return self._waited(self._line.submit(ask(self._client)), what)

    def _waited(self, future: Future[Got], what: str) -> Got:
        try:
            return future.result(self._timeout)
        except TimeoutError:
            future.cancel()
            why = f"did nothing for {self._timeout:g} s when asked {what}"
        except MissingExtra:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the connection breaks with
            why = f"broke off when asked {what}: {one_line(_innermost(error))}"
        logged = self._logged()
        if what == "to start":
            self.close()
        raise SystemUnavailableError(
            f"{self._server.shown} {why}{logged}; start it by hand to see more"
        ) from None

    def _logged(self) -> str:
        said = self._line.said()
        return f"; it said: {said}" if said else ""


class _Line:
    """The thread that holds the connection; it knows nothing of who needs it."""

    def __init__(self, server: Server, timeout: float) -> None:
        self._server, self._timeout = server, timeout
        self.ready: Future[Client] = Future()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end: asyncio.Event | None = None
        self._noise = 0  # lines that were no messages
        self._log = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 - as long as this
        self._thread = threading.Thread(target=self._live, daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def submit(self, coroutine: Coroutine[Any, Any, Got]) -> Future[Got]:
        assert self._loop is not None  # noqa: S101 - it is there before anyone can ask
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def said(self) -> str:
        """Return the end of what the server wrote to its standard error."""
        size = os.fstat(self._log.fileno()).st_size
        end = os.pread(
            self._log.fileno(), _SHOWN, max(size - _SHOWN, 0)
        )  # the server writes at the file's own place
        lines = end.decode(errors="replace").strip().splitlines()
        return one_line(lines[-1]) if lines else ""

    def close(self) -> None:
        loop, end = self._loop, self._end
        if loop is not None and end is not None and not loop.is_closed():
            loop.call_soon_threadsafe(end.set)
        if threading.current_thread() is not self._thread:
            self._thread.join(_CLOSING)
        self._log.close()

    def _live(self) -> None:
        try:
            asyncio.run(self._connected())
        except BaseException as error:  # noqa: BLE001 - the one who waits raises it
            if not self.ready.done():
                self.ready.set_exception(error)

    async def _connected(self) -> None:
        try:
            import anyio
            from mcp import Client
        except ModuleNotFoundError as missing:
            cure = "pip install 'memspan[mcp]'"
            raise MissingExtra(
                f"MCP servers are spoken to by the package mcp, which is not installed; {cure}"
            ) from missing
        for name in ("mcp", "client"):  # else its errors go to the terminal where nobody has set up logging
            logging.getLogger(name).addHandler(logging.NullHandler())
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        async with _http(self._server, self._timeout) as http:
            with anyio.CancelScope(deadline=anyio.current_time() + self._timeout) as starting:
                hear = self._hearing(starting)
                async with Client(_transport(self._server, http, self._log), message_handler=hear) as client:
                    starting.deadline = math.inf
                    self.ready.set_result(client)
                    await self._end.wait()
        if starting.cancelled_caught and self._noise >= _NOISE:
            raise ValueError("its output is no MCP (JSON-RPC, a message a line)")
        if starting.cancelled_caught:
            raise TimeoutError(f"no answer within {self._timeout:g} s")

    def _hearing(self, starting: anyio.CancelScope) -> Any:
        """Return what hears of lines that are no messages, and gives up when there are too many."""

        async def hear(message: Any) -> None:
            self._noise += isinstance(message, Exception)
            if self._noise >= _NOISE and not self.ready.done():
                starting.cancel()
            await asyncio.sleep(0)

        return hear


@asynccontextmanager
async def _http(server: Server, patience: float) -> AsyncIterator[httpx2.AsyncClient | None]:
    if not server.url:
        yield None
        return
    import httpx2

    headers = Secret(server.key).headers()
    here = urlsplit(server.url).hostname in _HERE  # a proxy does not reach this machine's own servers
    async with httpx2.AsyncClient(headers=headers, timeout=patience, trust_env=not here) as client:
        yield client


def _transport(server: Server, http: httpx2.AsyncClient | None, log: TextIO) -> Any:
    from mcp import StdioServerParameters, stdio_client
    from mcp.client.streamable_http import streamable_http_client

    if server.url:
        return streamable_http_client(server.url, http_client=http)
    program, *arguments = server.command
    asked = StdioServerParameters(command=program, args=arguments, env=dict(server.env))
    return stdio_client(asked, errlog=log)


def _innermost(error: BaseException) -> str:
    """Return the cause in a group of errors: the others only wrap it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"
