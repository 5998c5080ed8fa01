"""What a fitted write rule is worth, as a document and as lines for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memspan.cli.extracting import counted
from memspan.cli.fitted import closing, origin
from memspan.cli.fitting import FittedWriter, Fitting

GAIN = "over the best heuristic"
_WAYS = {"rule": "fitted rule", "shipped": "shipped rule"}


def document(fitting: Fitting, fitted: FittedWriter) -> dict[str, Any]:
    """Return the one JSON document of `memspan train writer`."""
    rule = fitted.rule
    ways = {way: dict(known) for way, known in rule.reliability.items() if way not in (GAIN, "chances")}
    return {
        **origin(fitting, fitted.examples),
        "name": rule.name,
        "embedder": rule.embedder,
        "shares": ways,
        "gain": dict(rule.reliability[GAIN]),
        "chances": dict(rule.reliability["chances"]),
    }


def show(fitting: Fitting, fitted: FittedWriter) -> None:
    """Print what was fitted and how good it is beside plain ways and the shipped rule."""
    from rich.console import Console

    from memspan.cli.grid import grid
    from memspan.cli.terminal import line
    from memspan.learning.writing import SHARES

    sizes = [f"{share:.0%}" for share in SHARES]
    console = Console(highlight=False, emoji=False)
    line(console, _finding(fitted), "bold")
    console.print()
    heads = ("memory", *(f"{size} of claims" for size in sizes))
    head, *body = grid(heads, list(_rows(fitted, sizes)), console.width)
    line(console, head, "dim")
    for each in body:
        line(console, each)
    console.print()
    for aside in (*_asides(fitted), *closing(fitting, fitted.examples)):
        line(console, aside)


def _finding(fitted: FittedWriter) -> str:
    examples, known = fitted.examples, fitted.rule.reliability
    counts = f"{counted(examples.questions, 'question')} of {counted(len(examples.materials), 'material')}"
    unseen = "materials" if len(examples.materials) > 1 else "parts"
    told = known["rule"].get("20%")
    share = f"{told:.0%}" if told is not None else "an unknown share"
    return (
        f"Fitted on {counts}; on {unseen} it was not fitted on, a memory of 20 % of the claims "
        f"covers {share} of what the best one covers"
    )


def _rows(fitted: FittedWriter, sizes: list[str]) -> Iterator[tuple[str, ...]]:
    for way, known in fitted.rule.reliability.items():
        if way not in (GAIN, "chances"):
            yield _WAYS.get(way, way), *(_shown(known, size) for size in sizes)
    yield GAIN, *(_shown(fitted.rule.reliability[GAIN], size, signed="+") for size in sizes)


def _shown(known: Mapping[str, float], size: str, signed: str = "") -> str:
    if size not in known:
        return "-"
    told = format(known[size], f"{signed}.2f")
    if f"{size} lower" not in known:
        return told
    limits = (format(known[f"{size} {end}"], f"{signed}.2f") for end in ("lower", "upper"))
    return f"{told} [{', '.join(limits)}]"


def _asides(fitted: FittedWriter) -> Iterator[str]:
    chances = fitted.rule.reliability["chances"]
    yield (
        "Each number is a share of U*, the best memory of that size, with its 95 % interval over materials; "
        "the best heuristic is chosen at each size on the same materials, which favours it."
    )
    yield (
        f"{chances['needed']:.0%} of the claims are needed by some question; the rule expected "
        f"{chances['expected']:.0%}, and its chances are off by {chances['calibration error']:.3f}."
    )
