"""The built wheel: everything is inside, and it works where the source is not."""

import json
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from zipfile import ZipFile

import pytest

import memspan

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.slow


def call(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
    call(build, cwd=ROOT)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A new environment that holds the wheel; its dependencies come from the present one."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, symlinks=True)
    python = home / "bin" / "python"
    install = ["--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel]
    if shutil.which("uv"):  # an environment made by uv has no pip
        command = ["uv", "pip", "install", *install[:2], *install[3:]]
    else:
        command = [sys.executable, "-m", "pip", *install]
    call(command)
    own = next(home.glob("lib/python*/site-packages"))
    (own / "dependencies.pth").write_text(sysconfig.get_path("purelib"))  # paths only: no editable memspan
    return home


def run(installed, script, *arguments):
    return call([installed / "bin" / script, *arguments], cwd=installed, env={"PATH": "/usr/bin:/bin"})


def test_everything_in_the_package_is_in_the_wheel_and_nothing_else(wheel):
    here = {
        str(path.relative_to(ROOT / "src"))
        for path in (ROOT / "src" / "memspan").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    there = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert there == here
    assert "memspan/py.typed" in there


def test_the_licence_travels_with_the_wheel(wheel):
    names = ZipFile(wheel).namelist()
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_the_wheel_holds_code_and_little_else(wheel):
    assert wheel.stat().st_size < 1_200_000
    with zipfile.ZipFile(wheel) as opened:
        largest = max(opened.infolist(), key=lambda each: each.compress_size)
    assert largest.compress_size < 30_000, largest.filename  # no data, no third-party scripts


def test_the_installed_memspan_is_the_one_from_the_wheel(installed):
    where = run(installed, "python", "-c", "import memspan; print(memspan.__file__)")
    assert Path(where.strip()).is_relative_to(installed)


def test_the_installed_command_knows_its_version(installed):
    assert memspan.__version__ in run(installed, "memspan", "--version")


def test_the_installed_command_computes_a_frontier_of_the_bundled_material(installed):
    document = json.loads(run(installed, "memspan", "frontier", "odyssey", "--json"))
    points = document["materials"][0]["points"]
    assert [point["lower"] for point in points] == [0, 0.35, 0.6, 0.8, 0.9, 0.95, 1]
    assert all(point["certified"] for point in points)


def test_the_installed_command_writes_a_report(installed):
    run(installed, "memspan", "frontier", "odyssey", "--report", "page.html")
    assert "<svg" in (installed / "page.html").read_text(encoding="utf-8")
