"""The usual way from a file to materials: offline, in the words of the source."""

from __future__ import annotations

import os

from memspan.extraction.claims import Report, claims_of
from memspan.extraction.reading import read
from memspan.material import Material


def extract(
    path: str | os.PathLike[str],
    *,
    kind: str | None = None,
    unit: str | None = None,
    encoding: str = "utf-8",
    time: str | None = None,
    report: Report | None = None,
) -> list[Material]:
    """Return the claims of a file, without a model: `read`, then `claims_of` for each document.

    Args:
        path: plain text, Markdown, a transcript, or conversations in JSON or JSON Lines.
        kind: one of `KINDS` where the content should not decide.
        unit: ``turn``, ``sentence`` or ``paragraph``; see `claims_of` for what None takes.
        encoding: of the file, as Python names it.
        time: when it was said or written, in ISO 8601, where the file does not say.
        report: told how many passages of a document are done.

    Returns:
        One material for a text, one for each conversation of a JSON file, always as a list.

    Raises:
        FileError: the file cannot be read, is no text, or holds no message where it is JSON.
        UnknownName: there is no such kind or unit.
        MemspanError: *time* is no date.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "trip.txt")
    ...     _ = file.write_text("Ana moved to Porto. She works at the harbour.")
    ...     [claim.text for claim in extract(file)[0].claims]
    ['Ana moved to Porto.', 'She works at the harbour.']
    """
    documents = read(path, kind=kind, encoding=encoding, time=time)
    return [claims_of(document, unit=unit, report=report) for document in documents]
