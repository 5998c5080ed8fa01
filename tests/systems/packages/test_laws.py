"""The laws of a memory system, all of them, on the real packages."""

from importlib.util import find_spec

import pytest

from memspan.systems import systems_named
from memspan.testing import check_system

STORES = {
    "langgraph": ("langgraph", lambda system: system),  # it has no files: a restart empties it
    "llama-index": ("llama_index", lambda system: system.reopen()),
    "mem0-package": ("mem0", lambda system: system.reopen()),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", STORES)
def test_a_package_keeps_every_law(name):
    module, reopen = STORES[name]
    if find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    report = check_system(systems_named(name)[0], reopen=reopen, examples=1, capacity=2)
    assert report.ok, str(report)
