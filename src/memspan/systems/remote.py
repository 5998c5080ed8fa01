"""A black box behind HTTP as a memory system."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from memspan.errors import ContractError, SystemUnavailableError
from memspan.material import Claim, Note, Query
from memspan.models.exchange import Heard, Patience, send
from memspan.models.wording import Secret, one_line
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.remote_form import Call, HttpForm, at
from memspan.systems.remote_notes import Ledger

if TYPE_CHECKING:
    import httpx2

READ = 10
"""Notes that are asked of a server for a question."""
TIMEOUT = 30.0
"""Seconds that a server may take to answer."""
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_NO_SUCH_CALL = frozenset({404, 405, 501})


class HttpSystem:
    """A memory server, asked over HTTP; implements `memspan.ports.MemorySystem`.

    The server is emptied before the first claim. What it answers is matched to claims by the ids it
    names, else by ``[id]`` or the exact text of a claim in what it says; a note that fits nothing rests on
    no claim. Where it cannot list what it holds, `held` returns all it was told, each note with
    ``extra["assumed"]``. Nothing is sent twice. Close it, or use it in a ``with`` block.

    Args:
        url: of the server, e.g. ``http://localhost:8000``.
        form: how it is asked; by default ``POST /reset {capacity}``, ``POST /ingest {id, text, time, source,
            speaker}``, ``POST /query {query, k}`` and, where there is one, ``GET /held``; both of the latter
            answer ``{"notes": [{"text": …, "claims": [ids], "id": …}]}``, where ids may be left out.
        capacity: what the server is told with the reset.
        key: sent as a bearer token; none by default.
        timeout: seconds that one answer may take.

    Raises:
        ContractError: the URL cannot be used.

    >>> HttpSystem("http://localhost:8000").name
    'localhost:8000'
    """

    def __init__(
        self,
        url: str,
        *,
        form: HttpForm | None = None,
        capacity: int | None = None,
        key: str = "",
        timeout: float = TIMEOUT,
    ) -> None:
        """Keep the settings; nothing is sent yet."""
        self._host, self._local = _host(url)
        self._url = url.rstrip("/")
        self._form = form or HttpForm()
        self._secret = Secret(key)
        self._patience = Patience(tries=1, timeout=timeout)
        self._always = {"capacity": capacity, "space": f"memspan-{uuid.uuid4().hex[:12]}"}
        self._ledger = Ledger(self._form.fields)
        self._begun = False
        self._client: httpx2.Client | None = None

    @property
    def name(self) -> str:
        """Host and port."""
        return self._host

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the connection: a copy opens its own, to the same server and what it holds."""
        return self.__dict__ | {"_client": None}

    def __enter__(self) -> Self:
        """Return this system."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connection."""
        self.close()

    def close(self) -> None:
        """Close the connection; a later call opens a new one."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def observe(self, claim: Claim) -> None:
        """Tell the server *claim*.

        Raises:
            SystemUnavailableError: the server cannot be reached, is too slow or refuses.
        """
        told = {"id": claim.id, "text": claim.text, "time": claim.time, "source": claim.source}
        self._asked(self._form.ingest, told | {"speaker": claim.speaker})
        self._ledger.add(claim)

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return the first *k* notes that the server answers.

        Raises:
            SystemUnavailableError: the server cannot be reached, is too slow or refuses.
            ContractError: its answer holds no notes where they should be.
        """
        if k < 1:
            return ()
        call = self._form.query
        return self._ledger.notes(self._listed(call, self._asked(call, {"query": query.text, "k": k}))[:k])

    def held(self) -> tuple[Note, ...]:
        """Return all notes that the server lists; where it cannot, all that it was told.

        Raises:
            SystemUnavailableError: the server cannot be reached, is too slow or refuses.
            ContractError: its answer holds no notes where they should be.
        """
        call = self._form.held
        if call is None:
            return self._ledger.assumed()
        heard = self._heard(call, {})
        if heard.status in _NO_SUCH_CALL:
            return self._ledger.assumed()
        return self._ledger.notes(self._listed(call, self._fine(call, heard)))

    def _asked(self, call: Call, values: dict[str, Any]) -> Any:
        return self._fine(call, self._heard(call, values))

    def _heard(self, call: Call, values: dict[str, Any]) -> Heard:
        if not self._begun:
            if self._form.reset is not None:
                self._fine(self._form.reset, self._sent(self._form.reset, {}))
            self._begun = True
        return self._sent(call, values)

    def _sent(self, call: Call, values: dict[str, Any]) -> Heard:
        path, body = call.filled(self._always | values)
        return send(self._connected(), f"{self._url}{path}", body, self._patience, call.method)

    def _fine(self, call: Call, heard: Heard) -> Any:
        """Return the JSON of a good answer, None where it has no body; raise for any other."""
        if 200 <= heard.status < 300:
            return heard.document
        said, asked = one_line(self._secret.hidden(heard.said))[:300], f"{call.method} {call.path}"
        if not heard.status:
            raise SystemUnavailableError(
                f"{self._host} gave no answer to {asked}: {said}; start the server, check the URL, or allow"
                f" more than {self._patience.timeout:g} s"
            )
        cure = "see what the server logs"
        if heard.status in _NO_SUCH_CALL:
            cure = "it speaks another protocol: describe its calls in an HttpForm"
        raise SystemUnavailableError(f"{self._host} answered {heard.status} to {asked}: {said}; {cure}")

    def _listed(self, call: Call, document: Any) -> list[Any]:
        found = at(document, call.answer)
        if not isinstance(found, list):
            where = f"a list in {call.answer!r}" if call.answer else "a list"
            seen = "no JSON" if document is None else one_line(repr(document))[:120]
            raise ContractError(
                f"{self._host} answered {seen} to {call.method} {call.path}; expected is {where}"
            )
        return found

    def _connected(self) -> httpx2.Client:
        import httpx2

        if self._client is None:
            self._client = httpx2.Client(
                headers={"Content-Type": "application/json", **self._secret.headers()},
                timeout=self._patience.timeout,
                trust_env=not self._local,  # a proxy does not reach this machine's own servers
            )
        return self._client


@dataclass(frozen=True)
class _OverHttp:
    url: str
    form: HttpForm | None
    key: str
    timeout: float

    def __call__(self, setting: Setting) -> HttpSystem:
        return HttpSystem(
            self.url, form=self.form, capacity=setting.capacity, key=self.key, timeout=self.timeout
        )


def http_system(
    url: str,
    *,
    form: HttpForm | None = None,
    bounded: bool = False,
    key: str = "",
    timeout: float = TIMEOUT,
) -> SystemKind:
    """Return a server as a kind of memory system; see `HttpSystem`.

    Args:
        url: of the server.
        form: how it is asked.
        bounded: whether it minds the capacity that it is told with the reset; else it is run once, as
            large as it grows.
        key: sent as a bearer token.
        timeout: seconds that one answer may take.

    Raises:
        ContractError: the URL cannot be used.

    >>> http_system("http://localhost:8000").label
    'localhost:8000'
    """
    return SystemKind(_host(url)[0], "", _OverHttp(url, form, key, timeout), READ, bounded=bounded)


def _host(url: str) -> tuple[str, bool]:
    """Return host and port of *url*, and whether it is this machine."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises where it is no number
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc
        usable = usable and not parts.query
    except ValueError:
        usable = False
    if not usable:
        raise ContractError(
            "the URL of the memory server is not usable; give one like http://localhost:8000, without name,"
            " password or query; a key is an argument of its own"
        )
    return parts.netloc, parts.hostname in _HERE
