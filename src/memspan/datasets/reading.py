"""Files to materials: the one entrance, whatever the format."""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from memspan.datasets.fields import distinct
from memspan.datasets.format import Format
from memspan.datasets.merging import merge
from memspan.datasets.registry import format_named, format_of
from memspan.datasets.shelf import BUNDLED, bundled
from memspan.datasets.source import Source, open_source
from memspan.datasets.stores.address import name_of, shown_address
from memspan.datasets.stores.reading import store_at
from memspan.datasets.votes.formats import tables_in
from memspan.errors import Fault, FileError, MaterialError
from memspan.material import Dropped, Material


def load(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word users know from json, pandas and soundfile
    union: bool = False,
    claims: str | None = None,
) -> list[Material]:
    """Read the materials of a file; the format is told by the content, never by the name.

    Args:
        path: a file, a folder of tables of votes, the name of a bundled material (see `BUNDLED`),
            or a memory store as it is: a folder, a SQLite file, or a ``postgresql://`` address (see
            `read_store`).
        format: name of the format where the content should not decide (see `FORMATS`).
        union: merge all materials of the file into one. Ids that several use are prefixed
            with their material's; the same claim from several contexts becomes one.
        claims: what stands as a claim, where the format leaves a choice, e.g. ``turns`` or
            ``observations`` for LoCoMo; None takes the usual one.

    Returns:
        At least one material, in the order of the file. What a loader left out or repaired
        is in `Material.dropped`.

    Raises:
        FileError: the file cannot be used; all its faults are named.
        FormatError: no known format fits the content.
        UnknownName: there is no format of that name.

    >>> len(load("odyssey")[0].queries)
    8
    """
    name = os.fspath(path)
    if name in BUNDLED and format is None:
        return _bundled(name, claims)
    voted = tables_in(name) if format is None else []
    stored = store_at(name) if format is None and not voted else None
    if stored is not None:
        return _of_store(name, stored, claims, union=union)
    sources = voted or [open_source(_existing(Path(name)))]
    read = [_of_source(source, format, claims) for source in sources]
    materials = _named_apart([material for several in read for material in several])
    return [merge(materials, Path(name).stem)] if union else materials


def _of_source(source: Source, given: str | None, claims: str | None) -> list[Material]:
    chosen = format_named(given) if given else format_of(source)
    return _read(source, chosen, _unit(source, chosen, claims))


def _bundled(name: str, claims: str | None) -> list[Material]:
    if claims is not None:
        raise FileError(
            name, [Fault("", "", f"a bundled material leaves no choice of claims; seen {claims!r}")]
        )
    return [bundled(name)]


def _of_store(place: str, materials: list[Material], claims: str | None, *, union: bool) -> list[Material]:
    if claims is not None:
        problem = (
            f"a store offers no claims of kind {claims!r}; its memories are the claims: leave the option out"
        )
        raise FileError(shown_address(place), [Fault("", "", problem)])
    if union:
        return [merge(_named_apart(materials), Path(name_of(place)).stem)]
    return _named_apart(materials)


def _existing(path: Path) -> Path:
    near = difflib.get_close_matches(str(path), BUNDLED, n=1)
    if near and not path.exists():
        problem = f"does not exist; did you mean the bundled material {near[0]!r}?"
        raise FileError(str(path), [Fault("", "", problem)])
    return path


def _unit(source: Source, chosen: Format, claims: str | None) -> str:
    if claims is None:
        return chosen.claims[0] if chosen.claims else ""
    if claims in chosen.claims:
        return claims
    allowed = f"allowed are {', '.join(chosen.claims)}" if chosen.claims else "leave the option out"
    raise source.refuse(f"{chosen.title} offers no claims of kind {claims!r}; {allowed}")


def _read(source: Source, chosen: Format, unit: str) -> list[Material]:
    try:
        materials = chosen.read(source, unit)
    except MaterialError as error:
        raise FileError(str(source.path), error.faults) from error
    if not materials:
        raise source.refuse("holds no material; a data file holds at least one")
    return _named_apart(materials)


def _named_apart(materials: Sequence[Material]) -> list[Material]:
    """Give each material of a file an id of its own, and report where that changed one."""
    names = distinct([material.id for material in materials])
    return [
        material if name == material.id else _renamed(material, name)
        for material, name in zip(materials, names, strict=True)
    ]


def _renamed(material: Material, name: str) -> Material:
    reason = f"{material.id!r} stands before in this file; this material becomes {name!r}"
    return replace(
        material, id=name, dropped=(*material.dropped, Dropped("material", "id", reason, kept=True))
    )
