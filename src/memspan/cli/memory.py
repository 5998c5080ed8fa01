"""A memory named on the command line: ids with commas between, or a file with one id on each line."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path

from memspan.errors import Fault, FileError, MemspanError, UnknownName
from memspan.material import Material

MOST_TOLD = 5


def memory_of(text: str, materials: Sequence[Material]) -> tuple[str, ...]:
    """Return the ids that *text* names, each once, all of them claims of the one material.

    Raises:
        MemspanError: there are several materials.
        UnknownName: an id is no claim; the nearest ones are told.
        FileError: the file of ids cannot be read.

    >>> from memspan.datasets import bundled
    >>> memory_of("e1, e3", [bundled("odyssey")])
    ('e1', 'e3')
    """
    if len(materials) != 1:
        raise MemspanError(
            f"--memory belongs to one material and there are {len(materials)}; pick one with --material ID"
        )
    known = materials[0].claim_position
    names = tuple(dict.fromkeys(_named(text)))
    unknown = [name for name in names if name not in known]
    if unknown:
        raise UnknownName(_complaint(unknown, materials[0]))
    return names


def _named(text: str) -> Iterator[str]:
    try:
        there = Path(text).is_file()
    except (OSError, ValueError):  # a long list is no name of a file
        there = False
    parts = _lines(Path(text)) if there else text.split(",")
    return (part.strip() for part in parts if part.strip())


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        problem = f"cannot be read as ids, one on each line: {error}"
        raise FileError(str(path), [Fault("", "", problem)]) from error


def _complaint(unknown: Sequence[str], material: Material) -> str:
    known = list(material.claim_position)
    told = [f"{name!r}{_hint(name, known)}" for name in unknown[:MOST_TOLD]]
    more = f" and {len(unknown) - MOST_TOLD} more" if len(unknown) > MOST_TOLD else ""
    return (
        f"--memory names no claim of {material.id}: {', '.join(told)}{more}; "
        "give ids of claims with commas between, or a file with one on each line"
    )


def _hint(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, n=3) or known[:3]
    return f" (near: {', '.join(near)})" if near else ""
