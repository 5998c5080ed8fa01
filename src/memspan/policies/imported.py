"""A thing named by where it stands: ``module:attribute`` or ``file.py:attribute``."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from memspan.errors import Fault, FileError, UnknownName
from memspan.policies.foreign import told_plainly


def is_import_path(text: str) -> bool:
    """Tell whether *text* may name an attribute of a module or a file.

    >>> is_import_path("my_memory.py:newest"), is_import_path("mem0")
    (True, False)
    """
    place, colon, attribute = text.rpartition(":")
    named = all(part.isidentifier() for part in attribute.split("."))
    return (
        bool(colon) and named and (_is_file(place) or all(part.isidentifier() for part in place.split(".")))
    )


def imported(text: str) -> Any:
    """Return what *text* names; modules are looked for in the working directory too.

    Raises:
        FileError: there is no such file.
        UnknownName: there is no such module, or nothing of that name in it.
        ContractError: its code fails when it is imported; file and line are told.

    >>> imported("statistics:mean")([1, 3])
    2
    """
    place, _, attribute = text.rpartition(":")
    with told_plainly(f"{place} cannot be imported: it"):
        found: Any = _of_file(Path(place)) if _is_file(place) else _of_module(place)
        return _within(found, place, attribute)


def _within(found: Any, place: str, attribute: str) -> Any:
    for part in attribute.split("."):
        if not hasattr(found, part):
            known = [name for name in dir(found) if not name.startswith("_")]
            near = difflib.get_close_matches(part, known, n=3)
            hint = (
                f"did you mean {' or '.join(near)}?"
                if near
                else f"there are {', '.join(known[:8]) or 'none'}"
            )
            raise UnknownName(f"{place} has no {part!r}; {hint}")
        found = getattr(found, part)
    return found


def _is_file(place: str) -> bool:
    return place.endswith(".py")


def _of_module(name: str) -> ModuleType:
    with _working_directory():
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as missing:
            if missing.name is None or not f"{name}.".startswith(f"{missing.name}."):
                raise  # it is there, and lacks something itself
    near = f"; for a file, write {name}.py:…" if Path(f"{name}.py").exists() else ""
    raise UnknownName(
        f"there is no module {name!r} to import{near or '; install it, or name a file: file.py:…'}"
    )


def _of_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise FileError(str(path), [Fault("", "", "there is no such file; give file.py:attribute")])
    whole = path.resolve()
    name = f"{path.stem}_{zlib.crc32(str(whole).encode()):08x}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, whole)
    if spec is None or spec.loader is None:
        raise FileError(str(path), [Fault("", "", "is no Python file; give file.py:attribute")])
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # what it defines can be pickled
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


@contextmanager
def _working_directory() -> Iterator[None]:
    """Look in the working directory too, as `python -m` does and an installed command does not."""
    sys.path.insert(0, "")
    try:
        yield
    finally:
        sys.path.remove("")
