"""What is doubtful: claims with what speaks against them, settlers and sources that err more than thought."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from memspan.kernels.evidence import NONE, RIVAL
from memspan.kernels.plain import evidence as plain
from memspan.material import CONTEXT, Material
from memspan.trust.alarms import Alarm
from memspan.trust.engine import Engine, kernel_for
from memspan.trust.model import TrustModel
from memspan.trust.speaking import Spoken, spoken
from memspan.trust.suspects import Erring, Reliability, Settler, settlers_of, sources_of
from memspan.trust.trusts import Tau, Trust

Floats = npt.NDArray[np.float64]
LIMIT = 100
MOST_SPOKEN = 50
"""Settlements listed for one claim, those that move it most."""
FALSE = 0.5
"""Trust below which a claim is probably false."""
LESS = 0.01
"""Log-odds by which outcomes and linked claims must lower a claim for it to be less sure than its source."""


@dataclass(frozen=True, slots=True)
class Linked:
    """A claim at the other end of a link, and its trust."""

    claim: str
    tau: float


@dataclass(frozen=True, slots=True)
class DoubtfulClaim:
    """A claim that is probably false, or that outcomes and linked claims make less sure, and why.

    Attributes:
        trust: tau, its interval, and the prior that its source gives it.
        source: where it comes from; None where that is not known.
        reliability: of that source; None without a source.
        settled: what all settlements together move it by, in log-odds.
        linked: what its rivals and allies together move it by, in log-odds.
        spoken: the settlements about it, those against it first; the 50 that move it most.
        against: how many settlements in all speak against it.
        in_favour: how many in all speak for it.
        rivals: claims that contradict it.
        allies: claims that corroborate it.
        mass: share of the query mass with a support that it belongs to; None without a material.
    """

    trust: Tau
    source: str | None
    reliability: Reliability | None
    settled: float
    linked: float
    spoken: tuple[Spoken, ...]
    against: int
    in_favour: int
    rivals: tuple[Linked, ...]
    allies: tuple[Linked, ...]
    mass: float | None

    @property
    def claim(self) -> str:
        """Its id."""
        return self.trust.claim

    @property
    def prior(self) -> float:
        """What its source alone gives it, in log-odds."""
        return _log_odds(self.trust.prior)


@dataclass(frozen=True, slots=True)
class DoubtfulSet:
    """Claims of which one is probably false, and outcomes do not tell which.

    Attributes:
        claims: the support.
        belief: that all of them are true.
    """

    claims: tuple[str, ...]
    belief: float


@dataclass(frozen=True)
class Doubts:
    """What is doubtful in a model.

    Attributes:
        claims: the most doubtful ones, by rising trust in steps of 0.01, then by falling query mass.
        false: how many are probably false in all (trust below 0.5), among those that outcomes speak about.
        less_sure: how many more are less sure than their source alone makes them, since outcomes and linked
            claims together speak against them.
        touched: how many claims outcomes speak about, straight or over a link.
        sets: supports that are probably not all true though each claim alone probably is, the worst first.
        more_sets: how many such sets are not listed.
        settlers: all with outcomes about claims, the most suspicious first.
        erring: how all outcomes together err, against what was taken for granted.
        sources: all that outcomes speak about, the most suspicious first.
        pool: the reliability of all claims together.
        alarms: outcomes that look broken.
        outcomes: how many settlements are in force.
        silent: how many of them say nothing about any claim.
        unsure: how many of them may be about one support or another.
        inferred: how many are only taken to be about a claim, since no `claims` were logged.
        whole: how many of these had the whole material before them, so that nothing was left unread.
        trust: in every claim.
    """

    claims: tuple[DoubtfulClaim, ...]
    false: int
    less_sure: int
    touched: int
    sets: tuple[DoubtfulSet, ...]
    more_sets: int
    settlers: tuple[Settler, ...]
    erring: Erring
    sources: tuple[Reliability, ...]
    pool: Reliability
    alarms: tuple[Alarm, ...]
    outcomes: int
    silent: int
    unsure: int
    inferred: int
    whole: int
    trust: Trust = field(repr=False)

    @property
    def more(self) -> int:
        """How many doubtful claims are not listed."""
        return self.false + self.less_sure - len(self.claims)

    @property
    def noisy(self) -> bool:
        """Whether most settlers err more than was taken for granted: then that is wrong, and not they."""
        return 2 * sum(each.suspicious for each in self.settlers) > len(self.settlers)


def doubts(model: TrustModel, material: Material | None = None, *, limit: int = LIMIT) -> Doubts:
    """Return what is doubtful in *model*, and what speaks against it.

    Args:
        model: with its settlements; refit it first where they came in bulk.
        material: whose queries tell how much rests on a claim; None where it does not matter.
        limit: claims, and sets of claims, listed at most.

    >>> import memspan as ms
    >>> odyssey = ms.bundled("odyssey-noise")
    >>> model = ms.TrustModel(odyssey)
    >>> _ = model.settle_many(ms.Settlement("q1", 0, ("e0",), settler=name) for name in ("ana", "ben", "eva"))
    >>> found = doubts(model, odyssey)
    >>> found.false, found.claims[0].claim, round(found.claims[0].mass, 2)
    (1, 'e0', 0.45)
    >>> [(each.entry, each.settler, round(each.weight, 1)) for each in found.claims[0].spoken]
    [(0, 'ana', -2.2), (1, 'ben', -2.2), (2, 'eva', -2.2)]
    """
    engine, trust = model.engine, model.trust()
    sources, pool = sources_of(engine)
    masses = None if material is None else _masses(engine, material)
    ranked = _ranked(trust, masses)
    false = int(((trust.tau < FALSE) & trust.touched).sum())
    sets = _sets(engine, trust)
    settlers, erring = settlers_of(engine)
    columns = engine.ledger.columns
    parts = np.diff(columns["end"].used, prepend=0)[columns["revoked"].used == 0]
    inferred, whole = _inferred(engine)
    return Doubts(
        claims=_claims(engine, trust, ranked[:limit], {each.name: each for each in sources}, masses),
        false=false,
        less_sure=len(ranked) - false,
        touched=int(trust.touched.sum()),
        sets=tuple(sets[:limit]),
        more_sets=max(0, len(sets) - limit),
        settlers=settlers,
        erring=erring,
        sources=sources,
        pool=pool,
        alarms=model.alarms(),
        outcomes=len(parts),
        silent=int((parts == 0).sum()),
        unsure=int((parts > 1).sum()),
        inferred=inferred,
        whole=whole,
        trust=trust,
    )


def _inferred(engine: Engine) -> tuple[int, int]:
    """Return how many outcomes in force are about claims that were not logged; of how many all was read."""
    revoked = engine.ledger.columns["revoked"].data
    unlogged = [
        kept
        for entry, kept in engine.ledger.kept.items()
        if kept.claims is None and not revoked[entry] and engine.ledger.parts_of(entry)
    ]
    return len(unlogged), sum(each.extra.get(CONTEXT) == "full" for each in unlogged)


def _log_odds(share: float) -> float:
    return math.log(max(share, 1e-300) / max(1 - share, 1e-300))


def _ranked(trust: Trust, masses: Floats | None) -> list[int]:
    """Return the positions of doubtful claims, the most doubtful first."""
    less = trust.tau * (1 - trust.prior) < math.exp(-LESS) * trust.prior * (1 - trust.tau)
    doubtful = trust.touched & ((trust.tau < FALSE) | less)
    places = np.flatnonzero(doubtful)
    resting = np.zeros(len(places)) if masses is None else masses[places]
    order: list[int] = places[np.lexsort((places, -resting, np.round(trust.tau[places], 2)))].tolist()
    return order


def _masses(engine: Engine, material: Material) -> Floats:
    """Return for each claim of the model the share of the query mass with a support that holds it."""
    masses = np.zeros(engine.state.n_claims)
    total = math.fsum(query.weight for query in material.queries) or 1.0
    for query in material.queries:
        names = {name for support in material.supports_of(query) for name in support.claims}
        places = [engine.state.claims[name] for name in names if name in engine.state.claims]
        masses[places] += query.weight / total
    return masses


def _claims(
    engine: Engine,
    trust: Trust,
    chosen: Sequence[int],
    sources: dict[str | None, Reliability],
    masses: Floats | None,
) -> tuple[DoubtfulClaim, ...]:
    about = spoken(engine, chosen)
    names, columns = list(engine.state.sources), engine.state.columns
    found = []
    for place in chosen:
        told = trust.of(trust.claims[place])
        source = int(columns["source"].data[place])
        settled = float(columns["weight"].data[place] + columns["hearsay"].data[place])
        links = _linked(engine, trust, place)
        (in_favour,), (against,), (after,) = plain.trusts(
            engine.state.evidence, engine.terms.numbers, np.array([place], np.int32)
        )
        moved = float(after - np.log(in_favour / against))
        found.append(
            DoubtfulClaim(
                trust=told,
                source=None if source == NONE else names[source],
                reliability=None if source == NONE else sources.get(names[source]),
                settled=settled,
                linked=moved - settled if any(links) else 0.0,
                spoken=tuple(sorted(about[place][:MOST_SPOKEN], key=lambda each: each.weight)),
                against=sum(each.weight < 0 for each in about[place]),
                in_favour=sum(each.weight > 0 for each in about[place]),
                rivals=links[0],
                allies=links[1],
                mass=None if masses is None else float(masses[place]),
            )
        )
    return tuple(found)


def _linked(engine: Engine, trust: Trust, place: int) -> tuple[tuple[Linked, ...], tuple[Linked, ...]]:
    """Return the rivals and the allies of a claim, the most trusted first."""
    columns = engine.state.columns
    link = int(columns["first_link"].data[place])
    rivals: list[Linked] = []
    allies: list[Linked] = []
    while link != NONE:
        other = int(columns["link_to"].data[link])
        each = Linked(trust.claims[other], float(trust.tau[other]))
        (rivals if columns["link_kind"].data[link] == RIVAL else allies).append(each)
        link = int(columns["next_link"].data[link])
    return tuple(_by_trust(rivals)), tuple(_by_trust(allies))


def _by_trust(linked: list[Linked]) -> list[Linked]:
    return sorted(linked, key=lambda each: (-each.tau, each.claim))


def _sets(engine: Engine, trust: Trust) -> list[DoubtfulSet]:
    """Return settled supports of several claims that are doubted as a whole only, the worst first."""
    ptr = engine.state.columns["ptr"].used
    several = np.flatnonzero(np.diff(ptr) > 1).astype(np.int32)
    beliefs = kernel_for(len(several)).beliefs(engine.state.evidence, engine.terms.numbers, several)
    found = []
    for support, belief in zip(
        several[beliefs < FALSE].tolist(), beliefs[beliefs < FALSE].tolist(), strict=True
    ):
        row = engine.state.claims_of(support)
        if min(trust.tau[list(row)]) >= FALSE:
            found.append(DoubtfulSet(tuple(trust.claims[claim] for claim in row), belief))
    return sorted(found, key=lambda each: (each.belief, each.claims))
