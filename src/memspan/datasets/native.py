"""memspan's own format: JSON (one material or a list) and JSON Lines, read with every fault at once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from memspan.datasets import native_schema as schema
from memspan.datasets.json_text import Parsed, Path, fault_at, shown
from memspan.datasets.native_records import faults_in, noun_of
from memspan.datasets.source import KINDS, MOST_FAULTS, Source
from memspan.errors import Fault, FileError, FormatError, MaterialError
from memspan.material import Dropped, Material

SECTIONS = {"claim": "claims", "item": "items", "query": "queries", "settlement": "settlements"}
_SHIFTED = re.compile(r"(claims|items|queries|settlements)\[(\d+)\]")


@dataclass
class _Draft:
    """A material while its records come in, with the place of each for the messages.

    Attributes:
        place: where the material stands, e.g. ``line 1``; empty for the only one of a file.
        head: its own fields, checked; None where they are at fault.
        nouns: what was read, by section; a record at fault leaves what is sound of it, so
            that what refers to it is not at fault too.
        places: where each of `nouns` stands.
        faults: everything wrong so far.
        whole: False where a section is no list, so that references into it cannot be judged.
    """

    place: str
    head: schema.MaterialRecord | None = None
    nouns: defaultdict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    places: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    faults: list[Fault] = field(default_factory=list)
    whole: bool = True


def read(source: Source) -> list[Material]:
    """Read all materials of a native file.

    Raises:
        FormatError: it was written by a newer memspan.
        FileError: anything else is wrong; every fault is named with record and field.
    """
    if source.shape == "lines":
        return _finished(source, *_drafts_of_lines(source))
    if not source.parsed.complete:
        raise FileError(str(source.path), source.parsed.faults)
    return _finished(source, _drafts_of_document(source), source.parsed.faults)


def _finished(source: Source, drafts: list[_Draft], faults: Iterable[Fault]) -> list[Material]:
    found = list(faults)
    materials = []
    for draft in drafts:
        material, more = _material(draft)
        materials.append(material)
        found += more
    if found:
        raise FileError(str(source.path), list(dict.fromkeys(found)))
    return [material for material in materials if material]


# --- JSON ---------------------------------------------------------------------------------------


def _drafts_of_document(source: Source) -> list[_Draft]:
    document = source.parsed.value
    if not isinstance(document, list):
        return [_draft(source, document, (), document)]
    return [_draft(source, raw, (i,), document) for i, raw in enumerate(document)]


def _draft(source: Source, raw: Any, path: Path, document: Any) -> _Draft:
    place = fault_at(document, path, "").record if path else ""
    draft = _Draft(place)
    if not isinstance(raw, dict):
        draft.faults.append(Fault(place, "", f"is {shown(raw)}; allowed is an object"))
        return draft
    _open(source, draft, raw)
    for kind, section in SECTIONS.items():
        for i, record in enumerate(_listed(draft, raw, section)):
            here = fault_at(document, (*path, section, i), "").record
            _take(draft, kind, record, here)
    return draft


def _listed(draft: _Draft, raw: dict[str, Any], section: str) -> list[Any]:
    records = raw.get(section, [])
    if isinstance(records, list):
        return records
    draft.faults.append(Fault(draft.place, section, f"is {shown(records)}; allowed is a list"))
    draft.whole = False
    return []


# --- JSON Lines ---------------------------------------------------------------------------------


def _drafts_of_lines(source: Source) -> tuple[list[_Draft], list[Fault]]:
    drafts: list[_Draft] = []
    faults: list[Fault] = []
    for number, line in source.lines():
        faults += line.faults
        if line.complete:
            _take_line(source, drafts, faults, number, line)
        if len(faults) + sum(len(draft.faults) for draft in drafts[-1:]) >= MOST_FAULTS:
            faults.append(Fault(f"line {number}", "", f"reading stopped here, after {MOST_FAULTS} faults"))
            break
    return drafts, faults


def _take_line(source: Source, drafts: list[_Draft], faults: list[Fault], number: int, line: Parsed) -> None:
    place = f"line {number}"
    if not isinstance(line.value, dict):
        faults.append(Fault(place, "", f"is {shown(line.value)}; allowed is one object per line"))
        return
    kind = line.value.get("kind")
    raw = {key: value for key, value in line.value.items() if key != "kind"}
    if kind == "material":
        draft = _draft(source, raw, (), raw)
        drafts.append(_placed_on_line(draft, place))
    elif not isinstance(kind, str) or kind not in SECTIONS:
        allowed = ", ".join(sorted(KINDS))
        seen = f"is {shown(kind)}" if "kind" in line.value else "is missing"
        faults.append(Fault(place, "kind", f"{seen}; allowed are {allowed}"))
    elif drafts:
        _take(drafts[-1], kind, raw, fault_at(raw, (), "", place).record)
    else:
        first = '{"kind": "material", "memspan": 0, "id": "..."}'
        logged = "; read a log of settlements with read_settlements" if kind == "settlement" else ""
        problem = f"stands before any material; begin the file with {first}{logged}"
        faults.append(Fault(place, "", problem))


def _placed_on_line(draft: _Draft, place: str) -> _Draft:
    """Name the line of a material in all that its own line brought."""
    draft.place = place
    draft.faults = [
        Fault(f"{place}, {f.record}" if f.record else place, f.field, f.problem) for f in draft.faults
    ]
    for places in draft.places.values():
        places[:] = [f"{place}, {inner}" for inner in places]
    return draft


# --- one record ---------------------------------------------------------------------------------


def _open(source: Source, draft: _Draft, raw: dict[str, Any]) -> None:
    """Check a material's own fields: version, id, source of its supports, what was dropped."""
    version = raw.get("memspan")
    if isinstance(version, int) and not isinstance(version, bool) and version > 0:
        problem = (
            f"is {version}, a newer version; this memspan reads 0: upgrade memspan (pip install -U memspan)"
        )
        raise FormatError(str(source.path), [Fault(draft.place, "memspan", problem)])
    own = {key: value for key, value in raw.items() if key not in SECTIONS.values()}
    if isinstance(version, bool):  # to Python, False is 0
        own["memspan"] = str(version).lower()
    try:
        draft.head = schema.MaterialRecord.model_validate(own)
    except ValidationError as error:
        draft.faults += faults_in(error, own, draft.place)
        name = raw.get("id")
        draft.head = schema.MaterialRecord(memspan=0, id=name if isinstance(name, str) else "")


