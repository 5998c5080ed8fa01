"""A saved model goes on as if it had never been saved; what is no whole model is refused with a way out."""

import io
import json
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.errors import FileError
from memspan.material import Claim, Material, Query, Settlement, Support
from memspan.trust import Terms, TrustModel
from trust.streams import NAMES, UNTRUSTED, claims_of, dated, streams, terms

DAYS = st.one_of(st.none(), st.integers(1, 28))
OPEN = Query("open", supports=(Support(("a",)), Support(("a", "b")), Support(("c",), probability=0.5)))


def state_of(model):
    """Return every array of a model, as bytes."""
    columns = {**model.engine.state.columns, **{f"l{k}": v for k, v in model.engine.ledger.columns.items()}}
    return {name: column.used.tobytes() for name, column in columns.items()} | {
        "pool": model.engine.state.pool.tobytes()
    }


def go_on(model, stream):
    """Use everything a model can do."""
    model.settle_many(stream)
    model.settle(Settlement("open", 0))
    model.add([Claim("late", source="s", contradicts=("a",))])
    model.settle(Settlement("q", 1, ("late", "b"), settler="x"))
    model.correct(0, 0.5)
    model.distrust("a")
    model.revoke(len(model) - 1)
    model.refit(sweeps=3)
    return state_of(model), model.trust().tau.tobytes(), list(model.settlements())


@given(claims_of(), terms, streams, streams, st.data())
@settings(max_examples=15)
def test_a_model_goes_on_as_if_it_was_never_saved(tmp_path_factory, claims, numbers, before, after, data):
    """To the last bit."""
    days = data.draw(st.lists(DAYS, min_size=len(before), max_size=len(before)))
    model = TrustModel(Material("m", tuple(claims), queries=(OPEN,)), terms=numbers, untrusted=UNTRUSTED)
    model.settle(Settlement("open", 1, extra={"why": ["ä", 1]}, id="first"))
    model.settle_many(dated(before, days))
    path = tmp_path_factory.mktemp("model") / "model.npz"
    model.save(path)
    again = TrustModel.load(path)
    assert state_of(again) == state_of(model)
    assert again.claims == model.claims
    assert list(again.settlements()) == list(model.settlements())
    assert again.terms == model.terms
    assert again.alarms() == model.alarms()
    again.save(path)
    assert go_on(again, after) == go_on(model, after)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A model of every kind of thing, in a file."""
    model = TrustModel(terms=Terms(learned=True), untrusted=["x"])
    model.add([Claim(name, source="s", contradicts=("a",) if name == "b" else ()) for name in NAMES])
    for who in (None, "a", "x"):
        for right in (0, 1, 1):
            model.settle(Settlement("q", right, ("a", "b"), settler=who, time="2024-01-02"))
            model.settle(Settlement("r", right, ("b", "c"), settler=who))
    path = tmp_path_factory.mktemp("saved") / "model.npz"
    model.save(path)
    return path


def changed(path, target, **arrays):
    """Write the model at *path* to *target* with other *arrays*."""
    with np.load(path) as file:
        held = {name: file[name] for name in file.files}
    held |= {name.replace("__", "."): array for name, array in arrays.items()}
    target.write_bytes(b"")
    with target.open("wb") as file:
        np.savez(file, **{name: array for name, array in held.items() if array is not None})
    return target


@given(st.integers(0, 10**9))
@settings(max_examples=60)
def test_a_file_cut_short_or_with_a_flipped_byte_is_refused_or_reads_the_same(saved, place):
    content = saved.read_bytes()
    place %= len(content)
    cut = saved.with_name("cut.npz")
    cut.write_bytes(content[:place])
    with pytest.raises(FileError, match=r"save the model again"):
        TrustModel.load(cut)
    flipped = bytearray(content)
    flipped[place] ^= 0x40
    cut.write_bytes(flipped)
    try:
        read = TrustModel.load(cut)
    except FileError as error:
        assert "save the model again" in str(error)  # noqa: PT017 - a flip in padding may harm nothing
    else:
        assert state_of(read) == state_of(TrustModel.load(saved))


WHOLE = [
    "source", "first_link", "link_to", "next_link", "link_kind", "members", "ptr", "support", "settler",
    "start", "next_factor", "first_factor", "active", "pooled",
]  # fmt: skip
LEDGER = ["query", "settler", "revoked", "end", "factor", "entry", "previous", "last_part"]


@pytest.mark.parametrize("name", [f"state.{name}" for name in WHOLE] + [f"ledger.{name}" for name in LEDGER])
@pytest.mark.parametrize("value", [-7, 10**6])
@pytest.mark.parametrize("place", [0, -1])
def test_a_position_out_of_range_is_refused(saved, tmp_path, name, value, place):
    with np.load(saved) as file:
        array = file[name].copy()
    array[place] = np.clip(value, np.iinfo(array.dtype).min, np.iinfo(array.dtype).max)
    target = changed(saved, tmp_path / "m.npz", **{name: array})
    with pytest.raises(FileError, match="save the model again"):
        TrustModel.load(target)


@pytest.mark.parametrize(
    "name", ["state.weight", "state.right", "state.rates", "ledger.correct", "ledger.share"]
)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_number_that_is_none_is_refused(saved, tmp_path, name, value):
    with np.load(saved) as file:
        array = file[name].copy()
    array.flat[0] = value
    with pytest.raises(FileError, match="save the model again"):
        TrustModel.load(changed(saved, tmp_path / "m.npz", **{name: array}))


def test_a_chain_that_never_ends_is_refused(saved, tmp_path):
    with np.load(saved) as file:
        chain = file["state.next_factor"].copy()
    chain[:] = np.arange(len(chain))
    with pytest.raises(FileError, match="does not lead backwards"):
        TrustModel.load(changed(saved, tmp_path / "m.npz", state__next_factor=chain))


def foreign(path):
    """Return contents that are no model."""
    pickled = io.BytesIO()
    np.savez(pickled, about=np.array([{"a": 1}], dtype=object), allow_pickle=True)
    other = io.BytesIO()
    np.savez(other, a=np.arange(3))
    with np.load(path) as file:
        held = {name: file[name] for name in file.files}
    about = json.loads(held["about"].tobytes())
    newer = io.BytesIO()
    told = json.dumps({**about, "version": 99}).encode()
    np.savez(newer, **{**held, "about": np.frombuffer(told, np.uint8)})
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as file:
        file.writestr("about.npy", "no array")
    return [b"", b"{}", b"\x93NUMPY", *(each.getvalue() for each in (pickled, other, newer, zipped))]


def test_foreign_files_are_refused(saved, tmp_path):
    for content in foreign(saved):
        path = tmp_path / "foreign.npz"
        path.write_bytes(content)
        with pytest.raises(FileError, match="save the model again"):
            TrustModel.load(path)
    with pytest.raises(FileError, match="is not there"):
        TrustModel.load(tmp_path / "none.npz")


def test_a_refused_save_leaves_the_old_file(saved):
    model = TrustModel.load(saved)
    model.settle(Settlement("q", 1, ("a",), extra={"why": object()}))
    content = saved.read_bytes()
    with pytest.raises(FileError, match="cannot be saved"):
        model.save(saved)
    assert saved.read_bytes() == content
    assert [each.name for each in saved.parent.iterdir() if each.suffix == ".tmp"] == []
