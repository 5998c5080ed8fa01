"""Graphiti: facts as edges between entities, in Kuzu on this machine or in the graph a user has."""

from __future__ import annotations

import asyncio
import os
import warnings
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from memspan.material import Claim, Note
from memspan.models import HashedEmbedder
from memspan.ports import ChatModel, Embedder, Message
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.packages.packaged import WRITTEN, Names, Package, Packaged, note_from, part, rows

__all__ = ["KINDS", "graphiti_system"]

CURE = "pip install 'graphiti-core[kuzu]' httpx"
READ = 10  # DEFAULT_SEARCH_LIMIT: graphiti-core 0.31.2, search/search_config.py
GROUP = "memspan"


class _Graph:
    """Calls of a `Graphiti`, on a loop of its own: it is asynchronous."""

    def __init__(self, graph: Any, *, infer: bool, close: Callable[[], None]) -> None:
        self.graph, self._infer, self._close = graph, infer, close
        self._runner, self._names = asyncio.Runner(), Names()
        self._nodes = part("graphiti_core.nodes", "graphiti", CURE)
        self._edges = part("graphiti_core.edges", "graphiti", CURE)

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._runner.run(work)

    def write(self, claim: Claim, tags: Mapping[str, Any]) -> None:
        self.run(self._episode(claim, tags) if self._infer else self._fact(claim, tags))

    async def _episode(self, claim: Claim, tags: Mapping[str, Any]) -> None:
        """Let Graphiti's model make facts; the episode's name says which claim they rest on."""
        await self.graph.add_episode(
            name=f"{tags[WRITTEN]}:{claim.id}",
            episode_body=claim.text,
            source_description=claim.source or "memspan",
            reference_time=_time(claim.time),
            group_id=GROUP,
        )

    async def _fact(self, claim: Claim, tags: Mapping[str, Any]) -> None:
        """Store the claim as one fact, as it is."""
        subject, relation, thing = claim.triple or (claim.speaker or GROUP, "said", claim.id)
        ends = [await self._entity(name) for name in (subject, thing)]
        edge = self._edges.EntityEdge(
            group_id=GROUP,
            source_node_uuid=ends[0],
            target_node_uuid=ends[1],
            created_at=_time(claim.time),
            valid_at=_time(claim.time),
            name=relation,
            fact=claim.text,
            attributes=dict(tags),
        )
        await edge.generate_embedding(self.graph.embedder)
        await edge.save(self.graph.driver)

    async def _entity(self, name: str) -> str:
        place = str(uuid5(NAMESPACE_URL, f"{GROUP}#{name}"))
        node = self._nodes.EntityNode(uuid=place, name=name, group_id=GROUP, labels=[], summary="")
        await node.generate_name_embedding(self.graph.embedder)
        await node.save(self.graph.driver)
        return place

    def search(self, text: str, k: int) -> Sequence[Note]:
        return self.run(self._notes_of(self.graph.search(text, group_ids=[GROUP], num_results=k)))  # type: ignore[no-any-return]

    def everything(self) -> Sequence[Note]:
        return self.run(self._notes_of(self._listed()))  # type: ignore[no-any-return]

    async def _listed(self) -> Any:
        none = part("graphiti_core.errors:GroupsEdgesNotFoundError", "graphiti", CURE)
        try:
            return await self._edges.EntityEdge.get_by_group_ids(self.graph.driver, [GROUP])
        except none:
            return []

    async def _notes_of(self, work: Coroutine[Any, Any, Any]) -> list[Note]:
        found = await work
        wanted = list(dict.fromkeys(name for edge in found for name in edge.episodes or ()))
        made = await self._nodes.EpisodicNode.get_by_uuids(self.graph.driver, wanted) if wanted else []
        named = {episode.uuid: episode.name for episode in made}
        notes = [
            _note(edge, [named[name] for name in edge.episodes or () if name in named]) for edge in found
        ]
        return [self._names.renamed(note) for note in notes]

    def delete(self, name: str) -> None:
        self.run(self._delete(name))

    async def _delete(self, name: str) -> None:
        edge = await self._edges.EntityEdge.get_by_uuid(self.graph.driver, self._names.own(name))
        await edge.delete(self.graph.driver)

    def close(self) -> None:
        try:
            self.run(self.graph.close())
        finally:
            self._runner.close()
            self._close()


def _note(edge: Any, episodes: Sequence[str]) -> Note:
    """Return a fact: it rests on its episodes' claims, or on the one that it was stored for."""
    note = note_from(edge.uuid, edge.fact, edge.attributes, "fact")
    if note.claims or not episodes:
        return note
    parted = [episode.partition(":") for episode in episodes]
    claims = tuple(dict.fromkeys(claim for _, _, claim in parted))
    written = max((int(place) for place, _, _ in parted if place.isdecimal()), default=-1)
    return Note(note.id, note.text, claims, note.kind, note.time, {WRITTEN: written})


