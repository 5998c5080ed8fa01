"""A-MEM (the fork a-mem): notes in Chroma that a model may link and rewrite."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from memspan.material import Claim, Note
from memspan.ports import ChatModel, Message
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.packages.packaged import Names, Package, Packaged, part

__all__ = ["KINDS", "a_mem_system"]

CURE = "pip install 'a-mem>=0.2.6'"
READ = 5  # AgenticMemorySystem.search(k=5): a-mem 0.2.6, agentic_memory/memory_system.py
MODEL = "all-MiniLM-L6-v2"  # its default; from the hub, unless it is the path of a folder
_STAYS = json.dumps({"should_evolve": False, "actions": []})


@dataclass(frozen=True)
class _Model:
    """A chat model as A-MEM calls one; without one no note evolves."""

    chat: ChatModel | None

    def get_completion(self, prompt: str, *_: Any, **__: Any) -> str:
        return _STAYS if self.chat is None else self.chat.reply([Message("user", prompt)]).text


class _Agentic:
    """Calls of an `AgenticMemorySystem`; what travels with a text does so as its category.

    Tags, keywords and context are what its model rewrites, and they are embedded with the text.
    """

    def __init__(self, memory: Any, *, infer: bool) -> None:
        self.memory, self._infer, self._names = memory, infer, Names()

    def write(self, claim: Claim, tags: Mapping[str, Any]) -> None:
        told = {} if self._infer else {"keywords": ["memory"], "context": "memory", "tags": ["memory"]}
        self.memory.add_note(claim.text, category=json.dumps(dict(tags)), **told)

    def search(self, text: str, k: int) -> Sequence[Note]:
        found = self.memory.search(text, k=k)
        return self._notes([row["id"] for row in found])

    def everything(self) -> Sequence[Note]:
        return self._notes(self.memory.retriever.collection.get()["ids"])

    def _notes(self, names: Sequence[str]) -> list[Note]:
        known = self.memory.read_multiple(list(names)) if names else {}
        return [self._note(known[name]) for name in names if known.get(name) is not None]

    def _note(self, note: Any) -> Note:
        kept = note.category  # as it was given, or read from Chroma: then A-MEM has parsed it
        parsed = json.loads(kept) if isinstance(kept, str) and kept.startswith("{") else kept
        return self._names.note(note.id, note.content, parsed if isinstance(parsed, dict) else None)

    def delete(self, name: str) -> None:
        self.memory.delete(self._names.own(name))

    def close(self) -> None:
        self.memory.retriever.client.close()


def a_mem_system(
    folder: Path | None = None,
    *,
    model: str = MODEL,
    chat: ChatModel | None = None,
    capacity: int | None = None,
) -> Packaged:
    """Return A-MEM as a memory system. It brings torch; its start takes the better part of a minute.

    Args:
        folder: of Chroma's files; a temporary one where None.
        model: the sentence-transformers model that embeds, by name or as the path of a folder.
        chat: what finds keywords, links notes and rewrites them; without one notes stay as written.
        capacity: claims that its notes may rest on; None for no bound.

    Raises:
        SystemUnavailableError: a-mem is not installed.
    """
    return Packaged("a-mem-package", partial(_open, model, chat), capacity, folder)


def _open(model: str, chat: ChatModel | None, folder: Path) -> Package:
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else litellm asks the network
    os.environ.setdefault("ANONYMIZED_TELEMETRY", "False")
    made = part("agentic_memory.memory_system:AgenticMemorySystem", "a-mem-package", CURE)
    folder.mkdir(parents=True, exist_ok=True)
    memory = made(model_name=model, api_key="none", storage_path=str(folder / "chroma"))
    memory.llm_controller.llm = _Model(chat)
    return _Agentic(memory, infer=chat is not None)


def _make(setting: Setting) -> Packaged:
    return a_mem_system(model=os.environ.get("MEMSPAN_A_MEM_MODEL", MODEL), capacity=setting.capacity)


KINDS = (SystemKind("a-mem-package", "", _make, READ, source="a-mem 0.2.6, agentic_memory/memory_system.py"),)
