"""MuSiQue: a question of two to four hops and twenty paragraphs, each marked as supporting or not.

Source: Trivedi et al., *MuSiQue: Multihop Questions via Single-hop Question Composition*,
TACL 2022 (CC BY 4.0), https://github.com/StonyBrookNLP/musique.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memspan.datasets.evidence import answered
from memspan.datasets.fields import answer_of, each, each_material, listing, optional_text, text
from memspan.datasets.format import Format
from memspan.datasets.source import Source
from memspan.material import Claim, Dropped, Material, Query


def _detect(source: Source) -> bool:
    return {"paragraphs", "question_decomposition"} <= source.first.keys()


def _read(source: Source, _: str) -> list[Material]:
    return each_material(source, _material)


def _material(place: str, record: Any) -> Material:
    dropped: list[Dropped] = []
    given = listing(record, "paragraphs")
    claims = tuple(each(given, "paragraphs", _paragraph, dropped))
    supporting = tuple(claim.id for claim in claims if claim.extra["is_supporting"])
    claims = tuple(replace(claim, extra={}) for claim in claims)
    queries = answered(_asked(record, place, dropped), supporting, place, dropped)
    _report_titles(claims, dropped)
    return Material(text(record, "id"), claims, queries=queries, dropped=tuple(dropped))


def _paragraph(place: str, raw: Any) -> Claim:
    """Return a paragraph under its position: titles repeat."""
    number = place.removeprefix("paragraphs[").removesuffix("]")
    told, title = text(raw, "paragraph_text"), optional_text(raw, "title")
    return Claim(f"p{number}", told, title, extra={"is_supporting": raw.get("is_supporting") is True})


def _asked(record: Any, place: str, dropped: list[Dropped]) -> Query:
    name = text(record, "id")
    aliases = record.get("answer_aliases")
    return Query(
        name,
        text(record, "question"),
        answer=answer_of(record, place, dropped),
        answerable=record.get("answerable") is not False,
        category=name.split("__")[0] if "__" in name else None,
        extra={"answer_aliases": aliases} if aliases else {},
    )


def _report_titles(claims: tuple[Claim, ...], dropped: list[Dropped]) -> None:
    titles = [claim.source for claim in claims if claim.source]
    repeated = sorted({title for title in titles if titles.count(title) > 1})
    if repeated:
        reason = f"several paragraphs share one: {'; '.join(repeated[:3])}; told apart by position"
        dropped.append(Dropped("paragraphs", "title", reason, kept=True))


MUSIQUE = Format("musique", "MuSiQue", _detect, _read)
