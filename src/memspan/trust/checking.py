"""What must hold between the arrays of a model that was read from a file, before anything follows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.errors import Fault
from memspan.kernels.evidence import NONE
from memspan.trust.engine import Engine

Array = npt.NDArray[Any]


def faults_of(engine: Engine) -> Iterator[Fault]:
    """Yield what contradicts itself in *engine*; lengths first, since all else follows them."""
    columns = {name: column.used for name, column in engine.state.columns.items()}
    columns |= {f"ledger.{name}": column.used for name, column in engine.ledger.columns.items()}
    faults = list(_lengths(engine, columns)) or list(_rows(columns))
    if faults:
        yield from faults
        return
    faults = list(_positions(engine, columns))
    yield from faults or _chains(columns)
    yield from _numbers(columns)
    yield from _names(engine, columns)


def _names(engine: Engine, columns: dict[str, Array]) -> Iterator[Fault]:
    state, ledger = engine.state, engine.ledger
    if not all(isinstance(name, str) for name in (*state.claims, *state.sources, *ledger.queries)):
        yield Fault("names", "", "are no texts")
    told = np.flatnonzero(np.diff(columns["ledger.end"], prepend=0) != 1).tolist()
    if not ledger.kept.keys() >= set(told):
        yield Fault("names", "kept", "leaves out settlements that the arrays do not tell")
    if not all(0 <= number < len(engine.ledger) for number in engine.ledger.kept):
        yield Fault("names", "kept", "names settlements that are not there")


def _lengths(engine: Engine, columns: dict[str, Array]) -> Iterator[Fault]:
    n_factors = len(columns["support"])
    for name, size in (
        ("weight", engine.state.n_claims),
        ("reliable", len(engine.state.sources)),
        ("rates", len(engine.state.settlers)),
        ("first_factor", len(columns["ptr"]) - 1),
        ("taught", n_factors if engine.terms.learned else 0),
    ):
        if len(columns[name]) != size:
            yield Fault(name, "", f"holds {len(columns[name])} entries; {size} are needed")
    if len(columns["ledger.last_part"]) > n_factors:
        yield Fault("ledger.last_part", "", "tells of factors that are not there")


def _rows(columns: dict[str, Array]) -> Iterator[Fault]:
    """Yield what is wrong with rows that follow one another: supports, messages, parts of entries."""
    ptr, ends = columns["ptr"], columns["ledger.end"]
    if not len(ptr) or ptr[0] != 0 or ptr[-1] != len(columns["members"]) or (np.diff(ptr) < 1).any():
        yield Fault("ptr", "", "does not cut the members into supports")
        return
    last = ends[-1] if len(ends) else 0
    if (np.diff(ends, prepend=0) < 0).any() or last != len(columns["ledger.factor"]):
        yield Fault("ledger.end", "", "does not cut the parts into entries")
    elif (columns["ledger.entry"] != np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))).any():
        yield Fault("ledger.entry", "", "does not fit end")
    inner = np.ones(max(len(columns["members"]) - 1, 0), np.bool_)
    inner[ptr[1:-1] - 1] = False
    if (np.diff(columns["members"])[inner] <= 0).any():
        yield Fault("members", "", "are not ascending within a support")
    if (columns["support"] < 0).any() or (columns["support"] >= len(ptr) - 1).any():
        yield Fault("support", "", "names supports that are not there")
        return
    starts = np.concatenate([[0], np.cumsum(np.diff(ptr)[columns["support"]])])
    if (columns["start"] != starts[:-1]).any() or starts[-1] != len(columns["messages"]):
        yield Fault("start", "", "does not cut the messages into factors")


def _positions(engine: Engine, columns: dict[str, Array]) -> Iterator[Fault]:
    n_claims, n_settlers = len(engine.state.claims), len(engine.state.settlers)
    n_links, n_factors = len(columns["link_to"]), len(columns["support"])
    for name, least, size in (
        ("source", NONE, len(engine.state.sources)),
        ("first_link", NONE, n_links),
        ("link_to", 0, n_claims),
        ("members", 0, n_claims),
        ("first_factor", 0, n_factors),
        ("settler", 0, n_settlers),
        ("ledger.settler", 0, n_settlers),
        ("ledger.query", 0, len(engine.ledger.queries)),
        ("ledger.factor", 0, len(columns["ledger.last_part"])),
        ("ledger.last_part", NONE, len(columns["ledger.factor"])),
    ):
        if (columns[name] < least).any() or (columns[name] >= size).any():
            yield Fault(name, "", f"is out of range; allowed is {least} to {size - 1}")
    for name in ("pooled", "active", "bound", "ledger.revoked"):
        if not np.isin(columns[name], (0, 1)).all():
            yield Fault(name, "", "is neither 0 nor 1")
    if not np.isin(columns["link_kind"], (-1, 1)).all():
        yield Fault("link_kind", "", "is neither -1 nor 1")


def _chains(columns: dict[str, Array]) -> Iterator[Fault]:
    """Yield chains that do not lead backwards, or from one owner to another: who follows them must end."""
    links = columns["link_to"]
    if len(links) % 2:
        yield Fault("link_to", "", "tells of a link with one end")
        return
    hears = links.reshape(-1, 2)[:, ::-1].ravel()
    for first, following, owner in (
        ("first_link", "next_link", hears),
        ("first_factor", "next_factor", columns["support"]),
        ("ledger.last_part", "ledger.previous", columns["ledger.factor"]),
    ):
        chain, on = columns[following], columns[following] != NONE
        starts = columns[first] != NONE
        if (chain < NONE).any() or (chain >= np.arange(len(chain))).any():
            yield Fault(following, "", "does not lead backwards")
        elif (owner[chain[on]] != owner[on]).any():
            yield Fault(following, "", "leads from one owner to another")
        if (owner[columns[first][starts]] != np.flatnonzero(starts)).any():
            yield Fault(first, "", "starts with what is another's")


def _numbers(columns: dict[str, Array]) -> Iterator[Fault]:
    for name, column in columns.items():
        if column.dtype == np.float64 and name != "lent" and not np.isfinite(column).all():
            yield Fault(name, "", "holds what is no finite number")
    for name, least, most in (
        ("ledger.correct", 0, 1),
        ("ledger.share", 0, 1),
        ("ledger.weight", 0, 1e9),
        ("lent", 0, 1),
        ("link_leak", 0, 1),
        ("right", 0, np.inf),
        ("wrong", 0, np.inf),
        ("rates", 1e-300, 1e9),
        ("cap", 0, np.inf),
    ):
        if (columns[name] < least).any() or (columns[name] > most).any():
            yield Fault(name, "", f"is out of range; allowed is {least:g} to {most:g}")
