"""A-MEM: notes that link to one another, and rewrite what their neighbours are filed under."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from memspan.material import Claim, Note, Query
from memspan.policies import Holding, Likeness, best
from memspan.ports import Author
from memspan.systems.kind import Setting, SystemKind

# agiresearch/A-mem @ceffb86 agentic_memory/memory_system.py and, alike, WujiangXu/A-mem memory_layer.py
NEIGHBOURS = 5  # process_memory: find_related_memories(note.content, k=5)
EVOLUTIONS = 100  # evo_threshold: evolutions between two renewals of the index
READ_RELEASED = 5  # find_related_memories_raw, k
READ_PAPER = 20  # WujiangXu/A-mem test_advanced.py: retrieve_k = 10, and as many linked notes
TAGS = 12  # tags of a note at most: a bound of ours, as nothing bounds what the model writes


@dataclass(frozen=True)
class Filed:
    """A note as it is filed.

    Attributes:
        note: the note itself, which nothing rewrites.
        keywords: found when it was written.
        tags: what it is filed under, which later notes rewrite.
        links: ids of the notes that it was linked to when it was written.
    """

    note: Note
    keywords: tuple[str, ...]
    tags: tuple[str, ...]
    links: tuple[str, ...] = ()


@dataclass(frozen=True)
class Way:
    """Where the released library and the code of the paper part.

    Attributes:
        targets: positions of the notes that are rewritten, given those of the neighbours.
        linked: which notes the links that the model names lead to, given those it means.
        index: the text by which a note is found.
        nearest: how many of k notes to read are found by likeness; their links fill the rest.
    """

    targets: Callable[[Sequence[int]], Sequence[int]]
    linked: Callable[[Sequence[str]], tuple[str, ...]]
    index: Callable[[Filed], str]
    nearest: Callable[[int], int]


class AMem:
    """Holds each claim as a note with tags and links; a `MemorySystem` with `Shrinks`.

    A new note is shown with its five neighbours. If the author finds any of them relevant, the note
    is linked to those, and the tags of each such neighbour are written anew: its own and the keywords of
    the new note (tags stand here for the tags and the context that a model would write).

    In the released library (`RELEASED`) neighbours are numbered by rank, 0 to 4, and the numbers are
    used as positions among all notes: the FIRST notes get the tags meant for the neighbours (issue 32).
    As the model is shown numbers, and links must be ids, no link ever leads anywhere; and notes are
    found by their content alone. In the code of the paper (`PAPER`) positions are right, links are
    followed when reading, and notes are found by content, keywords and tags, as they were when the
    index was last renewed: at each 100th evolution.

    It has no bound. Its own ranking is the number of links that a note has or had, either way, then
    the newest. Tags tell no claim, so a note rests on its own claim only.

    >>> from memspan.systems.author import PlainAuthor
    >>> memory = AMem(PAPER, Likeness(), PlainAuthor())
    >>> for name, text in (("a", "Rui cooks."), ("b", "Eva reads."), ("c", "Rui cooks fish.")):
    ...     memory.observe(Claim(name, text))
    >>> [(note.id, note.extra["links"]) for note in memory.held()]
    [('c', ('a',)), ('a', ()), ('b', ())]
    """

    name = "a-mem"

    def __init__(self, way: Way, likeness: Likeness, author: Author, capacity: int | None = None) -> None:
        """Start with nothing held; *likeness* is of the texts by which notes are found."""
        self._way, self._author, self._capacity = way, author, capacity
        self._index = Holding(likeness)
        self._filed: dict[str, Filed] = {}
        self._degree: Counter[str] = Counter()
        self._evolved = 0

    def observe(self, claim: Claim) -> None:
        """File *claim*, let it change its neighbours, then let go of the lowest where there are too many."""
        keywords = self._author.keywords(claim.text)
        new = Filed(Note(claim.id, claim.text, (claim.id,), "note", claim.time), keywords, keywords)
        near = self._near(claim.text, NEIGHBOURS)
        every = tuple(self._filed.values())
        shown = [every[i] for i in near]
        relevant = self._author.relevant(claim.text, [one.note.text for one in shown])
        links = self._way.linked(tuple(shown[i].note.id for i in relevant))
        self._file(replace(new, links=links))
        if relevant:
            tags = [_retagged(one, new) if i in relevant else one.tags for i, one in enumerate(shown)]
            self._evolve([every[i] for i in self._way.targets(near)], tags)
        if self._capacity is not None:
            self.shrink(self._capacity)

    def _near(self, text: str, k: int) -> list[int]:
        return best(self._index.similarity(text), k) if self._filed else []

    def _file(self, filed: Filed) -> None:
        self._filed[filed.note.id] = filed
        self._index.add(Note(filed.note.id, self._way.index(filed)))
        self._degree.update([filed.note.id] * len(filed.links) + list(filed.links))

    def _evolve(self, targets: Sequence[Filed], tags: Sequence[tuple[str, ...]]) -> None:
        """Write *tags* to *targets*, and renew the index where it is due."""
        for target, written in zip(targets, tags, strict=True):
            self._filed[target.note.id] = replace(target, tags=written)
        self._evolved += 1
        if self._evolved % EVOLUTIONS == 0:
            for filed in self._filed.values():
                self._index.add(Note(filed.note.id, self._way.index(filed)))

    def shrink(self, capacity: int) -> None:
        """Let go of the notes with the fewest links, the oldest first, until *capacity* are held."""
        for name in self._ranked()[max(capacity, 0) :]:
            del self._filed[name]
            self._index.drop(name)

    def _ranked(self) -> list[str]:
        newest = list(self._filed)[::-1]
        return sorted(newest, key=lambda name: -self._degree[name])

    def held(self) -> tuple[Note, ...]:
        """Return the notes, those with most links first, of equal ones the newest."""
        return tuple(_shown(self._filed[name]) for name in self._ranked())

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return at most *k* notes: the nearest, each followed by those that it links to."""
        names, room = tuple(self._filed), k - self._way.nearest(k)
        found: dict[str, None] = {}
        near = [names[i] for i in self._near(query.text, self._way.nearest(k))]
        for name in near:
            found[name] = None
            for link in self._filed[name].links:
                if room and link in self._filed and link not in found and link not in near:
                    found[link] = None
                    room -= 1
        return tuple(_shown(self._filed[name]) for name in found)


