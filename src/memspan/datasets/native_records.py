"""One record of the native format: a JSON object to a noun, or to faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from memspan.datasets import native_schema as schema
from memspan.datasets.amending import Correction, Revocation
from memspan.datasets.json_text import Path, dotted, shown
from memspan.errors import Fault
from memspan.material import Claim, KnowledgeItem, Query, Settlement, Support, Triple

Noun = Claim | KnowledgeItem | Query | Settlement | Correction | Revocation

_MODELS: dict[str, type[BaseModel]] = {
    "claim": schema.ClaimRecord,
    "item": schema.ItemRecord,
    "query": schema.QueryRecord,
    "settlement": schema.SettlementRecord,
    "correction": schema.CorrectionRecord,
    "revocation": schema.RevocationRecord,
}
_ALLOWED = {
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "bool_type": "true or false",
    "union_tag_not_found": 'a list of claim ids, or an object with "all"',
}


def noun_of(kind: str, raw: Any, place: str) -> tuple[Noun | None, list[Fault]]:
    """Return the noun that *raw* describes, and its faults.

    A record at fault gives the noun that is left of it; None where even the id is missing.
    """
    try:
        return _NOUNS[kind](_MODELS[kind].model_validate(raw)), []
    except ValidationError as error:
        return _salvaged(kind, raw, error), list(faults_in(error, raw, place))


def _salvaged(kind: str, raw: Any, error: ValidationError) -> Noun | None:
    """Return what is sound of *raw*, so that nothing else is at fault because of it."""
    if not isinstance(raw, dict):
        return None
    wrong = {each["loc"][0] for each in error.errors() if each["loc"]}
    sound = {key: value for key, value in raw.items() if key not in wrong}
    if "id" in wrong and isinstance(raw.get("id"), int):
        sound["id"] = str(raw["id"])
    try:
        noun: Noun = _NOUNS[kind](_MODELS[kind].model_validate(sound))
    except ValidationError:
        return None
    return noun


def _supports(records: list[list[str] | schema.SupportRecord]) -> tuple[Support, ...]:
    return tuple(_support(record) for record in records)


def _support(record: list[str] | schema.SupportRecord) -> Support:
    if isinstance(record, list):
        return Support(tuple(record))
    unless = tuple(record.unless)
    return Support(tuple(record.all), unless, record.probability, record.model_extra or {})


def _claim(record: schema.ClaimRecord) -> Claim:
    return Claim(
        record.id,
        record.text,
        record.source,
        record.time,
        record.costs,
        record.truth,
        tuple(record.supersedes),
        record.speaker,
        record.quote,
        None if record.span is None else (record.span[0], record.span[1]),
        _triple(record.triple),
        record.model_extra or {},
        tuple(record.contradicts),
        tuple(record.corroborates),
    )


def _item(record: schema.ItemRecord) -> KnowledgeItem:
    return KnowledgeItem(
        record.id, record.text, _supports(record.supports), _triple(record.triple), record.model_extra or {}
    )


def _triple(parts: list[str] | None) -> Triple | None:
    return None if parts is None else (parts[0], parts[1], parts[2])


def _query(record: schema.QueryRecord) -> Query:
    return Query(
        record.id,
        record.text,
        record.weight,
        record.answer,
        record.answerable,
        tuple(record.items),
        _supports(record.supports),
        _supports(record.wrong),
        record.category,
        record.time,
        record.model_extra or {},
    )


def _settlement(record: schema.SettlementRecord) -> Settlement:
    claims = None if record.claims is None else tuple(record.claims)
    return Settlement(
        record.query,
        record.correct,
        claims,
        record.settler,
        record.time,
        record.weight,
        record.model_extra or {},
        record.id,
    )


def _correction(record: schema.CorrectionRecord) -> Correction:
    return Correction(record.of, record.correct, record.time, record.model_extra or {})


def _revocation(record: schema.RevocationRecord) -> Revocation:
    return Revocation(record.of, record.time, record.model_extra or {})


_NOUNS: dict[str, Any] = {
    "claim": _claim,
    "item": _item,
    "query": _query,
    "settlement": _settlement,
    "correction": _correction,
    "revocation": _revocation,
}


def faults_in(error: ValidationError, raw: Any, place: str) -> Iterator[Fault]:
    """Yield what pydantic found wrong in *raw*, in memspan's words."""
    for each in error.errors(include_url=False):
        yield Fault(place, dotted(_path_in(raw, each["loc"])), _problem(each["type"], each))


def _path_in(raw: Any, location: Iterable[str | int]) -> Path:
    """Return *location* without the tags of alternatives, which the file does not hold."""
    path: list[str | int] = []
    for step in location:
        if step in ("list", "object") and not (isinstance(raw, dict) and step in raw):
            continue
        path.append(step)
        raw = _inner(raw, step)
    return tuple(path)


def _inner(raw: Any, step: str | int) -> Any:
    if isinstance(raw, list) and isinstance(step, int):
        return raw[step]
    return raw.get(step) if isinstance(raw, dict) else None


def _problem(kind: str, error: Any) -> str:
    seen = error["input"]
    if kind == "number":
        return str(error["msg"])
    if kind == "missing":
        return "is missing" + ('; write "memspan": 0' if error["loc"] == ("memspan",) else "")
    if kind == "string_type":
        quoted = "; put it in quotes" if isinstance(seen, int | float) else ""
        return f"is {shown(seen)}; allowed is text{quoted}"
    if kind == "literal_error":
        return f"is {shown(seen)}; allowed is {error['ctx']['expected']}"
    if kind == "string_unicode":
        return r"holds half a character (a lone \ud8xx escape); write the whole character"
    return f"is {shown(seen)}; allowed is {_ALLOWED.get(kind, error['msg'])}"
