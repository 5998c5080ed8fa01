"""The public face: what `__all__` promises is there, documented, and costs nothing until it is used."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import memspan

MODULES = ["memspan", *sorted(module.name for module in walk_packages(memspan.__path__, "memspan."))]
PACKAGES = [name for name in MODULES if hasattr(import_module(name), "__path__")]


@pytest.mark.parametrize("name", MODULES)
def test_every_name_that_a_module_promises_is_there(name):
    module = import_module(name)
    promised = getattr(module, "__all__", ())
    assert len(set(promised)) == len(promised)
    assert [missing for missing in promised if not hasattr(module, missing)] == []


@pytest.mark.parametrize("name", MODULES)
def test_every_module_and_every_promised_function_and_class_says_what_it_is(name):
    module = import_module(name)
    assert module.__doc__
    promised = [getattr(module, public) for public in getattr(module, "__all__", ())]
    made_here = [thing for thing in promised if getattr(thing, "__module__", "").startswith("memspan")]
    assert [thing for thing in made_here if not thing.__doc__] == []


@pytest.mark.parametrize("name", [name for name in PACKAGES if name.count(".") == 1])
def test_a_room_that_offers_names_lists_them(name):
    source = Path(import_module(name).__file__).read_text()
    imported = {
        alias.asname or alias.name
        for node in ast.parse(source).body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("memspan")
        for alias in node.names
    }
    assert imported <= set(getattr(import_module(name), "__all__", ()))


def face():
    """Return what type checkers are told about `memspan`: public name -> home."""
    block = next(
        node
        for node in ast.parse(Path(memspan.__file__).read_text()).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    return {alias.asname: node.module for node in block.body for alias in node.names}


def test_type_checkers_and_the_interpreter_see_the_same_face():
    assert face() == memspan._HOME
    assert set(memspan.__all__) == {*face(), "__version__"} == set(dir(memspan))


def test_a_public_name_is_public_at_home():
    for name, home in memspan._HOME.items():
        module = import_module(home)
        assert getattr(module, name) is getattr(memspan, name)
        assert name in getattr(module, "__all__", [name])


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'budget'"):
        _ = memspan.budget


@pytest.mark.parametrize("heavy", ["numpy", "numba", "scipy", "highspy", "pydantic", "altair", "rich"])
def test_importing_memspan_imports_nothing_heavy(heavy):
    code = f"import memspan, sys; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
