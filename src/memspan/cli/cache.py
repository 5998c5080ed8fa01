"""`memspan cache`: the answers of chat models that are kept on disk."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from memspan.cli.frontier import JsonOption


def cache(
    purge: Annotated[bool, typer.Option("--purge", help="Delete every answer that is kept.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Tell where answers of chat models are kept and how many, or delete them."""
    from memspan.models import Answers

    with Answers() as answers:
        gone = answers.purge() if purge else 0
        told = {
            "location": str(answers.location),
            "answers": len(answers),
            "bytes": answers.size,
            "purged": gone,
        }
    if as_json:
        typer.echo(json.dumps(told))
        return
    typer.echo(f"{told['answers']:,} answers, {told['bytes']:,} bytes, in {told['location']}")
    if purge:
        typer.echo(f"{gone:,} deleted")
