"""Plain rows that amend other rows of their file: corrections and revocations, by the `id` of a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from memspan.datasets.amending import Correction, Entry, Revocation, in_force, log_faults
from memspan.datasets.json_text import shown
from memspan.datasets.outcomes.form import Recorded
from memspan.datasets.question_fields import Notes, first_of, share_of
from memspan.datasets.question_outcomes import Scale
from memspan.datasets.question_rows import OUTCOME, QUESTION, Row
from memspan.datasets.source import MOST_FAULTS
from memspan.errors import Fault, FileError
from memspan.material import Settlement

AMENDING = ("id", "kind", "of")
_KINDS = ("correction", "revocation")


def is_amendment(row: Row) -> bool:
    """Whether *row* amends another: it says so, or it names one and asks nothing."""
    names = (*QUESTION, "query_id", "question_id")
    asks = any(row.fields.get(name) not in (None, "") for name in names)
    return _kind(row) in _KINDS or (row.fields.get("of") not in (None, "") and not asks)


def _kind(row: Row) -> str:
    return str(row.fields.get("kind") or "").strip().lower()


def name_in(row: Row, field: str) -> str | None:
    """Return the text or whole number in *field* as a name; None where there is none."""
    value = row.fields.get(field)
    usable = isinstance(value, str | int) and not isinstance(value, bool) and value != ""
    return str(value) if usable else None


def with_own_ids(records: Iterable[Recorded], notes: Notes) -> Iterator[Recorded]:
    """Yield *records*, without the ids that several of them share: these name none of them."""
    several = list(records)
    count = Counter(record.id for record in several)
    for record in several:
        if record.id is None or count[record.id] == 1:
            yield record
            continue
        notes.add(record.place, "id", "is the id of several rows; an id is unique; left out", kept=True)
        yield replace(record, id=None)


def amended(
    path: Path,
    rows: Sequence[Row],
    placed: Mapping[str, Recorded],
    scales: Mapping[str, Scale],
    notes: Notes,
) -> list[Recorded]:
    """Return the outcomes in *placed*, by their rows, as the amendments among *rows* leave them.

    What amends a row that was left out is left out with it, and told.

    Raises:
        FileError: an id stands twice, or an amendment names no row above it or no outcome.
    """
    faults: list[Fault] = []
    log: list[tuple[str, Entry]] = []
    left_out = {name_in(row, "id") for row in rows if row.place not in placed and not is_amendment(row)}
    left_out -= {each.id for each in placed.values()}
    for row in rows:
        if row.place in placed:
            made = placed[row.place]
            log.append((row.place, Settlement(row.place, made.correct, id=made.id)))
        elif is_amendment(row):
            entry = _amendment(row, scales, faults)
            log += [(row.place, entry)] if entry is not None and _stands(row, left_out, notes) else []
    faults += log_faults(log)
    if faults:
        raise FileError(str(path), faults[:MOST_FAULTS])
    held = in_force(entry for _, entry in log)
    return [replace(placed[each.query], correct=each.correct) for each in held]


def _stands(row: Row, left_out: Collection[str | None], notes: Notes) -> bool:
    if name_in(row, "of") not in left_out:
        return True
    notes.add(row.place, "of", "amends a row that was left out; left out too", kept=False)
    return False


def _amendment(row: Row, scales: Mapping[str, Scale], faults: list[Fault]) -> Entry | None:
    """Return what *row* amends and how; None where it is at fault."""
    of, kind = name_in(row, "of"), _kind(row)
    if kind not in _KINDS:
        seen = f"is {shown(row.fields['kind'])}" if kind else "is missing"
        cure = f"a row with `of` and without a question amends; allowed are {' and '.join(_KINDS)}"
        faults.append(Fault(row.place, "kind", f"{seen}; {cure}"))
        return None
    if of is None:
        seen = f"is missing; a {kind} names in `of` the id of a row above"
        cure = "where `kind` means something else, call it otherwise"
        faults.append(Fault(row.place, "of", f"{seen}; {cure}"))
        return None
    if kind == "revocation":
        return Revocation(of)
    correct = _outcome(row, scales, faults)
    return None if correct is None else Correction(of, correct)


def _outcome(row: Row, scales: Mapping[str, Scale], faults: list[Fault]) -> float | None:
    notes = Notes()
    correct = share_of(row, OUTCOME, notes, scales)
    if correct is None:
        said = next((each.reason for each in notes.dropped()), "is missing; a correction holds the outcome")
        faults.append(Fault(row.place, first_of(row, OUTCOME)[0], said))
    return correct
