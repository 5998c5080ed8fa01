"""What a function picks of some claims or notes: told as ids, as things, or as scores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from memspan.errors import ContractError, ShapeError, UnknownName

_ALLOWED = "give ids, the claims themselves, a dict of id to score, or a list with one score for each claim"
_SHOWN = 3


@dataclass(frozen=True)
class Offer:
    """What a function may pick from.

    Attributes:
        who: the function, as messages name it, e.g. ``keep of newest``.
        ids: of the claims offered, in order.
        most: how many it may pick.
        bound: what bounds it, as messages name it: ``capacity`` or ``k``.
    """

    who: str
    ids: Sequence[str]
    most: int
    bound: str

    def picked(self, answer: Any) -> tuple[str, ...]:
        """Return the ids that *answer* picks: in its own order, or by score, the highest first.

        Of equal scores the earlier claim goes first. An id told twice counts once.

        Raises:
            ContractError: the answer is of no use.
            ShapeError: it picks too many, or has not one score for each claim.
            UnknownName: it picks what was not offered.

        >>> Offer("keep", ("a", "b", "c"), 2, "capacity").picked([0.1, 0.9, 0.9])
        ('b', 'c')
        >>> Offer("keep", ("a", "b", "c"), 2, "capacity").picked(["c"])
        ('c',)
        """
        if isinstance(answer, Mapping):
            return self._ranked(self._known(map(_id, answer)), list(answer.values()))
        told = self._listed(answer)
        if told and all(isinstance(each, Real) for each in told):
            if len(told) != len(self.ids):
                seen = f"{self.who} returned {len(told)} scores for {len(self.ids)} claims"
                raise ShapeError(f"{seen}; return one score for each claim, in order")
            return self._ranked(self.ids, told)
        return self._chosen(told)

    def _listed(self, answer: Any) -> list[Any]:
        if answer is None:
            raise ContractError(f"{self.who} returned None; it lacks a return, or {_ALLOWED}")
        if isinstance(answer, str | bytes) or not isinstance(answer, Iterable):
            raise ContractError(f"{self.who} returned {_shown(answer)}; {_ALLOWED}")
        return list(answer)

    def _chosen(self, told: Sequence[Any]) -> tuple[str, ...]:
        names = [_id(each) for each in told]
        strange = [each for each, name in zip(told, names, strict=True) if name is None]
        if strange:
            raise ContractError(f"{self.who} returned {_shown(strange[0])} among others; {_ALLOWED}")
        chosen = tuple(dict.fromkeys(self._known(names)))
        if len(chosen) > self.most:
            seen = f"{self.who} returned {len(chosen)} claims but {self.bound} is {self.most}"
            raise ShapeError(
                f"{seen}; drop {len(chosen) - self.most}, or return scores, of which the highest stay"
            )
        return chosen

    def _known(self, names: Iterable[str | None]) -> list[str]:
        told, offered = list(names), set(self.ids)
        unknown = [name for name in told if name not in offered]
        if unknown:
            some = ", ".join(repr(name) for name in unknown[:_SHOWN])
            more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
            raise UnknownName(
                f"{self.who} returned {some}{more}; pick among the {len(offered)} claims it was given"
            )
        return [name for name in told if name is not None]

    def _ranked(self, names: Sequence[str], scores: Sequence[Any]) -> tuple[str, ...]:
        for name, score in zip(names, scores, strict=True):
            if isinstance(score, bool) or not isinstance(score, Real) or not math.isfinite(score):
                raise ContractError(
                    f"{self.who} scored {name!r} with {_shown(score)}; a score is a finite number"
                )
        place = {name: i for i, name in enumerate(self.ids)}
        worth = dict(zip(names, scores, strict=True))
        return tuple(sorted(worth, key=lambda name: (-worth[name], place[name])))[: self.most]


def _id(thing: Any) -> str | None:
    """Return the id of a claim or a note, or *thing* where it is an id itself."""
    name = getattr(thing, "id", thing)
    return str(name) if isinstance(name, str) else None


def _shown(thing: Any) -> str:
    text = repr(thing)
    return f"{type(thing).__name__} {text if len(text) < 80 else text[:77] + '...'}"
