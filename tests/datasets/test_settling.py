"""Logs of settlements: what is written is read, what is amended is in force, what is cut off is told."""

import json
import multiprocessing
import os
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.datasets import (
    Correction,
    Revocation,
    append_settlements,
    in_force,
    load,
    read_settlements,
    write_settlements,
)
from memspan.datasets.outcomes import read_outcomes
from memspan.errors import FileError, UnknownName
from memspan.material import Claim, Material, Query, Settlement

NAMES = st.text(max_size=3)
SHARES = st.sampled_from((0, 1)) | st.floats(0, 1)
EXTRAS = st.dictionaries(st.sampled_from(["mood", "note", ""]), st.integers() | st.text(), max_size=2)
MAYBE = st.none() | st.text()
SETTLEMENTS = st.builds(
    Settlement,
    query=NAMES,
    correct=SHARES,
    claims=st.none() | st.lists(NAMES).map(tuple),
    settler=MAYBE,
    time=MAYBE,
    weight=st.integers(0, 9) | st.floats(0, 9),
    extra=EXTRAS,
    id=st.none() | NAMES,
)


@st.composite
def logs(draw):
    """Draw entries of which each amends what stands above it."""
    settled = draw(st.lists(SETTLEMENTS, max_size=4, unique_by=lambda s: object() if s.id is None else s.id))
    made = []
    for settlement in settled:
        made.append(settlement)
        named = [entry.id for entry in made if isinstance(entry, Settlement) and entry.id is not None]
        if named:
            of = st.sampled_from(named)
            amend = st.builds(Correction, of=of, correct=SHARES, time=MAYBE, extra=EXTRAS)
            made += draw(st.lists(amend | st.builds(Revocation, of=of, time=MAYBE, extra=EXTRAS), max_size=2))
    return made


@given(logs())
@settings(max_examples=40)  # the disk is asked each time
def test_a_log_survives_being_written_and_appended(tmp_path_factory, log):
    path = tmp_path_factory.getbasetemp() / "log.jsonl"
    write_settlements(path, log)
    assert repr(list(read_settlements(path))) == repr(log)
    path.unlink()
    for entry in log:
        assert append_settlements(path, [entry]) == ()
    append_settlements(path, [])
    assert repr(list(read_settlements(path))) == repr(log)


@given(logs())
@settings(max_examples=50)
def test_in_force_is_the_last_outcome_of_what_is_not_revoked(log):
    revoked = {entry.of for entry in log if isinstance(entry, Revocation)}
    first = [entry for entry in log if isinstance(entry, Settlement)]
    told = {s.id: s.correct for s in first if s.id is not None}
    gone = set()
    for entry in log:
        if isinstance(entry, Revocation):
            gone.add(entry.of)
        elif isinstance(entry, Correction) and entry.of not in gone:
            told[entry.of] = entry.correct
    left = in_force(log)
    assert [s.query for s in left] == [s.query for s in first if s.id not in revoked or s.id is None]
    assert [s.correct for s in left] == [told.get(s.id, s.correct) for s in first if s.id not in revoked]


@given(logs(), st.data())
@settings(max_examples=40)
def test_a_log_cut_off_anywhere_keeps_its_whole_lines_and_takes_new_ones(tmp_path_factory, log, data):
    path = tmp_path_factory.getbasetemp() / "cut.jsonl"
    write_settlements(path, log)
    whole = path.read_bytes()
    cut = whole[: data.draw(st.integers(0, len(whole)))]
    path.write_bytes(cut)
    lines, _, rest = cut.rpartition(b"\n")
    complete = rest != b"" and whole[len(cut) : len(cut) + 1] == b"\n"
    count = lines.count(b"\n") + bool(lines) + complete
    read = read_settlements(path)
    assert repr(list(read)) == repr(log[:count])
    assert len(read.dropped) == (rest != b"" and not complete)
    more = Settlement("after", 1)
    assert len(append_settlements(path, [more])) == len(read.dropped)
    assert repr(list(read_settlements(path))) == repr([*log[:count], more])


