"""A trust model in one file: numpy's .npz, arrays of numbers and two texts; nothing in it runs."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from memspan.errors import Fault, FileError, NoiseError
from memspan.files import replace_file
from memspan.growing import Column
from memspan.material import Settlement
from memspan.trust.checking import faults_of
from memspan.trust.engine import Engine
from memspan.trust.noise import Noise, Rate
from memspan.trust.reading import Candidate, Readings
from memspan.trust.terms import Terms

FORMAT, VERSION = "memspan trust", 1
HEAL = "; save the model again, or settle its outcomes anew"
Arrays = dict[str, npt.NDArray[Any]]
_UNREADABLE = (
    OSError,
    ValueError,
    LookupError,
    ArithmeticError,
    TypeError,
    AttributeError,
    EOFError,
    MemoryError,
    NotImplementedError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
)


def save(engine: Engine, path: Path) -> None:
    """Write what a model knows to *path*, whole or not at all.

    Raises:
        FileError: the disk refuses, or a settlement holds what JSON cannot tell.
    """
    try:
        texts = {name: json.dumps(told, allow_nan=False) for name, told in _texts(engine).items()}
    except (TypeError, ValueError, RecursionError) as error:
        problem = f"cannot be saved: {error}; let `extra` of settlements hold texts and numbers only"
        raise FileError(str(path), [Fault("settlements", "", problem)]) from error
    arrays: Arrays = {name: np.frombuffer(text.encode(), np.uint8) for name, text in texts.items()}
    for room, columns in _columns(engine).items():
        arrays |= {f"{room}.{name}": column.used for name, column in columns.items()}
    arrays["state.pool"] = engine.state.pool
    arrays["caps.sharing"] = np.array(sorted(engine.caps.sharing), np.int32)
    held = io.BytesIO()
    np.savez(held, allow_pickle=False, **arrays)
    replace_file(path, [held.getbuffer()])


def load(path: Path) -> Engine:
    """Return what the model in the file at *path* knew.

    Raises:
        FileError: it cannot be read, is no model, or contradicts itself; all faults are in the message.
    """
    if not path.is_file():
        raise FileError(str(path), [Fault("", "", "is not there; give the path of a saved model")])
    try:
        arrays = _read(path)
        about = json.loads(arrays.pop("about").tobytes())
        mark = about["format"], about["version"]
    except _UNREADABLE as error:
        problem = f"is no whole model of trust ({type(error).__name__}: {error}){HEAL}"
        raise FileError(str(path), [Fault("", "", problem)]) from error
    if mark != (FORMAT, VERSION):
        problem = f"is {mark[0]!r}, version {mark[1]}; this memspan reads {FORMAT!r}, version {VERSION}{HEAL}"
        raise FileError(str(path), [Fault("about", "", problem)])
    try:
        names = json.loads(arrays.pop("names").tobytes())
        engine = _engine(about)
        _fill(engine, arrays, names)
        faults = list(faults_of(engine))
        if not faults:
            engine.state.index()
            engine.ledger.recall()
            engine.caps.restore(engine.state, arrays["caps.sharing"].tolist())
    except (*_UNREADABLE, NoiseError) as error:
        problem = f"does not fit together ({type(error).__name__}: {error}){HEAL}"
        raise FileError(str(path), [Fault("", "", problem)]) from error
    if faults:
        told = [Fault(each.record, each.field, each.problem + HEAL) for each in faults]
        raise FileError(str(path), told)
    return engine


def _read(path: Path) -> Arrays:
    with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def _columns(engine: Engine) -> dict[str, Mapping[str, Column]]:
    return {"state": engine.state.columns, "ledger": engine.ledger.columns}


def _texts(engine: Engine) -> dict[str, Any]:
    """Return what no array holds: how the model was made, and what its positions are called."""
    state, ledger = engine.state, engine.ledger
    return {
        "about": {
            "format": FORMAT,
            "version": VERSION,
            "terms": asdict(engine.terms),
            "untrusted": sorted(engine.caps.untrusted),
            "readings": {
                query: [(each.claims, each.chance) for each in candidates]
                for query, candidates in engine.readings.supports.items()
            },
        },
        "names": {
            "claims": list(state.claims),
            "sources": list(state.sources),
            "settlers": list(state.settlers),
            "queries": list(ledger.queries),
            "kept": [(number, _fields(kept)) for number, kept in ledger.kept.items()],
        },
    }


def _fields(settlement: Settlement) -> dict[str, Any]:
    fields = {name: getattr(settlement, name) for name in Settlement.__slots__}
    return fields | {"correct": float(settlement.correct), "weight": float(settlement.weight)}


def _engine(about: Mapping[str, Any]) -> Engine:
    told = about["terms"]
    noise = {name: _noise(each) for name, each in told["settlers"].items()}
    terms = Terms(**{**told, "noise": _noise(told["noise"]), "settlers": noise})
    supports = {
        query: tuple(Candidate(tuple(claims), chance) for claims, chance in candidates)
        for query, candidates in about["readings"].items()
    }
    if not isinstance(about["untrusted"], list):
        raise TypeError("untrusted is no list of names")
    return Engine(terms, Readings(supports), frozenset(about["untrusted"]))


def _noise(told: Mapping[str, Any]) -> Noise:
    return Noise(Rate(**told["false_wrong"]), Rate(**told["false_right"]))


def _fill(engine: Engine, arrays: Arrays, names: Mapping[str, Any]) -> None:
    state, ledger = engine.state, engine.ledger
    if any(len(set(names[kind])) < len(names[kind]) for kind in ("claims", "sources", "settlers", "queries")):
        raise ValueError("a name stands twice")
    for known, kind in ((state.claims, "claims"), (ledger.queries, "queries")):
        for name in names[kind]:
            known.add(name)
    state.sources.update((name, position) for position, name in enumerate(names["sources"]))
    state.settlers.update((name, position) for position, name in enumerate(names["settlers"]))
    for room, tables in (("state", state.tables), ("ledger", ledger.tables)):
        for table in tables:
            table.hold({name: arrays[f"{room}.{name}"] for name in table.columns})
    if arrays["state.pool"].shape != (2,) or arrays["state.pool"].dtype != np.float64:
        raise ValueError("state.pool holds other than two numbers")
    state.pool = arrays["state.pool"]
    sharing = arrays["caps.sharing"]
    if sharing.dtype != np.int32 or sharing.ndim != 1:
        raise ValueError("caps.sharing is no row of positions")
    if not np.isin(sharing, np.arange(state.n_factors)).all():
        raise ValueError("caps.sharing names factors that are not there")
    for number, fields in names["kept"]:
        claims = None if fields["claims"] is None else tuple(fields["claims"])
        ledger.kept[number] = Settlement(**{**fields, "claims": claims})
