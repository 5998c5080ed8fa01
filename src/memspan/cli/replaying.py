"""From what the user of `memspan replay` asked for to a replay."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memspan.cli.loading import materials_of
from memspan.cli.replay_asked import Asked, kinds_of, orders_of, shares_of
from memspan.cli.task import Task, chosen
from memspan.errors import Fault, FileError, MemspanError, ShapeError
from memspan.material import Material

if TYPE_CHECKING:
    from memspan.cli.meter import Meter
    from memspan.environments.scene import Arriving
    from memspan.policies.writer import WriterRule
    from memspan.ports import Embedder, Executor, Prior
    from memspan.report.replay_cells import Judged, Laid, Told

SMALL = 200_000
"""Claims times queries times trials below which no pool of processes is started."""
WORDS = ("shipped", "even", "others")
"""Rules that are no files."""


def run(asked: Asked, *, as_json: bool) -> None:
    """Replay what was *asked* for and print it as text or JSON; write the report where asked for."""
    from memspan.report.files import refuse_overwriting, refuse_unwritable

    if asked.report is not None:
        refuse_unwritable(asked.report)
        refuse_overwriting((asked.report,), (*asked.paths, None if asked.rule in WORDS else asked.rule))
    told = replayed(asked)
    if asked.report is not None:
        from memspan.report.replay_page import write_replay

        write_replay(told, asked.report)
        _say(f"report: {asked.report.resolve().as_uri()}")
    if as_json:
        from memspan.cli.replay_document import document

        json.dump(document(told), sys.stdout, allow_nan=False)
        sys.stdout.write("\n")
        return
    from memspan.cli.replay_text import show

    show(asked, told)


def replayed(asked: Asked) -> Told:
    """Return the replay that was *asked* for.

    Raises:
        FileError: a file cannot be used.
        MemspanError: nothing can be replayed.
        UnknownName: no such policy, order or material.
    """
    kinds, orders, shares, setting = (
        kinds_of(asked.policies),
        orders_of(asked.queries),
        shares_of(asked.capacity),
        asked.setting,
    )
    rule = _Rule.of(asked)
    materials, laid, left_out = _fit(_loaded(asked), setting.arriving)
    from memspan.cli.meter import Meter
    from memspan.environments.replaying import replay, usual_seeds
    from memspan.report.replay_cells import Told

    seeds = usual_seeds(len(materials), asked.seed)
    if asked.seeds is not None:
        seeds = tuple(range(asked.seed, asked.seed + asked.seeds))
    with Meter() as meter:
        meter.begin("replay", 0, 1)
        prior, judged = rule.judging(materials, setting.arriving, meter)
        steps = _Steps(meter, len(materials) * len(orders) * len(seeds) * len(kinds) * len(shares))
        steps.begin(materials[0].id)
        found = replay(
            materials,
            kinds,
            orders=orders,
            shares=shares,
            prior=prior,
            seeds=seeds,
            setting=setting,
            workers=_workers(asked, materials, len(kinds) * len(orders) * len(shares) * len(seeds)),
            told=steps.tell,
        )
    return Told(found, setting, laid, seeds, judged, kinds, left_out)


@dataclass
class _Steps:
    """Shows on a meter how many trials are done."""

    meter: Meter
    of: int
    done: int = 0

    def begin(self, name: str) -> None:
        """Show that the first one begins."""
        from memspan.optimum import Progress

        self.meter.tell(Progress(name, self.done, self.of))

    def tell(self, name: str) -> None:
        """Show that the trial called *name* is done."""
        self.done += 1
        self.begin(name)


def _workers(asked: Asked, materials: Sequence[Material], times: int) -> Executor | None:
    """Return a pool, or None where all is done before one has started."""
    from memspan.executor import executor

    work = times * sum(len(material.claims) * len(material.queries) for material in materials)
    alone = asked.workers == 1 or (asked.workers is None and (work < SMALL or len(materials) == 1))
    return None if alone else executor(asked.workers)


def _say(text: str) -> None:
    from memspan.cli.terminal import printable

    print(printable(text), file=sys.stderr, flush=True)  # noqa: T201 - the command line speaks


# --- materials --------------------------------------------------------------------------------------


def _loaded(asked: Asked) -> list[Material]:
    """Return the materials of all paths; one that stands twice counts once, and ids are unique."""
    found = [
        (Path(path).stem, material)
        for path in asked.paths
        for material in materials_of(Task(path, claims=asked.claims, union=asked.union))
    ]
    kept: dict[Any, tuple[str, Material]] = {}
    for stem, material in found:
        if kept.setdefault(_content(material), (stem, material))[1] is not material:
            _say(f"{material.id} stands in the files twice; it counts once")
    return chosen(_told_apart(list(kept.values())), asked.materials)


def _content(material: Material) -> tuple[Any, ...]:
    claims = tuple((claim.id, claim.text) for claim in material.claims)
    return claims, tuple((query.id, query.text) for query in material.queries)


def _told_apart(materials: Sequence[tuple[str, Material]]) -> list[Material]:
    """Return materials whose ids are unique: the file's name stands before those that are not."""
    names = Counter(material.id for _, material in materials)
    used: Counter[str] = Counter()
    several = []
    for stem, material in materials:
        name = material.id if names[material.id] == 1 else f"{stem}/{material.id}"
        used[name] += 1
        name = name if used[name] == 1 else f"{name} ({used[name]})"
        several.append(material if name == material.id else replace(material, id=name))
    return several


