"""`memspan frontier`: how much of the questions each capacity can answer at best."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from memspan.cli.task import Over, Task, capacities_of, targets_of

PathArgument = Annotated[
    str, typer.Argument(metavar="PATH", help="A data file, or a bundled material such as odyssey.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
ReportOption = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE.html", help="Write the report as one self-contained page."),
]
CostOption = Annotated[
    str,
    typer.Option(
        "--cost", metavar="NAME", help="What capacity counts: claims, tokens, bytes or a cost of the claims."
    ),
]
CapacitiesOption = Annotated[
    str | None,
    typer.Option(
        "--capacities", metavar="N,N", help="Capacities wanted, e.g. 100,200; the usual ones without it."
    ),
]
SecondsOption = Annotated[
    float,
    typer.Option("--seconds", min=0, help="Time for solving; running out widens bounds, never claims more."),
]
OverOption = Annotated[
    Over, typer.Option("--over", help="Utilities are shares of the answerable questions, or of all.")
]
ClaimsOption = Annotated[
    str | None,
    typer.Option(
        "--claims",
        metavar="KIND",
        help="What stands as a claim where the format has a choice: turns, observations.",
    ),
]
UnionOption = Annotated[bool, typer.Option("--union", help="Merge all materials of the file into one.")]
MaterialOption = Annotated[
    list[str] | None,
    typer.Option("--material", metavar="ID", help="Only this material; may be given several times."),
]
TargetOption = Annotated[
    str,
    typer.Option(
        "--target", metavar="SHARE,SHARE", help="Shares of the questions whose size is told, in percent."
    ),
]


def frontier(  # noqa: PLR0913, PLR0917 - one parameter per option of the command
    path: PathArgument,
    as_json: JsonOption = False,
    report: ReportOption = None,
    cost: CostOption = "claims",
    capacities: CapacitiesOption = None,
    seconds: SecondsOption = 60.0,
    over: OverOption = "answerable",
    claims: ClaimsOption = None,
    union: UnionOption = False,
    material: MaterialOption = None,
    target: TargetOption = "50,80,95",
) -> None:
    """Bound what the best memory of each capacity answers, with a proof where bounds meet.

    The first line is the answer: how many claims answer 50 % of the questions, and how many all
    of them. PATH is a file in any supported format, told by its content.
    """
    wanted = tuple(material or ())
    task = Task(
        path, cost, capacities_of(capacities), seconds, over, claims, union, wanted, targets_of(target)
    )
    run(task, report, as_json=as_json)


def run(task: Task, report: Path | None, *, as_json: bool) -> None:
    """Solve *task* and print it as text or JSON; write the report where one is asked for."""
    from memspan.cli.loading import materials_of

    materials = materials_of(task)
    from memspan.cli.solving import solve
    from memspan.report.files import refuse_unwritable

    if report is not None:
        refuse_unwritable(report)
    studies = solve(task, materials)
    if report is not None:
        from memspan.report import write_report

        write_report(studies, report, task.targets)
        print(f"report: {report.resolve().as_uri()}", file=sys.stderr, flush=True)  # noqa: T201 - the command line speaks
    if as_json:
        from memspan.cli.document import document

        json.dump(document(studies), sys.stdout, allow_nan=False, indent=None)
        sys.stdout.write("\n")
        return
    from memspan.cli.terminal import show

    show(studies, task.targets, _following(task, report))


def _following(task: Task, report: Path | None) -> str:
    """Return one command that takes the reader further."""
    if report is None:
        return f"{task.command} --report report.html"
    return f"{task.command} --json" if task.cost != "claims" else replace(task, cost="tokens").command
