"""What a file of outcomes becomes: settlements, and what was read and held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from memspan.material import Dropped, Settlement


@dataclass(frozen=True, slots=True)
class Read:
    """What a system had before it when it answered a query.

    Attributes:
        material: id of the material.
        query: id of the query.
        settler: the run, as in `Settlement.settler`.
        read: the texts that it read, best first where they were ranked; None where unknown.
        held: the texts that its memory held then; None where unknown.
    """

    material: str
    query: str
    settler: str | None
    read: tuple[str, ...] | None = None
    held: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """A judge's word on whether a system's memories hold a claim.

    Attributes:
        material: id of the material.
        claim: id of the claim.
        value: 1 held, 0 not held, between them in part.
        texts: the memories that the judge saw.
        kind: ``integrity``: the memories made of the claim's session; ``update``: those that a
            search for the claim found.
    """

    material: str
    claim: str
    value: float
    texts: tuple[str, ...]
    kind: Literal["integrity", "update"] = "integrity"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judge's verdict on an answer of which it is known whether it is right.

    Attributes:
        material: id of the material, as the file gives it.
        query: id of the query.
        kind: what kind of answer it is, e.g. ``specific`` or ``vague``.
        right: whether the answer is right.
        judged: share of the judge's votes that call it right, in [0, 1].
    """

    material: str
    query: str
    kind: str
    right: bool
    judged: float


@dataclass(frozen=True)
class Outcomes:
    """Recorded outcomes, matched to materials.

    Attributes:
        name: the format that the file has, e.g. ``locomo-runs``.
        settlements: by id of the material, in the order of the file.
        settlers: the runs and judges that occur, in the order of the file.
        reads: what was read and held, for the queries where the file tells it.
        holds: what a judge said about which claims the memories hold, where the file tells it.
        dropped: what matches no query, could not be read, or was not judged.
    """

    name: str
    settlements: Mapping[str, tuple[Settlement, ...]]
    settlers: tuple[str, ...] = ()
    reads: tuple[Read, ...] = ()
    holds: tuple[Hold, ...] = ()
    dropped: tuple[Dropped, ...] = field(default=())
