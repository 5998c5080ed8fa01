"""The program `memspan`: its verbs, and what happens when something is wrong."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Annotated, TextIO

import typer

from memspan import __version__
from memspan.cli import audit, cache, datasets, demo, evaluate, extract, frontier, replay, train, trust
from memspan.errors import MemspanError

app = typer.Typer(
    name="memspan",
    help="How much an agent's memory spans, and how far that is from the best it could span.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.command("frontier")(frontier.frontier)
app.command("evaluate")(evaluate.evaluate)
app.command("audit")(audit.audit)
app.command("trust")(trust.trust)
app.command("replay")(replay.replay)
app.command("extract")(extract.extract)
app.command("cache")(cache.cache)
app.add_typer(train.app, name="train")
app.add_typer(datasets.app, name="datasets")


def _tell_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"memspan {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_tell_version, is_eager=True, help="Tell the version and stop."),
    ] = False,
) -> None:
    """How much an agent's memory spans, and how far that is from the best it could span."""


def main() -> None:
    """Run the program: exit status 0 fine, 2 bad input, 130 interrupted; never a traceback for bad input."""
    if sys.stdout is None:
        sys.exit("the answer could not be written: the standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        app()
    except MemspanError as error:
        typer.echo(_readable(str(error)), err=True)
        sys.exit(2)
    except OSError as error:  # typer ends quietly where the reader of a pipe has gone
        _silence(sys.stdout)
        typer.echo(f"the answer could not be written: {error.strerror or error}", err=True)
        sys.exit(2)


def _silence(stream: TextIO) -> None:
    """Let what is still buffered for a *stream* that cannot be written go nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _readable(message: str) -> str:
    """Return *message* without characters that would steer a terminal."""
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in message)
