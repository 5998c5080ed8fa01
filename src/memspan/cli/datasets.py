"""`memspan datasets`: the public sets and the memory stores memspan reads, and a copy of a set."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memspan.cli.following import typed
from memspan.cli.frontier import JsonOption
from memspan.errors import MemspanError

if TYPE_CHECKING:
    from memspan.datasets.catalogue import Fetched

app = typer.Typer(
    help="Public data sets and memory stores that memspan reads: list them, get a set.", rich_markup_mode=None
)


@app.callback(invoke_without_command=True)
def known(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the public data sets that memspan reads, each with its own licence, and the memory stores."""
    if context.invoked_subcommand is not None:
        return
    from dataclasses import asdict

    from memspan.datasets import BUNDLED, CATALOGUE, STORES

    if as_json:
        stores = [asdict(kind) for kind in STORES]
        sets = [asdict(entry) for entry in CATALOGUE]
        json.dump({"sets": sets, "bundled": list(BUNDLED), "stores": stores}, sys.stdout)
        sys.stdout.write("\n")
        return
    _show_catalogue()


def _show_catalogue() -> None:
    from rich.console import Console
    from rich.table import Table

    from memspan.cli.terminal import line
    from memspan.datasets import BUNDLED, CATALOGUE, STORES

    console = Console(highlight=False, emoji=False)
    line(
        console, f"memspan reads {len(CATALOGUE)} public sets; it brings {', '.join(BUNDLED)} itself.", "bold"
    )
    table = Table("name", "set", "licence", "get", box=None, pad_edge=False, header_style="dim")
    for entry in CATALOGUE:
        table.add_row(entry.name, entry.title, entry.licence, "yes" if entry.url else "by hand")
    console.print()
    console.print(table)
    console.print()
    line(console, "It also reads memory stores as they are; the memories become the claims.", "bold")
    stores = Table("name", "store", "give", box=None, pad_edge=False, header_style="dim")
    for kind in STORES:
        stores.add_row(kind.name, kind.title, kind.place)
    console.print()
    console.print(stores)
    console.print()
    line(console, f"Next: {typed('datasets', 'get', CATALOGUE[0].name)}")


@app.command("get")
def get(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name from the list.")],
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="Folder to put the file in.")] = Path(),
    as_json: JsonOption = False,
) -> None:
    """Download the public set NAME from its home and tell its checksum."""
    found = _fetched(name, to)
    if as_json:
        json.dump({"path": str(found.path), "sha256": found.sha256, "checked": found.checked}, sys.stdout)
        sys.stdout.write("\n")
        return
    vouched = "as expected" if found.checked else "not known before: nobody vouches for it"
    following = typed("frontier", str(found.path))
    typer.echo(f"{found.path}\nsha256 {found.sha256} ({vouched})\n\nNext: {following}")


def _fetched(name: str, folder: Path) -> Fetched:
    """Fetch a set; where pooch is missing, tell how to get it for an installed memspan and for a checkout."""
    from memspan.datasets import fetch

    try:
        return fetch(name, folder)
    except MemspanError as error:
        if not isinstance(error.__cause__, ImportError):
            raise
        raise MemspanError(
            "downloading needs pooch; run: pip install pooch "
            "(or pip install '.[datasets]' in a checkout of memspan)"
        ) from error
