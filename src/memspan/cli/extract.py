"""`memspan extract`: a text, a transcript or a chat to claims, each with its place in the source."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memspan.cli.errand import Asked, Errand
from memspan.cli.frontier import JsonOption

FileArgument = Annotated[
    str, typer.Argument(metavar="FILE", help="Plain text, Markdown, a transcript, or a chat in JSON.")
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Where the claims go; by default FILE's name here."),
]
UnitOption = Annotated[
    str | None, typer.Option("--unit", metavar="UNIT", help="What a claim is: turn, sentence or paragraph.")
]
KindOption = Annotated[
    str | None,
    typer.Option(
        "--kind",
        metavar="KIND",
        help="What FILE is, where its content should not decide: text, markdown, transcript, chat.",
    ),
]
EncodingOption = Annotated[
    str, typer.Option("--encoding", metavar="NAME", help="Encoding of FILE, e.g. cp1252 or utf-16.")
]
TimeOption = Annotated[
    str | None,
    typer.Option(
        "--time", metavar="DATE", help="When it was said, where FILE does not say: the anchor of yesterday."
    ),
]
RedactOption = Annotated[
    bool,
    typer.Option(
        "--redact",
        help="Mask e-mail addresses, phone, card and account numbers and the like in what is written.",
    ),
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Tell what asking the model would take, and ask nothing.")
]
ModelOption = Annotated[
    str | None, typer.Option("--model", metavar="NAME", help="Let this chat model find atomic claims.")
]
UrlOption = Annotated[
    str | None,
    typer.Option("--base-url", metavar="URL", help="Server of the model: OpenAI's interface, up to /v1."),
]
PricesOption = Annotated[
    str | None,
    typer.Option(
        "--prices", metavar="IN,OUT", help="Money for a million tokens read and written, e.g. 0.15,0.6."
    ),
]
CapOption = Annotated[
    float | None, typer.Option("--cap", metavar="MONEY", min=0, help="Stop before more money is spent.")
]
AskOption = Annotated[
    int,
    typer.Option("--ask", metavar="N", min=0, help="Let the model write up to N questions."),
]


def extract(  # noqa: PLR0913, PLR0917 - one parameter per option of the command
    path: FileArgument,
    out: OutOption = None,
    unit: UnitOption = None,
    kind: KindOption = None,
    encoding: EncodingOption = "utf-8",
    time: TimeOption = None,
    redact: RedactOption = False,
    dry_run: DryRunOption = False,
    model: ModelOption = None,
    base_url: UrlOption = None,
    prices: PricesOption = None,
    cap: CapOption = None,
    ask: AskOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Turn FILE into claims, offline in its own words, or with a chat model into atomic claims.

    What FILE is, is told by its content. Each claim keeps its place in the source, its speaker and
    its time, and costs tokens.
    """
    target = out or Path(f"{Path(path).stem}.claims.json")
    errand = Errand(path, target, unit, kind, encoding, time, redact, as_json)
    if model is None:
        _refuse_without_model(
            {
                "--dry-run": dry_run,
                "--base-url": base_url,
                "--prices": prices,
                "--cap": cap,
                "--ask": ask or None,
            }
        )
        from memspan.cli.extracting import run_offline

        run_offline(errand)
        return
    if unit is not None:
        raise typer.BadParameter("a model finds atomic claims; leave --unit out, or leave --model out")
    from memspan.cli.asking import run_asking

    run_asking(errand, Asked(model, base_url, prices_of(prices), cap, dry_run, ask))


def _refuse_without_model(given: dict[str, object]) -> None:
    named = [name for name, value in given.items() if value not in {None, False}]
    if named:
        raise typer.BadParameter(
            f"{', '.join(named)} speaks of a model; name one with --model, or leave it out"
        )


def prices_of(text: str | None) -> tuple[float, float] | None:
    """Return the two prices written in *text*, or None where there is no text."""
    if text is None:
        return None
    try:
        read, written = (float(part) for part in text.split(","))
    except ValueError:
        read = written = -1.0
    if not 0 <= min(read, written) <= max(read, written) < float("inf"):
        raise typer.BadParameter(f"{text!r}; give two prices for a million tokens, e.g. --prices 0.15,0.6")
    return read, written
