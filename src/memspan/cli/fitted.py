"""What a fitted reader is worth, as a document and as lines for a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memspan.cli.extracting import counted
from memspan.cli.fitting import Examples, Fitted, Fitting

Figures = Mapping[str, float]

SIDES = {"answered": "with answer", "asked": "question alone"}
TERMS = "The weights come from this data: fitted on data for non-commercial use, they stay under its terms."
TOLD = 3  # materials that were left out
_HEAD = ("read", "questions", "best 1", "best 5", "best 10", "set F1", "calibration")


def document(fitting: Fitting, fitted: Fitted) -> dict[str, Any]:
    """Return the one JSON document of `memspan train reader`."""
    rule = fitted.rule
    return {
        **origin(fitting, fitted.examples),
        "name": rule.name,
        "embedder": rule.embedder,
        "sides": {
            side: {
                "fitted": dict(rule.reliability.get(side, {})) or None,
                "shipped": fitted.shipped.get(side),
            }
            for side in SIDES
        },
    }


def show(fitting: Fitting, fitted: Fitted) -> None:
    """Print what was fitted, how good it is beside the shipped rule, and what to do next."""
    from rich.console import Console

    from memspan.cli.following import typed
    from memspan.cli.grid import grid
    from memspan.cli.terminal import line

    console = Console(highlight=False, emoji=False)
    line(console, _finding(fitted), "bold")
    console.print()
    head, *body = grid(_HEAD, list(_rows(fitted)), console.width)
    line(console, head, "dim")
    for each in body:
        line(console, each)
    console.print()
    for aside in _asides(fitting, fitted):
        line(console, aside)
    line(console, f"Next: {typed('frontier', 'FILE', '--reader', str(fitting.out))}")


def _finding(fitted: Fitted) -> str:
    examples = fitted.examples
    counts = f"{counted(examples.questions, 'question')} of {counted(len(examples.materials), 'material')}"
    side = next(side for side in SIDES if fitted.rule.reliability.get(side))
    unseen = "materials" if len(examples.materials) > 1 else "questions"
    own, shipped = (_share(each[side], "recall_5") for each in (fitted.rule.reliability, fitted.shipped))
    return (
        f"Fitted on {counts}; on {unseen} it was not fitted on, the best 5 claims hold {own} "
        f"of what a question needs (shipped weights: {shipped})"
    )


def _rows(fitted: Fitted) -> Iterator[tuple[str, ...]]:
    for side, words in SIDES.items():
        for who, known in (("fitted", fitted.rule.reliability), ("shipped", fitted.shipped)):
            if figures := known.get(side):
                shares = (_share(figures, f"recall_{k}") for k in (1, 5, 10))
                told = f"{figures['set_f1']:.2f}", f"{figures['ece']:.3f}"
                yield f"{words}, {who}", f"{int(figures['questions']):,}", *shares, *told


def _share(figures: Figures, name: str) -> str:
    return f"{100 * figures[name]:.0f} %"


def _asides(fitting: Fitting, fitted: Fitted) -> Iterator[str]:
    yield (
        "best k: share of the claims that a question needs among the k likeliest; set F1: whole supports; "
        "calibration: how far probabilities are off. Fitted weights are measured on what was left out."
    )
    for side, words in SIDES.items():
        if not fitted.rule.reliability.get(side):
            yield f"Too few questions to fit {words!r}: there the shipped weights stand."
    yield from closing(fitting, fitted.examples)


def closing(fitting: Fitting, examples: Examples) -> Iterator[str]:
    """Yield what is said of every rule: what was left out, whose terms it has, where it is."""
    for name, reason in examples.left_out[:TOLD]:
        yield f"{name} was left out: {reason}."
    if len(examples.left_out) > TOLD:
        yield f"… {len(examples.left_out) - TOLD:,} more were left out: take all with --json"
    yield TERMS
    yield f"The rule is in {fitting.out}."


def origin(fitting: Fitting, examples: Examples) -> dict[str, Any]:
    """Return what the document of every rule says of where it comes from."""
    return {
        "out": str(fitting.out),
        "questions": examples.questions,
        "materials": [material.id for material in examples.materials],
        "left_out": [{"material": name, "reason": reason} for name, reason in examples.left_out],
        "terms": TERMS,
    }
