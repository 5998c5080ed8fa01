"""Passages to claims, offline: each a sentence, a turn or a paragraph in the source's own words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from memspan.errors import UnknownName
from memspan.extraction.blocks import plain_blocks
from memspan.extraction.document import Document, Passage
from memspan.extraction.markdown import looks_like_markdown, markdown_blocks
from memspan.extraction.persons import seems_english
from memspan.extraction.wording import Wording
from memspan.language.sentences import Splitter, sentences
from memspan.language.tokens import count_tokens
from memspan.material import Claim, Dropped, Material

UNITS = ("turn", "sentence", "paragraph")
Report = Callable[[int, int], None]
"""Called with how much is done and how much there is."""

LONG_TURN = 600  # characters; a longer turn says more than one thing
LONG_SENTENCE = 2_000  # characters; a longer sentence is none
_MOST_TOLD = 100  # pieces without a word that are listed one by one
_BREAK = re.compile(r"[;:,\s]\s*(?=\S)")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a passage that becomes a claim."""

    passage: Passage
    start: int
    end: int


def claims_of(
    document: Document,
    *,
    unit: str | None = None,
    splitter: Splitter = "plain",
    report: Report | None = None,
) -> Material:
    r"""Return the claims that *document* makes in its own words.

    A claim's `span` counts in the text of its `source` (see `Document.texts`); the words there are
    its `quote` or, where that is None, its `text` up to blank space. In dialogues and where the
    language seems English, the first person becomes the speaker's name and relative dates are
    followed by the date they mean, as in ``yesterday (2023-05-07)``; not inside quotation marks.
    In Markdown, marks of emphasis are left out.

    Args:
        document: what `read` gives.
        unit: ``turn``, ``sentence`` or ``paragraph``. None takes sentences for documents, and for
            dialogues turns, those over 600 characters in sentences.
        splitter: of sentences; ``plain`` is always there and gives the same claims everywhere,
            ``syntok`` has to be installed.
        report: told how many passages are done.

    Returns:
        A material without queries; what was left out is in its `dropped`, how it was made in
        ``extra["extracted"]``. Its claims cost `tokens`.

    Raises:
        UnknownName: there is no such unit, or a document has no turns.
        ImportError: ``syntok`` was asked for and is not installed.

    >>> from memspan.extraction import read_text
    >>> talk = read_text("Ana: I moved to Porto.\nRui: When?\nAna: Last week.", time="2024-03-06")[0]
    >>> [claim.text for claim in claims_of(talk).claims]
    ['Ana moved to Porto.', 'When?', 'Last week (2024-02-26 to 2024-03-03).']
    """
    chosen = _chosen(document, unit)
    english = _is_english(document)
    dropped = _Silent()
    claims: list[Claim] = []
    for number, passage in enumerate(document.passages):
        if report is not None:
            report(number, len(document.passages))
        pieces = [p for p in _pieces(document, passage, chosen, splitter) if dropped.has_word(p)]
        names = _names(passage, len(pieces), len(claims))
        claims += _claims(document, zip(pieces, names, strict=True), english=english)
    said = "turn, long ones by sentence" if chosen == "mixed" else chosen
    how = {"kind": document.kind, "unit": said, "splitter": splitter, "model": None}
    return Material(
        document.id,
        tuple(_apart(claims)),
        dropped=(*document.dropped, *headings_told(document), *dropped.told()),
        extra={**document.extra, "extracted": how},
    )


def _chosen(document: Document, unit: str | None) -> str:
    if unit is None:
        return "mixed" if document.is_dialogue else "sentence"
    if unit not in UNITS:
        raise UnknownName(f"there is no unit {unit!r}; choose one of {', '.join(UNITS)}")
    if unit == "turn" and not document.is_dialogue:
        raise UnknownName(
            f"{document.id!r} was read as {document.kind}, which has no turns; choose sentence or paragraph"
        )
    return unit


def _is_english(document: Document) -> bool:
    sample = islice(document.passages, 200)
    return seems_english(" ".join(p.text[p.start : min(p.end, p.start + 400)] for p in sample))


def headings_told(document: Document) -> Iterator[Dropped]:
    """Yield what is said about text that became no claim because it names others."""
    if document.headings:
        many = len(document.headings)
        if document.kind == "transcript":
            what = "names and times of speakers"
            turns = "1 turn stand" if many == 1 else f"{many:,} turns stand"
            reason = (
                f"names and times at {turns} in the speaker, time and source of claims, not in their text"
            )
        else:
            what = "headings"
            stand = (
                "1 heading stands in the source" if many == 1 else f"{many:,} headings stand in the sources"
            )
            reason = f"{stand} of claims, not among the claims"
        yield Dropped(document.id, what, reason, kept=True)