def _time(told: str | None) -> datetime:
    """Return the claim's time, now where it has none that can be read; Graphiti wants a zone."""
    try:
        found = datetime.fromisoformat(told or "")
    except ValueError:
        return datetime.now(UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def graphiti_system(
    folder: Path | None = None,
    *,
    driver: Any = None,
    embedder: Embedder | None = None,
    chat: ChatModel | None = None,
    capacity: int | None = None,
) -> Packaged:
    """Return Graphiti as a memory system.

    With a model each claim is an episode, of which Graphiti makes facts, and each rests on the claims
    of its episodes; without one each claim is stored as one fact. Not for use inside a running event loop.

    Args:
        folder: of Kuzu's files; a temporary one where None.
        driver: a `graphiti_core.driver.GraphDriver`, e.g. on a user's Neo4j; Kuzu on this machine where
            None. All is written in the group ``memspan``.
        embedder: texts to vectors; `HashedEmbedder` where none is given.
        chat: what makes facts.
        capacity: claims that its notes may rest on; None for no bound.

    Raises:
        SystemUnavailableError: graphiti-core, kuzu or httpx is not installed.
    """
    start = partial(_open, driver, embedder or HashedEmbedder(), chat)
    return Packaged("graphiti", start, capacity, folder)


def _open(driver: Any, embedder: Embedder, chat: ChatModel | None, folder: Path) -> Package:
    os.environ.setdefault("GRAPHITI_TELEMETRY_ENABLED", "false")  # is read when it is imported
    part("httpx", "graphiti", CURE)  # graphiti uses it without asking for it
    made = part("graphiti_core:Graphiti", "graphiti", CURE)
    own, close = (driver, lambda: None) if driver is not None else _kuzu(folder)
    graph = made(
        graph_driver=own,
        llm_client=_model(chat),
        embedder=_embedding(embedder),
        cross_encoder=_ranking(embedder),
    )
    return _Graph(graph, infer=chat is not None, close=close)


def _kuzu(folder: Path) -> tuple[Any, Callable[[], None]]:
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / "graph.kuzu"
    new = not place.exists()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Kuzu goes; it is what runs without a server
        driver = part("graphiti_core.driver.kuzu_driver:KuzuDriver", "graphiti", CURE)(str(place))
    driver._database = ""  # noqa: SLF001 - Graphiti reads it of every driver, and Kuzu's has none
    if new:
        _index(driver)
    return driver, driver.db.close


def _index(driver: Any) -> None:
    """Make the full-text indices, which Graphiti makes for other graphs and leaves out for Kuzu."""
    calls = part("graphiti_core.graph_queries:get_fulltext_indices", "graphiti", CURE)(driver.provider)
    connection = part("kuzu:Connection", "graphiti", CURE)(driver.db)
    for call in calls:
        connection.execute(call)
    connection.close()


def _embedding(embedder: Embedder) -> Any:
    base = part("graphiti_core.embedder:EmbedderClient", "graphiti", CURE)

    class Embedding(base):  # type: ignore[misc, valid-type]
        async def create(self, input_data: str | list[str]) -> list[float]:
            return rows(embedder, [input_data] if isinstance(input_data, str) else input_data)[0]

        async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
            return rows(embedder, input_data_list)

    return Embedding()


def _ranking(embedder: Embedder) -> Any:
    base = part("graphiti_core.cross_encoder.client:CrossEncoderClient", "graphiti", CURE)

    class Ranking(base):  # type: ignore[misc, valid-type]
        async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
            alike = embedder.embed(passages) @ embedder.embed([query])[0]
            told = zip(passages, alike.tolist(), strict=True)
            return sorted(told, key=lambda each: -each[1])

    return Ranking()


def _model(chat: ChatModel | None) -> Any:
    base = part("graphiti_core.llm_client:LLMClient", "graphiti", CURE)
    config = part("graphiti_core.llm_client.config:LLMConfig", "graphiti", CURE)

    class Model(base):  # type: ignore[misc, valid-type]
        async def _generate_response(
            self, messages: Sequence[Any], response_model: Any = None, *_: Any, **__: Any
        ) -> dict[str, Any]:
            if chat is None:
                raise RuntimeError("Graphiti asked for a model; give one as chat=")
            told = [Message(each.role, each.content) for each in messages]
            reply = chat.reply(told, response_model)
            return reply.value.model_dump() if reply.value is not None else {"content": reply.text}

    return Model(config())


def _make(setting: Setting) -> Packaged:
    return graphiti_system(capacity=setting.capacity)


KINDS = (SystemKind("graphiti", "", _make, READ, source="graphiti-core 0.31.2, graphiti.py"),)
