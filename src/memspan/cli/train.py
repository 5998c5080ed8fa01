"""`memspan train`: fit on one's own materials what memspan uses on others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memspan.cli.frontier import ClaimsOption, JsonOption

app = typer.Typer(
    help="Fit on materials whose supports are known what is used on others.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

PathsArgument = Annotated[
    list[str], typer.Argument(metavar="PATHS", help="Data files whose questions have annotated supports.")
]
OutOption = Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the rule goes.")]
EmbedderOption = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        metavar="SPEC",
        help="Weigh cosines of an embedder, too: hashed, onnx:FOLDER or model2vec:FOLDER.",
    ),
]


@app.callback()
def train() -> None:
    """Fit on materials whose supports are known what is used on others."""


@app.command("reader")
def reader(
    paths: PathsArgument,
    out: OutOption = Path("reader.json"),
    embedder: EmbedderOption = None,
    claims: ClaimsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Fit the rule that finds supports in text to the annotated supports of PATHS.

    It is measured on questions that it was not fitted on, and held against the shipped one. The
    weights come from your data: whatever terms it has, they keep.
    """
    from memspan.cli.fitting import Fitting
    from memspan.cli.training import run_reader

    run_reader(Fitting(tuple(paths), out, embedder, claims), as_json=as_json)


@app.command("writer")
def writer(
    paths: PathsArgument,
    out: OutOption = Path("writer.json"),
    embedder: Annotated[
        str | None,
        typer.Option(
            "--embedder",
            metavar="SPEC",
            help="Weigh an embedder's vectors, too: hashed, onnx:FOLDER or model2vec:FOLDER.",
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="Of the rule, in outputs; that of its file without it."),
    ] = None,
    claims: ClaimsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Fit the rule that says which claims will be asked for to the annotated supports of PATHS.

    It is measured on materials that it was not fitted on, against plain ways to write and the
    shipped rule. The weights come from your data: whatever terms it has, they keep.
    """
    from memspan.cli.fitting import Fitting
    from memspan.cli.training import run_writer

    run_writer(Fitting(tuple(paths), out, embedder, claims, name), as_json=as_json)
