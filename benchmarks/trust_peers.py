"""Trust against Dawid and Skene's model and the vote of the majority, on votes whose truth is known.

Run it as `python benchmarks/trust_peers.py`, or with `--json`. It needs crowd-kit (`pip install crowd-kit`),
which may live in an environment of its own. Data sets are read from the folder that MEMSPAN_DATA names. Every
method gets the same votes: settlers say of claims that they are so, or not.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

import memspan as ms
from memspan.trust import VOTES
from memspan.trust.calibration import ece, log_loss

Floats = npt.NDArray[np.float64]
Believe = Callable[[], Floats]
CROWD = ("bluebird", "product", "rte", "sentiment", "sp_amt", "zencrowd_in")
FUSION = (
    "book_claims_dev.tsv",
    "population_claims_dev.csv",
    "weather_temperature_claims_dev.csv",
    "flights_claims_dev.csv",
)


@dataclass(frozen=True)
class Row:
    """What one method makes of one set; seconds to take the votes in, and to infer from them."""

    data: str
    method: str
    claims: int
    votes: int
    known: int
    accuracy: float
    log_loss: float
    ece: float
    taking: float
    inferring: float


def trusted(material: ms.Material) -> Believe:
    """Take in the votes and return the inference of the trust model, settlers' errors learned."""
    model = ms.TrustModel(material, terms=VOTES)
    model.settle_many(material.settlements)

    def believe() -> Floats:
        model.refit()
        return model.trust().tau

    return believe


def majority(material: ms.Material) -> Believe:
    """Return what tells the share of votes that say a claim is so."""
    place = [material.claim_position[each.claims[0]] for each in material.settlements if each.claims]
    votes = np.array([each.correct for each in material.settlements])
    count = len(material.claims)
    return lambda: (
        np.bincount(place, votes, minlength=count) / np.maximum(np.bincount(place, minlength=count), 1)
    )


def dawid_skene(material: ms.Material) -> Believe:
    """Take in the votes and return the inference of crowd-kit's Dawid and Skene model, 100 iterations."""
    import pandas as pd
    from crowdkit.aggregation import DawidSkene

    votes = pd.DataFrame(
        {
            "task": [each.claims[0] for each in material.settlements if each.claims],
            "worker": [each.settler for each in material.settlements],
            "label": [int(each.correct) for each in material.settlements],
        }
    )

    def believe() -> Floats:
        told = DawidSkene(n_iter=100).fit_predict_proba(votes)
        named = told[1].reindex([claim.id for claim in material.claims]) if 1 in told else None
        return np.zeros(len(material.claims)) if named is None else named.fillna(0.0).to_numpy()

    return believe


METHODS: dict[str, Callable[[ms.Material], Believe]] = {
    "memspan": trusted,
    "Dawid-Skene": dawid_skene,
    "majority": majority,
}


def rows_of(name: str, material: ms.Material) -> Iterator[Row]:
    """Measure every method on the claims of *material* whose truth is known."""
    truth = np.array([np.nan if claim.truth is None else claim.truth for claim in material.claims])
    voted = np.zeros(len(truth), np.bool_)
    voted[[material.claim_position[each.claims[0]] for each in material.settlements if each.claims]] = True
    known = np.flatnonzero(~np.isnan(truth) & voted)
    for method, take in METHODS.items():
        start = time.process_time()
        believe = take(material)
        taken = time.process_time()
        belief = believe()
        done = time.process_time()
        right, told = truth[known].astype(np.int64), belief[known]
        yield Row(
            name,
            method,
            len(truth),
            len(material.settlements),
            len(known),
            float(((told >= 0.5) == right).mean()),
            log_loss(right, told),
            ece(right, told),
            taken - start,
            done - taken,
        )


def sets(data: Path) -> Iterator[tuple[str, ms.Material]]:
    """Yield every set by name."""
    for name in CROWD:
        yield name, ms.load(data / "crowd" / name)[0]
    for file in FUSION:
        yield file.split("_")[0], ms.load(data / "truth_discovery" / file)[0]


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the rows as a table in Markdown."""
    yield "| set | method | votes | known | accuracy | log loss | ECE | taking in | inferring |"
    yield "| --- | --- | --: | --: | --: | --: | --: | --: | --: |"
    for row in rows:
        yield (
            f"| {row.data} | {row.method} | {row.votes:,} | {row.known:,} | {row.accuracy:.3f} | "
            f"{row.log_loss:.3f} | {row.ece:.3f} | {row.taking:.2f} | {row.inferring:.2f} |"
        )


def _warm() -> ms.Material:
    """Return votes enough for kernels to be compiled and packages to be loaded before anything is timed."""
    query = ms.Query("q", supports=(ms.Support(("a",)),))
    votes = tuple(ms.Settlement("q", float(i % 3 > 0), ("a",), settler=f"s{i}") for i in range(20_000))
    return ms.Material("warm", (ms.Claim("a"),), queries=(query,), settlements=votes)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--json", action="store_true")
    options.add_argument("--only", help="sets, by name, with commas")
    chosen = options.parse_args()
    only = set(chosen.only.split(",")) if chosen.only else None
    found = []
    for take in METHODS.values():
        take(_warm())()
    for name, material in sets(Path(os.environ["MEMSPAN_DATA"])):
        if only is None or name in only:
            found += rows_of(name, material)
    print(json.dumps([asdict(row) for row in found]) if chosen.json else "\n".join(table(found)))


if __name__ == "__main__":
    main()
