"""Finished work on disk: one line for each window that a model has answered."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from memspan.errors import Fault, FileError


class Journal:
    """Remembers what was answered, line by line, so that nothing is asked and paid twice.

    A line is on disk before the next window is asked. What a crash left half-written is passed
    over and asked again.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Read what is already in the file at *path*; it need not be there.

        Raises:
            FileError: the file is there and cannot be read.
        """
        self.path = Path(path)
        self._known: dict[str, Any] = {}
        try:
            raw = self.path.read_bytes() if self.path.exists() else b""
        except OSError as error:
            raise self._refusal("read", error) from error
        self._whole = not raw or raw.endswith(b"\n")
        for line in raw.splitlines():
            self._take(line)

    def _take(self, line: bytes) -> None:
        try:
            record = json.loads(line)
            self._known[record["key"]] = record["value"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return  # half a line, or not ours: asked again

    def _refusal(self, verb: str, error: OSError) -> FileError:
        return FileError(str(self.path), [Fault("", "", f"cannot be {verb}: {error.strerror or error}")])

    def __len__(self) -> int:
        """Return how many answers are known."""
        return len(self._known)

    def get(self, key: str) -> Any:
        """Return what was answered under *key*, or None."""
        return self._known.get(key)

    def add(self, key: str, value: Any) -> None:
        """Remember *value*, on disk too.

        Raises:
            FileError: the disk refuses.
        """
        line = json.dumps({"key": key, "value": value}) + "\n"
        try:
            with self.path.open("ab") as file:
                file.write((line if self._whole else f"\n{line}").encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            self._whole = False
            raise self._refusal("written", error) from error
        self._whole = True
        self._known[key] = value

    def discard(self) -> None:
        """Take the file away, where it is."""
        self.path.unlink(missing_ok=True)
        self._known.clear()
