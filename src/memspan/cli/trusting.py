"""From a material and recorded outcomes to what is doubtful."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from memspan.cli.loading import materials_of
from memspan.cli.shares import shares_in
from memspan.cli.task import Task
from memspan.errors import MemspanError, NoiseError, UnknownName
from memspan.material import Material

if TYPE_CHECKING:
    from memspan.report.trust_words import Told
    from memspan.trust import Noise, Refit, Terms, TrustModel

EVIDENCE = 10
"""How many outcomes a rate given on the command line counts as."""


@dataclass(frozen=True)
class Asked:
    """What is to be weighed, and how.

    Attributes:
        path: the material.
        settlements: the file of outcomes; None for those of the material.
        only: ids of the materials wanted; empty for all.
        claims: what stands as a claim, where the format leaves a choice.
        untrusted: settlers whose word is capped.
        learned: whether settlers' errors are learned.
        noise: how outcomes err; None for the model's default.
        drift: what is kept of a settler's earlier outcomes about a support at each new one of its own.
        refit: whether everything is inferred again once all outcomes are in.
        limit: doubtful claims listed.
        report: where the page goes.
        save: where the model goes.
        seed: of the refit.
    """

    path: str
    settlements: str | None = None
    only: tuple[str, ...] = ()
    claims: str | None = None
    untrusted: tuple[str, ...] = ()
    learned: bool = False
    noise: Noise | None = None
    drift: float = 0.9
    refit: bool = True
    limit: int = 100
    report: Path | None = None
    save: Path | None = None
    seed: int = 0


@dataclass(frozen=True)
class Weighed:
    """The model after all outcomes, and what there is to tell of it."""

    model: TrustModel
    refit: Refit | None
    told: Told


def weighed(asked: Asked) -> Weighed:
    """Return what the outcomes *asked* for say of the claims.

    Raises:
        FileError: a file cannot be used.
        MemspanError: there is no outcome.
        UnknownName: no such material, or an untrusted settler that settled nothing.
    """
    materials = materials_of(Task(asked.path, claims=asked.claims, materials=asked.only))
    material = union_of(_settled(asked, materials), Path(asked.path).stem)
    from memspan.report.trust_words import Told
    from memspan.trust import TrustModel, doubts

    model = TrustModel(material, terms=_terms(asked), untrusted=asked.untrusted)
    model.settle_many(material.settlements)
    _refuse_unknown(asked.untrusted, material)
    refit = model.refit(seed=asked.seed) if asked.refit else None
    return Weighed(
        model, refit, Told(material, doubts(model, material, limit=asked.limit), model.terms, refit)
    )


def _terms(asked: Asked) -> Terms:
    from memspan.trust import VOTES, Noise, Terms

    usual = VOTES.noise if asked.learned else Noise()
    try:
        return Terms(noise=asked.noise or usual, drift=asked.drift, learned=asked.learned)
    except NoiseError as error:
        raise typer.BadParameter(str(error)) from error


def _refuse_unknown(untrusted: Sequence[str], material: Material) -> None:
    known = {each.settler for each in material.settlements}
    for name in untrusted:
        if name not in known:
            some = ", ".join(sorted(each for each in known if each)[:10]) or "none with a name"
            raise UnknownName(f"no settler {name!r} among the outcomes; there are {some}")


def _settled(asked: Asked, materials: Sequence[Material]) -> list[Material]:
    """Return *materials* with the outcomes that are asked for."""
    if asked.settlements is None:
        if not any(material.settlements for material in materials):
            raise MemspanError(
                f"{asked.path} holds no settlement; give a file of outcomes: "
                f"memspan trust SETTLEMENTS --material {asked.path}"
            )
        return list(materials)
    from memspan.cli.terminal import printable
    from memspan.datasets.outcomes import read_outcomes, with_outcomes
    from memspan.report.wording import counted

    found = read_outcomes(asked.settlements, materials)
    answers = sum(map(len, found.settlements.values()))
    left = (
        f"; {counted(len(found.dropped), 'notes')}, e.g. {found.dropped[0].reason}" if found.dropped else ""
    )
    told = f"{Path(asked.settlements).name}: {counted(answers, 'outcomes')}{left}"
    print(printable(told), file=sys.stderr, flush=True)  # noqa: T201 - the command line speaks
    return [with_outcomes(material, found) for material in materials]


def union_of(materials: Sequence[Material], name: str) -> Material:
    """Return *materials* as one, so that settlers are the same everywhere and sources are not.

    >>> from memspan.material import Claim
    >>> two = [Material(name, (Claim("c", "Rain.", source="session 1"),)) for name in "ab"]
    >>> [(claim.id, claim.source) for claim in union_of(two, "both").claims]
    [('a/c', 'a/session 1'), ('b/c', 'b/session 1')]
    """
    if len(materials) == 1:
        return materials[0]
    from memspan.datasets import merge

    users = Counter(
        name for material in materials for name in {claim.source for claim in material.claims} if name
    )
    return merge([_apart(material, users) for material in materials], name)


def _apart(material: Material, users: Counter[str]) -> Material:
    claims = tuple(
        replace(claim, source=f"{material.id}/{claim.source}")
        if claim.source is not None and users[claim.source] > 1
        else claim
        for claim in material.claims
    )
    return replace(material, claims=claims)


def noise_of(text: str | None) -> Noise | None:
    """Return how outcomes err as written in *text*: two shares with a comma between.

    >>> noise_of("0.05, 10%")
    Noise(false_wrong=Rate(a=0.5, b=9.5), false_right=Rate(a=1.0, b=9.0))
    """
    if text is None:
        return None
    from memspan.trust import Noise, Rate

    shares = shares_in(text)
    if len(shares) != 2 or not all(0 < share < 1 for share in shares):
        raise typer.BadParameter(
            f"{text!r}; give two shares above 0 and below 1 with a comma between: outcomes wrong though "
            "every claim is true, and right though some claim is false, e.g. --noise 0.1,0.05"
        )
    try:
        return Noise(*(Rate(EVIDENCE * share, EVIDENCE * (1 - share)) for share in shares))
    except NoiseError as error:
        raise typer.BadParameter(str(error)) from error
