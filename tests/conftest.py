import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Machines under load are slow, not wrong; and a run in CI says the same each time.
settings.register_profile(
    "memspan", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("memspan")

# Mem0 reports to its makers unless it is told not to before it is first imported.
os.environ.setdefault("MEM0_TELEMETRY", "False")

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with the real data sets, which are not part of the project."""
    folder = Path(os.environ.get("MEMSPAN_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data sets at {folder}; set MEMSPAN_DATA to read them")
    return folder


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The folder with the project's own small files."""
    return ROOT / "tests" / "fixtures"
