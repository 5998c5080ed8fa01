"""What pages are made of: template, style and script, as they lie in `page/`."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined


@cache
def environment() -> Environment:
    """Return what renders the templates: every text is escaped, and a name that is missing is an error."""
    made = Environment(
        loader=PackageLoader("memspan.report", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["unbroken"] = lambda text: text.replace(" %", "\N{NO-BREAK SPACE}%")
    return made


def asset(name: str) -> str:
    """Return the text of one file of `page/`."""
    return files("memspan.report").joinpath("page", name).read_text("utf-8")


def script_hash(code: str) -> str:
    """Return the hash by which a page's content policy knows its only script."""
    return base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
