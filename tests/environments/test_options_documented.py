"""The page on gymnasium says what the levels choose and what the columns are."""

from pathlib import Path

import pytest

from memspan.environments.features import SURFACE
from memspan.environments.options import LEVELS, chosen

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "gymnasium.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("level", LEVELS)
def test_the_defaults_of_a_level_stand_in_the_table(level):
    found = chosen(LEVELS[level])
    cells = (level, found.disclosure, found.order, found.write, found.arriving)
    steps = found.most_steps or f"{found.per_batch} after each session"
    assert f"| {' | '.join(f'`{cell}`' for cell in cells)} | {steps} |" in PAGE


def test_the_columns_of_claims_are_named():
    told = PAGE[PAGE.index("The four columns") :].split("\n\n")[0]
    assert all(f"`{name}`" in told for name in SURFACE)
    assert len(SURFACE) == 4
