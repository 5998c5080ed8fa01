"""JSON and JSON Lines from elsewhere, read as far as they go: what is broken is told, not the end of it."""

from __future__ import annotations

from typing import Any

from memspan.datasets.source import Source
from memspan.datasets.stores.intake import Intake
from memspan.errors import Fault, FileError


def document_of(source: Source, intake: Intake | None = None) -> Any:
    """Return the JSON of *source*, a list where it is JSON Lines; what is odd in it goes to *intake*.

    Raises:
        FileError: it is no JSON, or no line of it is.
    """
    if source.shape != "lines":
        parsed = source.parsed
        if not parsed.complete:
            raise FileError(str(source.path), parsed.faults)
        _tell(intake, parsed.faults, kept=True)
        return parsed.value
    values: list[Any] = []
    faults: list[Fault] = []
    for line in source.parsed_lines:
        if line.complete:
            values.append(line.value)
        else:
            faults += line.faults
        _tell(intake, line.faults, kept=line.complete)
    if not values:
        raise FileError(str(source.path), faults)
    return values


def _tell(intake: Intake | None, faults: tuple[Fault, ...], *, kept: bool) -> None:
    if intake is None:
        return
    for fault in faults:
        intake.tell(fault.record or "document", fault.problem, field=fault.field, kept=kept)
