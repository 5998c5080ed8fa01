"""Bytes to text, with a clear word on what cannot be."""

from __future__ import annotations

from pathlib import Path

from memspan.errors import Fault, FileError

_SIGNATURES = (
    (b"%PDF", "is a PDF; save its text first (pdftotext)"),
    (b"PK\x03\x04", "is a zip archive or an office document; save its text first"),
    (b"\x1f\x8b", "is gzip-compressed; decompress it first (gunzip)"),
    (b"SQLite format 3", "is an SQLite database; save what you need as text or JSON first"),
)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def refusal(shown: str, problem: str) -> FileError:
    """Return the error that says *problem* about the file *shown*."""
    return FileError(shown, [Fault("", "", problem)])


def decoded(path: Path, encoding: str) -> str:
    """Return the text of the file at *path*, without a byte order mark where it is UTF-8.

    Raises:
        FileError: nothing there, not readable, binary, or not in that encoding.
    """
    try:
        raw = path.read_bytes()
    except IsADirectoryError as error:
        raise refusal(str(path), "is a directory; name one file in it") from error
    except FileNotFoundError as error:
        raise refusal(str(path), "does not exist; check the path") from error
    except OSError as error:
        raise refusal(str(path), f"cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a NUL inside the name
        raise refusal(repr(str(path)), f"is no file name: {error}") from error
    problem = next((told for start, told in _SIGNATURES if raw.startswith(start)), "")
    if problem:
        raise refusal(str(path), problem)
    return _text_of(
        path, raw, "utf-8-sig" if encoding.lower().replace("_", "-") in {"utf-8", "utf8"} else encoding
    )


def _text_of(path: Path, raw: bytes, encoding: str) -> str:
    if encoding == "utf-8-sig" and raw.startswith(_UTF16):
        raise refusal(str(path), "is UTF-16; run again with --encoding utf-16 (encoding='utf-16')")
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise refusal(str(path), _not_decodable(error, encoding)) from error
    except (LookupError, UnicodeError, ValueError) as error:
        problem = (
            f"cannot be decoded as {encoding!r}: {error}; name an encoding such as utf-8, utf-16 or cp1252"
        )
        raise refusal(str(path), problem) from error
    if "\x00" in text:
        where = text.index("\x00")
        cure = "take it out (tr -d '\\000'), or run again with --encoding utf-16-le if it is UTF-16"
        raise refusal(str(path), f"looks binary: a zero byte at character {where}; {cure}")
    return text


def _not_decodable(error: UnicodeDecodeError, encoding: str) -> str:
    called = "UTF-8" if encoding == "utf-8-sig" else encoding
    seen = f"is not {called}: byte 0x{error.object[error.start]:02x} at offset {error.start}"
    return f"{seen}; say what it is, e.g. --encoding cp1252 (encoding='cp1252'), or convert it (iconv)"
