"""HotpotQA and 2WikiMultihopQA: a question, titled paragraphs of sentences, and the sentences it needs.

Sources: Yang et al., *HotpotQA*, EMNLP 2018 (CC BY-SA 4.0), https://hotpotqa.github.io; Ho et
al., *Constructing A Multi-hop QA Dataset*, COLING 2020 (Apache-2.0),
https://github.com/Alab-NII/2wikimultihop.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from memspan.datasets.evidence import choices
from memspan.datasets.fields import Misfit, answer_of, each_material, listing, optional_text, text
from memspan.datasets.format import Format
from memspan.datasets.json_text import shown
from memspan.datasets.source import Source
from memspan.material import Claim, Dropped, Material, Query, Support

Homes = dict[tuple[str, int], dict[str, list[str]]]
"""Title and sentence number to the claims there, grouped by text: a title may stand twice."""


def _is_titled(source: Source) -> bool:
    return {"question", "supporting_facts", "_id"} <= source.first.keys()


def _detect_hotpotqa(source: Source) -> bool:
    return _is_titled(source) and "evidences" not in source.first


def _detect_twowiki(source: Source) -> bool:
    return _is_titled(source) and "evidences" in source.first


def _read(source: Source, claims: str) -> list[Material]:
    return each_material(source, lambda place, record: _material(place, record, claims))


def _material(place: str, record: Any, unit: str) -> Material:
    dropped: list[Dropped] = []
    query = _asked(record, place, dropped)
    claims: list[Claim] = []
    queries: tuple[Query, ...] = ()
    try:
        if unit == "triples":
            claims = list(_triples(record))
            supports: tuple[Support, ...] = (Support(tuple(claim.id for claim in claims)),)
        else:
            claims, homes = _context(record, unit, dropped)
            supports = _supports(place, record, homes, dropped)
        queries = (replace(query, supports=supports),)
    except Misfit as misfit:
        dropped.append(Dropped(place, misfit.field, misfit.reason))
    return Material(query.id, tuple(claims), queries=queries, dropped=tuple(dropped))


def _asked(record: Any, place: str, dropped: list[Dropped]) -> Query:
    level = optional_text(record, "level")
    return Query(
        text(record, "_id"),
        text(record, "question"),
        answer=answer_of(record, place, dropped),
        category=optional_text(record, "type"),
        extra={"level": level} if level else {},
    )


# --- claims -------------------------------------------------------------------------------------


def _triples(record: Any) -> Iterator[Claim]:
    """Yield 2Wiki's evidence triples; all of them together answer the question."""
    triples = listing(record, "evidences")
    if not triples:
        raise Misfit("evidences", "is empty, so nothing is known to answer the question")
    for i, triple in enumerate(triples):
        if not (isinstance(triple, list) and all(isinstance(part, str) for part in triple)):
            raise Misfit("evidences", f"holds {shown(triple)}; expected lists of text")
        stated = (triple[0], triple[1], triple[2]) if len(triple) == 3 else None
        yield Claim(f"t{i}", " - ".join(triple), source=triple[0] if triple else None, triple=stated)


def _context(record: Any, unit: str, dropped: list[Dropped]) -> tuple[list[Claim], Homes]:
    """Return the sentences or paragraphs as claims, and which claim holds which sentence."""
    if not record.get("context"):
        raise Misfit("context", "is missing, so there is nothing to hold")
    claims: list[Claim] = []
    homes: Homes = defaultdict(lambda: defaultdict(list))
    for i, (title, sentences) in enumerate(_paragraphs(record, dropped)):
        whole = Claim(f"p{i}", " ".join(s.strip() for s in sentences), title)
        claims += [whole] if unit == "paragraphs" else []
        for j, sentence in enumerate(sentences):
            told = sentence.strip()
            claim = whole if unit == "paragraphs" else Claim(f"p{i}s{j}", told, title)
            if not told:
                dropped.append(Dropped(f"context[{i}][{j}]", "sentence", "is empty"))
                continue
            claims += [] if claim is whole else [claim]
            homes[title, j][claim.text].append(claim.id)
    return claims, homes


def _paragraphs(record: Any, dropped: list[Dropped]) -> Iterator[tuple[str, list[str]]]:
    titles: Counter[str] = Counter()
    for i, raw in enumerate(listing(record, "context")):
        title, sentences = _paragraph(raw)
        if not isinstance(title, str) or not all(isinstance(sentence, str) for sentence in sentences):
            dropped.append(Dropped(f"context[{i}]", "", "is no title with a list of sentences"))
            title, sentences = "", []
        titles[title] += 1
        if titles[title] == 2:
            reason = f"{title!r} stands more than once; paragraphs are told apart by position"
            dropped.append(Dropped(f"context[{i}]", "title", reason, kept=True))
        yield title, sentences


def _paragraph(raw: Any) -> tuple[Any, list[Any]]:
    fits = isinstance(raw, list) and len(raw) == 2 and isinstance(raw[1], list)
    return (raw[0], raw[1]) if fits else (None, [])


# --- supports -----------------------------------------------------------------------------------


def _supports(place: str, record: Any, homes: Homes, dropped: list[Dropped]) -> tuple[Support, ...]:
    """Return the alternative supports: one, unless a paragraph it needs stands twice in the same words.

    Where paragraphs of one title differ, all of them are needed: whichever was meant is then held.
    """
    facts = listing(record, "supporting_facts")
    if not facts:
        raise Misfit("supporting_facts", "is empty, so nothing is known to answer the question")
    groups: list[list[str]] = []
    for fact in facts:
        found = homes.get(_place_of(fact))
        if not found:
            raise Misfit("supporting_facts", f"names no sentence of the context: {fact[0]!r}, {fact[1]}")
        if sum(map(len, found.values())) > 1:
            reason = f"{fact[0]!r} stands more than once; each wording is needed, any copy of it will do"
            dropped.append(Dropped(place, "supporting_facts", reason, kept=True))
        groups += found.values()
    return tuple(Support(claims) for claims in choices(groups))


def _place_of(fact: Any) -> tuple[str, int]:
    fits = isinstance(fact, list) and len(fact) == 2 and isinstance(fact[0], str)
    if not fits or isinstance(fact[1], bool) or not isinstance(fact[1], int):
        raise Misfit("supporting_facts", f"holds {shown(fact)}; expected a title and a sentence number")
    return fact[0], fact[1]


HOTPOTQA = Format("hotpotqa", "HotpotQA", _detect_hotpotqa, _read, claims=("sentences", "paragraphs"))
TWOWIKI = Format(
    "2wikimultihopqa",
    "2WikiMultihopQA",
    _detect_twowiki,
    _read,
    claims=("sentences", "paragraphs", "triples"),
)
