"""`memspan trust`: which claims settled queries speak against, and who looks unreliable."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from memspan.cli.frontier import ClaimsOption, JsonOption
from memspan.cli.trusting import Asked, Weighed, noise_of, weighed

SettlementsArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[SETTLEMENTS]",
        help="Recorded outcomes of questions, or a file that holds claims and outcomes, such as votes.",
    ),
]
PathOption = Annotated[
    str | None,
    typer.Option(
        "--material",
        metavar="PATH",
        help="The claims and questions that the outcomes are about: a data file.",
    ),
]
OnlyOption = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="ID", help="Only this material of the file; may be given several times."),
]
UntrustedOption = Annotated[
    list[str] | None,
    typer.Option(
        "--untrusted",
        metavar="NAME",
        help="A settler whose outcomes together move a claim little; may be given several times.",
    ),
]
LearnOption = Annotated[
    bool,
    typer.Option(
        "--learn", help="Learn each settler's errors; needs several settlers about the same claims."
    ),
]
NoiseOption = Annotated[
    str | None,
    typer.Option(
        "--noise",
        metavar="SHARE,SHARE",
        help="Outcomes wrong though all claims are true, and right though one is false; 0.1,0.1 without it.",
    ),
]
DriftOption = Annotated[
    float,
    typer.Option(
        "--drift",
        metavar="SHARE",
        help="Kept of a settler's earlier outcomes about a support at each new one of its own; 1 keeps all.",
    ),
]
RefitOption = Annotated[
    bool,
    typer.Option(
        "--refit/--no-refit", help="Infer over all outcomes again, so that their order does not matter."
    ),
]
LimitOption = Annotated[
    int, typer.Option("--limit", min=1, help="Doubtful claims, and sets, listed in the report and in JSON.")
]
ReportOption = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE.html", help="Write the findings as one self-contained page."),
]
SaveOption = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE.npz", help="Write the model; TrustModel.load goes on with it."),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Of all chance: same seed, same result.")]


def trust(  # noqa: PLR0913, PLR0917 - one parameter per option of the command
    settlements: SettlementsArgument = None,
    material: PathOption = None,
    only: OnlyOption = None,
    untrusted: UntrustedOption = None,
    learn: LearnOption = False,
    noise: NoiseOption = None,
    drift: DriftOption = 0.9,
    refit: RefitOption = True,
    limit: LimitOption = 100,
    report: ReportOption = None,
    save: SaveOption = None,
    claims: ClaimsOption = None,
    as_json: JsonOption = False,
    seed: SeedOption = 0,
) -> None:
    """Tell which claims are probably false, and which settlers and sources look unreliable.

    The first line is the answer. SETTLEMENTS is any file of recorded outcomes that memspan reads: which
    question was answered right or wrong, and by which claims where that is known.
    """
    path = material or settlements
    if path is None:
        raise typer.BadParameter(
            "nothing to weigh; give outcomes and what they are about: "
            "memspan trust SETTLEMENTS --material PATH, or one file that holds both: memspan trust votes.csv"
        )
    asked = Asked(
        path,
        settlements if material else None,
        only=tuple(only or ()),
        claims=claims,
        untrusted=tuple(untrusted or ()),
        learned=learn,
        noise=noise_of(noise),
        drift=drift,
        refit=refit,
        limit=limit,
        report=report,
        save=save,
        seed=seed,
    )
    run(asked, as_json=as_json)


def run(asked: Asked, *, as_json: bool) -> None:
    """Weigh the outcomes that were *asked* for; print it as text or JSON and write the report."""
    from memspan.report.files import refuse_overwriting, refuse_unwritable

    for path in filter(None, (asked.report, asked.save)):
        refuse_unwritable(path)
        refuse_overwriting((path,), (asked.path, asked.settlements))
    found = weighed(asked)
    _write(asked, found)
    if as_json:
        from memspan.cli.trust_document import document

        json.dump(document(found), sys.stdout, allow_nan=False)
        sys.stdout.write("\n")
        return
    from memspan.cli.trust_text import show

    show(asked, found)


def _write(asked: Asked, found: Weighed) -> None:
    if asked.save is not None:
        found.model.save(asked.save)
        print(f"model: {asked.save.resolve()}", file=sys.stderr, flush=True)  # noqa: T201 - the command line speaks
    if asked.report is not None:
        from memspan.report.trust_page import write_trust

        write_trust(found.told, asked.report)
        print(f"report: {asked.report.resolve().as_uri()}", file=sys.stderr, flush=True)  # noqa: T201 - the command line speaks
