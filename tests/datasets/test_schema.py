import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from memspan.datasets import BUNDLED, bundled, save, schema
from memspan.datasets.native_schema import generated_schema
from memspan.material import Material
from memspan.testing import materials

BARE = {"memspan": 0, "id": "m"}
BAD = [
    {},
    [],
    {"memspan": 0},
    {"memspan": 1, "id": "m"},
    {"memspan": 0, "id": 5},
    {**BARE, "claims": {}},
    {**BARE, "claims": [{"text": "no id"}]},
    {**BARE, "claims": [{"id": "c", "truth": 2}]},
    {**BARE, "claims": [{"id": "c", "costs": {"tokens": -1}}]},
    {**BARE, "queries": [{"id": "q", "weight": "2"}]},
    {**BARE, "queries": [{"id": "q", "weight": -2}]},
    {**BARE, "queries": [{"id": "q", "supports": [7]}]},
    {**BARE, "queries": [{"id": "q", "supports": [{"unless": []}]}]},
    {**BARE, "queries": [{"id": "q", "answerable": "no"}]},
    {**BARE, "support_source": "guessed"},
    {**BARE, "settlements": [{"query": "q"}]},
]


def holds(document: Any) -> bool:
    """Whether the published schema accepts *document*."""
    return bool(jsonschema.Draft202012Validator(schema()).is_valid(document))


def test_the_published_schema_is_the_generated_one() -> None:
    assert schema() == generated_schema()


def test_the_published_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("name", BUNDLED)
def test_the_schema_accepts_bundled_materials(name: str, tmp_path: Path) -> None:
    save([bundled(name), bundled(name)], tmp_path / "two.json")
    two = json.loads((tmp_path / "two.json").read_text())
    assert holds(two)
    assert holds(two[0])


def test_the_schema_accepts_the_example_of_the_format(fixtures: Path) -> None:
    assert holds(json.loads((fixtures / "memspan.json").read_text()))


@given(materials())
@settings(deadline=None, max_examples=30)
def test_the_schema_accepts_whatever_is_saved(
    tmp_path_factory: pytest.TempPathFactory, given: Material
) -> None:
    path = tmp_path_factory.getbasetemp() / "schema.json"
    save(given, path)
    assert holds(json.loads(path.read_text()))


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_the_schema_refuses_what_the_reader_refuses(bad: Any) -> None:
    assert not holds(bad)


def test_every_record_of_the_schema_explains_itself() -> None:
    assert all(definition["description"] for definition in described(schema()))


def described(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from document["$defs"].values()
