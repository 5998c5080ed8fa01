"""From what the user of `memspan evaluate` asked for to an evaluation."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from memspan.cli.shares import shares_in
from memspan.cli.task import Task
from memspan.errors import MemspanError
from memspan.material import Dropped, Material

if TYPE_CHECKING:
    from memspan.diagnosis import Evaluation, JudgeNoise, Terms
    from memspan.diagnosis.stored import Record

STRANGE = 0.2
"""Share of a store's memories below which it hardly belongs to the material."""


@dataclass(frozen=True)
class Wanted:
    """What is to be evaluated, and how.

    Attributes:
        task: the materials, and how they get questions and supports.
        systems: as they were typed.
        capacities: as they were typed; None for the usual ones.
        k: notes read for a question; None for each system's own number.
        store: a memory as it is today.
        outcomes: files of recorded answers.
        noise: of the judge, as it was typed.
        model, url: the chat model that answers; None for nobody.
        judge: who judges.
        prices, cap: what a million tokens read and written cost, and what may be spent.
        workers: processes; None for as many as there are cores.
        trust: whether trust in the claims is learned from the outcomes.
    """

    task: Task
    systems: tuple[str, ...] = ()
    capacities: str | None = None
    k: int | None = None
    store: str | None = None
    outcomes: tuple[Path, ...] = ()
    noise: str | None = None
    model: str | None = None
    url: str | None = None
    judge: Literal["plain", "model"] = "plain"
    prices: tuple[float, float] | None = None
    cap: float | None = None
    workers: int | None = None
    trust: bool = False


def run(wanted: Wanted, report: Path | None, *, as_json: bool) -> None:
    """Evaluate what is *wanted* and print it as text or JSON; write the report where asked for."""
    from memspan.cli.loading import materials_of
    from memspan.cli.preparing import prepared
    from memspan.report.files import refuse_overwriting, refuse_unwritable

    capacities = capacities_of(wanted.capacities)
    materials = _settled(wanted, prepared(wanted.task.finding, materials_of(wanted.task)))
    if report is not None:
        refuse_unwritable(report)
        read = (wanted.task.path, wanted.store, wanted.task.finding.questions, *wanted.outcomes)
        refuse_overwriting((report,), read)
    with terms_of(wanted) as terms:
        evaluation = evaluated(wanted, materials, capacities, terms)
    if report is not None:
        from memspan.report.evaluation_page import write_evaluation

        write_evaluation(evaluation, report, terms)
        _tell(f"report: {report.resolve().as_uri()}")
    if as_json:
        from memspan.cli.evaluation_document import document

        json.dump(document(evaluation), sys.stdout, allow_nan=False)
        sys.stdout.write("\n")
        return
    from memspan.cli.league import show

    show(evaluation, _following(wanted, reported=report is not None))


def evaluated(
    wanted: Wanted, materials: Sequence[Material], capacities: Sequence[float] | None, terms: Terms
) -> Evaluation:
    """Return the evaluation that was *wanted* of *materials*."""
    from memspan.cli.meter import Meter
    from memspan.diagnosis import evaluate
    from memspan.diagnosis.evaluating import SHARES
    from memspan.executor import executor
    from memspan.optimum import Progress

    systems, notes = _systems(wanted, materials)
    trust = None
    if wanted.trust:
        from memspan.cli.believing import is_choosable, trusted_of

        trust = trusted_of(materials, terms.seed)
        systems += ["believed"] if is_choosable(materials) and "believed" not in systems else []
    # Work that would be over before a pool has started is done here, and so is what asks a model or a
    # server: two runs on one server would write into each other.
    served = any(name.startswith(("http://", "https://", "mcp:")) for name in wanted.systems)
    small = wanted.workers is None and _is_small(materials)
    alone = wanted.model is not None or served or small
    with Meter() as meter:
        meter.begin("systems", 0, 1)
        found = evaluate(
            materials,
            systems,
            SHARES if capacities is None else capacities,
            terms=terms,
            trust=trust,
            executor=executor(1 if alone else wanted.workers),
            report=lambda done, of: meter.tell(Progress("evaluating", done, of)),
        )
    return replace(found, dropped=(*notes, *found.dropped))


