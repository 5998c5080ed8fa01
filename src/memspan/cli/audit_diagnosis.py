"""From an audit on to the diagnosis: what the store makes of the conversations behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memspan.cli.evaluating import Wanted, evaluated, terms_of
from memspan.cli.preparing import prepared
from memspan.cli.task import Finding, Task

if TYPE_CHECKING:
    from memspan.cli.audit import Looked
    from memspan.diagnosis import Evaluation
    from memspan.material import Material


def diagnosed(looked: Looked, transcript: Material | None) -> Evaluation | None:
    """Place the store under the frontier of its *transcript*; None without a transcript and questions.

    Raises:
        FileError: the log cannot be used.
    """
    wanted = wanted_of(looked)
    if wanted is None or transcript is None:
        return None
    materials = prepared(wanted.task.finding, [transcript], lambda _: None)  # told for the store already
    with terms_of(wanted) as terms:
        return evaluated(wanted, materials, None, terms)


def wanted_of(looked: Looked) -> Wanted | None:
    """Return the evaluation that *looked* leads to, as `memspan evaluate` would be asked for it."""
    if looked.transcript is None or looked.questions is None:
        return None
    finding = Finding(questions=looked.questions, embedder=looked.embedder)
    task = Task(looked.transcript, seconds=looked.seconds, union=True, finding=finding)
    return Wanted(task, store=looked.path)
