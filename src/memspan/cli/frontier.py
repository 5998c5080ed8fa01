"""`memspan frontier`: how much of the questions each capacity can answer at best."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from memspan.cli.task import Finding, Over, Task, capacities_of, targets_of

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
        "--capacities", metavar="N,N", help="Capacities to list, e.g. 100,200; the usual ones without it."
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
        "--target",
        metavar="SHARE,SHARE",
        help="Shares of the questions whose size is told: 95, 95% and 0.95 mean the same.",
    ),
]
MemoryOption = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="ID,ID",
        help="A memory to place under the frontier: ids of claims, or a file with one on each line.",
    ),
]
FindOption = Annotated[
    bool,
    typer.Option("--find", help="Find supports in the text also where other questions have some."),
]
QuestionsOption = Annotated[
    str | None,
    typer.Option(
        "--questions",
        metavar="FILE",
        help="A log of asked questions: JSON, JSON Lines or CSV, with answers or without.",
    ),
]
ReaderOption = Annotated[
    str | None,
    typer.Option(
        "--reader",
        metavar="FILE",
        help="A rule from memspan train reader; the shipped one without it.",
    ),
]
EmbedderOption = Annotated[
    str | None,
    typer.Option(
        "--embedder", metavar="SPEC", help="Embedder that the rule was fitted with, e.g. onnx:FOLDER."
    ),
]
OperatorOption = Annotated[
    str | None,
    typer.Option(
        "--operator",
        metavar="NAME",
        help="Judge the items of a generation operator, e.g. bridge, not the claims.",
    ),
]
SaveOption = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Write the material with what was found, to mend by hand."),
]
DrawsOption = Annotated[
    int,
    typer.Option("--draws", min=5, max=1000, help="How often found supports are drawn and solved."),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Of the draws: same seed, same intervals.")]


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
    memory: MemoryOption = None,
    find: FindOption = False,
    questions: QuestionsOption = None,
    reader: ReaderOption = None,
    embedder: EmbedderOption = None,
    operator: OperatorOption = None,
    draws: DrawsOption = 20,
    seed: SeedOption = 0,
    save: SaveOption = None,
) -> None:
    """Bound what the best memory of each capacity answers, with a proof where bounds meet.

    The first line is the answer: how many claims answer 50 % of the questions, and how many all
    of them. PATH is a file in any supported format, told by its content. Where it does not say
    which claims answer which question, that is found in the text, and the result is an estimate.
    """
    wanted, targets = tuple(material or ()), targets_of(target)
    finding = Finding(find, questions, reader, embedder, operator, draws, seed)
    listed = capacities_of(capacities)
    task = Task(path, cost, listed, seconds, over, claims, union, wanted, targets, memory, finding)
    run(task, report, as_json=as_json, save=save)


def run(task: Task, report: Path | None, *, as_json: bool, save: Path | None = None) -> None:
    """Solve *task* and print it as text or JSON; write the report, and the materials, where asked for."""
    from memspan.cli.loading import materials_of
    from memspan.cli.memory import memory_of
    from memspan.cli.preparing import prepared

    materials = prepared(task.finding, materials_of(task))
    names = None if task.memory is None else memory_of(task.memory, materials)
    from memspan.cli.solving import solve
    from memspan.report.files import refuse_overwriting, refuse_unwritable

    for place in filter(None, (report, save)):
        refuse_unwritable(place)
    refuse_overwriting((report, save), (task.path, task.finding.questions, task.finding.reader))
    if save is not None:
        from memspan.datasets import save as write

        write(materials, save)
    studies = solve(task, materials, names)
    if report is not None:
        from memspan.report import write_report

        write_report(studies, report, task.targets)
        print(f"report: {report.resolve().as_uri()}", file=sys.stderr, flush=True)  # noqa: T201 - the command line speaks
    if as_json:
        from memspan.cli.document import document

        json.dump(document(studies), sys.stdout, allow_nan=False, indent=None)
        sys.stdout.write("\n")
        return
    from memspan.cli.following import following
    from memspan.cli.terminal import show

    show(studies, task, following(task, studies, reported=report is not None))
