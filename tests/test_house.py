"""The house: the import contract holds, and it breaks the build when a module leaves its room."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LINTER = Path(sys.executable).with_name("lint-imports")


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    copy = tmp_path_factory.mktemp("house")
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


def lint(house):
    run = subprocess.run(
        [LINTER, "--no-logo", "--no-cache"],
        cwd=house,
        env={"PYTHONPATH": str(house / "src"), "PATH": "", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    return run.returncode, run.stdout + run.stderr


def test_the_contract_holds(house):
    status, said = lint(house)
    assert status == 0, said


@pytest.mark.parametrize(
    ("module", "line", "complaint"),
    [
        (
            "coverage/up.py",
            "import memspan.optimum",
            "memspan.coverage is not allowed to import memspan.optimum",
        ),
        (
            "optimum/lab.py",
            "import memspan.testing",
            "memspan.optimum is not allowed to import memspan.testing",
        ),
        ("cli/lab.py", "import memspan.testing", "memspan.cli is not allowed to import memspan.testing"),
        ("attic.py", "", "memspan.attic"),
    ],
    ids=["upward", "product sees tests", "command line sees tests", "module without a room"],
)
def test_the_contract_breaks(house, module, line, complaint):
    stray = house / "src" / "memspan" / module
    stray.write_text(f"{line}\n")
    try:
        status, said = lint(house)
    finally:
        stray.unlink()
    assert status == 1
    assert complaint in said
    assert "docs/architecture.md" in said


def test_a_file_has_at_most_four_hundred_lines():
    files = [path for folder in ("src", "tests") for path in (ROOT / folder).rglob("*.py")]
    long = {
        str(path.relative_to(ROOT)): n for path in files if (n := len(path.read_text().splitlines())) > 400
    }
    assert not long
