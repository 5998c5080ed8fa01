"""A package of others as a memory system: what is the same for all of them."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np

from memspan.errors import ShapeError, SystemUnavailableError
from memspan.material import Claim, Note, Query
from memspan.ports import Embedder

CLAIM = "claim_id"
"""Field of what a package keeps beside a text: id of the claim that it rests on."""
WRITTEN = "written"
"""Field of what a package keeps beside a text, and of `Note.extra`: how many claims came before."""
EVERYTHING = 1_000_000
"""Given where a package lists ten or twenty by default and takes a number only."""


class Package(Protocol):
    """The five calls of a package that an adapter makes; notes come as the package has them now."""

    def write(self, claim: Claim, tags: Mapping[str, Any]) -> None:
        """Store the text of *claim*, with *tags* beside it."""
        ...

    def search(self, text: str, k: int) -> Sequence[Note]:
        """Return at most *k* notes for *text*, best first."""
        ...

    def everything(self) -> Sequence[Note]:
        """Return all notes, in any order."""
        ...

    def delete(self, name: str) -> None:
        """Delete the note with id *name*."""
        ...

    def close(self) -> None:
        """Write what is not written yet, and let go of files and connections."""
        ...


@dataclass
class _Opened:
    """What is to be closed: kept apart from the system, so that it can be closed after its end."""

    package: Package | None
    folder: Path
    own: bool

    def close(self) -> None:
        package, self.package = self.package, None
        if package is not None:
            package.close()

    def remove(self) -> None:
        self.close()
        if self.own:
            shutil.rmtree(self.folder, ignore_errors=True)


class Packaged:
    """A package as a memory system; implements `memspan.ports.MemorySystem`.

    It holds what the package says that it holds, asked each time. Packages have no bound and no order
    of their own: what was written last is held longest, and the package deletes the rest where there is a
    capacity. Close it, or use it in a ``with`` block; else it is closed when nothing refers to it.

    Args:
        name: as outputs name it.
        start: opens the package on a folder, new or used before.
        capacity: claims that its notes may rest on; None for no bound.
        folder: where the package keeps its files; a temporary one, removed at the end, where None.

    Raises:
        SystemUnavailableError: the package is not installed, or its server cannot be reached.
        ShapeError: *capacity* is negative.
    """

    def __init__(
        self,
        name: str,
        start: Callable[[Path], Package],
        capacity: int | None = None,
        folder: Path | None = None,
    ) -> None:
        """Open the package."""
        if capacity is not None and capacity < 0:
            raise ShapeError(f"capacity is {capacity}; give a number of claims, 0 or more")
        self._name, self._start, self._capacity = name, start, capacity
        place = Path(tempfile.mkdtemp(prefix="memspan-")) if folder is None else folder
        self._opened = _Opened(None, place, own=folder is None)
        self._end = weakref.finalize(self, self._opened.remove)
        self._written: int | None = None
        try:
            self._opened.package = start(place)
        except BaseException:
            self._end()
            raise

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    @property
    def package(self) -> Package:
        """The package as it is open; for what its own calls can do.

        Raises:
            SystemUnavailableError: it was closed.
        """
        if self._opened.package is None:
            raise SystemUnavailableError(
                f"{self._name} was closed; reopen it with reopen(), or make a new one"
            )
        return self._opened.package

    def __enter__(self) -> Self:
        """Return this system."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close the package, and remove its folder where it is a temporary one."""
        self._end()

    def reopen(self) -> Self:
        """Close the package and open it again on the same files, as after a restart; return this system."""
        self._opened.close()
        self._opened.package, self._written = self._start(self._opened.folder), None
        return self

    def observe(self, claim: Claim) -> None:
        """Write *claim*, then delete what was written first where there is too much."""
        if self._written is None:  # reopened, or on a folder that was used before: go on counting
            self._written = 1 + max((_place(note) for note in self.package.everything()), default=-1)
        self.package.write(claim, tags(claim, self._written))
        self._written += 1
        if self._capacity is not None:
            self.shrink(self._capacity)

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return what the package finds, best first; nothing for an empty question."""
        if k < 1 or not query.text.strip():
            return ()
        return tuple(self.package.search(query.text, k))[:k]

    def held(self) -> tuple[Note, ...]:
        """Return what the package lists: what was written last comes first."""
        return tuple(sorted(self.package.everything(), key=_place, reverse=True))

    def shrink(self, capacity: int) -> None:
        """Delete what was written first until the notes rest on at most *capacity* claims."""
        resting: set[str] = set()
        for note in self.held():
            resting |= set(note.claims)
            if len(resting) > capacity:
                self.package.delete(note.id)


def _place(note: Note) -> int:
    place = note.extra.get(WRITTEN, -1)
    return place if isinstance(place, int) else -1


def tags(claim: Claim, written: int) -> dict[str, Any]:
    """Return what travels with a text through a package, so that a read can say what it rests on.

    >>> tags(Claim("c1", "Rui cooks.", time="2026-03-02"), 0)
    {'claim_id': 'c1', 'written': 0, 'time': '2026-03-02'}
    """
    told = {"time": claim.time, "source": claim.source, "speaker": claim.speaker}
    return {CLAIM: claim.id, WRITTEN: written} | {
        key: value for key, value in told.items() if value is not None
    }


def note_from(name: str, text: str, kept: Mapping[str, Any] | None, kind: str = "event") -> Note:
    """Return a note from what a package gave back: without a claim id in *kept* it rests on nothing.

    >>> note_from("n1", "Rui cooks.", {"claim_id": "c1", "written": 0}).claims
    ('c1',)
    """
    kept = kept or {}
    claims = (str(kept[CLAIM]),) if kept.get(CLAIM) is not None else ()
    extra = {WRITTEN: int(kept[WRITTEN])} if str(kept.get(WRITTEN, "")).isdecimal() else {}
    return Note(name, text, claims, kind, kept.get("time"), extra)


class Names:
    """Names of notes for packages that draw ids by chance, so that the same claims give the same notes.

    >>> names = Names()
    >>> note = names.note("3f0c", "Rui cooks.", {"claim_id": "c1", "written": 0})
    >>> note.id, names.own(note.id)
    ('c1@0', '3f0c')
    """

    def __init__(self) -> None:
        """Start without any."""
        self._own: dict[str, str] = {}
        self._note: dict[str, str] = {}

    def note(self, own: str, text: str, kept: Mapping[str, Any] | None, kind: str = "event") -> Note:
        """Return a note from what a package gave back under its *own* id; see `note_from`."""
        return self.renamed(note_from(own, text, kept, kind))

    def renamed(self, note: Note) -> Note:
        """Return *note*, whose id is the package's own, under a name made of what it rests on."""
        if note.id not in self._note:
            plain = f"{'+'.join(note.claims) or note.text[:40]}@{note.extra.get(WRITTEN, '')}"
            places = (f"{plain}.{i}" if i else plain for i in count())
            self._note[note.id] = next(name for name in places if name not in self._own)
            self._own[self._note[note.id]] = note.id
        return replace(note, id=self._note[note.id])

    def own(self, name: str) -> str:
        """Return the package's own id of the note called *name*."""
        return self._own[name]


