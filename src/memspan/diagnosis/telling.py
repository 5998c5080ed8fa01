"""Which memory tells which claim: all pairs compared by their words, the likely ones told in figures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.answering.lexical import Lexicon
from memspan.answering.passages import pieces, spoken
from memspan.language.sentences import sentences
from memspan.language.words import stemmed, words
from memspan.material import Claim

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

BLOCK = 256  # memories compared with all claims at once
MOST = 16  # claims looked at closer for a memory, besides those told nearly in full
_FULLY = 0.6  # of a claim's words, by their rarity
_LEAST_CLAUSE = 3  # words
_WORDY = 0.8  # of the rarity of a word never seen: clauses that say less echo anything
_CUT = re.compile(r";|,\s+(?:and|but|while|which|who|yet|so)\b|\b(?:while|because)\b|\s[-\u2013\u2014]\s")
_STAMP = re.compile(r"^\s*\[?\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+)?(?:Z|[+-]\d{2}:?\d{2})?\]?\s*[:|-]\s+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")

FEATURES = (
    *("told", "told_much", "echo", "echo_much", "clause_echo", "window_echo", "pieces"),
    *("echo_gap", "told_rival", "pieces_rival", "clause_rival", "rank", "lead"),
    *("claim_mass", "memory_mass", "asks"),
    *("shared_mass", "rarest", "unheard", "clause_unheard"),
)
"""What is compared, one number for each pair.