def _retagged(filed: Filed, new: Filed) -> tuple[str, ...]:
    """Return the tags of *filed* as *new* would have them: its keywords come first, the oldest tags go."""
    return tuple(dict.fromkeys((*new.keywords, *filed.tags)))[:TAGS]


def _shown(filed: Filed) -> Note:
    told = {"keywords": filed.keywords, "tags": filed.tags, "links": filed.links}
    return replace(filed.note, extra=told)


def _by_rank(near: Sequence[int]) -> Sequence[int]:
    return range(len(near))


def _as_found(near: Sequence[int]) -> Sequence[int]:
    return near


def _nowhere(names: Sequence[str]) -> tuple[str, ...]:  # noqa: ARG001 - whatever is named
    return ()


def _content(filed: Filed) -> str:
    return filed.note.text


def _everything(filed: Filed) -> str:
    return f"{filed.note.text} {' '.join(filed.keywords)} {' '.join(filed.tags)}"


def _all(k: int) -> int:
    return max(k, 0)


def _half(k: int) -> int:
    return max(k + 1, 0) // 2


RELEASED = Way(_by_rank, _nowhere, _content, _all)
"""The library agiresearch/A-mem."""
PAPER = Way(_as_found, tuple, _everything, _half)
"""The code of the paper's experiments, WujiangXu/A-mem."""


def released(setting: Setting) -> AMem:
    """Return A-MEM as the library does it."""
    return AMem(RELEASED, setting.likeness, setting.author, setting.capacity)


def paper(setting: Setting) -> AMem:
    """Return A-MEM as its experiments did it."""
    return AMem(PAPER, setting.likeness.apart("filed notes"), setting.author, setting.capacity)


KINDS = (
    SystemKind(
        "a-mem",
        "released",
        released,
        READ_RELEASED,
        source="agiresearch/A-mem@ceffb86 agentic_memory/memory_system.py",
    ),
    SystemKind(
        "a-mem", "paper", paper, READ_PAPER, source="WujiangXu/A-mem memory_layer.py; arXiv 2502.12110"
    ),
)
