"""Materials to the native format: JSON for people, JSON Lines for streams."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from numbers import Integral
from pathlib import Path
from typing import Any

from memspan.datasets.amending import Correction, Revocation
from memspan.errors import Fault, FileError
from memspan.files import replace_file
from memspan.material import Claim, Dropped, KnowledgeItem, Material, Query, Settlement, Support

_SECTIONS = {"claims": "claim", "items": "item", "queries": "query", "settlements": "settlement"}
_NOUNS = (Material, Claim, KnowledgeItem, Query, Settlement, Support, Dropped, Correction, Revocation)
_FIELDS = {noun: {f.name: f for f in fields(noun) if f.name != "extra"} for noun in _NOUNS}
_TRUTHS = frozenset({"answerable", "kept"})
_LINES = frozenset({".jsonl", ".ndjson"})


def save(materials: Material | Iterable[Material], path: str | os.PathLike[str]) -> None:
    """Write one material or several to *path*: JSON Lines for ``.jsonl`` and ``.ndjson``, else JSON.

    The file appears whole or not at all: it is written beside its place first, then moved
    over. What `memspan.datasets.load` reads back equals what was saved, in every field.

    Args:
        materials: what to write; fields in `extra` hold JSON values only.
        path: the file to make or to replace.

    Raises:
        FileError: nothing to write, a value that JSON cannot hold, or the disk refuses.

    >>> import tempfile
    >>> from memspan.datasets import bundled, load
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(bundled("odyssey"), f"{folder}/trip.jsonl")
    ...     load(f"{folder}/trip.jsonl")[0] == bundled("odyssey")
    True
    """
    target = Path(path)
    several = [materials] if isinstance(materials, Material) else list(materials)
    if not several:
        raise FileError(str(target), [Fault("", "", "nothing to save; give at least one material")])
    lines = _json_lines if target.suffix.lower() in _LINES else _json
    replace_file(target, lines(several))


def _json(materials: Sequence[Material]) -> Iterator[str]:
    """Yield a document with one record per line: small differences stay small."""
    if len(materials) == 1:
        yield from _document(materials[0])
        yield "\n"
        return
    for i, material in enumerate(materials):
        yield "[" if i == 0 else ",\n"
        yield from _document(material)
    yield "]\n"


def _document(material: Material) -> Iterator[str]:
    head = _text(_head(material))
    yield head[:-1]
    for section in _SECTIONS:
        records = getattr(material, section)
        if records:
            yield f',\n "{section}": [\n  '
            yield ",\n  ".join(_text(_record(record)) for record in records)
            yield "]"
    yield "\n}"


def _json_lines(materials: Sequence[Material]) -> Iterator[str]:
    for material in materials:
        yield _line("material", _head(material))
        for section, kind in _SECTIONS.items():
            for record in getattr(material, section):
                yield line_of(kind, record)


def line_of(kind: str, noun: Any) -> str:
    r"""Return *noun* as a line of JSON Lines, its *kind* first.

    Raises:
        ValueError, TypeError: JSON cannot hold it.

    >>> line_of("revocation", Revocation("s1"))
    '{"kind": "revocation", "of": "s1"}\n'
    """
    return _line(kind, _record(noun))


def _line(kind: str, record: dict[str, Any]) -> str:
    if "kind" in record:
        name = record.get("id", record.get("query", ""))
        raise ValueError(
            f"{kind} {name!r} has an extra field 'kind', which JSON Lines needs; save it as .json"
        )
    return _text({"kind": kind, **record}) + "\n"


def _text(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, allow_nan=False)


def _head(material: Material) -> dict[str, Any]:
    own = [name for name in _FIELDS[Material] if name not in _SECTIONS]
    return {"memspan": 0, **_record(material, own)}


def _record(noun: Any, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return *noun* as a JSON object: fields at their default are left out, unknown ones stand last."""
    known = _FIELDS[type(noun)]
    made = {
        name: _value(name, getattr(noun, name))
        for name in names or known
        if not _is_default(known[name], getattr(noun, name))
    }
    extra = getattr(noun, "extra", {})
    taken = [key for key in extra if key in known or (isinstance(noun, Material) and key == "memspan")]
    if taken:
        raise ValueError(f"extra field {taken[0]!r} of {_name(noun)} is one of memspan's own; rename it")
    return {**made, **extra}


def _is_default(field: Field[Any], value: Any) -> bool:
    """Whether *value* is the default in type too: a weight of 1.0 is written, one of 1 is not."""
    default = field.default_factory() if field.default_factory is not MISSING else field.default
    return type(value) is type(default) and bool(value == default)


def _name(noun: Any) -> str:
    kind = type(noun).__name__.lower()
    return f"{kind} {noun.id!r}" if hasattr(noun, "id") else f"a {kind}"


def _value(name: str, value: Any) -> Any:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return [_value(name, inner) for inner in value]
    if isinstance(value, Mapping):
        return {key: _value(name, inner) for key, inner in value.items()}
    if isinstance(value, Support | Dropped):
        return _support(value) if isinstance(value, Support) else _record(value)
    if name in _TRUTHS:
        return bool(value)
    return int(value) if isinstance(value, Integral) else float(value)


def _support(support: Support) -> Any:
    record = _record(support)
    if record.keys() == {"claims"}:
        return record["claims"]
    clash = {"all"} & support.extra.keys()
    if clash:
        raise ValueError("extra field 'all' of a support is one of memspan's own; rename it")
    return {"all": record.pop("claims"), **record}
