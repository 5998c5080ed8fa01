"""Outcomes as plain rows: JSON Lines, a JSON list, CSV or TSV."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memspan.datasets.outcomes.amended import AMENDING, amended, is_amendment, name_in, with_own_ids
from memspan.datasets.outcomes.form import Asking, Recorded, Records
from memspan.datasets.question_fields import Notes, first_of, rest_in, share_of, time_of, weight_of
from memspan.datasets.question_outcomes import Scale, scales_of
from memspan.datasets.question_rows import OUTCOME, QUESTION, TIME, WEIGHT, Columns, Row, read_rows

_ID = ("query_id", "question_id")
_MATERIAL = ("material", "material_id", "sample_id")
_CLAIMS = ("claims", "used")
_READ = ("read", "reads", "context", "retrieved")
_SETTLER = ("settler", "run", "judge", "system")
_FIELDS = (_ID, QUESTION, _MATERIAL, _CLAIMS, _READ, _SETTLER, OUTCOME, TIME, WEIGHT)

COLUMNS = Columns(
    (*QUESTION, *_ID),
    (*_MATERIAL, *_CLAIMS, *_READ, *_SETTLER, *OUTCOME, *TIME, *WEIGHT, *AMENDING),
    "query",
    lists=("settlements", "outcomes", "results"),
)


def read_plain(path: Path, asking: Asking) -> Records:
    """Read the rows of the file at *path*; a row without an outcome is told to the notes.

    Raises:
        FileError: rows cannot be read, or amend what does not stand above them.
    """
    notes = Notes()
    rows = read_rows(path, asking.encoding, COLUMNS)
    scales = scales_of(rows)
    settled = [row for row in rows if not is_amendment(row)]
    placed = {row.place: made for row in settled if (made := _of(row, asking, notes, scales)) is not None}
    if len(settled) < len(rows):
        return Records(amended(path, rows, placed, scales, notes), notes)
    return Records(list(with_own_ids(placed.values(), notes)), notes)


def _of(row: Row, asking: Asking, notes: Notes, scales: Mapping[str, Scale]) -> Recorded | None:
    correct = share_of(row, OUTCOME, notes, scales)
    if correct is None:
        called = f"it stands under {', '.join(OUTCOME[:-1])} or {OUTCOME[-1]}"
        notes.add(row.place, OUTCOME[0], f"has no outcome; {called}; nothing was settled", kept=False)
        return None
    _, name = first_of(row, _ID)
    _, asked = first_of(row, QUESTION)
    if not isinstance(name, str | int | None) or not isinstance(asked, str | None) or name == asked is None:
        notes.add(row.place, "query", "is neither an id nor the text of a question", kept=False)
        return None
    own = name_in(row, "id")
    used = [inner for names in _FIELDS for inner in names]
    used += ["id"] if own is not None else []
    used += ["kind"] if row.fields.get("kind") == "settlement" else []
    return Recorded(
        row.place,
        correct,
        _named(row, _MATERIAL),
        str(name) if name is not None else asked,
        asked,
        _named(row, _SETTLER) or asking.settler,
        claims=_several(row, _CLAIMS),
        read=_several(row, _READ),
        time=time_of(first_of(row, TIME)[1]),
        weight=weight_of(row, notes),
        extra=rest_in(row, used),
        id=own,
    )


def _named(row: Row, names: tuple[str, ...]) -> str | None:
    _, value = first_of(row, names)
    return None if value is None else str(value)


def _several(row: Row, names: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return a list of texts: as it is, as JSON in a cell of a table, or one text alone."""
    _, value = first_of(row, names)
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = _listed(value)
    if isinstance(value, str):
        return (value,)
    return tuple(inner for inner in value if isinstance(inner, str)) if isinstance(value, list) else None


def _listed(cell: str) -> Any:
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell
