"""Vectors without a model: words and parts of words, hashed."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from memspan.errors import ShapeError

if TYPE_CHECKING:
    from memspan.ports import Vectors

_WORD = re.compile(r"[^\W_]+")
_MARK = re.compile(r"\S")
_READ = 20_000  # characters of a text that count; language models cut earlier
_LONGEST = 64  # characters; a longer run of letters is a script without spaces, or no word
_STEM = 5  # letters that English words of one family mostly share
_TELLING = 6  # letters from which on a word counts in full: short ones say little
_PART = 0.4  # weight of all parts of a word together, the whole word being 1


@dataclass(frozen=True)
class HashedEmbedder:
    """An embedder that needs no files: it sees shared words, stems and spellings, not meaning.

    Each word adds itself, its first five letters and its runs of three and four letters, at
    positions and with signs given by a hash; a word that stands n times counts 1 + ln n. The same on
    every machine and in every process.

    Attributes:
        dimensions: length of a vector, at least 1; below some hundred, words collide.

    Raises:
        ShapeError: no dimensions.

    Source: K. Weinberger et al., *Feature hashing for large scale multitask learning*, ICML 2009.

    >>> same, near, far = HashedEmbedder().embed(["Ana painted", "Ana was painting", "rain in Porto"])
    >>> bool(same @ near > 0.5 > same @ far)
    True
    """

    dimensions: int = 1024

    def __post_init__(self) -> None:
        """Refuse a vector without entries."""
        if self.dimensions < 1:
            raise ShapeError(f"an embedder of {self.dimensions} dimensions; give at least 1")

    @property
    def name(self) -> str:
        """Names the scheme, its version and its dimensions."""
        return f"hashed-1-{self.dimensions}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row of unit length for each text, shape (n, dimensions); a text of nothing is zeros."""
        rows = np.zeros((len(texts), self.dimensions))
        for row, text in zip(rows, texts, strict=True):
            counts = _counted(text)
            placed = [_placed(word, self.dimensions) for word in counts]
            if placed:
                places = np.concatenate([positions for positions, _ in placed])
                times = zip(placed, counts.values(), strict=True)
                added = np.concatenate([(1 + math.log(count)) * weights for (_, weights), count in times])
                row[:] = np.bincount(places, added, self.dimensions)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = np.divide(rows, lengths, out=rows, where=lengths > 0).astype(np.float32)
        return unit


def _counted(text: str) -> Counter[str]:
    """Count the words of *text*; its marks (emoji, symbols) where it has no words."""
    apart = unicodedata.normalize("NFKD", text[:_READ].casefold())
    plain = "".join(character for character in apart if not unicodedata.combining(character))
    pieces = (
        word[start : start + _LONGEST]
        for word in _WORD.findall(plain)
        for start in range(0, len(word), _LONGEST)
    )
    return Counter(pieces) or Counter(_MARK.findall(plain))


@lru_cache(maxsize=100_000)
def _placed(word: str, dimensions: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions of what *word* adds in a vector, and the signed weights."""
    features, weights = _features(word)
    positions = ((features >> 1) % np.uint64(dimensions)).astype(np.intp)
    return positions, np.where(features & 1, 1.0, -1.0) * weights


def _features(word: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the hashes and weights of what *word* adds."""
    framed = f"<{word}>"
    parts = [framed[i : i + n] for n in (3, 4) for i in range(len(framed) - n + 1)]
    telling = 1.0 if word[0].isdigit() else min(len(word), _TELLING) / _TELLING
    named = [f"word {word}", f"stem {word[:_STEM]}", *(f"part {part}" for part in parts)]
    weights = [1.0, 1.0, *[_PART / max(len(parts), 1) ** 0.5] * len(parts)]
    return np.array([_hash(feature) for feature in named], np.uint64), telling * np.array(weights)


def _hash(feature: str) -> int:
    return int.from_bytes(blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest(), "big")
