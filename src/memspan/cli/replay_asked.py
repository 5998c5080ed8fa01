"""What the user of `memspan replay` asked for, read from options."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import typer

from memspan.errors import UnknownName

if TYPE_CHECKING:
    from memspan.environments.orders import OrderName
    from memspan.environments.replaying import Setting
    from memspan.policies.named import PolicyKind


@dataclass(frozen=True)
class Asked:
    """A replay as it was typed; see `memspan replay --help` for each of them.

    `policies`, `rule`, `capacity` and `queries` are texts that the functions here read.
    """

    paths: tuple[str, ...]
    policies: str = "all"
    rule: str | None = None
    embedder: str | None = None
    capacity: str = "10%"
    queries: str = "iid"
    told: Literal["hits", "supports", "text", "outcome"] = "hits"
    arriving: Literal["sessions", "whole"] = "sessions"
    write: Literal["full", "swap", "stream"] | None = None
    swaps: int = 4
    per_session: int = 10
    steps: int = 200
    cost: Literal["claims", "tokens"] = "claims"
    reward: Literal["coverage", "precision", "end-to-end"] = "coverage"
    read: int = 10
    drift: float | None = None
    seeds: int | None = None
    seed: int = 0
    workers: int | None = None
    report: Path | None = None
    claims: str | None = None
    union: bool = False
    materials: tuple[str, ...] = ()

    @property
    def setting(self) -> Setting:
        """How materials are replayed.

        Raises:
            typer.BadParameter: the drift is no share.
        """
        from memspan.environments.replaying import Setting

        if self.drift is not None and not 0 < self.drift < 1:
            raise typer.BadParameter(
                f"--drift is {self.drift:g}; give a share of the questions between 0 and 1, e.g. 0.5"
            )
        return Setting(
            arriving=self.arriving,
            write=self.write or ("stream" if self.arriving == "sessions" else "full"),
            disclosure=self.told,
            reward=self.reward,
            cost=self.cost,
            per_batch=self.per_session,
            steps=self.steps,
            drifts_at=self.drift,
            swaps=self.swaps,
            read=self.read,
        )

    @property
    def words(self) -> Iterator[str]:
        """What to type behind the program's name for this replay; options at their usual value left out."""
        yield from ("replay", *self.paths)
        usual = Asked(self.paths)
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name in {"paths", "materials", "union"} or value == getattr(usual, each.name):
                continue
            yield from (
                f"--{each.name.replace('_', '-')}",
                f"{value:g}" if isinstance(value, float) else str(value),
            )
        yield from (["--union"] if self.union else [])
        yield from (part for name in self.materials for part in ("--material", name))


def kinds_of(text: str) -> tuple[PolicyKind, ...]:
    """Return the write policies named in *text*, and with them that which all are held against.

    >>> [kind.name for kind in kinds_of("static, fifo")]
    ['static', 'fifo', 'lfu']

    Raises:
        UnknownName: there is none of that name.
        ContractError: one of the user's own is none, or is called as another.
        FileError: there is no such file.
    """
    from memspan.policies.given import policies_of, told_apart
    from memspan.report.replay_cells import BASELINE

    names = [*_parts(text), BASELINE]
    return told_apart([kind for name in names for kind in policies_of(name)])


def orders_of(text: str) -> tuple[OrderName, ...]:
    """Return the orders of queries named in *text*.

    >>> orders_of("uniform, once")
    ('uniform', 'once')

    Raises:
        UnknownName: there is none of that name; the nearest is told.
    """
    from memspan.environments.orders import OrderName

    known = get_args(OrderName)
    names = [name.lower() for name in _parts(text)]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise UnknownName(f"no order of questions {name!r}; {hint}")
    if not names:
        raise typer.BadParameter(f"--queries is {text!r}; give some of {', '.join(known)}")
    wanted: dict[OrderName, None] = {known[known.index(name)]: None for name in names}
    return tuple(wanted)


def shares_of(text: str) -> tuple[float, ...]:
    """Return the capacities in *text*: shares as floats, numbers as ints.

    >>> shares_of("10%, 0.2, 40")
    (0.1, 0.2, 40)
    """
    try:
        found = tuple(dict.fromkeys(_share(part) for part in _parts(text)))
    except ValueError:
        found = ()
    if not found:
        raise typer.BadParameter(
            f"--capacity is {text!r}; give shares of all claims up to 100%, or numbers from 1, with commas "
            "between, e.g. 10%,20% or 40"
        )
    return found


def _share(part: str) -> float:
    number = float(part.removesuffix("%"))
    if part.endswith("%") or 0 < number < 1:
        share = number / 100 if part.endswith("%") else number
        if not 0 < share <= 1:
            raise ValueError(part)
        return share
    if not number.is_integer() or not 1 <= number < 1 << 53:
        raise ValueError(part)
    return int(number)


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
