"""What the oracles of trust sample and enumerate: claims of sources, evidence on supports, links.

The joint of a truth vector x is, up to a constant,

    sum over m of w(m) * product over sources of B(k m + true, k (1 - m) + false) / B(k m, k (1 - m))
    * product over supports of exp(D * [all of it true])
    * product over links of their factor,

where B is the beta function (the reliability of the source is integrated out), m the share of true claims
over all sources, k how much a source is like all others, and D the log ratio of a support's settlements,
all true to some false.
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import numpy.typing as npt

from memspan.material import Material, Settlement

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Pair = tuple[float, float]

BASES = np.linspace(0.05, 0.98, 94)
"""Where the share of true claims over all sources is summed, if it is not known."""


@dataclass(frozen=True)
class Numbers:
    """The numbers of the model, with the defaults of the research.

    Attributes:
        base, base_weight: the share of true claims, known with this weight; an infinite weight fixes it.
        source_weight: how much a source is like all sources, in claims.
        contradiction: factor of two contradicting claims that are both true.
        corroboration: factor of two corroborating claims that agree; one less it where they do not.
        false_wrong, false_right: Beta of the two error rates.
        counts: True where the error rates of each support are drawn on their own (beta-binomial),
            False where all settlements err alike, with the means.
    """

    base: float = 0.8
    base_weight: float = math.inf
    source_weight: float = 4.0
    contradiction: float = 0.05
    corroboration: float = 0.9
    false_wrong: Pair = (1.0, 9.0)
    false_right: Pair = (1.0, 9.0)
    counts: bool = True

    def bases(self) -> tuple[Floats, Floats]:
        """Return values of the base and the logarithms of their weights."""
        if math.isinf(self.base_weight):
            return np.array([self.base]), np.zeros(1)
        a, b = self.base_weight * self.base, self.base_weight * (1 - self.base)
        return BASES, (a - 1) * np.log(BASES) + (b - 1) * np.log1p(-BASES)


@dataclass(frozen=True)
class Latent:
    """A world as the oracles read it: n claims, supports as rows, links as pairs.

    Attributes:
        source: number of each claim's source.
        rows: claim positions of each support.
        evidence: D of each support; 0 where it was never settled.
        links: two claims each.
        agree: True where the link says that they agree, False where they contradict.
    """

    source: Ints
    rows: tuple[tuple[int, ...], ...]
    evidence: Floats
    links: tuple[tuple[int, int], ...] = ()
    agree: tuple[bool, ...] = ()
    numbers: Numbers = field(default_factory=Numbers)

    @property
    def n(self) -> int:
        """Number of claims."""
        return len(self.source)

    def factors(self, agree: bool) -> Floats:
        """Return the logarithm of a link's factor by how many of its two claims are true."""
        g, d = self.numbers.corroboration, self.numbers.contradiction
        return np.log([g, 1 - g, g] if agree else [1.0, 1.0, d])


def log_ratio(right: float, wrong: float, numbers: Numbers) -> float:
    """Return D: how much more likely these counts are if the whole support is true."""
    (a1, b1), (a2, b2) = numbers.false_wrong, numbers.false_right
    if not numbers.counts:
        e1, e2 = a1 / (a1 + b1), a2 / (a2 + b2)
        return right * math.log((1 - e1) / e2) + wrong * math.log(e1 / (1 - e2))
    if_true = _log_beta(a1 + wrong, b1 + right) - _log_beta(a1, b1)
    return if_true - _log_beta(a2 + right, b2 + wrong) + _log_beta(a2, b2)


def latent(material: Material, settlements: Iterable[Settlement], numbers: Numbers) -> Latent:
    """Lay out *material* and what was settled; supports of queries come first, each set of claims once.

    What supersedes what is left out: that link has a direction, and the joint has none.
    """
    at = material.claim_position
    counted: dict[tuple[tuple[int, ...], str | None], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for each in settlements:
        row = tuple(sorted({at[name] for name in each.claims or ()}))
        counted[row, each.settler][0] += each.weight * each.correct
        counted[row, each.settler][1] += each.weight * (1 - each.correct)
    asked = (
        tuple(sorted({at[name] for name in support.claims}))
        for query in material.queries
        for support in material.supports_of(query)
    )
    evidence: dict[tuple[int, ...], float] = dict.fromkeys(chain(asked, (row for row, _ in counted)), 0.0)
    for (row, _), (right, wrong) in counted.items():
        evidence[row] += log_ratio(right, wrong, numbers)
    links = _links(material)
    return Latent(
        _sources(material),
        tuple(evidence),
        np.array(list(evidence.values())),
        tuple(links),
        tuple(links.values()),
        numbers,
    )


def _sources(material: Material) -> Ints:
    """Number the sources; a claim that names none is a source of its own."""
    names = [claim.source if claim.source is not None else ("own", claim.id) for claim in material.claims]
    number = {name: i for i, name in enumerate(dict.fromkeys(names))}
    return np.array([number[name] for name in names], np.int64)


def _links(material: Material) -> dict[tuple[int, int], bool]:
    at = material.claim_position
    links = {}
    for i, claim in enumerate(material.claims):
        for agree, others in ((False, claim.contradicts), (True, claim.corroborates)):
            links.update({(min(i, at[name]), max(i, at[name])): agree for name in others})
    return links


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