def _settled(wanted: Wanted, materials: Sequence[Material]) -> list[Material]:
    """Return *materials* with the outcomes that were recorded for their questions."""
    if not wanted.outcomes:
        return list(materials)
    from memspan.datasets.outcomes import read_outcomes, with_outcomes
    from memspan.report.wording import counted

    stems = [path.stem for path in wanted.outcomes]
    names = [
        path.stem if stems.count(path.stem) == 1 else str(path.with_suffix("")) for path in wanted.outcomes
    ]
    found = [
        read_outcomes(path, materials, settler=name)
        for path, name in zip(wanted.outcomes, names, strict=True)
    ]
    for path, each in zip(wanted.outcomes, found, strict=True):
        answers = sum(map(len, each.settlements.values()))
        left = (
            f"; {counted(len(each.dropped), 'notes')}, e.g. {each.dropped[0].reason}" if each.dropped else ""
        )
        _tell(f"{path.name}: {counted(answers, 'answers')} of {', '.join(each.settlers) or 'nobody'}{left}")
    return [
        replace(
            material,
            # two files may name their settlements alike, and no one amends them here
            settlements=tuple(
                replace(s, id=None) for each in found for s in with_outcomes(material, each).settlements
            ),
        )
        for material in materials
    ]


def _tell(text: str) -> None:
    from memspan.cli.terminal import printable

    print(printable(text), file=sys.stderr, flush=True)  # noqa: T201 - the command line speaks


def _is_small(materials: Sequence[Material]) -> bool:
    return sum(len(material.claims) * len(material.queries) for material in materials) < 50_000


def _systems(wanted: Wanted, materials: Sequence[Material]) -> tuple[list[object], list[Dropped]]:
    """Return what is to be placed: what was named, what was given by hand; all there is where nothing was."""
    from memspan.diagnosis.recorded import RECORDED
    from memspan.diagnosis.running import AS_IT_IS, recorded_kind

    given: list[object] = list(wanted.systems)
    if wanted.outcomes and not wanted.trust and RECORDED not in given:
        given.append(RECORDED)
    if wanted.task.memory is not None:
        from memspan.cli.memory import memory_of
        from memspan.diagnosis.running import memory_given

        given.append(memory_given(memory_of(wanted.task.memory, materials)))
    records = [] if wanted.store is None else _stores(wanted, materials)
    given += [recorded_kind(record, AS_IT_IS) for record in records]
    return given or ["all"], [note for record in records for note in _doubts(record)]


def _doubts(record: Record) -> Iterator[Dropped]:
    """Yield what speaks against holding *record* against this material."""
    told = sum(bool(note.claims) for note in record.notes)
    if told <= STRANGE * len(record.notes):
        seen = f"only {told:,} of {len(record.notes):,} memories tell what the material says"
        yield Dropped(
            f"store {record.name}", "memories", f"{seen}; it may be about something else", kept=True
        )


def _stores(wanted: Wanted, materials: Sequence[Material]) -> list[Record]:
    """Return the memories of a store as they are, matched to the claims of the one material."""
    from memspan.datasets import read_store
    from memspan.diagnosis.stored import record_of_store

    if len(materials) != 1:
        raise MemspanError(
            f"--store belongs to one material and there are {len(materials)}; pick one with --material ID"
        )
    finding, records = wanted.task.finding, []
    for store in read_store(wanted.store or ""):
        record = record_of_store(store, materials[0], finding.draws, finding.seed)
        found = sum(bool(note.claims) for note in record.notes)
        _tell(f"{store.id}: {found:,} of {len(record.notes):,} memories tell what claims of the material say")
        records.append(record)
    return records


