"""What `memspan train` does: load, fit, measure, write, tell."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memspan.cli.extracting import counted
from memspan.cli.fitting import Examples, Fitted, FittedWriter, Fitting
from memspan.errors import Fault, FileError, MemspanError
from memspan.material import Material

if TYPE_CHECKING:
    from memspan.cli.meter import Meter
    from memspan.ports import Embedder

TOLD = 3  # materials that were left out


def run_reader(fitting: Fitting, *, as_json: bool) -> None:
    """Fit a reading rule, write it, and print what it is worth as text or JSON."""
    from memspan.learning.reader import LEAST_QUESTIONS

    _refuse_bad_place(fitting)
    embedder = _embedder(fitting.embedder)
    fitted = _fitted(_examples(fitting, LEAST_QUESTIONS), embedder)
    fitted.rule.save(fitting.out)
    from memspan.cli.fitted import document, show

    if as_json:
        _dump(document(fitting, fitted))
    else:
        show(fitting, fitted)


def run_writer(fitting: Fitting, *, as_json: bool) -> None:
    """Fit a write rule, write it, and print what it is worth as text or JSON."""
    _refuse_bad_place(fitting)
    embedder = _embedder(fitting.embedder)
    fitted = _fitted_writer(_examples(fitting, 1), embedder, fitting.named)
    fitted.rule.save(fitting.out)
    from memspan.cli.fitted_writer import document, show

    if as_json:
        _dump(document(fitting, fitted))
    else:
        show(fitting, fitted)


def _dump(document: dict[str, Any]) -> None:
    json.dump(document, sys.stdout, allow_nan=False)
    sys.stdout.write("\n")


def _refuse_bad_place(fitting: Fitting) -> None:
    from memspan.report.files import refuse_unwritable

    refuse_unwritable(fitting.out)
    for path in map(Path, fitting.paths):
        if fitting.out.exists() and path.exists() and fitting.out.samefile(path):
            problem = "would be overwritten by the rule; give another --out"
            raise FileError(str(path), [Fault("", "", problem)])


def _embedder(spec: str | None) -> Embedder | None:
    if spec is None:
        return None
    from memspan.models import Remembered, embedder_named

    return Remembered(embedder_named(spec))


# --- materials --------------------------------------------------------------------------------------


def _examples(fitting: Fitting, least: int) -> Examples:
    """Load all paths; what cannot teach is left out with the reason.

    Raises:
        MemspanError: fewer than *least* questions with a support are left.
    """
    from memspan.datasets import load

    kept: dict[tuple[Any, ...], Material] = {}
    left_out = []
    for path in fitting.paths:
        for material in load(path, claims=fitting.claims):
            content = _content(material)
            reason = "stands in the files twice" if content in kept else _unfit(material)
            if reason:
                left_out.append((material.id, reason))
            else:
                kept[content] = material
    examples = Examples(tuple(kept.values()), tuple(left_out))
    if examples.questions < least:
        raise MemspanError(_too_few(examples, least))
    materials, questions = len(examples.materials), examples.questions
    told = f"{counted(materials, 'material')}, {counted(questions, 'question')} with a support"
    print(told, file=sys.stderr, flush=True)  # noqa: T201 - the command line speaks
    return examples


def _content(material: Material) -> tuple[Any, ...]:
    claims = tuple(claim.text for claim in material.claims)
    return claims, tuple((query.text, query.answer) for query in material.queries)


def _unfit(material: Material) -> str:
    """Return why nothing can be learned from *material*; empty where something can."""
    if material.support_source != "annotated":
        return f"its supports are {material.support_source}, not annotated"
    if not any(s.claims for query in material.queries for s in material.supports_of(query)):
        return "no question has a support"
    if not any(claim.text.strip() for claim in material.claims):
        return "its claims have no text"
    return ""


def _too_few(examples: Examples, least: int) -> str:
    why = "; ".join(f"{name}: {reason}" for name, reason in examples.left_out[:TOLD])
    seen = f"{counted(examples.questions, 'question')} with an annotated support{f' ({why})' if why else ''}"
    return (
        f"{seen}; fitting needs at least {least}: give more files, or files whose "
        'queries list the claims that answer them ("supports": [["c1"]]); the shipped rule needs none'
    )


# --- fitting ----------------------------------------------------------------------------------------


def _fitted(examples: Examples, embedder: Embedder | None) -> Fitted:
    from memspan.answering.rule import shipped
    from memspan.cli.meter import Meter
    from memspan.learning.measuring import measure
    from memspan.learning.reader import train_reader

    several = len(examples.materials)
    with Meter() as meter:
        meter.begin("reader", 0, 1)
        folds = min(several, 10) if several > 1 else 5
        steps = _Steps(meter, "fitting", 2 * (folds + 2))  # each side: compare, the folds, all together
        rule = train_reader(examples.materials, embedder, told=steps.tell)
        steps = _Steps(meter, "shipped weights", 2 * several)
        known = measure(shipped(), examples.materials, told=steps.tell)
    return Fitted(examples, rule, {side: found.figures() for side, found in known.items()})


def _fitted_writer(examples: Examples, embedder: Embedder | None, name: str) -> FittedWriter:
    from memspan.cli.meter import Meter
    from memspan.learning.writer import train_writer

    several = len(examples.materials)
    with Meter() as meter:
        meter.begin("writer", 0, 1)
        folds = min(several, 10) if several > 1 else 5
        steps = _Steps(meter, "fitting", folds + 2 + several)  # read, all together, the folds, the optima
        return FittedWriter(examples, train_writer(examples.materials, embedder, name, steps.tell))


@dataclass
class _Steps:
    """Shows on a meter what is done now, as the step so much of so many."""

    meter: Meter
    what: str
    expected: int
    done: int = 0

    def tell(self, step: str) -> None:
        """Show *step*, which begins."""
        from memspan.optimum import Progress

        self.meter.tell(Progress(f"{self.what}, {step}", self.done, max(self.expected, self.done + 1)))
        self.done += 1
