import hashlib
import re
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from memspan.datasets import CATALOGUE, FORMATS, fetch, load
from memspan.datasets.catalogue import PublicSet, _downloaded
from memspan.datasets.stores.formats import STORE_FORMATS
from memspan.errors import FileError, MemspanError, UnknownName


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def entry(fixtures: Path) -> Iterator[PublicSet]:
    """A set whose home is this machine."""
    server = HTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(fixtures)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield replace(CATALOGUE[0], url=f"http://127.0.0.1:{server.server_port}/locomo.json")
    server.shutdown()
    thread.join()
    server.server_close()


def test_every_public_set_is_complete_and_readable() -> None:
    names = [each.name for each in CATALOGUE]
    assert len(set(names)) == len(names)
    formats = {known.name for known in FORMATS}
    for each in CATALOGUE:
        assert each.format in formats
        assert all((each.title, each.licence, each.claim, each.query))
        assert each.home.startswith("http")
        assert each.url is None or each.url.startswith("http")
        assert each.sha256 is None or re.fullmatch(r"[0-9a-f]{64}", each.sha256)


def test_every_format_of_a_public_set_is_in_the_catalogue() -> None:
    stores = {known.name for known in STORE_FORMATS}
    own = {"memspan", "longmemeval-notes", "longmemeval-flat", *stores}
    assert {each.format for each in CATALOGUE} == {known.name for known in FORMATS} - own


def test_a_set_is_downloaded_with_its_checksum(entry: PublicSet, fixtures: Path, tmp_path: Path) -> None:
    digest = hashlib.sha256((fixtures / "locomo.json").read_bytes()).hexdigest()
    unknown = _downloaded(entry, tmp_path)
    assert (unknown.sha256, unknown.checked) == (digest, False)
    assert load(unknown.path)[0].id == "garden"
    assert _downloaded(replace(entry, sha256=digest), tmp_path / "new").checked


def test_a_wrong_checksum_is_refused(entry: PublicSet, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"cannot be downloaded: .*hash"):
        _downloaded(replace(entry, sha256="0" * 64), tmp_path)


def test_a_set_that_is_not_there_is_refused(entry: PublicSet, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be downloaded"):
        _downloaded(replace(entry, url=f"{entry.url}.none"), tmp_path)


def test_a_set_without_a_single_file_names_its_home(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"get it from https://github\.com/StonyBrookNLP/musique"):
        fetch("musique", tmp_path)


def test_an_unknown_set_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no public set 'lokomo'; known are locomo"):
        fetch("lokomo", tmp_path)


def test_without_pooch_the_cure_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(MemspanError, match=r"pip install 'memspan\[datasets\]'"):
        fetch("locomo", tmp_path)
