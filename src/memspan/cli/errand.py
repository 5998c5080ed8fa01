"""What the user of `memspan extract` asked for, read from options."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Errand:
    """What is to be extracted, how, and where it goes."""

    path: str
    out: Path
    unit: str | None
    kind: str | None
    encoding: str
    time: str | None
    redact: bool
    as_json: bool


@dataclass(frozen=True)
class Asked:
    """The model that is asked, and what it may cost."""

    model: str
    url: str | None
    prices: tuple[float, float] | None
    cap: float | None
    dry_run: bool
    questions: int
