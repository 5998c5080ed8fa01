"""docs/cli.md documents every verb and every option, in the words of --help."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from memspan.cli.main import app

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


def verbs(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield every command below *command* with its full name."""
    yield name, command
    for word, child in getattr(command, "commands", {}).items():
        yield from verbs(child, f"{name} {word}")


VERBS = list(verbs(get_command(app), "memspan"))


def section(name: str) -> str:
    """Return the part of the page under the heading of a verb."""
    return PAGE.partition(f"\n## `{name}`\n")[2].partition("\n## ")[0]


def row(parameter: Any) -> str:
    """Return the line that documents *parameter*."""
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    if parameter.param_type_name == "argument":
        names = f"`{parameter.metavar.strip('[]')}`"
    return f"| {names} | {parameter.help} |"


@pytest.mark.parametrize(("name", "verb"), VERBS, ids=[name for name, _ in VERBS])
def test_every_verb_has_a_section_with_every_option(name: str, verb: Any) -> None:
    wanted = [row(parameter) for parameter in verb.params if parameter.name != "help"]
    assert section(name), f"docs/cli.md has no section ## `{name}`"
    assert [line for line in wanted if line not in section(name)] == []


def test_the_page_documents_no_option_that_is_gone() -> None:
    known = {option for _, verb in VERBS for parameter in verb.params for option in parameter.opts}
    used = {line.split("`")[1] for line in PAGE.splitlines() if line.startswith("| `--")}
    assert used <= known


def test_every_verb_that_prints_a_result_offers_json() -> None:
    leaves = [(name, verb) for name, verb in VERBS if not getattr(verb, "commands", {})]
    assert [name for name, verb in leaves if not any("--json" in p.opts for p in verb.params)] == []
