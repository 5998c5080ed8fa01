"""`memspan evaluate`: memory systems under the frontier, and what exactly they lose."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from memspan.cli.extract import CapOption, PricesOption, UrlOption, prices_of
from memspan.cli.frontier import (
    ClaimsOption,
    DrawsOption,
    EmbedderOption,
    FindOption,
    JsonOption,
    MaterialOption,
    MemoryOption,
    OperatorOption,
    OverOption,
    PathArgument,
    QuestionsOption,
    ReaderOption,
    ReportOption,
    SecondsOption,
    UnionOption,
)
from memspan.cli.task import Finding, Task

SystemOption = Annotated[
    list[str] | None,
    typer.Option(
        "--system",
        metavar="NAME",
        help="mem0, mem0:paper, all, recorded, rule.json, FILE.py:NAME, a URL; may be given several times.",
    ),
]
CapacitiesOption = Annotated[
    str | None,
    typer.Option(
        "--capacities",
        metavar="N,N",
        help="Claims held at most, or shares of all claims: 20,40 or 5%,20%; ten shares without it.",
    ),
]
StoreOption = Annotated[
    str | None,
    typer.Option("--store", metavar="STORE", help="A memory as it is today: what memspan audit takes."),
]
OutcomesOption = Annotated[
    list[Path] | None,
    typer.Option("--outcomes", metavar="FILE", help="Recorded answers of a run; may be given several times."),
]
NoiseOption = Annotated[
    str | None,
    typer.Option(
        "--judge-noise",
        metavar="SHARE,SHARE",
        help="Wrong answers that the judge calls right, and right ones that it calls wrong.",
    ),
]
KOption = Annotated[
    int | None,
    typer.Option("--k", min=0, help="Notes read for a question; each system's own number without it."),
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", min=1, help="Processes; as many as there are cores without it."),
]
ModelOption = Annotated[
    str | None,
    typer.Option("--model", metavar="NAME", help="A chat model that answers from what was read."),
]
TrustOption = Annotated[
    bool,
    typer.Option(
        "--trust", help="Learn from the outcomes which claims are true; what each memory is worth then."
    ),
]
JudgeOption = Annotated[
    Literal["plain", "model"],
    typer.Option("--judge", help="Who judges answers: plain, by words and numbers, or the model."),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Of all chance: same seed, same result.")]


def evaluate(  # noqa: PLR0913, PLR0917 - one parameter per option of the command
    path: PathArgument,
    system: SystemOption = None,
    capacities: CapacitiesOption = None,
    k: KOption = None,
    memory: MemoryOption = None,
    store: StoreOption = None,
    outcomes: OutcomesOption = None,
    judge_noise: NoiseOption = None,
    trust: TrustOption = False,
    model: ModelOption = None,
    base_url: UrlOption = None,
    prices: PricesOption = None,
    cap: CapOption = None,
    judge: JudgeOption = "plain",
    as_json: JsonOption = False,
    report: ReportOption = None,
    seconds: SecondsOption = 60.0,
    over: OverOption = "answerable",
    claims: ClaimsOption = None,
    union: UnionOption = False,
    material: MaterialOption = None,
    find: FindOption = False,
    questions: QuestionsOption = None,
    reader: ReaderOption = None,
    embedder: EmbedderOption = None,
    operator: OperatorOption = None,
    draws: DrawsOption = 20,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
) -> None:
    """Place memory systems under the frontier, and say where each loses what.

    The first line is the answer: what the best system makes of the best memory of the same size. PATH is
    a file in any supported format. Without --system all that memspan simulates are placed.
    """
    from memspan.cli.evaluating import Wanted, run

    finding = Finding(find, questions, reader, embedder, operator, draws, seed)
    task = Task(
        path,
        "claims",
        None,
        seconds,
        over,
        claims,
        union,
        tuple(material or ()),
        memory=memory,
        finding=finding,
    )
    wanted = Wanted(
        task=task,
        systems=tuple(part.strip() for given in system or () for part in given.split(",") if part.strip()),
        capacities=capacities,
        k=k,
        store=store,
        outcomes=tuple(outcomes or ()),
        noise=judge_noise,
        model=model,
        url=base_url,
        judge=judge,
        prices=prices_of(prices),
        cap=cap,
        workers=workers,
        trust=trust,
    )
    run(wanted, report, as_json=as_json)
