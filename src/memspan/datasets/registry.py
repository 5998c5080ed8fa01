"""The formats memspan reads. A new one is a file beside this and a line below."""

from __future__ import annotations

import difflib
from dataclasses import replace

from memspan.datasets.babi import BABI
from memspan.datasets.format import Format
from memspan.datasets.halumem import HALUMEM
from memspan.datasets.locomo import LOCOMO
from memspan.datasets.longmemeval import LONGMEMEVAL
from memspan.datasets.longmemeval_flat import LONGMEMEVAL_FLAT
from memspan.datasets.longmemeval_notes import LONGMEMEVAL_NOTES
from memspan.datasets.musique import MUSIQUE
from memspan.datasets.orlib import ORLIB
from memspan.datasets.source import Source, is_native_line
from memspan.datasets.stores.formats import MEMORIES, STORE_FORMATS
from memspan.datasets.strategyqa import STRATEGYQA
from memspan.datasets.titled import HOTPOTQA, TWOWIKI
from memspan.datasets.votes.formats import BOOK_AUTHORS, VOTES
from memspan.errors import UnknownName
from memspan.material import Material


def _is_native(source: Source) -> bool:
    keys = source.first.keys()
    return bool({"memspan", "claims", "queries"} & keys) or is_native_line(source.first)


def _read_native(source: Source, _: str) -> list[Material]:
    from memspan.datasets.native import read

    return read(source)


NATIVE = Format("memspan", "memspan JSON and JSON Lines", _is_native, _read_native)

_SETS: tuple[Format, ...] = (
    NATIVE,
    LOCOMO,
    LONGMEMEVAL,
    LONGMEMEVAL_NOTES,
    LONGMEMEVAL_FLAT,
    HOTPOTQA,
    TWOWIKI,
    MUSIQUE,
    STRATEGYQA,
    HALUMEM,
    BABI,
    ORLIB,
    BOOK_AUTHORS,
    VOTES,
    *(each for each in STORE_FORMATS if each is not MEMORIES),
)


def _is_nothing_else(source: Source) -> bool:
    """Whether *source* holds texts and is of no format with a layout of its own."""
    return not any(each.detect(source) for each in _SETS) and MEMORIES.detect(source)


FORMATS: tuple[Format, ...] = (*_SETS, replace(MEMORIES, detect=_is_nothing_else))
"""In the order in which they are tried; the first that fits is taken."""


def format_of(source: Source) -> Format:
    """Return the format that fits the content of *source*.

    Raises:
        FormatError: none fits.
        FileError: the file is JSON and broken.
    """
    found = next((each for each in FORMATS if each.detect(source)), None)
    if found is None:
        raise source.unknown(", ".join(each.title for each in FORMATS))
    return found


def format_named(name: str) -> Format:
    """Return the format called *name*, or raise UnknownName."""
    found = next((each for each in FORMATS if each.name == name), None)
    if found:
        return found
    names = [each.name for each in FORMATS]
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise UnknownName(f"format {name!r} is unknown; known are {', '.join(names)}{hint}")
