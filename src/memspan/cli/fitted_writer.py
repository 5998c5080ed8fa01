"""What a fitted write rule is worth, as a document and as lines for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memspan.cli.extracting import counted
from memspan.cli.fitted import closing, origin
from memspan.cli.fitting import FittedWriter, Fitting
from memspan.cli.verdict import FEW, GAIN, verdict

_WAYS = {"rule": "fitted rule", "shipped": "shipped rule", GAIN: "over best plain way"}


def document(fitting: Fitting, fitted: FittedWriter) -> dict[str, Any]:
    """Return the one JSON document of `memspan train writer`."""
    rule = fitted.rule
    ways = {way: dict(known) for way, known in rule.reliability.items() if way not in (GAIN, "chances")}
    found = verdict(rule.reliability, len(fitted.examples.materials))
    best = None if found is None else {"name": found.plain, "share": found.plain_share}
    return {
        **origin(fitting, fitted.examples),
        "name": rule.name,
        "embedder": rule.embedder,
        "verdict": "unknown" if found is None else found.word,
        "best_plain": best,
        "shares": ways,
        "gain": dict(rule.reliability[GAIN]),
        "chances": dict(rule.reliability["chances"]),
    }


def show(fitting: Fitting, fitted: FittedWriter) -> None:
    """Print what was fitted, whether it is worth using, and each way to write at each size."""
    from rich.console import Console

    from memspan.cli.grid import WHOLE
    from memspan.cli.terminal import line

    console = Console(highlight=False, emoji=False)
    for told in _finding(fitted):
        line(console, told, "bold")
    console.print()
    head, *body = _table(fitted, console.width if console.is_terminal else WHOLE)
    line(console, head, "dim")
    for each in body:
        line(console, each)
    console.print()
    for aside in (*_asides(fitted), *closing(fitting, fitted.examples)):
        line(console, aside)


def _finding(fitted: FittedWriter) -> Iterator[str]:
    """Yield what was fitted, then whether a plain way does as well."""
    examples, found = fitted.examples, verdict(fitted.rule.reliability, len(fitted.examples.materials))
    counts = f"{counted(examples.questions, 'question')} of {counted(len(examples.materials), 'material')}"
    unseen = "materials" if len(examples.materials) > 1 else "parts"
    if found is None:
        yield f"Fitted on {counts}; nothing fits a memory of any size, so what it is worth is not known"
        return
    yield (
        f"Fitted on {counts}; on {unseen} it was not fitted on, a memory of {found.size} of the claims "
        f"covers {found.share:.0%} of what the best one covers"
    )
    yield found.told


# --- the table --------------------------------------------------------------------------------------


def _table(fitted: FittedWriter, width: int) -> list[str]:
    """Return each way to write at each size, with intervals beside numbers, or below where that is too wide.

    Names are never cut.
    """
    from memspan.cli.grid import WHOLE, grid
    from memspan.learning.writing import SHARES

    sizes = [f"{share:.0%}" for share in SHARES]
    heads = ("memory", *(f"{size} of claims" for size in sizes))
    rows = list(_rows(fitted, sizes))
    beside = grid(heads, [(name, *map(" ".join, cells)) for name, cells in rows], WHOLE)
    if len(beside[0]) <= width:
        return beside
    below = [
        line
        for name, cells in rows
        for line in ((name, *(cell[0] for cell in cells)), ("", *(cell[1] for cell in cells)))
    ]
    return [line for line in grid(heads, [row for row in below if any(row)], WHOLE) if line.strip()]


def _rows(fitted: FittedWriter, sizes: Sequence[str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield each way to write, with its share at each of *sizes* and the limits of that; the gain last."""
    known = fitted.rule.reliability
    for way in known:
        if way not in (GAIN, "chances"):
            yield _WAYS.get(way, way), [_shown(known[way], size) for size in sizes]
    yield _WAYS[GAIN], [_shown(known[GAIN], size, signed="+") for size in sizes]


def _shown(known: Mapping[str, float], size: str, signed: str = "") -> tuple[str, str]:
    if size not in known:
        return "-", ""
    told = format(known[size], f"{signed}.2f")
    if f"{size} lower" not in known:
        return told, ""
    lower, upper = (format(known[f"{size} {end}"], ".2f") for end in ("lower", "upper"))
    return told, f"[{lower}, {upper}]"


def _asides(fitted: FittedWriter) -> Iterator[str]:
    chances, several = fitted.rule.reliability["chances"], len(fitted.examples.materials)
    interval = "; one material gives no interval"
    if several > 1:
        few = ", which is too short with so few" if several < FEW else ""
        interval = f", with its 95 % interval over materials{few}"
    yield (
        f"Each number is a share of U*, the best memory of that size{interval}; "
        "the best plain way is chosen at each size on the same material, which favours it."
    )
    yield (
        f"{chances['needed']:.0%} of the claims are needed by some question; the rule expected "
        f"{chances['expected']:.0%}, and its chances are off by {chances['calibration error']:.3f}."
    )
