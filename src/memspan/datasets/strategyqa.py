"""StrategyQA: yes-or-no questions whose paragraphs several annotators chose, each in their own way.

Each annotator's paragraphs are one alternative support. The texts lie in a file of their own;
where it stands beside the questions it is used.

Source: Geva et al., *Did Aristotle Use a Laptop?*, TACL 2021 (MIT),
https://allenai.org/data/strategyqa.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from memspan.datasets.fields import Misfit, answer_of, each_material, listing, text
from memspan.datasets.format import Format
from memspan.datasets.source import Source, open_source
from memspan.material import Claim, Dropped, Material, Query, Support

PARAGRAPHS = ("strategyqa_paragraphs.jsonl", "strategyqa_train_paragraphs.json")
"""Names under which the texts are published."""

Texts = Mapping[str, tuple[str, str]]
"""Paragraph id to title and text."""

_WORDS = frozenset({"operation", "no_evidence"})


def _detect(source: Source) -> bool:
    return {"qid", "question", "evidence"} <= source.first.keys()


def _read(source: Source, _: str) -> list[Material]:
    texts = _texts(source)
    return each_material(source, lambda place, record: _material(place, record, texts))


def _texts(source: Source) -> Texts | None:
    """Return the paragraphs of the file beside *source*, or None where there is none."""
    beside = (source.path.with_name(name) for name in PARAGRAPHS)
    found = next((path for path in beside if path.is_file()), None)
    if found is None:
        return None
    records = open_source(found).records
    if len(records) == 1 and isinstance(records[0], dict) and "para_index" not in records[0]:
        return {name: _text(raw) for name, raw in records[0].items() if isinstance(raw, dict)}
    return {
        f"{raw['title']}-{raw['para_index']}": _text(raw)
        for raw in records
        if isinstance(raw, dict) and {"title", "para_index"} <= raw.keys()
    }


def _text(raw: Mapping[str, Any]) -> tuple[str, str]:
    told = raw.get("contents", raw.get("content", ""))
    return str(raw.get("title", "")), told if isinstance(told, str) else ""


def _material(place: str, record: Any, texts: Texts | None) -> Material:
    dropped: list[Dropped] = []
    query = _asked(record, place, dropped)
    annotators = [list(_leaves(steps)) for steps in listing(record, "evidence")]
    names = dict.fromkeys(leaf for leaves in annotators for leaf in leaves if leaf not in _WORDS)
    claims = tuple(_claim(name, texts, dropped) for name in names)
    queries: tuple[Query, ...] = ()
    try:
        queries = (replace(query, supports=_supports(place, annotators, dropped)),)
    except Misfit as misfit:
        dropped.append(Dropped(place, misfit.field, misfit.reason))
    return Material(query.id, claims, queries=queries, dropped=tuple(dropped))


def _asked(record: Any, place: str, dropped: list[Dropped]) -> Query:
    return Query(text(record, "qid"), text(record, "question"), answer=answer_of(record, place, dropped))


def _leaves(steps: Any) -> Iterator[str]:
    """Yield the paragraph ids and words anywhere in nested lists."""
    stack = [steps]
    while stack:
        here = stack.pop()
        if isinstance(here, list):
            stack += reversed(here)
        elif isinstance(here, str):
            yield here


def _claim(name: str, texts: Texts | None, dropped: list[Dropped]) -> Claim:
    if texts is None:
        return Claim(name, source=name.rpartition("-")[0] or None)
    if name not in texts:
        reason = "has no text in the paragraphs file; kept as an id"
        dropped.append(Dropped(f"paragraph {name}", "text", reason, kept=True))
    title, told = texts.get(name, (name.rpartition("-")[0], ""))
    return Claim(name, told, title or None)


def _supports(place: str, annotators: list[list[str]], dropped: list[Dropped]) -> tuple[Support, ...]:
    """Return one support per annotator who named paragraphs; equal ones once."""
    made: dict[frozenset[str], Support] = {}
    for i, leaves in enumerate(annotators):
        claims = tuple(dict.fromkeys(leaf for leaf in leaves if leaf not in _WORDS))
        if not claims:
            reason = f"annotator {i + 1} names no paragraph; no support is taken"
            dropped.append(Dropped(place, f"evidence[{i}]", reason, kept=True))
            continue
        if "no_evidence" in leaves:
            reason = f"annotator {i + 1} found nothing for some step; the support holds what was found"
            dropped.append(Dropped(place, f"evidence[{i}]", reason, kept=True))
        made.setdefault(frozenset(claims), Support(claims))
    if not made:
        raise Misfit("evidence", "names no paragraph, so nothing is known to answer the question")
    return tuple(made.values())


STRATEGYQA = Format("strategyqa", "StrategyQA", _detect, _read)
