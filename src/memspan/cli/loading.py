"""The materials a task asks for, and a first word about them before anything heavy is imported."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from memspan.cli.task import Task, chosen
from memspan.datasets import load, merge
from memspan.datasets.stores.address import name_of
from memspan.errors import FileError, FormatError
from memspan.material import Material

_TEXTS = frozenset({".txt", ".md", ".text", ".log", ".markdown"})


def materials_of(task: Task) -> list[Material]:
    """Return the materials that *task* asks for; what was loaded is told on stderr at once.

    Raises:
        FileError: the file cannot be used.
        UnknownName: a material that is not in it.
    """
    materials = chosen(_loaded_or_extracted(task), task.materials)
    print(_loaded(task.path, materials), file=sys.stderr, flush=True)  # noqa: T201 - the command line speaks
    return materials


def _loaded_or_extracted(task: Task) -> list[Material]:
    """Load a data file; a text, a transcript or a chat is turned into claims first."""
    try:
        return load(task.path, union=task.union, claims=task.claims)
    except FileError as refusal:
        materials = _extracted(task.path, refusal)
    return [merge(materials, Path(task.path).stem)] if task.union else materials


def _extracted(path: str, refusal: FileError) -> list[Material]:
    """Read *path* as a text; where it is none, or looks like a broken data file, raise the *refusal*."""
    from memspan.extraction import claims_of, read

    if not (isinstance(refusal, FormatError) or Path(path).suffix.lower() in _TEXTS):
        raise refusal
    try:
        return [claims_of(document) for document in read(path)]
    except FileError:
        raise refusal from None


def _loaded(path: str, materials: Sequence[Material]) -> str:
    counts = {
        "material": len(materials),
        "claim": sum(len(material.claims) for material in materials),
        "question": sum(len(material.queries) for material in materials),
    }
    told = [
        f"{n:,} {noun}{'' if n == 1 else 's'}" for noun, n in counts.items() if noun != "material" or n > 1
    ]
    return f"{name_of(path)}: {', '.join(told)}"
