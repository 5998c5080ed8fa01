"""The native file format as pydantic models: the shape of each record, and the JSON Schema.

Only `native` reads through these models; everywhere else the nouns of
`memspan.material` are used. References between records and ranges that
`memspan.material` knows are checked there, once.
"""

import sys
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, PlainValidator, Tag, WithJsonSchema
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import PydanticCustomError

from memspan.datasets.json_text import shown

SCHEMA_ID = "urn:memspan:schema:material:0"

STRICT = ConfigDict(extra="allow", strict=True)  # exact types; fields memspan does not know are kept


def _finite(value: Any) -> float:
    """Accept an int or a float as it is: 2 stays an int, "2" and true are no numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PydanticCustomError("number", "{seen}", {"seen": f"is {shown(value)}; allowed is a number"})
    if not abs(value) <= sys.float_info.max:  # NaN fails this too, and a long int compares exactly
        seen = f"is {shown(value)}; allowed are finite numbers"
        raise PydanticCustomError("number", "{seen}", {"seen": seen})
    return value


def _shape_of_support(value: Any) -> str | None:
    if isinstance(value, list):
        return "list"
    return "object" if isinstance(value, dict) else None


Number = PlainValidator(_finite)
Amount = Annotated[float, Number, WithJsonSchema({"type": "number", "minimum": 0})]
Share = Annotated[float, Number, WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})]
Span = Annotated[list[int], Field(min_length=2, max_length=2)]
TripleRecord = Annotated[list[str], Field(min_length=3, max_length=3)]


class SupportRecord(BaseModel):
    """A set of claims that together entail an item or answer a query."""

    model_config = STRICT

    all: list[str]
    unless: list[str] = []
    probability: Share | None = None


ClaimNames = list[str]
AnySupport = Annotated[
    Annotated[ClaimNames, Tag("list")] | Annotated[SupportRecord, Tag("object")],
    Discriminator(_shape_of_support),
]


class ClaimRecord(BaseModel):
    """A candidate event: one atomic statement, true or not."""

    model_config = STRICT

    id: str
    text: str = ""
    source: str | None = None
    time: str | None = None
    costs: dict[str, Amount] = {}
    truth: Share | None = None
    supersedes: list[str] = []
    speaker: str | None = None
    quote: str | None = None
    span: Span | None = None
    triple: TripleRecord | None = None
    contradicts: list[str] = []
    corroborates: list[str] = []


class ItemRecord(BaseModel):
    """One self-contained piece of knowledge and its alternative supports."""

    model_config = STRICT

    id: str
    text: str = ""
    supports: list[AnySupport] = []
    triple: TripleRecord | None = None


class QueryRecord(BaseModel):
    """A question, its weight, and what answers it; without items and supports it has none yet."""

    model_config = STRICT

    id: str
    text: str = ""
    weight: Amount = 1
    answer: str | None = None
    answerable: bool = True
    items: list[str] = []
    supports: list[AnySupport] = []
    wrong: list[AnySupport] = []
    category: str | None = None
    time: str | None = None


class SettlementRecord(BaseModel):
    """The outcome of one answered query."""

    model_config = STRICT

    query: str
    correct: Share
    claims: list[str] | None = None
    settler: str | None = None
    time: str | None = None
    weight: Amount = 1
    id: str | None = None


class CorrectionRecord(BaseModel):
    """Another outcome for a settlement: a line of a log of settlements, in no material."""

    model_config = STRICT

    of: str
    correct: Share
    time: str | None = None


class RevocationRecord(BaseModel):
    """A settlement taken back: a line of a log of settlements, in no material."""

    model_config = STRICT

    of: str
    time: str | None = None


class DroppedRecord(BaseModel):
    """Something a loader left out or repaired, and why."""

    model_config = STRICT

    record: str
    field: str
    reason: str
    kept: bool = False


class MaterialRecord(BaseModel):
    """A source as claims, knowledge items and weighted queries."""

    model_config = STRICT

    memspan: Literal[0]
    id: str
    claims: list[ClaimRecord] = []
    items: list[ItemRecord] = []
    queries: list[QueryRecord] = []
    settlements: list[SettlementRecord] = []
    support_source: Literal["annotated", "found", "generated"] = "annotated"
    dropped: list[DroppedRecord] = []


def generated_schema() -> dict[str, Any]:
    """Return the JSON Schema of a native JSON file: one material, or a list of them."""
    material = MaterialRecord.model_json_schema(schema_generator=GenerateJsonSchema)
    definitions = material.pop("$defs")
    reference = {"$ref": "#/$defs/MaterialRecord"}
    return {
        "$schema": GenerateJsonSchema.schema_dialect,
        "$id": SCHEMA_ID,
        "title": "memspan material, version 0",
        "anyOf": [reference, {"type": "array", "items": reference, "minItems": 1}],
        "$defs": {**definitions, "MaterialRecord": material},
    }
