"""A source as it was read: passages in order, each with its place, its speaker and its time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from memspan.errors import UnknownName
from memspan.material import Claim, Dropped

Kind = Literal["text", "markdown", "transcript", "chat"]
Form = Literal["prose", "quote", "code", "row", "heading", "date"]
KINDS: tuple[Kind, ...] = ("text", "markdown", "transcript", "chat")


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a text that belongs together: a paragraph, an entry of a list, a row of a table.

    Attributes:
        start, end: where it stands in the text, without the marks around it.
        form: how it is to be read; code and rows are never split, headings and dates name what follows.
        words: what it says, where the text itself does not say it alone: a row with its columns.
    """

    start: int
    end: int
    form: Form = "prose"
    words: str | None = None
    level: int = 0


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of source text from one place and one mouth.

    Attributes:
        text: the whole source text, in which positions are counted: a file, or one message.
        start, end: the part of it that is meant.
        source: the place in words, e.g. ``trip.md, Lisbon``; one source has one text.
        name: the message's own id, where it has one.
        form, words: as for a `Block`.
        speaker, time: who said it and when, where known; time in ISO 8601 where it could be read.
    """

    text: str
    start: int
    end: int
    source: str
    name: str = ""
    form: Form = "prose"
    words: str | None = None
    speaker: str | None = None
    time: str | None = None


@dataclass(frozen=True)
class Document:
    """One document or one conversation.

    Attributes:
        id: of the material that it becomes.
        kind: what it was read as.
        passages: its text in order.
        headings: where headings and lines of dates stand; they are in the sources of what follows.
        time: when relative dates are said where a passage has no time of its own.
        dropped: what was left out or repaired.
        extra: what else is known of it.
    """

    id: str
    kind: Kind
    passages: tuple[Passage, ...]
    headings: tuple[tuple[int, int], ...] = ()
    time: str | None = None
    dropped: tuple[Dropped, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_dialogue(self) -> bool:
        """Whether its passages are turns of speakers."""
        return self.kind in {"transcript", "chat"}

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The text of each source: what the spans of its claims count in."""
        return {passage.source: passage.text for passage in self.passages}

    def words_of(self, claim: Claim) -> str:
        """Return the words of the source at the span of *claim*, as they stand there.

        Raises:
            UnknownName: the claim has no span, or comes from another document.
        """
        text = self.texts.get(claim.source or "")
        if claim.span is None or text is None:
            raise UnknownName(f"claim {claim.id!r} has no place in {self.id!r}")
        return text[claim.span[0] : claim.span[1]]