# --- passages to pieces -----------------------------------------------------------------------------


def pieces_of(document: Document, passage: Passage) -> Iterator[Piece]:
    """Yield the sentences of *passage*; code and rows of tables come whole."""
    yield from _pieces(document, passage, "sentence", "plain")


def _pieces(document: Document, passage: Passage, unit: str, splitter: Splitter) -> Iterator[Piece]:
    length = passage.end - passage.start
    if unit == "turn" or (unit == "mixed" and length <= LONG_TURN):
        yield from _trimmed(passage, passage.start, passage.end)
        return
    parts = _parts(passage) if document.is_dialogue else [passage]
    for part in parts:
        if unit == "paragraph" or part.form in {"code", "row"}:
            yield from _trimmed(part, part.start, part.end)
        else:
            yield from _sentences(part, splitter)


def _parts(passage: Passage) -> Iterator[Passage]:
    """Yield the blocks of a turn as passages of their own."""
    text = passage.text[passage.start : passage.end]
    blocks = markdown_blocks(text) if looks_like_markdown(text) else plain_blocks(text)
    for block in blocks:
        form = "prose" if block.form == "heading" else block.form
        start, end = passage.start + block.start, passage.start + block.end
        yield replace(passage, start=start, end=end, form=form, words=block.words)


def _trimmed(passage: Passage, start: int, end: int) -> Iterator[Piece]:
    text = passage.text[start:end]
    first = len(text) - len(text.lstrip())
    last = len(text.rstrip())
    if first < last:
        yield Piece(passage, start + first, start + last)


def _sentences(passage: Passage, splitter: Splitter) -> Iterator[Piece]:
    text = passage.text[passage.start : passage.end]
    for start, end in sentences(text, splitter):
        for first, last in cut(text, start, end):
            yield from _trimmed(passage, passage.start + first, passage.start + last)


def cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a sentence in pieces that a person would still call one, cut at blanks where there are any."""
    while end - start > LONG_SENTENCE:
        breaks = [
            found.end() for found in _BREAK.finditer(text, start + LONG_SENTENCE // 2, start + LONG_SENTENCE)
        ]
        cut = breaks[-1] if breaks else start + LONG_SENTENCE
        yield start, cut
        start = cut
    yield start, end


class _Silent:
    """Keeps what says nothing: pieces without a letter, a digit or a picture."""

    def __init__(self) -> None:
        """Start with none."""
        self._count = 0
        self._told: list[Dropped] = []

    def has_word(self, piece: Piece) -> bool:
        """Tell whether *piece* says something; remember it where it does not."""
        text = piece.passage.text[piece.start : piece.end]
        if any(letter.isalnum() or unicodedata.category(letter) == "So" for letter in text):
            return True
        self._count += 1
        if self._count <= _MOST_TOLD:
            place = f"{piece.passage.source}[{piece.start}:{piece.end}]"
            self._told.append(Dropped(place, "", f"holds no word: {text[:40]!r}"))
        return False

    def told(self) -> list[Dropped]:
        """Return what was left out, the first hundred one by one."""
        more = self._count - len(self._told)
        return [*self._told, *([Dropped("", "", _more(more))] if more else [])]


def _more(count: int) -> str:
    return "1 more piece holds no word" if count == 1 else f"{count:,} more pieces hold no word"


# --- pieces to claims -------------------------------------------------------------------------------


def _names(passage: Passage, many: int, before: int) -> list[str]:
    """Return the ids of the claims of a passage: its own name, or the next numbers."""
    if not passage.name:
        return [f"c{before + i + 1}" for i in range(many)]
    return [passage.name] if many == 1 else [f"{passage.name}.{i + 1}" for i in range(many)]


def _claims(document: Document, pieces: Iterable[tuple[Piece, str]], *, english: bool) -> Iterator[Claim]:
    part: Passage | None = None
    for piece, name in pieces:
        if piece.passage is not part:
            part = piece.passage
            day = part.time if part.time and part.time[:1].isdigit() else document.time
            wording = Wording(part, english=english, day=day, marked=document.kind == "markdown")
        text, quote = wording.of(piece.start, piece.end)
        costs = {"tokens": count_tokens(text)}
        place = (piece.start, piece.end)
        yield Claim(name, text, part.source, part.time, costs, speaker=part.speaker, quote=quote, span=place)


def _apart(claims: list[Claim]) -> Iterator[Claim]:
    """Yield *claims* with ids that are unique."""
    taken: set[str] = set()
    for claim in claims:
        name, number = claim.id, 2
        while name in taken:
            name, number = f"{claim.id}#{number}", number + 1
        taken.add(name)
        yield claim if name == claim.id else replace(claim, id=name)
