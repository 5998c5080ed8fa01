"""What `memspan extract` does offline, and how claims are written and shown."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memspan.cli.errand import Errand
from memspan.errors import Fault, FileError
from memspan.extraction import claims_of, read, redacted
from memspan.extraction.document import Document
from memspan.material import Claim, Material

SHOWN = 5  # claims in the table
TOLD = 3  # reasons for what was left out
WIDE = 300  # characters of a claim that a terminal could show


def run_offline(errand: Errand) -> None:
    """Extract without a model, write and show."""
    documents = read_errand(errand)
    deliver(errand, [claims_of(document, unit=errand.unit) for document in documents])


def read_errand(errand: Errand) -> list[Document]:
    """Return the documents of an errand, once its place to write to is seen to be fit.

    Raises:
        FileError: the file cannot be read, or the place cannot be written.
    """
    from memspan.report.files import refuse_unwritable

    refuse_unwritable(errand.out)
    source = Path(errand.path)
    if errand.out.exists() and source.exists() and errand.out.samefile(source):
        raise FileError(
            errand.path, [Fault("", "", "would be overwritten by its claims; give another --out")]
        )
    return read(errand.path, kind=errand.kind, encoding=errand.encoding, time=errand.time)


def deliver(errand: Errand, materials: Sequence[Material]) -> None:
    """Write *materials* and say what they are: one JSON document, or lines for a person."""
    from memspan.datasets import save

    written = [redacted(material) for material in materials] if errand.redact else list(materials)
    save(written, errand.out)
    if errand.as_json:
        json.dump(_document(errand, written), sys.stdout)
        sys.stdout.write("\n")
    else:
        _show(errand, written)


def _document(errand: Errand, materials: Sequence[Material]) -> dict[str, Any]:
    return {
        "out": str(errand.out),
        "redacted": errand.redact,
        "materials": [
            {
                "id": material.id,
                "claims": len(material.claims),
                "tokens": _tokens(material),
                "extracted": material.extra["extracted"],
                "dropped": [
                    {"record": d.record, "field": d.field, "reason": d.reason, "kept": d.kept}
                    for d in material.dropped
                ],
            }
            for material in materials
        ],
    }


def _tokens(material: Material) -> int:
    return round(sum(claim.costs["tokens"] for claim in material.claims))


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "claim"), counted(1200, "claim")
    ('1 claim', '1,200 claims')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _show(errand: Errand, materials: Sequence[Material]) -> None:
    from rich.console import Console

    from memspan.cli.following import typed
    from memspan.cli.terminal import line

    console = Console(highlight=False, emoji=False)
    claims = [claim for material in materials for claim in material.claims]
    line(console, _finding(errand, materials, len(claims)), "bold")
    console.print()
    if claims:
        _show_table(console, claims)
        console.print()
    for aside in _asides(errand, materials):
        line(console, aside)
    line(console, f"Next: {typed('frontier', str(errand.out))}")


def _finding(errand: Errand, materials: Sequence[Material], claims: int) -> str:
    conversations = f"{counted(len(materials), 'conversation')}, " if len(materials) > 1 else ""
    dropped = sum(not d.kept for material in materials for d in material.dropped)
    tokens = counted(sum(map(_tokens, materials)), "token")
    counts = f"{conversations}{counted(claims, 'claim')}, {tokens}, {dropped:,} dropped"
    return f"{Path(errand.path).name}: {counts} → {errand.out}"


def _show_table(console: Any, claims: Sequence[Claim]) -> None:
    from rich.table import Table
    from rich.text import Text

    from memspan.cli.grid import shortened
    from memspan.cli.terminal import line, printable

    some_speak = any(claim.speaker for claim in claims[:SHOWN])
    some_dated = any(claim.time for claim in claims[:SHOWN])
    heads = ["claim", *(["speaker"] if some_speak else []), *(["time"] if some_dated else [])]
    table = Table(*heads, box=None, pad_edge=False, header_style="dim", expand=True)
    table.add_column("says", no_wrap=True, overflow="ellipsis", ratio=1)
    for claim in claims[:SHOWN]:
        cells = [
            claim.id,
            *([claim.speaker or ""] if some_speak else []),
            *([claim.time or ""] if some_dated else []),
        ]
        table.add_row(
            *(Text(shortened(printable(cell), 20)) for cell in cells), Text(printable(claim.text[:WIDE]))
        )
    console.print(table)
    if len(claims) > SHOWN:
        line(console, f"… {len(claims) - SHOWN:,} more", "dim")


_REWORDED = {
    "text": "with dates for words like yesterday",
    "markdown": "without marks and with dates for words like yesterday",
}


def _own_words(kind: str, materials: Sequence[Material]) -> str:
    """Return how claims say what the source says; those that say it otherwise have a quote."""
    own = "in the source's own words"
    if not any(claim.quote for material in materials for claim in material.claims):
        return own
    reworded = _REWORDED.get(kind, "with names for I and dates for words like yesterday")
    return f"{own}, {reworded} (the exact words are in its quote)"


def _asides(errand: Errand, materials: Sequence[Material]) -> list[str]:
    """Return what a person should know: how it was made, what was left out or is in doubt."""
    how = materials[0].extra["extracted"]
    by = f"found by {how['model']}" if how["model"] else _own_words(how["kind"], materials)
    told = [f"Read as {how['kind']}; each claim is one {how['unit']}, {by}."]
    if errand.redact:
        told.append(
            "Personal details are masked by what they look like; names stay. Look before you share it."
        )
    alike: dict[str, list[str]] = {}
    for dropped in (dropped for material in materials for dropped in material.dropped):
        alike.setdefault(dropped.reason, []).append(dropped.record)
    notes = [
        f"{records[0]}{f' and {len(records) - 1:,} more' if len(records) > 1 else ''}: {reason}"
        for reason, records in alike.items()
    ]
    told += notes[:TOLD]
    if len(notes) > TOLD:
        told.append(f"… {len(notes) - TOLD:,} more notes: take all with --json")
    return told
