"""Embedders by a short name, as the command line and settings give them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from memspan.errors import Fault, FileError, MissingExtra, UnknownName
from memspan.models.hashed import HashedEmbedder
from memspan.models.onnx import OnnxEmbedder
from memspan.ports import Embedder

if TYPE_CHECKING:
    from memspan.ports import Vectors

_ALLOWED = "hashed, hashed:DIMENSIONS, onnx:FOLDER, onnx:MODEL.onnx+TOKENIZER.json, model2vec:FOLDER"


def embedder_named(spec: str) -> Embedder:
    """Return the embedder that *spec* names.

    Args:
        spec: ``hashed`` or ``hashed:512``; ``onnx:FOLDER`` with ``model.onnx`` and ``tokenizer.json`` in
            it, or ``onnx:MODEL+TOKENIZER``, the tokenizer's path as it is or within the model's folder;
            ``model2vec:FOLDER``. All files are one's own: nothing is downloaded.

    Raises:
        UnknownName: there is no such embedder.
        MissingExtra: a package is needed.
        FileError: a file is not there, or is not what it should be.

    >>> embedder_named("hashed:512").name
    'hashed-1-512'
    """
    kind, _, rest = spec.partition(":")
    if kind == "hashed" and (not rest or (rest.isascii() and rest.isdigit())):
        return HashedEmbedder(int(rest)) if rest else HashedEmbedder()
    if kind == "onnx" and rest:
        return OnnxEmbedder(*_two_files(rest))
    if kind == "model2vec" and rest:
        return _StaticEmbedder(*_static(Path(rest)))
    raise UnknownName(f"no embedder {spec!r}; allowed are {_ALLOWED}")


def _two_files(rest: str) -> tuple[Path, Path]:
    whole = Path(rest)
    if whole.is_dir():
        return whole / "model.onnx", whole / "tokenizer.json"
    first, plus, second = rest.rpartition("+")
    if not plus:
        return whole, whole.with_name("tokenizer.json")
    beside = Path(first).parent / second
    return Path(first), beside if beside.exists() else Path(second)


def _static(folder: Path) -> tuple[str, Any]:
    if not folder.is_dir():  # a name would be looked up in the network
        problem = "is no folder; give that of a model2vec model (config.json, model.safetensors)"
        raise FileError(str(folder), [Fault("", "", problem)])
    try:
        from model2vec import StaticModel  # type: ignore[import-not-found,unused-ignore]
    except ImportError as error:
        raise MissingExtra(
            "this embedder needs model2vec; run: pip install 'memspan[embed]' model2vec"
        ) from error
    digest = blake2b(digest_size=6)
    for file in sorted(path for path in folder.iterdir() if path.is_file()):
        digest.update(file.read_bytes())
    return f"model2vec-{digest.hexdigest()}", StaticModel.from_pretrained(os.fspath(folder))


@dataclass(frozen=True)
class _StaticEmbedder:
    """A table of word vectors, averaged."""

    name: str
    model: Any

    def embed(self, texts: Sequence[str]) -> Vectors:
        plain = [text.encode("utf-8", "replace").decode() for text in texts]
        rows = np.asarray(self.model.encode(plain or [""]), np.float32)[: len(texts)]
        full = np.array([bool(text.strip()) for text in texts], bool)[:, None]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        where = full & (lengths > 0)
        unit: Vectors = np.divide(rows, lengths, out=np.zeros_like(rows), where=where)
        return unit


class Remembered:
    """An embedder that computes each text once, while it lives.

    Args:
        embedder: what computes.
        most: texts kept; when there are more, the oldest go. A vector of 384 takes 1.5 kB.

    >>> twice = Remembered(HashedEmbedder(64))
    >>> bool((twice.embed(["rain"]) == twice.embed(["rain"])).all()), twice.kept
    (True, 1)
    """

    def __init__(self, embedder: Embedder, most: int = 100_000) -> None:
        """Start with nothing kept."""
        self._embedder, self._most = embedder, most
        self._rows: dict[str, Vectors] = {}

    @property
    def kept(self) -> int:
        """How many texts are kept."""
        return len(self._rows)

    @property
    def name(self) -> str:
        """The embedder's own."""
        return self._embedder.name

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the embedder's rows; only texts not met before are computed."""
        new = [text for text in dict.fromkeys(texts) if text not in self._rows]
        known = {text: self._rows[text] for text in texts if text in self._rows}
        if new or not texts:
            computed = self._embedder.embed(new)
            if not texts:
                return computed
            known |= dict(zip(new, computed, strict=True))
        self._rows |= {text: known[text] for text in new}
        for text in list(self._rows)[: max(len(self._rows) - self._most, 0)]:
            del self._rows[text]
        return np.stack([known[text] for text in texts])
