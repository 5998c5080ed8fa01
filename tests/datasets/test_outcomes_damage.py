"""Outcomes in damaged files: a fault or a report, never a crash."""

import json
from copy import deepcopy

import pytest

from memspan.datasets.outcomes import read_outcomes, with_outcomes
from memspan.errors import FileError
from memspan.material import Claim, Material, Query
from outcome_files import HOME, ROWS, TRIP, halumem_run, result, trace


def documents():
    """Return one sound document of each format."""
    votes = [{"sample_id": "trip", "qa_index": 1, "runs": {"x": [1, 0, 1]}}]
    meta = {"adapter": "bm25", "timestamp": "2026-03-01"}
    note = {"n": 1, "date": None, "note": "He walked.", "empty": False}
    asked = {"question_id": "n1", "question": "?", "evidence_sessions": [note], "settled": {"a": 1}}
    memory = {"content": "x", "session_id": "s", "turn_idx": 0}
    line = {"question_id": "q1", "question": "Where?", "namespace": "n", "stored": [], "retrieved": [memory]}
    return {
        "locomo": votes,
        "halumem": halumem_run(),
        "notes": [asked],
        "benchd": {"system": {"name": "e"}, "benchmark": {}, "harness": {}, "traces": [trace()]},
        "mceval": {"meta": meta, "metrics": {}, "results": [result("q1")]},
        "trace": [{**line, "result": result("q1")}],
        "rows": deepcopy(ROWS),
    }


def places(value, path=()):
    """Yield the path of every value inside *value*."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key)
        yield from places(each, (*path, key))


ABOUT = [
    TRIP,
    HOME,
    Material("n1", (Claim("n1/1"),), queries=(Query("n1", "?"),)),
    Material(
        "user-1", (Claim("s1p1", "Una lives in Oakham"),), queries=(Query("s1q1", "Where does Una live?"),)
    ),
]


@pytest.mark.parametrize("kind", documents())
def test_a_damaged_value_anywhere_is_a_fault_or_reported_and_never_a_crash(kind, tmp_path):
    for place in list(places(documents()[kind])):
        for odd in (None, 7, -1.5, "odd", [], {}, [3], {"a": 1}, True):
            document = documents()[kind]
            holder = document
            for step in place[:-1]:
                holder = holder[step]
            holder[place[-1]] = odd
            several = [document, 7] if odd == 7 and isinstance(document, dict) else document
            path = tmp_path / "run.json"
            path.write_text(json.dumps(several), encoding="utf-8")
            try:
                outcomes = read_outcomes(path, ABOUT)
            except FileError:
                continue
            for material in ABOUT:
                with_outcomes(material, outcomes)