def _take(draft: _Draft, kind: str, raw: Any, place: str) -> None:
    noun, faults = noun_of(kind, raw, place)
    draft.faults += faults
    if noun is not None:
        draft.nouns[SECTIONS[kind]].append(noun)
        draft.places[SECTIONS[kind]].append(place)


# --- the whole material -------------------------------------------------------------------------


def _material(draft: _Draft) -> tuple[Material | None, list[Fault]]:
    if draft.head is None or not draft.whole:
        return None, draft.faults
    head, nouns = draft.head, draft.nouns
    dropped = tuple(Dropped(d.record, d.field, d.reason, d.kept) for d in head.dropped)
    sections = {name: tuple(nouns[name]) for name in SECTIONS.values()}
    try:
        made = Material(
            head.id,
            **sections,
            support_source=head.support_source,
            dropped=dropped,
            extra=head.model_extra or {},
        )
    except MaterialError as error:
        return None, [*draft.faults, *_repeated(draft), *_placed(draft, error.faults)]
    return made, draft.faults


def _repeated(draft: _Draft) -> Iterator[Fault]:
    """Yield a fault for each id that stands more than once, naming all its places."""
    for section in SECTIONS.values():
        places = defaultdict(list)
        for noun, place in zip(draft.nouns[section], draft.places[section], strict=True):
            if noun.id is not None:  # a settlement need not have one
                places[noun.id].append(place)
        for name, where in places.items():
            if len(where) > 1:
                problem = f"{name!r} stands {len(where)} times in {section}; ids are unique"
                yield Fault(" and ".join(where[:3]), "id", problem)


def _placed(draft: _Draft, faults: Iterable[Fault]) -> Iterator[Fault]:
    """Yield the faults the material itself finds, at the place in the file where each record stands."""
    for fault in faults:
        found = _SHIFTED.match(fault.record)
        if found:
            place = draft.places[found[1]][int(found[2])]
            yield Fault(place, fault.field, fault.problem)
