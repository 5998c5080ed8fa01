import json

import pytest
from typer.testing import CliRunner

from memspan import bundled
from memspan.cli.main import app
from memspan.cli.memory import memory_of
from memspan.errors import FileError, MemspanError, UnknownName

ODYSSEY = bundled("odyssey")


def test_ids_come_from_a_list_or_from_a_file(tmp_path):
    (tmp_path / "ids.txt").write_text("e1\n\ne3 \ne1\n")
    assert (
        memory_of("e1, e3,e1", [ODYSSEY]) == memory_of(str(tmp_path / "ids.txt"), [ODYSSEY]) == ("e1", "e3")
    )


def test_an_unknown_id_is_told_with_the_nearest_ones():
    with pytest.raises(UnknownName, match=r"names no claim of odyssey: 'e11' \(near: e1"):
        memory_of("e2,e11", [ODYSSEY])


def test_a_memory_belongs_to_one_material():
    with pytest.raises(MemspanError, match="pick one with --material"):
        memory_of("e1", [ODYSSEY, ODYSSEY])


def test_a_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "ids.bin").write_bytes(bytes(range(128, 256)))
    with pytest.raises(FileError, match="cannot be read as ids"):
        memory_of(str(tmp_path / "ids.bin"), [ODYSSEY])


def call(*words):
    """Return what the program prints."""
    return CliRunner().invoke(app, words).stdout


def test_the_document_places_the_memory():
    found = json.loads(call("frontier", "odyssey-noise", "--memory", "e0,e1", "--json"))["materials"][0]
    assert found["memory"] == {
        "size": 2,
        "u_cov": 0.45,
        "u_prec": 0.25,
        "loss": pytest.approx(0.35),
        "loss_upper": pytest.approx(0.35),
        "frontier": 0.8,
        "frontier_upper": 0.8,
    }
    assert "memory" not in json.loads(call("frontier", "odyssey", "--json"))["materials"][0]


def test_the_plot_marks_the_memory_and_says_how():
    output = call("frontier", "odyssey", "--memory", "e1,e2")
    assert "◆" in output.partition("0 % └")[0]
    assert "◆ the memory given" in output