def _fit(
    materials: Sequence[Material], arriving: Arriving
) -> tuple[list[Material], tuple[Laid, ...], tuple[tuple[str, str], ...]]:
    """Return what can be replayed, what it is laid out to, and what is left out and why.

    Raises:
        MemspanError: nothing is left.
    """
    from memspan.environments.scene import scene
    from memspan.report.replay_cells import Laid

    kept, laid, left_out = [], [], []
    for material in materials:
        try:
            found = scene(material, arriving=arriving)
        except ShapeError as error:
            left_out.append((material.id, str(error)))
            continue
        kept.append(material)
        laid.append(
            Laid(
                material.id,
                len(material.claims),
                len(found.seen),
                len(found.coverage.queries),
                material.certainty,
                material.question_source,
            )
        )
    if not kept:
        raise MemspanError(_nothing(left_out))
    return kept, tuple(laid), tuple(left_out)


def _nothing(left_out: Sequence[tuple[str, str]]) -> str:
    if not left_out:
        return "there is no material in these files; give a file with claims and questions"
    more = f" ({len(left_out) - 1:,} more materials likewise)" if len(left_out) > 1 else ""
    return (
        f"nothing to replay: {left_out[0][1]}{more}. Where a text has questions but no supports, find them "
        "first: memspan frontier PATH --questions FILE --save material.json"
    )


# --- the rule -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Rule:
    """What judges claims: a rule that is at hand, one fitted on the other materials, or none."""

    rule: WriterRule | None
    others: bool
    embedder: Embedder | None

    @classmethod
    def of(cls, asked: Asked) -> _Rule:
        """Read it from what was *asked*, before anything else is done.

        Raises:
            FileError: no such rule.
            ModelError: no such embedder, or the rule needs one.
        """
        embedder = _embedder(asked.embedder)
        rule = None if asked.rule in {"even", "others"} else _rule(asked.rule)
        if rule is not None:
            rule.prior(embedder)
        return cls(rule, asked.rule == "others", embedder)

    def judging(
        self, materials: Sequence[Material], arriving: Arriving, meter: Meter
    ) -> tuple[Prior | Callable[[Material], Prior], Judged]:
        """Return what judges the claims of each material, and what outputs say of it."""
        from memspan.policies.even import Even
        from memspan.report.replay_cells import Judged
        from memspan.report.replay_words import OTHERS

        if self.others:
            crossed = self._crossed(materials, arriving, meter)
            priors = {name: rule.prior(self.embedder) for name, rule in crossed}
            told = Judged(OTHERS, "the other materials of this replay")
            return (lambda material: priors[material.id]), told
        if self.rule is None:
            return Even(), Judged("even")
        flattered = tuple(m.id for m in materials if self.rule.was_fitted_on(m))
        told = Judged(self.rule.name, self.rule.fitted_on or "unknown", flattered)
        return self.rule.prior(self.embedder), told

    def _crossed(
        self, materials: Sequence[Material], arriving: Arriving, meter: Meter
    ) -> Iterator[tuple[str, WriterRule]]:
        from memspan.learning.writer import train_writer
        from memspan.optimum import Progress

        if len(materials) < 2:
            raise MemspanError("--rule others fits on the other materials and there is one; give more files")
        for done, material in enumerate(materials):
            meter.tell(Progress(f"fitting without {material.id}", done, len(materials)))
            others = [each for each in materials if each is not material]
            yield material.id, train_writer(others, self.embedder, batches=arriving, measured=False)


def _embedder(spec: str | None) -> Embedder | None:
    if spec is None:
        return None
    from memspan.models import Remembered, embedder_named

    return Remembered(embedder_named(spec))


def _rule(name: str | None) -> WriterRule:
    """Return the rule in the file *name*; the shipped one for ``shipped`` and for None."""
    from memspan.policies.writer import WriterRule, shipped

    if name in {None, "shipped"}:
        return shipped()
    path = str(name)
    if not Path(path).exists():
        problem = f"does not exist; give a file of memspan train writer, or one of {', '.join(WORDS)}"
        raise FileError(path, [Fault("", "", problem)])
    return WriterRule.load(path)
