"""`memspan audit`: what a store of memories holds that it need not."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from memspan.audit import Audit
    from memspan.diagnosis import Evaluation
    from memspan.report.audit_words import Needs

StoreArgument = Annotated[
    str,
    typer.Argument(metavar="STORE", help="A store of memories, or an export of one: told by its content."),
]
TranscriptOption = Annotated[
    str | None,
    typer.Option(
        "--transcript",
        metavar="FILE",
        help="The conversations behind the store: finds what was recalled and stored again.",
    ),
]
QuestionsOption = Annotated[
    str | None,
    typer.Option("--questions", metavar="FILE", help="A log of asked questions: tells what they need."),
]
EmbedderOption = Annotated[
    str | None,
    typer.Option(
        "--embedder", metavar="SPEC", help="Finds near duplicates that share few words, e.g. onnx:FOLDER."
    ),
]
ReportOption = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE.html", help="Write the findings as one self-contained page."),
]
DeleteOption = Annotated[
    Path | None,
    typer.Option(
        "--delete", metavar="FILE.csv", help="Write the list of what can go; nothing in the store is changed."
    ),
]
MaterialOption = Annotated[
    list[str] | None,
    typer.Option("--material", metavar="ID", help="Only this store of the file; may be given several times."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
SecondsOption = Annotated[
    float,
    typer.Option("--seconds", min=0, help="Time for comparing and solving; running out is told, not hidden."),
]


@dataclass(frozen=True)
class Looked:
    """What is looked at, and where the outcome goes.

    Attributes:
        path: the store.
        transcript, questions, embedder: what helps to judge it, as given.
        report, delete: files to write.
        materials: ids of the stores wanted; empty for all.
        seconds: for everything.
    """

    path: str
    transcript: str | None = None
    questions: str | None = None
    embedder: str | None = None
    report: Path | None = None
    delete: Path | None = None
    materials: tuple[str, ...] = ()
    seconds: float = 60.0


def audit(  # noqa: PLR0913, PLR0917 - one parameter per option of the command
    store: StoreArgument,
    transcript: TranscriptOption = None,
    questions: QuestionsOption = None,
    embedder: EmbedderOption = None,
    report: ReportOption = None,
    delete: DeleteOption = None,
    material: MaterialOption = None,
    as_json: JsonOption = False,
    seconds: SecondsOption = 60.0,
) -> None:
    """Tell what a store of memories could lose: duplicates, old versions, recalled text, noise.

    Needs no questions and no key, and changes nothing. The first line is the answer: how many memories
    could go at no loss, and which kinds they are.
    """
    wanted = tuple(material or ())
    run(Looked(store, transcript, questions, embedder, report, delete, wanted, seconds), as_json=as_json)


def run(looked: Looked, *, as_json: bool) -> None:
    """Audit what *looked* names; print it as text or JSON and write the files asked for."""
    from memspan.cli.audit_diagnosis import diagnosed
    from memspan.cli.auditing import audits_of, needs_of, transcript_of
    from memspan.report.files import refuse_overwriting, refuse_unwritable

    for place in filter(None, (looked.report, looked.delete)):
        refuse_unwritable(place)
    read = (looked.path, looked.transcript, looked.questions)
    refuse_overwriting((looked.report, looked.delete), read)
    transcript = transcript_of(looked.transcript)
    audits = audits_of(looked, transcript)
    needs = needs_of(looked, audits)
    placed = diagnosed(looked, transcript)
    _write(looked, audits, needs, placed)
    if as_json:
        from memspan.cli.audit_document import document

        json.dump(document(audits, needs, placed), sys.stdout, allow_nan=False, indent=None)
        sys.stdout.write("\n")
        return
    from memspan.cli.audit_text import show

    show(audits, needs, looked, placed)


def _write(looked: Looked, audits: list[Audit], needs: Needs | None, placed: Evaluation | None) -> None:
    if looked.report is not None:
        from memspan.report.audit_page import write_audit

        write_audit(audits, looked.report, needs, placed)
        _tell(f"report: {looked.report.resolve().as_uri()}")
    if looked.delete is not None:
        from memspan.audit import listing
        from memspan.files import replace_file

        replace_file(looked.delete, [listing(audits)])
        count = sum(len(each.removals) for each in audits)
        _tell(f"list: {looked.delete} ({count:,} to review; {looked.path} is unchanged)")


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - the command line speaks