def as_words(kept: Mapping[str, Any]) -> list[str]:
    """Return *kept* as words ``key:value``, for packages that keep a list of words beside a text."""
    return [f"{key}:{value}" for key, value in kept.items()]


def from_words(words: Iterable[str] | None) -> dict[str, str]:
    """Return what `as_words` was given.

    >>> from_words(as_words({"claim_id": "c1", "time": "2026-03-02T10:00"}))
    {'claim_id': 'c1', 'time': '2026-03-02T10:00'}
    """
    parted = (word.partition(":") for word in words or ())
    return {key: value for key, mark, value in parted if mark}


def rows(embedder: Embedder, texts: Sequence[str]) -> list[list[float]]:
    """Return vectors as packages take them: none is zero, since they divide by its length.

    >>> from memspan.models import HashedEmbedder
    >>> rows(HashedEmbedder(4), [""])
    [[0.5, 0.5, 0.5, 0.5]]
    """
    vectors = np.array(embedder.embed(texts), float)
    vectors[~vectors.any(axis=1)] = vectors.shape[1] ** -0.5
    listed: list[list[float]] = vectors.tolist()
    return listed


def part(path: str, system: str, cure: str) -> Any:
    """Import ``package.module:name`` when it is needed.

    Raises:
        SystemUnavailableError: it is not there; the message gives *cure*, the command to install it.

    >>> part("math:sqrt", "sums", "pip install sums")(9)
    3.0
    """
    module, _, name = path.partition(":")
    try:
        found = import_module(module)
        return getattr(found, name) if name else found
    except (ImportError, AttributeError) as missing:
        raise SystemUnavailableError(
            f"{system} needs the package {module.partition('.')[0]}, which cannot be imported ({missing});"
            f" run: {cure}"
        ) from missing
