"""Pickles read without running anything in them: every class becomes an inert record.

A pickle is a program. The normal reader imports and calls whatever it names. Here a name gives a
class that only keeps what it was handed, and the opcodes are checked before: no index and no
length beyond the bytes themselves.
"""

from __future__ import annotations

import io
import pickle
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Self

_FLOATS = re.compile(rb"(?:G.{8})+", re.DOTALL)
_REFUSED = frozenset(
    {"PERSID", "BINPERSID", "EXT1", "EXT2", "EXT4", "INST", "NEXT_BUFFER", "READONLY_BUFFER"}
)
_INDEXED = frozenset({"LONG_BINPUT", "PUT"})


class UnsafePickle(Exception):  # noqa: N818 - never leaves this room: it becomes a Dropped
    """A pickle that no store writes."""


class Inert:
    """What stands for an object of a pickle: the arguments and the state it was given, nothing else."""

    _name = ""

    def __new__(cls, *given: Any, **named: Any) -> Self:
        """Keep what the class was called with."""
        made = super().__new__(cls)
        made.given, made.named, made.state, made.inside = given, named, None, []
        return made

    given: tuple[Any, ...]
    named: dict[str, Any]
    state: Any
    inside: list[Any]

    def __init__(self, *_: Any, **__: Any) -> None:
        """Nothing more: `__new__` kept it."""

    def __setstate__(self, state: Any) -> None:
        """Keep *state*."""
        self.state = state

    def __setitem__(self, key: Any, value: Any) -> None:
        """Keep an entry of what was a mapping."""
        self.inside.append((key, value))

    def append(self, value: Any) -> None:
        """Keep an entry of what was a list."""
        self.inside.append(value)

    def extend(self, values: Iterable[Any]) -> None:
        """Keep entries of what was a list."""
        self.inside.extend(values)

    def add(self, value: Any) -> None:
        """Keep an entry of what was a set."""
        self.inside.append(value)

    @property
    def fields(self) -> dict[str, Any]:
        """The attributes that the object had."""
        state = self.state[0] if isinstance(self.state, tuple) and self.state else self.state
        if isinstance(state, dict):
            inner = state.get("__dict__")
            return inner if isinstance(inner, dict) else state
        return {}


class _Reader(pickle.Unpickler):
    def find_class(self, _module: str, name: str) -> type[Inert]:
        """Return a class that does nothing, whatever is named."""
        return _inert(name[:80])


@cache
def _inert(name: str) -> type[Inert]:
    return type("Inert", (Inert,), {"_name": name})


def unpickled(blob: bytes) -> Any:
    """Return the value in *blob*; objects are `Inert`.

    Raises:
        UnsafePickle: damaged, or not what a store writes.
    """
    _checked(blob)
    try:
        return _Reader(io.BytesIO(blob)).load()
    except Exception as error:  # a damaged pickle can end in any of a dozen kinds
        raise UnsafePickle(f"is no sound pickle: {type(error).__name__}") from error


def _checked(blob: bytes) -> None:
    for opcode, argument in _opcodes(blob):
        if opcode in _REFUSED:
            raise UnsafePickle(f"uses {opcode}, which no store writes")
        if opcode in _INDEXED and argument > len(blob):
            raise UnsafePickle(f"asks for {argument:,} places in a pickle of {len(blob):,} bytes")


def _opcodes(blob: bytes) -> Iterator[tuple[str, int]]:
    """Yield the name of each opcode and its number where it has one; runs of floats are leapt over."""
    table, here, end = _table(), 0, len(blob)
    while here < end:
        if blob[here] == 0x47:  # an embedding is thousands of floats
            run = _FLOATS.match(blob, here)
            if run is None:
                raise UnsafePickle("is no sound pickle: cut off")
            here = run.end()
            continue
        if blob[here] not in table:
            raise UnsafePickle(f"is no sound pickle: byte {blob[here]:#04x} at {here}")
        name, size = table[blob[here]]
        argument, length = _argument(blob, here + 1, size, name)
        here += 1 + length
        if here > end:
            raise UnsafePickle("is no sound pickle: cut off")
        yield name, argument
        if name == "STOP":
            return


def _argument(blob: bytes, start: int, size: int, name: str) -> tuple[int, int]:
    """Return the number behind an opcode and how many bytes to go on by."""
    if size >= 0:
        return int.from_bytes(blob[start : start + size], "little"), size
    if size == -1:  # up to the end of the line, for some opcodes two lines
        end = blob.find(b"\n", start) + 1
        if name == "GLOBAL":
            end = blob.find(b"\n", end) + 1
        if end <= start:
            raise UnsafePickle("is no sound pickle: cut off")
        line = blob[start : end - 1]
        return int(line) if line.isdigit() and len(line) < 20 else 1 << 64, end - start
    width = -size - 1
    length = int.from_bytes(blob[start : start + width], "little")
    return length, width + length


@cache
def _table() -> dict[int, tuple[str, int]]:
    """Return for each opcode its name and the size of what follows; below -1 a length of -size - 1 bytes."""
    import pickletools

    counted = {pickletools.TAKEN_FROM_ARGUMENT1: -2, pickletools.TAKEN_FROM_ARGUMENT4: -5,
               pickletools.TAKEN_FROM_ARGUMENT4U: -5, pickletools.TAKEN_FROM_ARGUMENT8U: -9,
               pickletools.UP_TO_NEWLINE: -1}  # fmt: skip
    sizes = {op.code: 0 if op.arg is None else counted.get(op.arg.n, op.arg.n) for op in pickletools.opcodes}
    return {ord(op.code): (op.name, sizes[op.code]) for op in pickletools.opcodes}
