"""The published JSON Schema of the native format, as a file in the package."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of memspan's JSON format.

    It describes one material or a list of them. References between records (a support that
    names a claim) are beyond a schema; `load` checks them.

    >>> schema()["title"]
    'memspan material, version 0'
    """
    text = files("memspan.datasets").joinpath("schema/memspan-0.schema.json").read_text("utf-8")
    published: dict[str, Any] = json.loads(text)
    return published
