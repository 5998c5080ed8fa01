"""`memspan replay`: which write policy would have served best, over time and against the exact bound."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from memspan.cli.frontier import ClaimsOption, JsonOption, MaterialOption, ReportOption, UnionOption


def _listed(policies: str) -> str:
    """Print every write policy and stop where a list is asked for, whatever else is typed."""
    if policies.strip().lower() != "list":
        return policies
    from memspan.policies.named import POLICIES

    width = max(len(kind.name) for kind in POLICIES) + 2
    for kind in POLICIES:
        typer.echo(f"{kind.name:{width}}{kind.told}")
    raise typer.Exit


PathsArgument = Annotated[
    list[str],
    typer.Argument(metavar="PATHS", help="Data files, or bundled materials such as odyssey."),
]
PoliciesOption = Annotated[
    str,
    typer.Option(
        "--policies",
        metavar="NAME,NAME",
        is_eager=True,
        callback=_listed,
        help="Write policies, all, or your own as file.py:Name; list tells what each does. lfu is always "
        "played beside them.",
    ),
]
RuleOption = Annotated[
    str | None,
    typer.Option(
        "--rule",
        metavar="RULE",
        help="What judges claims: a file of memspan train writer, shipped, even, or others (fitted on the "
        "other materials).",
    ),
]
EmbedderOption = Annotated[
    str | None,
    typer.Option("--embedder", metavar="SPEC", help="Embedder that the rule weighs, e.g. onnx:FOLDER."),
]
CapacityOption = Annotated[
    str,
    typer.Option(
        "--capacity",
        metavar="SHARE,N",
        help="What may be held: shares of all, 10%,20%, or numbers of claims or tokens, 40.",
    ),
]
QueriesOption = Annotated[
    str,
    typer.Option(
        "--queries",
        metavar="NAME,NAME",
        help="How questions are drawn: iid (by their weights), uniform, zipf, mix, once.",
    ),
]
ToldOption = Annotated[
    Literal["hits", "supports", "text", "outcome"],
    typer.Option(
        "--told",
        help="Of a settled question: the claims used, all supports, its words, or right and wrong alone.",
    ),
]
ArrivingOption = Annotated[
    Literal["sessions", "whole"],
    typer.Option("--arriving", help="Claims appear session by session, or all before the first question."),
]
WriteOption = Annotated[
    Literal["full", "swap", "stream"] | None,
    typer.Option(
        "--write",
        help="May hold again what it let go: any claim, a few, none; stream for sessions, full for whole.",
    ),
]
SwapsOption = Annotated[
    int, typer.Option("--swaps", min=0, help="With --write swap: old claims taken in again at a write.")
]
PerSessionOption = Annotated[
    int, typer.Option("--per-session", min=1, help="Questions after each session, where claims arrive so.")
]
StepsOption = Annotated[
    int, typer.Option("--steps", min=1, help="Questions in all, where claims arrive as a whole.")
]
CostOption = Annotated[
    Literal["claims", "tokens"], typer.Option("--cost", help="What capacity counts: claims or tokens.")
]
RewardOption = Annotated[
    Literal["coverage", "precision", "end-to-end"],
    typer.Option(
        "--reward",
        help="Answered where a support is held; where its claims are true, too; where they are read, too.",
    ),
]
ReadOption = Annotated[
    int, typer.Option("--read", min=0, help="With --reward end-to-end: claims read for a question.")
]
DriftOption = Annotated[
    float | None,
    typer.Option(
        "--drift",
        metavar="SHARE",
        help="Popularity is drawn anew after this share of questions, e.g. 0.5.",
    ),
]
SeedsOption = Annotated[
    int | None,
    typer.Option(
        "--seeds",
        min=1,
        help="How often the questions are drawn; 5 times for fewer than 5 materials, else once.",
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="The first seed: same seeds, same result.")]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", min=1, help="Processes; as many as there are cores without it."),
]


def replay(  # noqa: PLR0913, PLR0917 - one parameter per option of the command
    paths: PathsArgument,
    policies: PoliciesOption = "all",
    rule: RuleOption = None,
    embedder: EmbedderOption = None,
    capacity: CapacityOption = "10%",
    queries: QueriesOption = "iid",
    told: ToldOption = "hits",
    arriving: ArrivingOption = "sessions",
    write: WriteOption = None,
    swaps: SwapsOption = 4,
    per_session: PerSessionOption = 10,
    steps: StepsOption = 200,
    cost: CostOption = "claims",
    reward: RewardOption = "coverage",
    read: ReadOption = 10,
    drift: DriftOption = None,
    seeds: SeedsOption = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    report: ReportOption = None,
    as_json: JsonOption = False,
    claims: ClaimsOption = None,
    union: UnionOption = False,
    material: MaterialOption = None,
) -> None:
    """Replay materials through write policies: what each would have held, and answered, over time.

    The first line is the answer: what the best policy makes of the best memory of that capacity. Each
    material appears piece by piece, questions are asked, and their outcome is told to the policy.
    """
    from memspan.cli.replay_asked import Asked
    from memspan.cli.replaying import run

    asked = Asked(
        paths=tuple(paths),
        policies=policies,
        rule=rule,
        embedder=embedder,
        capacity=capacity,
        queries=queries,
        told=told,
        arriving=arriving,
        write=write,
        swaps=swaps,
        per_session=per_session,
        steps=steps,
        cost=cost,
        reward=reward,
        read=read,
        drift=drift,
        seeds=seeds,
        seed=seed,
        workers=workers,
        report=report,
        claims=claims,
        union=union,
        materials=tuple(material or ()),
    )
    run(asked, as_json=as_json)
