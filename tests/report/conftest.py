"""What tests of pages share: a browser."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

QUIET = [
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium with a fresh profile."""
    sync_api = pytest.importorskip("playwright.sync_api")
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not installed; apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=QUIET)
        yield chromium
        chromium.close()


@pytest.fixture
def visiting(browser: Any) -> Any:
    """Open the page at a place, as a context."""
    return partial(_visited, browser)


@contextmanager
def _visited(browser: Any, place: Path) -> Iterator[Any]:
    """The page at *place*; it says nothing and asks for nothing."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(place.as_uri())
    yield page
    assert said == []
    page.context.close()
