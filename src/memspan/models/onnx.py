"""Sentence embedders of the MiniLM kind, from two files: an ONNX model and its tokenizer."""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from memspan.errors import Fault, FileError, MissingExtra

if TYPE_CHECKING:
    from memspan.ports import Vectors

_KINDS = ("input_ids", "attention_mask", "token_type_ids")


class OnnxEmbedder:
    """Mean of a transformer's last layer over the tokens of a text; implements `memspan.ports.Embedder`.

    Texts run in batches of about one length, so that little is padding. A model that quantises a batch
    as a whole gives the same text slightly different vectors in different company; ``batch=1`` helps.

    Args:
        model: path of the ``.onnx`` file; it takes token ids and attention mask.
        tokenizer: path of its ``tokenizer.json``.
        batch: texts run at once.
        longest: tokens of a text that count.
        threads: of one run.

    Raises:
        MissingExtra: onnxruntime or tokenizers is not installed.
        FileError: a file is not there, or is not what it should be.

    Source: N. Reimers, I. Gurevych, *Sentence-BERT*, EMNLP 2019 (mean pooling).
    """

    def __init__(
        self,
        model: str | os.PathLike[str],
        tokenizer: str | os.PathLike[str],
        *,
        batch: int = 16,
        longest: int = 256,
        threads: int = 1,
    ) -> None:
        """Load both files."""
        paths = Path(model), Path(tokenizer)
        weights, words = (_bytes(path) for path in paths)
        self._session = _session(paths[0], threads)
        self._tokenizer = _tokenizer(paths[1], words, longest)
        self._inputs = [given.name for given in self._session.get_inputs()]
        self._check(paths[0])
        self._batch = max(batch, 1)
        self._name = f"onnx-{sha256(weights + words).hexdigest()[:12]}-{longest}"
        self._dimensions: int = self._run([""]).shape[1]

    @property
    def name(self) -> str:
        """Names the content of both files and the length that counts."""
        return self._name

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._dimensions

    def __repr__(self) -> str:
        """Return the name."""
        return f"OnnxEmbedder({self._name!r})"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row of unit length for each text, shape (n, d); a text of nothing is zeros."""
        rows = np.zeros((len(texts), self._dimensions), np.float32)
        some = [position for position, text in enumerate(texts) if text.strip()]
        order = sorted(some, key=lambda position: len(texts[position]))
        for start in range(0, len(order), self._batch):
            chosen = order[start : start + self._batch]
            rows[chosen] = self._run([texts[position] for position in chosen])
        return rows

    def _run(self, texts: Sequence[str]) -> Vectors:
        # Lone surrogates are no text to the tokenizer.
        plain = [text.encode("utf-8", "replace").decode() for text in texts]
        coded = self._tokenizer.encode_batch(plain)
        width = max(len(code.ids) for code in coded)
        grids = {kind: np.zeros((len(coded), width), np.int64) for kind in _KINDS}
        for row, code in enumerate(coded):
            for kind, values in zip(_KINDS, (code.ids, code.attention_mask, code.type_ids), strict=True):
                grids[kind][row, : len(values)] = values
        found = self._session.run(None, {kind: grids[kind] for kind in self._inputs})[0]
        return _unit(_pooled(np.asarray(found, np.float32), grids["attention_mask"]))

    def _check(self, path: Path) -> None:
        unknown = sorted(set(self._inputs) - set(_KINDS))
        if unknown or "input_ids" not in self._inputs:
            asked = ", ".join(self._inputs)
            raise _fault(path, f"asks for {asked}; an embedder takes {', '.join(_KINDS)}")


def _pooled(found: Vectors, mask: np.ndarray) -> Vectors:
    """Return the mean of the tokens that are no padding; a model that pools by itself is taken as it is."""
    if found.ndim == 2:
        return found
    weights = mask[:, :, None].astype(np.float32)
    mean: Vectors = (found * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
    return mean


def _unit(rows: Vectors) -> Vectors:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Vectors = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _fault(path, f"cannot be read: {error.strerror}; give the path of the file") from error


def _session(path: Path, threads: int) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise missing("onnxruntime") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its own exceptions share no base but this
        raise _fault(path, f"is no ONNX model that can be run: {str(error)[:200]}") from error


def _tokenizer(path: Path, content: bytes, longest: int) -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise missing("tokenizers") from error
    try:
        tokenizer = Tokenizer.from_buffer(content)
    except Exception as error:  # it raises Exception itself
        raise _fault(path, f"is no tokenizer.json: {str(error)[:200]}") from error
    tokenizer.enable_truncation(longest)
    tokenizer.no_padding()
    return tokenizer


def missing(package: str) -> MissingExtra:
    """Return the error that says how to get *package*."""
    return MissingExtra(f"this embedder needs {package}; run: pip install 'memspan[embed]'")


def _fault(path: Path, problem: str) -> FileError:
    return FileError(str(path), [Fault("", "", problem)])
