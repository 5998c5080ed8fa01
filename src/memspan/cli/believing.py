"""What the outcomes at hand let one believe about the claims of an evaluation."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memspan.errors import MemspanError
from memspan.material import Material

if TYPE_CHECKING:
    from memspan.diagnosis import Trusted


def trusted_of(materials: Sequence[Material], seed: int) -> dict[str, Trusted]:
    """Return what the settlements of each of *materials* say of its claims, by id.

    Raises:
        MemspanError: none of them holds a settlement.
    """
    if not any(material.settlements for material in materials):
        raise MemspanError(
            "there is no settlement to learn trust from; give recorded answers with --outcomes FILE"
        )
    return {material.id: _trusted(material, seed) for material in materials}


def _trusted(material: Material, seed: int) -> Trusted:
    from memspan.cli.terminal import printable
    from memspan.diagnosis import Trusted
    from memspan.trust import TrustModel

    model = TrustModel(material)
    model.settle_many(material.settlements)
    model.refit(seed=seed)
    for alarm in model.alarms():
        print(printable(f"{material.id}: {alarm}"), file=sys.stderr)  # noqa: T201 - the command line speaks
    told = model.trust()
    return Trusted(told.tau, model.beliefs, told.touched)


def is_choosable(materials: Sequence[Material]) -> bool:
    """Whether a memory can be chosen by belief: no claim defeats a support."""
    return not any(
        support.unless
        for material in materials
        for query in material.queries
        for support in material.supports_of(query)
    )
