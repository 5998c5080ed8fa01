import pytest

from memspan.errors import FileError
from memspan.extraction import extract, read


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"caf\xe9 au lait", r"not UTF-8: byte 0xe9 at offset 3; say what it is, e.g. --encoding cp1252"),
        (b"\xff\xfeH\x00i\x00", "run again with --encoding utf-16"),
        (b"one\x00two", "a zero byte at character 3"),
        (b"", "is empty"),
        (b"%PDF-1.7", "is a PDF"),
        (b"PK\x03\x04", "office document"),
    ],
)
def test_what_is_no_text_says_what_it_is_and_what_to_do(tmp_path, raw, problem):
    path = tmp_path / "file.txt"
    path.write_bytes(raw)
    with pytest.raises(FileError, match=problem):
        read(path)


@pytest.mark.parametrize(
    ("encoding", "raw"),
    [
        ("utf-8", "\ufeffcafé 🎉".encode()),
        ("UTF8", "café 🎉".encode()),
        ("cp1252", b"caf\xe9 !"),
        ("utf-16", "café 🎉".encode("utf-16")),
    ],
)
def test_a_text_in_a_named_encoding_is_read_without_its_mark(tmp_path, encoding, raw):
    path = tmp_path / "file.txt"
    path.write_bytes(raw)
    (material,) = extract(path, encoding=encoding)
    assert material.claims[0].text.startswith("café ")
    assert material.claims[0].span[0] == 0


@pytest.mark.parametrize("encoding", ["no-such", "base64", "ascii"])
def test_an_encoding_that_does_not_fit_is_refused(tmp_path, encoding):
    path = tmp_path / "file.txt"
    path.write_text("café", encoding="utf-8")
    with pytest.raises(FileError, match=encoding):
        read(path, encoding=encoding)


def test_what_is_no_file_is_refused(tmp_path):
    for path, problem in (
        (tmp_path, "is a directory"),
        (tmp_path / "no", "does not exist"),
        ("a\0b", "no file name"),
    ):
        with pytest.raises(FileError, match=problem):
            read(path)
