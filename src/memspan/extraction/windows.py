"""A document in windows that a chat model can read at once, each with the lines before it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from memspan.extraction.claims import Piece, cut, pieces_of
from memspan.extraction.document import Document
from memspan.language.tokens import count_tokens

TOKENS = 600  # of source text in a window
CONTEXT = 3  # pieces of the window before that are shown again, to be understood and not extracted


@dataclass(frozen=True)
class Region:
    """A stretch of one source text."""

    piece: Piece
    start: int
    end: int

    @property
    def text(self) -> str:
        """The text in which quotes are looked for."""
        return self.piece.passage.text[self.start : self.end]


@dataclass(frozen=True)
class Window:
    """What is shown to a model at once.

    Attributes:
        number: from 1.
        before: the last pieces of the window before, for understanding only.
        pieces: the text whose claims are asked for.
    """

    number: int
    before: tuple[Piece, ...]
    pieces: tuple[Piece, ...]

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """The stretches of source text in the window, one for each source."""
        found: list[Region] = []
        for piece in self.pieces:
            last = found[-1] if found else None
            if last and last.piece.passage.source == piece.passage.source and last.end <= piece.start:
                found[-1] = Region(last.piece, last.start, piece.end)
            else:
                found.append(Region(piece, piece.start, piece.end))
        return tuple(found)

    @property
    def place(self) -> str:
        """Where the window lies, in words."""
        first, last = self.regions[0], self.regions[-1]
        end = (
            ""
            if first.piece.passage.source == last.piece.passage.source
            else f" to {last.piece.passage.source}"
        )
        return f"window {self.number} ({first.piece.passage.source}[{first.start}:]{end})"

    @cached_property
    def shown(self) -> str:
        """What the model reads."""
        context = f"Before it (only to understand):\n{_shown(self.before)}\n\n" if self.before else ""
        return f"{context}Text:\n{_shown(self.pieces)}"

    def key(self, model: str, instruction: str) -> str:
        """Return a name of what is asked and whom: the same for the same words only."""
        asked = f"{model}\n\n{instruction}\n\n{self.shown}"
        return hashlib.sha256(asked.encode(errors="surrogatepass")).hexdigest()


def windows_of(document: Document) -> Iterator[Window]:
    """Yield the windows of *document* in order; together they hold all of it."""
    held: list[Piece] = []
    before: tuple[Piece, ...] = ()
    tokens = number = 0
    for piece in _pieces(document):
        size = count_tokens(piece.passage.text[piece.start : piece.end])
        if held and tokens + size > TOKENS:
            number += 1
            yield Window(number, before, tuple(held))
            before, held, tokens = tuple(held[-CONTEXT:]), [], 0
        held.append(piece)
        tokens += size
    if held:
        yield Window(number + 1, before, tuple(held))


def _pieces(document: Document) -> Iterator[Piece]:
    for passage in document.passages:
        for piece in pieces_of(document, passage):
            for start, end in cut(passage.text, piece.start, piece.end):
                yield Piece(piece.passage, start, end)


def _shown(pieces: Sequence[Piece]) -> str:
    lines = []
    place = None
    for piece in pieces:
        passage = piece.passage
        if passage.source != place:
            place = passage.source
            who = ", ".join(part for part in (passage.speaker, passage.time) if part)
            lines.append(f"[{place}{': ' + who if who else ''}]")
        lines.append(passage.text[piece.start : piece.end].strip())
    return "\n".join(lines)
