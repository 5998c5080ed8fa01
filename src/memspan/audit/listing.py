"""What could go as a list that a person reviews: CSV, one row for each memory."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from memspan.audit.findings import TITLES, Audit

HEAD = ("id", "what", "reason", "confidence", "kept instead", "text", "tokens")
_RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r")


def listing(audits: Sequence[Audit]) -> str:
    """Return the memories that can go as CSV; several stores get a column of their own in front.

    A text that a spreadsheet would run as a formula gets a quote before it; ids stay as they are.

    >>> from memspan.audit import audit
    >>> from memspan.material import Claim, Material
    >>> store = Material("s", (Claim("a", "Tea is nice."), Claim("b", "tea is nice")))
    >>> print(listing([audit(store)]).splitlines()[1])
    a,exact duplicates,"the same text but for case, space and punctuation",sure,b,Tea is nice.,4
    """
    written = io.StringIO()
    writer = csv.writer(written)
    several = len(audits) > 1
    writer.writerow(("store", *HEAD) if several else HEAD)
    for audit in audits:
        writer.writerows((audit.material.id, *row) if several else row for row in _rows(audit))
    return written.getvalue()


def _rows(audit: Audit) -> Iterator[tuple[str | int, ...]]:
    for each in audit.removals:
        text = _inert(audit.material.claim(each.memory).text)
        kept = each.keep or ""
        yield each.memory, TITLES[each.kind], each.reason, each.confidence, kept, text, each.tokens


def _inert(text: str) -> str:
    return f"'{text}" if text.startswith(_RUN_BY_SPREADSHEETS) else text