FAULTS = {
    "no JSON": ('{"kind": "settlement"', "line 1: is not JSON"),
    "no object": ("7", "line 1: is 7; allowed is one object per line"),
    "another kind": ('{"kind": "claim", "id": "c"}', 'kind: is "claim"; allowed are settlement'),
    "no kind": ('{"query": "q", "correct": 1}', "line 1.kind: is missing"),
    "a list for a kind": ('{"kind": []}', "line 1.kind: is a list of 0"),
    "no outcome": ('{"kind": "settlement", "query": "q"}', "line 1.correct: is missing"),
    "an outcome out of range": ('{"kind": "settlement", "query": "q", "correct": 2}', "allowed is 0 to 1"),
    "a weight below 0": (
        '{"kind": "settlement", "query": "q", "correct": 1, "weight": -1}',
        "finite and >= 0",
    ),
    "an unknown id": ('{"kind": "revocation", "of": "s9"}', "line 1.of: names settlement 's9'"),
    "a correction to nothing": ('{"kind": "correction", "of": "s9"}', "line 1.correct: is missing"),
    "a correction out of range": (
        '{"kind": "correction", "of": "s9", "correct": -1}',
        "line 1.correct: is -1",
    ),
    "an id twice": (
        '{"kind": "settlement", "query": "q", "correct": 1, "id": "s"}\n' * 2,
        "line 2 (s).id: 's' stands in line 1 (s) already",
    ),
    "a key twice": ('{"kind": "revocation", "of": "a", "of": "b"}', "stands twice in one object"),
    "no UTF-8": (b'{"kind": "revocation", "of": "\xe9"}', "line 1: is not UTF-8: byte 0xe9"),
    "compressed": (b"\x1f\x8b\x08abc", "gzip-compressed"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_by_its_line(name, tmp_path):
    content, said = FAULTS[name]
    path = tmp_path / "log.jsonl"
    path.write_bytes((content if isinstance(content, bytes) else content.encode()) + b"\n")
    with pytest.raises(FileError) as caught:
        read_settlements(path)
    assert said in str(caught.value)


def test_all_faults_of_a_log_are_told_at_once(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text(
        '{"kind": "revocation", "of": "a"}\n7\n\n{"kind": "correction", "of": "b", "correct": 1}\n'
    )
    with pytest.raises(FileError) as caught:
        read_settlements(path)
    assert [fault.record for fault in caught.value.faults] == ["line 2", "line 1", "line 4"]


def test_an_empty_log_is_a_log_and_a_missing_one_is_not(tmp_path):
    write_settlements(tmp_path / "log.jsonl", [])
    assert read_settlements(tmp_path / "log.jsonl").entries == ()
    for path, said in (
        (tmp_path / "none", "does not exist"),
        (tmp_path, "is a directory"),
        ("a\0b", "no file name"),
    ):
        with pytest.raises(FileError, match=said):
            read_settlements(path)
    with pytest.raises(FileError, match="cannot be written"):
        append_settlements(tmp_path, [Settlement("q", 1)])


def test_what_cannot_be_written_changes_nothing(tmp_path, monkeypatch):
    path = tmp_path / "log.jsonl"
    append_settlements(path, [Settlement("q", 1, id="s")])
    before = path.read_bytes()
    odd = Settlement("q", 1, extra={"x": object()})
    with pytest.raises(FileError, match="cannot be saved"):
        append_settlements(path, [Settlement("q", 0), odd])
    with pytest.raises(FileError, match=r"entries\[1\].*stands in entries\[0\] already"):
        write_settlements(path, [Settlement("q", 1, id="s")] * 2)

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match="No space left"):
        append_settlements(path, [Revocation("s")])
    assert path.read_bytes() == before


def test_an_amendment_of_nothing_is_an_unknown_name():
    with pytest.raises(UnknownName, match="no settlement 's' stands before entry 0"):
        in_force([Revocation("s"), Settlement("q", 1, id="s")])


def _settle(path, name):
    for i in range(20):
        append_settlements(
            path, [Settlement("q", 1, settler=name, id=f"{name}{i}"), Correction(f"{name}{i}", 0)]
        )


def test_several_writers_lose_no_line(tmp_path):
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_settle, args=(tmp_path / "log.jsonl", name)) for name in "abc"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    log = read_settlements(tmp_path / "log.jsonl")
    assert len(log.entries) == 2 * 3 * 20
    assert all(s.id == c.of for s, c in list(pairwise(log))[::2])


# --- outcomes -------------------------------------------------------------------------------------

TRIP = Material(
    "trip",
    (Claim("c1", "Ana moved to Porto."), Claim("c2", "Rui cooks.")),
    queries=(Query("q1", "Where does Ana live?"), Query("q2", "Who cooks?")),
)
LOG = [
    Settlement("q1", 1, ("c1",), "ana", "2026-03-02", 2, {"mood": "calm"}, "s1"),
    Settlement("who cooks", 1, ("c2", "c9")),
    Settlement("q2", 1, id="s3"),
    Settlement("q7", 1, id="s4"),
    Settlement("q1", 1, None, "rui", extra={"material": "trip", "read": ["Ana moved."]}, id="s5"),
    Correction("s1", 0),
    Revocation("s3"),
]


def test_outcomes_are_the_settlements_in_force_with_their_ids(tmp_path):
    path = tmp_path / "log.jsonl"
    write_settlements(path, LOG)
    with path.open("a") as file:
        file.write('{"kind": "settlement", "que')
    outcomes = read_outcomes(path, [TRIP])
    assert outcomes.name == "settlements"
    assert outcomes.settlements["trip"] == (
        Settlement("q1", 0, ("c1",), "ana", "2026-03-02", 2, {"mood": "calm"}, "s1"),
        Settlement("q2", 1, ("c2",)),
        Settlement("q1", 1, None, "rui", extra={"read": ["Ana moved."]}, id="s5"),
    )
    assert [read.read for read in outcomes.reads] == [("Ana moved.",)]
    assert {(each.record, each.field) for each in outcomes.dropped} == {
        ("line 8", ""),
        ("settlement s4", "query"),
        ("settlement 2", "claims"),
    }
    assert read_outcomes(path, [TRIP], settler="eva").settlers == ("ana", "eva", "rui")


def test_a_log_at_fault_gives_no_outcomes(tmp_path):
    (tmp_path / "log.jsonl").write_text('{"kind": "revocation", "of": "s1"}\n')
    with pytest.raises(FileError, match="names settlement 's1'"):
        read_outcomes(tmp_path / "log.jsonl", [TRIP])


def test_a_log_is_no_material_and_says_what_reads_it(tmp_path):
    write_settlements(tmp_path / "log.jsonl", LOG[:1])
    with pytest.raises(FileError, match="read a log of settlements with read_settlements"):
        load(tmp_path / "log.jsonl")
    assert json.loads((tmp_path / "log.jsonl").read_text())["kind"] == "settlement"


# --- settlements and relations of claims in a material --------------------------------------------


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"claims": [{"id": "c", "contradicts": ["d"]}]}, "claims[0] (c).contradicts: names claim 'd'"),
        ({"claims": [{"id": "c", "corroborates": ["d"]}]}, "claims[0] (c).corroborates: names claim 'd'"),
        (
            {"claims": [{"id": "c", "contradicts": "d"}]},
            'claims[0] (c).contradicts: is "d"; allowed is a list',
        ),
        (
            {"queries": [{"id": "q"}], "settlements": [{"id": "s", "query": "q", "correct": 1}] * 2},
            "settlements[0] (s) and settlements[1] (s).id: 's' stands 2 times in settlements",
        ),
        (
            {"queries": [{"id": "q"}], "settlements": [{"id": 7, "query": "q", "correct": 1}]},
            "settlements[0].id: is 7; allowed is text; put it in quotes",
        ),
    ],
)
def test_a_material_that_relates_claims_or_names_settlements_wrongly_is_refused(fields, said, tmp_path):
    (tmp_path / "m.json").write_text(json.dumps({"memspan": 0, "id": "m", **fields}))
    with pytest.raises(FileError) as caught:
        load(tmp_path / "m.json")
    assert said in str(caught.value)
