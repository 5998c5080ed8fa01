"""The trust model: settled queries in, belief in what is true out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from os import PathLike
from pathlib import Path

import numpy as np
import numpy.typing as npt

from memspan.coverage import Coverage
from memspan.errors import Fault, MaterialError
from memspan.kernels.evidence import ALLY, RIVAL
from memspan.material import Claim, Material, Settlement
from memspan.trust.alarms import Alarm, alarms_of
from memspan.trust.beliefs import beliefs_of
from memspan.trust.engine import SWEEPS, Engine, Refit, kernel_for
from memspan.trust.reading import Readings, readings_of
from memspan.trust.saving import load, save
from memspan.trust.state import Row
from memspan.trust.terms import Terms
from memspan.trust.trusts import Trust, trust_of

Floats = npt.NDArray[np.float64]
HEAVIEST = 1e9
"""Weight of one outcome up to which sums of them are told apart in float64."""


class TrustModel:
    """Belief in the truth of claims, learned from settled queries.

    The loop: `settle` each outcome as it comes; ask `tau` how likely one claim is true, `beliefs` how likely
    each support is; `refit` after bulk loads and corrections; hand the beliefs to `memspan.trust.believed`,
    which fills the next memory by them. Its outcomes are settled again.

    How it infers: the truth of a claim is a bit, unknown. Outcomes are evidence about the conjunction of
    the claims of the support that was read, blurred by how reasoner and judge err. Each pair of support and
    settler sends its claims one message in log-odds; a claim's source, rivals and allies say the rest.
    `settle` does so once, as outcomes come; `refit` repeats it until nothing changes, by the same code.

    Args:
        material: claims to begin with, with sources and links, and the supports of its queries; None for
            none.
        terms: the model's numbers; given by name only, as is *untrusted*.
        untrusted: settlers whose outcomes together move a claim by `Terms.cap_untrusted` at most.

    Source: support-factor expectation propagation, Minka, *Expectation Propagation for Approximate Bayesian
    Inference*, 2001; arXiv 2608.11654, section 4, for what is estimated.

    >>> import memspan as ms
    >>> model = ms.TrustModel(ms.bundled("odyssey-noise"))
    >>> for _ in range(5):
    ...     _ = model.settle(ms.Settlement("q1", correct=0, claims=("e0",)))
    >>> model.refit().converged, model.tau("e0") < 0.1 < model.tau("e3")
    (True, True)
    >>> from memspan.trust import believed
    >>> coverage = ms.compile_material(ms.bundled("odyssey-noise"))
    >>> chosen = believed(coverage, model.beliefs(coverage), 2)
    >>> [coverage.claims[position] for position in chosen.order]
    ['e3', 'e1']
    """

    def __init__(
        self, material: Material | None = None, *, terms: Terms | None = None, untrusted: Iterable[str] = ()
    ) -> None:
        """Take the claims of *material*; its settlements are not counted, hand them to `settle_many`."""
        self.terms = terms or Terms()
        named = (untrusted,) if isinstance(untrusted, str) else untrusted
        readings = readings_of(material) if material else Readings()
        self.engine = Engine(self.terms, readings, frozenset(named))
        if material:
            self.add(material.claims)

    def __len__(self) -> int:
        """Return the number of settlements, revoked ones too."""
        return len(self.engine.ledger)

    @property
    def claims(self) -> tuple[str, ...]:
        """Ids of all claims, in the order they were added."""
        return tuple(self.engine.state.claims.names)

    def add(self, claims: Iterable[Claim]) -> None:
        """Add claims, with their sources and links; claims that they link to must be there or among them.

        Raises:
            MaterialError: a claim is there already, or a link leads nowhere.
        """
        given = list(claims)
        names = {claim.id for claim in given}
        faults = [
            Fault(f"claim {claim.id}", "id", "is in this model already; add new claims only")
            for claim in given
            if claim.id in self.engine.state.claims
        ]
        faults += [
            Fault(f"claim {claim.id}", kind, f"names {name!r}, which does not exist; add it first")
            for claim in given
            for kind in ("supersedes", "contradicts", "corroborates")
            for name in getattr(claim, kind)
            if name not in names and name not in self.engine.state.claims
        ]
        if len(names) < len(given):
            faults.append(Fault("claims", "id", "some stand several times; ids are unique"))
        if faults:
            raise MaterialError(faults)
        for claim in given:
            self.engine.state.add_claim(claim.id, claim.source)
        self._link(given)

    def _link(self, given: Sequence[Claim]) -> None:
        """Link new claims, each pair once in each way; superseding tells more than contradicting."""
        terms = self.terms
        leaks = {
            "supersedes": (RIVAL, terms.superseded, terms.contradiction),
            "contradicts": (RIVAL, terms.contradiction, terms.contradiction),
            "corroborates": (ALLY, terms.corroboration, terms.corroboration),
        }
        position, seen = self.engine.state.claims, set()
        for field, (kind, leak, back) in leaks.items():
            for claim in given:
                for name in getattr(claim, field):
                    here, there = position[claim.id], position[name]
                    link = (kind, min(here, there), max(here, there))
                    if here != there and link not in seen:
                        seen.add(link)
                        self.engine.state.link(here, there, kind, leak, back)
        self.engine.relate(len(seen))

    def settle(self, settlement: Settlement) -> int:
        """Count one outcome; return its number, by which it can be corrected or revoked.

        Raises:
            UnknownName: it names a claim that is not in the model.
            MaterialError: it has the id of another one, or its outcome or weight is out of range.
        """
        return self.settle_many([settlement])[0]

    def settle_many(self, settlements: Iterable[Settlement]) -> range:
        """Count outcomes in the order given; return their numbers. Nothing is counted where one cannot be.

        Raises:
            UnknownName: one names a claim that is not in the model.
            MaterialError: one has the id of another, or its outcome or weight is out of range.
        """
        given = list(settlements)
        rows = self._refuse(given)
        first = len(self.engine.ledger)
        self.engine.settle(zip(given, rows, strict=True))
        return range(first, len(self.engine.ledger))

    def _refuse(self, given: Sequence[Settlement]) -> list[Row]:
        """Return the positions of the claims that each outcome names, or refuse them all."""
        faults, seen, rows = [], set(), []
        for settlement in given:
            record = f"settlement {settlement.id or settlement.query}"
            if not 0 <= settlement.correct <= 1:
                faults.append(Fault(record, "correct", f"is {settlement.correct}; allowed is 0 to 1"))
            if not 0 <= settlement.weight <= HEAVIEST:
                faults.append(
                    Fault(record, "weight", f"is {settlement.weight}; allowed is 0 to {HEAVIEST:g}")
                )
            if settlement.id is not None:
                if settlement.id in seen or settlement.id in self.engine.ledger.named:
                    faults.append(Fault(record, "id", "stands twice; correct the first one instead"))
                seen.add(settlement.id)
            rows.append(self.engine.state.row(settlement.claims) if settlement.claims else ())
        if faults:
            raise MaterialError(faults)
        return rows

    def correct(self, entry: int | str, correct: float) -> None:
        """Replace the outcome of an entry, given by its number or id, by the right one.

        Raises:
            UnknownName: there is no such entry.
            MaterialError: *correct* is no share.
        """
        number = self.engine.ledger.number_of(entry)
        if not 0 <= correct <= 1:
            raise MaterialError([Fault(f"settlement {entry}", "correct", f"is {correct}; allowed is 0 to 1")])
        self.engine.ledger.columns["correct"].data[number] = correct
        self.engine.recount(self.engine.ledger.factors_of(number))

    def revoke(self, entry: int | str) -> None:
        """Let an entry, given by its number or id, count no more; it stays in the ledger.

        Raises:
            UnknownName: there is no such entry.
        """
        self._revoke([self.engine.ledger.number_of(entry)])

    def revoke_settler(self, name: str | None) -> int:
        """Let nothing that this settler said count any more; return how many entries that were.

        Raises:
            UnknownName: it never settled anything.
        """
        entries = self.engine.ledger.of_settler(self.engine.state.settler_at(name))
        self._revoke(entries)
        return len(entries)

    def _revoke(self, entries: Sequence[int]) -> None:
        self.engine.ledger.columns["revoked"].data[list(entries)] = 1
        self.engine.recount(factor for entry in entries for factor in self.engine.ledger.factors_of(entry))

    def distrust(self, name: str) -> None:
        """Take this settler as untrusted from now on, in what it has said too."""
        self.engine.bind(name)

    def refit(self, *, sweeps: int = SWEEPS, seed: int = 0) -> Refit:
        """Infer everything again from the ledger: the order in which outcomes came matters no more.

        Where outcomes of one support drift it matters which of them are later, by their times.

        Args:
            sweeps: how often all messages are sent at most; fewer where they change no more.
            seed: of the order in which they are sent.
        """
        return self.engine.refit(sweeps, np.random.default_rng(seed))

    def trust(self) -> Trust:
        """Return the trust in every claim, with how sure it is and what it rests on."""
        kernel = kernel_for(self.engine.state.n_claims)
        every = np.arange(self.engine.state.n_claims, dtype=np.int32)
        return trust_of(
            self.claims,
            self.engine.state,
            kernel.trusts(self.engine.state.evidence, self.terms.numbers, every),
        )

    def tau(self, claim: str) -> float:
        """Return the probability that *claim* is true.

        Raises:
            UnknownName: it is not in the model.
        """
        return self.belief([claim])

    def belief(self, claims: Sequence[str]) -> float:
        """Return the probability that all of *claims* are true.

        Raises:
            UnknownName: one is not in the model.
        """
        return float(beliefs_of(self.engine, [self.engine.state.row(tuple(claims))])[0]) if claims else 1.0

    def beliefs(self, coverage: Coverage) -> Floats:
        """Return the probability of each support of *coverage* that all its claims are true.

        Where a support was settled, its outcomes count once for the whole of it: after failures of a pair
        one of its two claims is false, though each alone may well be true. A set that was never settled is
        taken as the product of its claims' trust, and as no likelier than a settled part of it times the
        trust of the rest. Claims that defeat a support are not looked at.

        Args:
            coverage: a compiled material with claims of this model.

        Returns:
            Shape (n_supports,).

        Raises:
            UnknownName: a claim of *coverage* is not in the model.
        """
        place = np.array([self.engine.state.row((name,))[0] for name in coverage.claims], np.int32)
        members = place[coverage.members].tolist()
        ptr = coverage.ptr.tolist()
        rows = [tuple(sorted(members[a:b])) for a, b in pairwise(ptr)]
        return beliefs_of(self.engine, rows)

    def settlements(self) -> Iterator[Settlement]:
        """Yield every settlement that is in force, as corrected, in the order they came."""
        names, claims = list(self.engine.state.settlers), self.engine.state.claims.names
        queries = self.engine.ledger.queries.names
        columns = self.engine.ledger.columns
        for entry in np.flatnonzero(columns["revoked"].used == 0).tolist():
            correct = float(columns["correct"].data[entry])
            if entry in self.engine.ledger.kept:
                yield replace(self.engine.ledger.kept[entry], correct=correct)
                continue
            support = int(self.engine.state.columns["support"].data[self.engine.ledger.factors_of(entry)[0]])
            yield Settlement(
                query=queries[int(columns["query"].data[entry])],
                correct=correct,
                claims=tuple(claims[position] for position in self.engine.state.claims_of(support)),
                settler=names[int(columns["settler"].data[entry])],
                weight=float(columns["weight"].data[entry]),
            )

    def save(self, path: str | PathLike[str]) -> None:
        """Write all that the model knows into one file, whole or not at all: numpy's .npz, without pickle.

        Raises:
            FileError: the disk refuses, or a settlement's `extra` holds what JSON cannot tell.
        """
        save(self.engine, Path(path))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> TrustModel:
        """Return the model in the file at *path*; it goes on as if it had never been saved.

        Raises:
            FileError: it cannot be read, is no model of trust, or contradicts itself.
        """
        engine = load(Path(path))
        model = cls(terms=engine.terms)
        model.engine = engine
        return model

    def alarms(self) -> tuple[Alarm, ...]:
        """Return what looks broken: outcomes of one settler, or of all, that are all right or all wrong."""
        return alarms_of(self.engine.ledger, list(self.engine.state.settlers))