``told``: share of the claim's words that the memory repeats, by their rarity; ``echo``: share of the
memory's words that the claim repeats; ``_much`` are their squares. ``clause``: of that clause of
the memory which fits best. ``window``: of the claim with its neighbours. ``pieces``: cosine by
pieces of words. ``_gap``: against the best claim for this memory; ``_rival``: against the best memory
for this claim. ``rank``, ``lead``: place among the claims for this memory, and the distance to the
next. ``mass``: how much is said. ``asks``: the claim is a question. ``rarest``: rarity of the rarest
word of both. ``unheard``: share of what the memory says in words that no claim has.
"""


@dataclass(frozen=True)
class Compared:
    """Pairs of a memory and a claim that are worth a look, in the order of the memories.

    Attributes:
        memory, claim: positions, one for each pair.
        clause: position among `clauses` of the clause that fits the claim best.
        table: the features, shape (n pairs, n FEATURES).
        clauses: texts of all clauses of all memories.
    """

    memory: Ints
    claim: Ints
    clause: Ints
    table: Floats
    clauses: tuple[str, ...]


def compare(memories: Sequence[Claim], claims: Sequence[Claim]) -> Compared:
    """Compare all *memories* with all *claims*; a pair that shares no word is none."""
    wording = _Wording.of(memories, claims)
    empty = np.zeros(0, np.int64)
    if not memories or not claims:
        return Compared(empty, empty, empty, np.zeros((0, len(FEATURES))), wording.clauses)
    blocks = [_block(wording, start) for start in range(0, len(memories), BLOCK)]
    memory, claim, clause = (np.concatenate([b.places[i] for b in blocks]) for i in range(3))
    seen = {name: np.concatenate([b.figures[name] for b in blocks]) for name in blocks[0].figures}
    for name in ("told", "pieces", "clause"):
        best = np.max([b.best[name] for b in blocks], axis=0)
        seen[f"{name}_rival"] = seen[name] - best[claim]
    seen |= {
        "told_much": seen["told"] ** 2,
        "echo_much": seen["echo"] ** 2,
        "claim_mass": np.log1p(wording.mass("claims")[claim]),
        "memory_mass": np.log1p(wording.mass("memories")[memory]),
        "asks": np.array(["?" in each.text for each in claims], np.float64)[claim],
    }
    seen |= wording.rare(memory, claim, clause)
    table = np.stack([seen[name] for name in FEATURES], axis=1)
    return Compared(memory, claim, clause, table, wording.clauses)


def plain(claim: Claim) -> str:
    """Return what *claim* says, without its speaker, a time stamp before it, or commas between thousands.

    >>> plain(Claim("m", "2025-09-05T13:30:48+00:00: Ana moved."))
    'Ana moved.'
    """
    return _THOUSANDS.sub("", _STAMP.sub("", spoken(claim)))


def clauses(text: str) -> list[str]:
    """Return the clauses of *text* of at least three words; a sentence without any stays whole.

    >>> clauses("Ana moved to Porto, and she sings. Rui cooks.")
    ['Ana moved to Porto', 'Rui cooks.']
    """
    found: list[str] = []
    for start, end in sentences(text):
        sentence = text[start:end]
        parts = [part for part in _CUT.split(sentence) if len(part.split()) >= _LEAST_CLAUSE]
        found += parts or [sentence]
    return found or [text]


# --- words ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Wording:
    """Claims, memories and clauses as rows over one vocabulary; sparse matrices of 0 and 1.

    Attributes:
        rows: by what they are of: ``claims``, ``memories``, ``clauses``, ``windows``.
        idf: rarity of each stem, that of one never seen being 1.
        parts: claims and memories as unit rows of weighted pieces.
        clauses, starts: all clauses, and where those of each memory begin.
    """

    rows: Mapping[str, Any]
    idf: Floats
    parts: tuple[Any, Any]
    clauses: tuple[str, ...]
    starts: Ints

    @classmethod
    def of(cls, memories: Sequence[Claim], claims: Sequence[Claim]) -> _Wording:
        """Read both into words."""
        cut = [clauses(plain(memory)) for memory in memories]
        flat = tuple(clause for each in cut for clause in each)
        said = [words(f"{each.speaker or ''} {plain(each)}") for each in (*claims, *memories)]
        lexicon = Lexicon.of_stems([stemmed(told) for told in (*said, *map(words, flat))])
        held, n, m = _binary(lexicon.counts), len(claims), len(memories)
        rows = {"claims": held[:n], "memories": held[n : n + m], "clauses": held[n + m :]}
        rows["windows"] = _binary(_neighbours(claims) @ rows["claims"]) if n else rows["claims"]
        unit = _unit(Lexicon.of_stems([pieces(words(plain(each))) for each in (*claims, *memories)]))
        starts = np.array(list(accumulate((len(each) for each in cut), initial=0)), np.int64)
        return cls(rows, lexicon.idf / lexicon.unseen, (unit[:n], unit[n:]), flat, starts)

    def mass(self, of: str) -> Floats:
        """Return the rarity of the words of each row together."""
        return self._masses[of]

    @cached_property
    def _masses(self) -> Mapping[str, Floats]:
        return {of: np.asarray(rows @ self.idf).ravel() for of, rows in self.rows.items()}

    def shared(self, of: str, rows: slice, other: str) -> Floats:
        """Return the rarity of the words that *rows* share with each row of *other*."""
        weighted = self.rows[of][rows].multiply(self.idf).tocsr()
        return np.asarray((weighted @ self.rows[other].T).toarray())

    def rare(self, memory: Ints, claim: Ints, clause: Ints) -> Mapping[str, Floats]:
        """Return what is rare in pairs: the words that both have, and those that no claim has."""
        both = self.rows["memories"][memory].multiply(self.rows["claims"][claim])
        weighted = both.multiply(self.idf).tocsr()
        return {
            "shared_mass": np.log1p(np.asarray(weighted.sum(axis=1)).ravel()),
            "rarest": weighted.max(axis=1).toarray().ravel(),
            "unheard": self._unheard("memories")[memory],
            "clause_unheard": self._unheard("clauses")[clause],
        }

    def _unheard(self, of: str) -> Floats:
        heard = np.asarray(self.rows["claims"].sum(axis=0)).ravel() > 0
        return _share(np.asarray(self.rows[of] @ (self.idf * ~heard)).ravel(), self.mass(of))


def _binary(counts: Any) -> Any:
    rows = counts.tocsr().copy()
    rows.data = np.ones_like(rows.data, np.float64)
    return rows


def _unit(lexicon: Lexicon) -> Any:
    from scipy.sparse import diags_array

    rows = _binary(lexicon.counts).multiply(lexicon.idf).tocsr()
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    return (diags_array(1 / np.maximum(lengths, 1e-9)) @ rows).tocsr()


def _neighbours(claims: Sequence[Claim]) -> Any:
    """Return which claims are a claim, or stand beside it in the same source."""
    from scipy.sparse import coo_matrix

    n = len(claims)
    left = np.array([i for i in range(n - 1) if claims[i].source == claims[i + 1].source], np.int64)
    of = np.concatenate([np.arange(n), left, left + 1])
    other = np.concatenate([np.arange(n), left + 1, left])
    return coo_matrix((np.ones(len(of)), (of, other)), (n, n)).tocsr()


# --- pairs ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Block:
    """Some memories against all claims: pairs worth a look, their figures, the best for each claim."""

    places: tuple[Ints, Ints, Ints]
    figures: Mapping[str, Floats]
    best: Mapping[str, Floats]


def _block(wording: _Wording, start: int) -> _Block:
    end = min(start + BLOCK, len(wording.starts) - 1)
    rows, of = slice(start, end), slice(int(wording.starts[start]), int(wording.starts[end]))
    claims, memories = wording.mass("claims"), wording.mass("memories")[rows, None]
    shared = wording.shared("memories", rows, "claims")
    parts = np.asarray((wording.parts[1][rows] @ wording.parts[0].T).toarray())
    clause, fit, clause_echo = _clauses(wording, of, wording.starts[start : end + 1] - of.start)
    full = {
        "told": _share(shared, claims[None]),
        "echo": _share(shared, memories),
        "window_echo": _share(wording.shared("memories", rows, "windows"), memories),
        "pieces": parts,
        "clause": fit,
        "clause_echo": clause_echo,
    }
    full["echo_gap"] = full["echo"] - full["echo"].max(axis=1, keepdims=True)
    score = _share(2 * shared, claims[None] + memories) + parts + fit
    full["rank"], full["lead"] = _standing(score)
    row, column = np.nonzero(_worth(full["told"] + full["echo"] + parts, full["told"], shared))
    places = (row + start, column, clause[row, column] + of.start)
    best = {name: full[name].max(axis=0) for name in ("told", "pieces", "clause")}
    return _Block(places, {name: values[row, column] for name, values in full.items()}, best)


def _share(part: Floats, whole: Floats) -> Floats:
    return part / np.maximum(whole, 1e-9)


def _clauses(wording: _Wording, of: slice, starts: Ints) -> tuple[Ints, Floats, Floats]:
    """Return for each memory and claim the best clause, how well it fits (F1), and the best clause echo."""
    shared = wording.shared("clauses", of, "claims")
    mass = wording.mass("clauses")[of, None]
    fits = _share(2 * shared, wording.mass("claims")[None] + mass)
    echoes = _share(shared, mass) * (mass > _WORDY)
    spans = [slice(a, b) for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]
    best = np.stack([span.start + fits[span].argmax(axis=0) for span in spans])
    fit = np.maximum.reduceat(fits, starts[:-1], axis=0)
    return best, fit, np.maximum.reduceat(echoes, starts[:-1], axis=0)


def _standing(score: Floats) -> tuple[Floats, Floats]:
    """Return 1 for the best claim of a memory, falling with the rank, and how far each leads or trails."""
    order = np.argsort(-score, axis=1, kind="stable")
    place = np.empty_like(order)
    np.put_along_axis(place, order, np.broadcast_to(np.arange(score.shape[1]), order.shape), axis=1)
    top = np.take_along_axis(score, order[:, :2], axis=1)
    ahead = np.where(place == 0, top[:, -1:], top[:, :1])
    return 1 / np.log2(2 + place), score - ahead


def _worth(score: Floats, told: Floats, shared: Floats) -> npt.NDArray[np.bool_]:
    """Return which pairs are worth a look: the best of each memory, and claims told nearly in full."""
    most = min(MOST, score.shape[1])
    best = np.argpartition(-score, most - 1, axis=1)[:, :most]
    worth = told > _FULLY
    np.put_along_axis(worth, best, values=True, axis=1)
    return worth & (shared > 0)
