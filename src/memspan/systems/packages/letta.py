"""Letta: the archival memory of an agent on a user's server, through its client."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from memspan.errors import SystemUnavailableError
from memspan.material import Claim, Note
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.packages.packaged import Names, Package, Packaged, as_words, from_words, part

__all__ = ["KINDS", "letta_system"]

CURE = "pip install 'memspan[letta]'"
HOME = "http://localhost:8283"  # where `letta server` listens
READ = 5  # archival search's default page: letta 0.16, letta/constants.py
PAGE = 100  # passages listed at once


class _Archive:
    """Calls of a Letta server; what travels with a text does so as tags, ``key:value``."""

    def __init__(self, client: Any, agent: str, *, own: bool) -> None:
        self.client, self.agent, self._own, self._names = client, agent, own, Names()

    @property
    def _passages(self) -> Any:
        return self.client.agents.passages

    def write(self, claim: Claim, tags: Mapping[str, Any]) -> None:
        with _reached(self.client):
            self._passages.create(agent_id=self.agent, text=claim.text, tags=as_words(tags))

    def search(self, text: str, k: int) -> Sequence[Note]:
        with _reached(self.client):
            found = self._passages.search(agent_id=self.agent, query=text, top_k=k)
        return [self._names.note(row.id, row.content, from_words(row.tags)) for row in found.results]

    def everything(self) -> Sequence[Note]:
        rows: list[Any] = []
        with _reached(self.client):
            while True:
                after = {"after": rows[-1].id} if rows else {}
                page = self._passages.list(agent_id=self.agent, limit=PAGE, ascending=True, **after)
                rows += page
                if len(page) < PAGE:
                    break
        return [self._names.note(row.id, row.text, from_words(row.tags)) for row in rows]

    def delete(self, name: str) -> None:
        with _reached(self.client):
            self._passages.delete(self._names.own(name), agent_id=self.agent)

    def close(self) -> None:
        try:
            if self._own:
                with _reached(self.client):
                    self.client.agents.delete(self.agent)
        finally:
            self.client.close()


@contextmanager
def _reached(client: Any) -> Iterator[None]:
    """Say what to do where the server does not answer, or refuses."""
    failure = part("letta_client:APIError", "letta", CURE)
    try:
        yield
    except failure as error:
        raise SystemUnavailableError(
            f"the Letta server at {client.base_url} did not do what it was asked ({error}); start it with"
            " `letta server`, give its address in LETTA_BASE_URL and its key in LETTA_API_KEY"
        ) from error


def letta_system(
    agent: str | None = None,
    url: str | None = None,
    *,
    key: str | None = None,
    settings: Mapping[str, Any] | None = None,
    capacity: int | None = None,
) -> Packaged:
    """Return the archival memory of an agent on a Letta server as a memory system.

    Args:
        agent: id of an agent that is there; None makes one, which is deleted when this is closed.
        url: of the server; by default LETTA_BASE_URL, else a server on this machine.
        key: by default LETTA_API_KEY; a server of one's own asks for none.
        settings: of an agent that is made, e.g. ``{"model": ..., "embedding": ...}``.
        capacity: claims that its notes may rest on; None for no bound.

    Raises:
        SystemUnavailableError: letta-client is not installed, or the server cannot be reached.
    """
    return Packaged("letta", partial(_open, agent, url, key, settings or {}), capacity)


def _open(
    agent: str | None, url: str | None, key: str | None, settings: Mapping[str, Any], _: Path
) -> Package:
    import os

    made = part("letta_client:Letta", "letta", CURE)
    client = made(
        base_url=url or os.environ.get("LETTA_BASE_URL", HOME),
        api_key=key or os.environ.get("LETTA_API_KEY", "none"),
    )
    if agent is not None:
        return _Archive(client, agent, own=False)
    try:
        with _reached(client):
            name = client.agents.create(name="memspan", **settings).id
    except BaseException:
        client.close()
        raise
    return _Archive(client, name, own=True)


def _make(setting: Setting) -> Packaged:
    return letta_system(capacity=setting.capacity)


KINDS = (SystemKind("letta", "", _make, READ, source="letta-client 1.12.1, agents.passages"),)
