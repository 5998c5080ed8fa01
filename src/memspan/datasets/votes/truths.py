"""What is true of the objects: the file that lies beside the votes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from memspan.datasets.json_text import shown
from memspan.datasets.question_fields import Notes
from memspan.datasets.source import Source, open_source
from memspan.datasets.votes.columns import Said, rows_of, truth_layout_of
from memspan.errors import FileError

_RANKS = ("golden", "truth", "silver")
"""What a file of truths is called; where several know an object, the first of these is believed."""
_CALLED = {"golden": "golden", "gold": "golden", "truth": "truth", "truths": "truth", "silver": "silver"}
_SPEAKING = frozenset(("claims", "claim", "votes", "labels", "label", "answers"))
_TABLES = frozenset((".csv", ".tsv", ".tab", ".txt"))
_MOST_BESIDE = 500


@dataclass(frozen=True)
class TruthFile:
    """A file of truths: its name, the kind, golden, truth or silver, its rows."""

    name: str
    rank: str
    rows: tuple[Said, ...] = field(repr=False)


def truths_beside(source: Source, notes: Notes) -> list[TruthFile]:
    """Return the files of truths that belong to the votes in *source*, the most trusted first.

    A file belongs to them if its name is the same but for words that say what it holds, such as
    ``claims`` there and ``truth``, ``golden`` or ``silver`` here; else ``truth.csv`` alone does.
    """
    made = []
    for path, rank in _candidates(source.path):
        found = _read(path, rank, notes)
        if found is not None:
            made.append(found)
    if not made:
        cure = "put the truth beside it, e.g. as truth.csv with the columns object and value"
        notes.add(source.path.name, "truth", f"no file of truths lies beside the votes; {cure}", kept=True)
    return sorted(made, key=lambda each: _RANKS.index(each.rank))


def _candidates(path: Path) -> list[tuple[Path, str]]:
    wanted = _bare(path)
    named = [(each, rank) for each in _beside(path) if (rank := _rank(each)) is not None]
    same = [pair for pair in named if _bare(pair[0]) == wanted]
    return same or [pair for pair in named if not _bare(pair[0])]


def _beside(path: Path) -> Iterator[Path]:
    try:
        others = sorted(each for each in path.resolve().parent.iterdir() if each.suffix.lower() in _TABLES)
    except OSError:
        return
    yield from (each for each in others[:_MOST_BESIDE] if each.name != path.name and each.is_file())


def _parts(path: Path) -> list[str]:
    return re.split(r"[\s_.-]+", path.stem.lower())


def _rank(path: Path) -> str | None:
    return next((_CALLED[part] for part in _parts(path) if part in _CALLED), None)


def _bare(path: Path) -> list[str]:
    """Return the words of a file's name but those that say what it holds."""
    return [part for part in _parts(path) if part not in _CALLED and part not in _SPEAKING]


def _read(path: Path, rank: str, notes: Notes) -> TruthFile | None:
    try:
        source = open_source(path)
        layout = truth_layout_of(source)
        if layout is None:
            begins = shown(source.head.strip()[:30])
            notes.add(path.name, "truth", f"begins with {begins}, no table of object and value", kept=False)
            return None
        return TruthFile(path.name, rank, tuple(rows_of(source, layout, notes, f"{path.name} ")))
    except FileError as error:
        notes.add(path.name, "truth", f"cannot be read: {error.faults[0].problem}", kept=False)
        return None