@contextmanager
def terms_of(wanted: Wanted) -> Iterator[Terms]:
    """Give how it is evaluated, with the model open that answers, if there is one."""
    terms = _plain_terms(wanted)
    if wanted.model is None:
        yield terms
        return
    from memspan.answering.judging import ChatAnswerJudge, PlainJudge
    from memspan.answering.reasoning import ChatReasoner
    from memspan.cli.asking import chat_of
    from memspan.cli.errand import Asked

    asked = Asked(wanted.model, wanted.url, wanted.prices, wanted.cap, dry_run=False, questions=0)
    with chat_of(asked) as chat:
        judge = ChatAnswerJudge(chat) if wanted.judge == "model" else PlainJudge()
        yield replace(terms, reasoner=ChatReasoner(chat), judge=judge)


def _plain_terms(wanted: Wanted) -> Terms:
    from memspan.diagnosis import Terms

    finding = wanted.task.finding
    terms = Terms(
        k=wanted.k,
        over=wanted.task.over,
        seconds=wanted.task.seconds,
        draws=finding.draws,
        seed=finding.seed,
        noise=noise_of(wanted.noise),
    )
    if finding.embedder is None:
        return terms
    from memspan.models import Remembered, embedder_named

    return replace(terms, embedder=Remembered(embedder_named(finding.embedder)))


def capacities_of(text: str | None) -> tuple[float, ...] | None:
    """Return the capacities written in *text*: numbers of claims, or shares with a percent sign or below 1.

    >>> capacities_of("20, 5%, 0.4")
    (20, 0.05, 0.4)
    """
    if text is None:
        return None
    try:
        found = tuple(_capacity(part.strip()) for part in text.split(",") if part.strip())
    except ValueError:
        found = ()
    if not found:
        raise typer.BadParameter(
            f"{text!r}; give numbers of claims, or shares of all claims, with commas between, "
            "e.g. --capacities 20,40 or --capacities 5%,20%"
        )
    return found


def _capacity(text: str) -> float:
    from memspan.optimum.frontier import is_capacity

    if text.endswith("%"):
        share = float(text[:-1]) / 100
        if not 0 < share < 1:
            raise ValueError(text)
        return share
    number = float(text)
    if 0 < number < 1:
        return number
    if not is_capacity(int(number) if number.is_integer() else -1):
        raise ValueError(text)
    return int(number)


def noise_of(text: str | None) -> JudgeNoise | None:
    """Return the noise of a judge written in *text*: two shares with a comma between.

    >>> noise_of("0.11,5%")
    JudgeNoise(false_right=0.11, false_wrong=0.05, wrong_answers=None, right_answers=None)
    """
    if text is None:
        return None
    from memspan.diagnosis import JudgeNoise

    shares = shares_in(text)
    if len(shares) != 2:
        raise typer.BadParameter(
            f"{text!r}; give two shares with a comma between: wrong answers called right, right ones called "
            "wrong, e.g. --judge-noise 0.11,0.02"
        )
    try:
        return JudgeNoise(shares[0], shares[1])
    except MemspanError as error:
        raise typer.BadParameter(str(error)) from error


def _following(wanted: Wanted, *, reported: bool) -> str:
    """Return the command that takes the reader further."""
    from memspan.cli.following import typed

    systems = [part for name in wanted.systems for part in ("--system", name)]
    words = ["evaluate", *wanted.task.words[1:], *systems]
    given = {"capacities": wanted.capacities, "store": wanted.store, "k": wanted.k, "model": wanted.model}
    words += [
        part for name, value in given.items() if value is not None for part in (f"--{name}", str(value))
    ]
    words += [part for path in wanted.outcomes for part in ("--outcomes", str(path))]
    words += ["--trust"] if wanted.trust else []
    return typed(*words, *(["--json"] if reported else ["--report", "evaluate.html"]))
