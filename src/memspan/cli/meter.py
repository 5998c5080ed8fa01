"""A progress bar for work over a second, on a terminal only."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from memspan.optimum import Progress

if TYPE_CHECKING:
    import rich.progress

PATIENCE = 1.0  # seconds before a bar appears


class Meter:
    """Shows how far solving is, once it takes longer than a second; silent where stderr is no terminal."""

    def __init__(self) -> None:
        """Start the clock."""
        self._started = time.monotonic()
        self._bar: rich.progress.Progress | None = None
        self._name = ""

    def __enter__(self) -> Self:
        """Return the meter itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()

    def begin(self, name: str, done: int, of: int) -> None:
        """Say which of several materials is solved now."""
        self._name = f"{name} ({done + 1} of {of})" if of > 1 else name

    def tell(self, progress: Progress) -> None:
        """Show *progress*, or nothing while little time has passed."""
        if self._bar is None and sys.stderr.isatty() and time.monotonic() - self._started > PATIENCE:
            self._bar = _bar()
        if self._bar is not None:
            what = f"{self._name}: {progress.stage}".replace("[", "\\[")
            self._bar.update(
                self._bar.task_ids[0], description=what, completed=progress.done, total=progress.of
            )


def _bar() -> rich.progress.Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    bar.add_task("solving")
    bar.start()
    return bar
