"""The public sets memspan reads, where they live, and how to get a copy of one's own.

None of them is part of memspan. Each keeps its licence; read it before use.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from memspan.errors import Fault, FileError, MemspanError, UnknownName

_BRUNEL = "http://people.brunel.ac.uk/~mastjjb/jeb/orlib/"
_HUGGINGFACE = "https://huggingface.co/datasets/"
_FUSION = "https://github.com/totucuong/spectrum"
_UNSTATED = "not stated; its makers ask to be cited"


@dataclass(frozen=True)
class PublicSet:
    """A public data set.

    Attributes:
        name: short and stable, as `fetch` takes it.
        title: as people call it.
        format: name of the `Format` that reads it.
        licence: of the data.
        home: page of those who made it.
        claim: what stands as a claim.
        query: what stands as a query, and what supports it.
        url: one file to download; None where `home` must be visited.
        sha256: of that file; None where it is not known for certain.
    """

    name: str
    title: str
    format: str
    licence: str
    home: str
    claim: str
    query: str
    url: str | None = None
    sha256: str | None = None


@dataclass(frozen=True)
class Fetched:
    """A downloaded file.

    Attributes:
        path: where it lies.
        sha256: its checksum.
        checked: whether the checksum was known before and is the same; False says that
            nobody vouches for the content.
    """

    path: Path
    sha256: str
    checked: bool


CATALOGUE: tuple[PublicSet, ...] = (
    PublicSet(
        "locomo",
        "LoCoMo",
        "locomo",
        "CC BY-NC 4.0",
        "https://github.com/snap-research/locomo",
        "a turn of a conversation, or an observation",
        "a question; the turns listed as its evidence",
        "https://raw.githubusercontent.com/snap-research/locomo/main/data/locomo10.json",
    ),
    PublicSet(
        "longmemeval",
        "LongMemEval, oracle file",
        "longmemeval",
        "MIT",
        "https://github.com/xiaowu0162/LongMemEval",
        "a turn of a chat, or a session",
        "a question; the turns marked as holding the answer",
        f"{_HUGGINGFACE}xiaowu0162/longmemeval-cleaned/resolve/main/longmemeval_oracle.json",
    ),
    PublicSet(
        "hotpotqa",
        "HotpotQA, distractor setting, development set",
        "hotpotqa",
        "CC BY-SA 4.0",
        "https://hotpotqa.github.io",
        "a sentence, or a paragraph",
        "a question; its supporting sentences",
        "http://curtis.ml.cmu.edu/datasets/hotpot/hotpot_dev_distractor_v1.json",
    ),
    PublicSet(
        "2wikimultihopqa",
        "2WikiMultihopQA",
        "2wikimultihopqa",
        "Apache-2.0",
        "https://github.com/Alab-NII/2wikimultihop",
        "a sentence, a paragraph, or an evidence triple",
        "a question; its supporting sentences or triples",
    ),
    PublicSet(
        "musique",
        "MuSiQue",
        "musique",
        "CC BY 4.0",
        "https://github.com/StonyBrookNLP/musique",
        "a paragraph",
        "a question; its supporting paragraphs",
    ),
    PublicSet(
        "strategyqa",
        "StrategyQA",
        "strategyqa",
        "MIT",
        "https://allenai.org/data/strategyqa",
        "a paragraph that an annotator named",
        "a yes-or-no question; one support per annotator",
    ),
    PublicSet(
        "babi",
        "bAbI tasks",
        "babi",
        "CC BY 3.0",
        "https://huggingface.co/datasets/facebook/babi_qa",
        "a fact of a story",
        "a question; the numbers of its facts",
    ),
    PublicSet(
        "halumem",
        "HaluMem, medium",
        "halumem",
        "CC BY-NC-ND 4.0",
        "https://github.com/MemTensor/HaluMem",
        "a memory point, true or false",
        "a question; the points listed as its evidence",
        f"{_HUGGINGFACE}IAAR-Shanghai/HaluMem/resolve/main/HaluMem-Medium.jsonl",
    ),
    PublicSet(
        "orlib-scp41",
        "OR-Library set covering, instance scp41",
        "orlib-scp",
        "MIT",
        f"{_BRUNEL}scpinfo.html",
        "a column, with its cost",
        "a row; any one column that covers it",
        f"{_BRUNEL}files/scp41.txt",
    ),
    PublicSet(
        "fusion-books",
        "Data fusion: author lists of books by many shops",
        "book-authors",
        _UNSTATED,
        _FUSION,
        "an author list that shops give for a book",
        "a book; any one list that a shop gives",
    ),
    PublicSet(
        "fusion-tables",
        "Data fusion: flights, weather and populations by many sources",
        "votes",
        _UNSTATED,
        _FUSION,
        "a value that sources give for a property of an object",
        "an object and a property; any one value that a source gives",
    ),
    PublicSet(
        "crowd-labels",
        "Labels of crowds (bluebird, product, rte and others)",
        "votes",
        "MIT, as collected; the studies have their own",
        "https://github.com/yuan-li/truth-inference-at-scale",
        "the positive answer to a question",
        "a question; its positive answer",
    ),
)


def fetch(name: str, folder: str | os.PathLike[str]) -> Fetched:
    """Download a public set into *folder*; a file that is there already is used.

    Args:
        name: of a `PublicSet` in `CATALOGUE`.
        folder: where to put the file; made where missing.

    Returns:
        The file, its checksum, and whether that was known before.

    Raises:
        UnknownName: no such set.
        FileError: the set has no single file to download, or the download fails.
        MemspanError: pooch is not installed.
    """
    entry = next((each for each in CATALOGUE if each.name == name), None)
    if entry is None:
        raise UnknownName(f"no public set {name!r}; known are {', '.join(each.name for each in CATALOGUE)}")
    return _downloaded(entry, Path(folder))


def _downloaded(entry: PublicSet, folder: Path) -> Fetched:
    if entry.url is None:
        problem = f"has no single file to download; get it from {entry.home} and give its path"
        raise FileError(entry.name, [Fault("", "", problem)])
    try:
        pooch = import_module("pooch")  # it ships no types
    except ImportError as error:
        raise MemspanError("downloading needs pooch; run: pip install 'memspan[datasets]'") from error
    known = f"sha256:{entry.sha256}" if entry.sha256 else None
    try:
        path = pooch.retrieve(entry.url, known, fname=entry.url.rpartition("/")[2], path=folder)
        found = pooch.file_hash(path)
    except (OSError, ValueError) as error:  # requests raises kinds of OSError, pooch ValueError
        raise FileError(entry.url, [Fault("", "", f"cannot be downloaded: {error}")]) from error
    return Fetched(Path(path), found, checked=known is not None)
