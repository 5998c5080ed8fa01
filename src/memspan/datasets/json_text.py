"""JSON text to Python values, with faults a person can act on.

The standard parser says *where*; this file adds what that means (cut off, two
documents in one file, a key twice) and finds the values JSON does not allow.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memspan.errors import Fault

Path = tuple[str | int, ...]

_LITERALS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
_SUSPECT = re.compile(r"NaN|Infinity|[eE]\+?\d{3}|\d{300}|\\u[dD][89a-fA-F]")
_SHOWN = 40


@dataclass(frozen=True)
class Parsed:
    """A JSON value and what is wrong with it.

    Attributes:
        value: the parsed value; None where the text does not parse.
        faults: everything found wrong; empty for sound JSON.
        complete: False where the text does not parse at all.
    """

    value: Any
    faults: tuple[Fault, ...] = ()
    complete: bool = True


def parse(text: str, record: str = "") -> Parsed:
    """Parse *text*; its faults are placed in *record* (e.g. ``line 12``).

    >>> parse('{"a": 1, "a": 2}').faults[0].problem
    'stands twice in one object; keep one'
    >>> parse('[1, 2').faults[0].problem
    "is not JSON at line 1, column 6: Expecting ',' delimiter; the text looks cut off there"
    """
    twice: list[Fault] = []
    try:
        value = json.loads(text, object_pairs_hook=lambda pairs: _object(pairs, record, twice))
    except json.JSONDecodeError as error:
        return Parsed(None, (Fault(record, "", _explained(text, error)),), complete=False)
    except RecursionError:
        return Parsed(None, (Fault(record, "", "is nested too deeply to be data"),), complete=False)
    except ValueError as error:  # an integer longer than Python reads
        return Parsed(None, (Fault(record, "", f"holds a number that is too long: {error}"),), complete=False)
    odd = [fault_at(value, path, problem, record) for path, problem in _odd_values(text, value)]
    return Parsed(value, (*twice, *odd))


def first_of_list(head: str) -> dict[str, Any] | None:
    """Return the first object of a list whose text begins with *head*; None where it does not show whole.

    >>> first_of_list('[{"a": 1}, {"b": ')
    {'a': 1}
    """
    text = head.lstrip()
    if not text.startswith("["):
        return None
    try:
        value, _ = json.JSONDecoder().raw_decode(text[1:].lstrip())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _object(pairs: list[tuple[str, Any]], record: str, twice: list[Fault]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        place = f"object with id {made['id']!r}" if "id" in made else "an object"
        where = f"{record}, {place}" if record else place
        repeated = sorted(key for key in made if keys.count(key) > 1)
        twice += [Fault(where, key, "stands twice in one object; keep one") for key in repeated]
    return made


def _explained(text: str, error: json.JSONDecodeError) -> str:
    seen = f"is not JSON at line {error.lineno}, column {error.colno}: {error.msg}"
    if error.msg == "Extra data":
        return f"{seen}; one file holds one document, or one object per line (JSON Lines)"
    return f"{seen}; the text looks cut off there" if _cut_off(text, error) else seen


def _cut_off(text: str, error: json.JSONDecodeError) -> bool:
    rest = text[error.pos : error.pos + 12].strip()
    if not rest or error.msg.startswith("Unterminated string"):
        return True
    if "escape" in error.msg:
        return len(text) - error.pos < 6
    return any(word.startswith(rest) for word in _LITERALS)


def _odd_values(text: str, value: Any) -> Iterator[tuple[Path, str]]:
    """Yield what Python's parser accepts and JSON in UTF-8 does not: NaN, infinity, lone surrogates."""
    if not _SUSPECT.search(text):
        return
    stack: list[tuple[Path, Any]] = [((), value)]
    while stack:
        path, here = stack.pop()
        if isinstance(here, dict):
            stack += [((*path, key), inner) for key, inner in reversed(here.items())]
        elif isinstance(here, list):
            stack += [((*path, i), inner) for i, inner in reversed(list(enumerate(here)))]
        elif isinstance(here, float) and not math.isfinite(here):
            yield path, f"is {shown(here)}; allowed are finite numbers"
        elif isinstance(here, str) and _has_surrogate(here):
            yield path, r"holds half a character (a lone \ud8xx escape); write the whole character"


def _has_surrogate(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text)


def shown(value: Any) -> str:
    """Return *value* as short JSON, to be put into a message.

    >>> shown(True), shown("a" * 100)[-4:]
    ('true', 'aaa…')
    """
    if isinstance(value, dict | list):
        noun = "an object" if isinstance(value, dict) else "a list"
        return f"{noun} of {len(value)}"
    if isinstance(value, int) and abs(value) > sys.float_info.max:
        return f"a whole number beyond {sys.float_info.max:.0e}"
    text = _printable(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def fault_at(document: Any, path: Path, problem: str, record: str = "") -> Fault:
    """Place *problem* at *path* of *document*: the record is named by section, position and id.

    >>> trip = {"claims": [{"id": "c1", "costs": {"tokens": -1}}]}
    >>> str(fault_at(trip, ("claims", 0, "costs", "tokens"), "is -1"))
    'claims[0] (c1).costs.tokens: is -1'
    """
    if record:
        return Fault(record + _id_of(document, ()), dotted(path), problem)
    length = _record_length(path)
    return Fault(dotted(path[:length]) + _id_of(document, path[:length]), dotted(path[length:]), problem)


def _record_length(path: Path) -> int:
    """Return how many steps of *path* lead to a record: a section's entry, or a material of a list."""
    if path and isinstance(path[0], int):
        return 3 if len(path) > 2 and isinstance(path[2], int) else 1
    return 2 if len(path) > 1 and isinstance(path[1], int) else 0


def _id_of(document: Any, path: Path) -> str:
    for step in path:
        document = document[step]
    name = document.get("id") if isinstance(document, dict) else None
    return f" ({_printable(name)})" if isinstance(name, str) else ""


def _printable(text: str) -> str:
    """Return *text* with half characters escaped, so that a message can always be printed."""
    return text.encode("utf-8", "backslashreplace").decode()


def dotted(path: Path) -> str:
    """Return *path* as people write it.

    >>> dotted(("supports", 0, "all", 2))
    'supports[0].all[2]'
    """
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")
