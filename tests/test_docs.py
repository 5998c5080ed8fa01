"""The documentation runs: its Python, its commands, its links.

In a page, `<!-- skip -->` above a block leaves it out, and `<!-- file: NAME -->` above a block saves
it under that name for the blocks that follow.
"""

import doctest
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.main import get_command

import memspan as ms
from memspan.cli.main import app

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
MOST_SKIPPED = 3
BLOCK = re.compile(
    r"(?:^<!-- (?P<note>[^\n]*?) -->\n\s*)?^```(?P<language>\w*)[^\n]*\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, the note above it, its line."""

    language: str
    note: str
    text: str
    line: int


def blocks_of(page):
    content = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(content):
        line = content.count("\n", 0, found.start("text")) + 1
        yield Block(found["language"], found["note"] or "", found["text"], line)


def run_block(block, page, namespace):
    """Run *block*: as an interactive session where it shows prompts, else as a script."""
    if ">>>" in block.text:
        session = doctest.DocTestParser().get_doctest(
            block.text, namespace, page.name, str(page), block.line - 1
        )
        session.globs = namespace  # the parser copies; the page shares
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        said = []
        runner.run(session, out=said.append, clear_globs=False)
        assert not runner.failures, "".join(said)
        return
    code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
    exec(code, namespace)  # noqa: S102 - our own pages


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_the_python_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "page"}
    for block in blocks_of(page):
        if block.note.startswith("file: "):
            Path(block.note.removeprefix("file: ")).write_text(block.text, encoding="utf-8")
        elif block.language == "python" and block.note != "skip":
            run_block(block, page, namespace)


def test_few_blocks_are_skipped():
    skipped = [(page.name, block.line) for page in PAGES for block in blocks_of(page) if block.note == "skip"]
    assert len(skipped) <= MOST_SKIPPED, skipped


def commands_of(page):
    """Return the commands of the console blocks: lines behind `$ `, or all where there is no prompt."""
    for block in blocks_of(page):
        if block.language == "console":
            lines = [line.strip() for line in block.text.splitlines() if line.strip()]
            typed = [line[2:] for line in lines if line.startswith("$ ")] or lines
            yield from (shlex.split(re.split(r"[|>]", line)[0], comments=True) for line in typed)


COMMANDS = [(name, words) for name, page in zip(NAMES, PAGES, strict=True) for words in commands_of(page)]


@pytest.mark.parametrize(
    "words", [pytest.param(words, id=f"{name}: {' '.join(words)}") for name, words in COMMANDS]
)
def test_a_command_of_a_page_exists_with_its_options(words):
    program, *arguments = words
    if program == "make":
        targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        assert [a for a in arguments if "=" not in a and a not in targets] == []
    elif program == "memspan" and not arguments[0].startswith("-"):
        verb = get_command(app)
        while arguments and arguments[0] in getattr(verb, "commands", {}):
            verb = verb.commands[arguments.pop(0)]
        assert verb is not get_command(app), f"no verb {arguments[0]}"
        known = {
            option for parameter in verb.params for option in (*parameter.opts, *parameter.secondary_opts)
        }
        used = {argument.split("=")[0] for argument in arguments if argument.startswith("-")}
        assert used <= known | {"--help"}


def test_every_verb_is_documented():
    pages = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [verb for verb in get_command(app).commands if f"memspan {verb}" not in pages] == []


@pytest.mark.parametrize(
    "page", [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=lambda p: p.name
)
def test_the_links_of_a_page_lead_somewhere(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    targets = re.findall(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", text)
    local = [a or b for a, b in targets if "://" not in (a or b)]
    broken = [target for target in local if not leads_somewhere(page, target)]
    assert not broken


def leads_somewhere(page, target):
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.exists():
        return False
    headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE) if anchor else []
    return not anchor or anchor in {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_a_page_names_no_folder_of_a_developers_machine(page):
    assert not re.findall(r"/work/|/root/|/home/|\.\./shared", page.read_text(encoding="utf-8"))


def test_the_numbers_of_the_first_screen_hold(data):
    materials = ms.load(data / "locomo" / "locomo10_dev.json")
    material = next(material for material in materials if material.id == "conv-42")
    frontier = ms.frontier(material)
    half, claims, everything = frontier.size_for(0.5).size, len(material.claims), frontier.saturation
    said = f"{half} of {claims} dialogue turns answer half of the answerable questions"
    assert frontier.proven
    assert f"{said} and {everything} answer all" in " ".join((ROOT / "README.md").read_text("utf-8").split())
