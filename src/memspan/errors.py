"""Everything memspan raises on purpose.

    MemspanError
    ├── FileError            a file cannot be used; carries every fault found in it
    │   └── FormatError      no known format fits the content
    ├── MaterialError        a material contradicts itself
    ├── ShapeError           an array does not fit the material
    ├── UnknownName          a claim, query or material that is not there
    ├── CostError            costs that are no capacities
    ├── WeightError          weights that no exact arithmetic can hold
    ├── RuleError            rules that cannot be read
    ├── NoiseError           a judge whose verdicts say nothing
    ├── ModelError           a chat model or an embedder gave no answer that can be used
    │   └── SpendingError    the spending cap is reached; finished work is kept
    ├── SystemUnavailableError  a memory system cannot be reached or is not installed
    ├── ContractError        a memory system brought by the user does not do what the protocol asks
    └── MissingExtra         an optional package is needed

A message says what was seen, what is allowed and what to do. The command line
prints it without a traceback and exits with status 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class MemspanError(Exception):
    """The one base: catch it and you have caught memspan."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong in a file, named so that a person can find it.

    Attributes:
        record: which record, e.g. ``claims[3] (c7)`` or ``line 12``.
        field: the field within it, e.g. ``supports[0]``; empty for the whole record.
        problem: what was seen and what is allowed.
    """

    record: str
    field: str
    problem: str

    def __str__(self) -> str:
        """Return the fault on one line."""
        where = f"{self.record}.{self.field}" if self.field else self.record
        return f"{where}: {self.problem}" if where else self.problem


class FileError(MemspanError):
    """A file cannot be used; `faults` holds everything wrong in it, not the first thing only."""

    SHOWN = 20

    def __init__(self, path: str, faults: Sequence[Fault]) -> None:
        """Build the message from all *faults* of the file at *path*."""
        self.path = path
        self.faults = tuple(faults)
        count = f"{len(self.faults)} faults" if len(self.faults) > 1 else "1 fault"
        lines = [f"{path}: {count}"]
        lines += [f"  {fault}" for fault in self.faults[: self.SHOWN]]
        if len(self.faults) > self.SHOWN:
            lines.append(f"  and {len(self.faults) - self.SHOWN} more")
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[type[FileError], tuple[str, tuple[Fault, ...]]]:
        """Travel between processes with all faults."""
        return type(self), (self.path, self.faults)


class FormatError(FileError):
    """No known format fits the content of the file."""


class MaterialError(MemspanError):
    """A material contradicts itself: duplicate ids, a support that names no claim."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        """Build the message from all *faults* of the material."""
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[type[MaterialError], tuple[tuple[Fault, ...]]]:
        """Travel between processes with all faults."""
        return type(self), (self.faults,)


class ShapeError(MemspanError, ValueError):
    """An array does not fit the material it is used with."""


class UnknownName(MemspanError, LookupError):  # noqa: N818 - reads as what it is, not as a failure class
    """A claim, query, cost or material was named that is not there."""


class WeightError(MemspanError, ValueError):
    """Query weights that are negative or not finite."""


class CostError(MemspanError, ValueError):
    """Claim costs that cannot count as capacity: fractions, or more in sum than a curve can hold."""


class RuleError(MemspanError, ValueError):
    """Rules that cannot be read, or that could never be evaluated."""


class NoiseError(MemspanError, ValueError):
    """A rate of right answers, or a judge's noise, from which no true rate follows."""


class ModelError(MemspanError):
    """A chat model or an embedder gave no answer that can be used; `tokens_in` and `tokens_out` were paid."""

    def __init__(self, message: str, *, tokens_in: int = 0, tokens_out: int = 0) -> None:
        """Keep what answers cost that were of no use."""
        self.tokens_in, self.tokens_out = tokens_in, tokens_out
        super().__init__(message)


class SpendingError(ModelError):
    """The spending cap is reached; finished work is kept."""


class MissingExtra(MemspanError, ImportError):  # noqa: N818 - reads as what it is, not as a failure class
    """An optional package is needed and is not installed; the message says how to get it."""


class SystemUnavailableError(MemspanError):
    """A memory system cannot be reached or is not installed; the message says how to get it."""


class ContractError(MemspanError, TypeError):
    """A memory system, or a function in place of one, does not do what the protocol asks."""
