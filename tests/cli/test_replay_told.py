"""What `memspan replay` may say and may not: verdicts, ties, columns, and policies of one's own."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from memspan.cli.main import app
from memspan.errors import ContractError
from memspan.policies.named import POLICIES
from replays import diary, written

RUNNER = CliRunner()
OWN = """
import numpy as np

class Longest:
    '''Holds the longest claims.'''
    name = "Longest"

    def start(self, seed):
        self.lengths = []

    def observe(self, claims):
        self.lengths += [len(claim.text) for claim in claims]

    def score(self, view):
        return np.array(self.lengths, np.float64)

    def settle(self, outcome):
        pass

class Failing(Longest):
    name = "Failing"

    def score(self, view):
        raise ValueError("no idea")
"""


def run(*words: object) -> Any:
    return RUNNER.invoke(app, ["replay", *map(str, words)], catch_exceptions=False)


def document(*words: object) -> Any:
    return json.loads(run(*words, "--json").stdout)


@pytest.fixture
def diaries(tmp_path: Path) -> Path:
    return written(tmp_path / "diaries.json", [diary("ana"), diary("benno"), diary("cy", sessions=5)])


def test_one_material_says_nothing_about_others_but_is_told_over_draws() -> None:
    words = ("odyssey-composites", "--capacity", "2")
    said = run(*words).stdout
    assert "over 5 draws of the questions): 1 material is too few to tell whether others" in said
    assert "over 5 draws  " in said
    found = document(*words)["cells"][0]["policies"][0]
    assert found["share_of_bound"]["lower"] is None
    assert set(found["regret_curve"]["lower"]) == {None}
    spread = found["over_draws"]
    assert spread["draws"] == 5
    assert spread["lowest"] <= found["share_of_bound"]["estimate"] <= spread["highest"]


def test_a_few_materials_are_too_few_to_tell_wherever_it_is_said(diaries: Path, tmp_path: Path) -> None:
    page = tmp_path / "few.html"
    words = (diaries, "--policies", "sieve")
    said = run(*words, "--report", page).stdout
    few = "3 materials are too few to tell whether others would show the same"
    found = document(*words)
    assert few in said
    assert few in page.read_text("utf-8")
    assert any(few in note for note in found["notes"])
    assert found["headline"] == said.splitlines()[0]
    assert found["cells"][0]["verdict"] == "too few materials"
    assert found["cells"][0]["policies"][0]["share_of_bound"]["lower"] is not None
    assert "ahead" not in said


def test_with_enough_materials_a_verdict_is_given(tmp_path: Path) -> None:
    many = written(tmp_path / "many.json", [diary(name, sessions=6) for name in "abcdef"])
    found = document(many, "--policies", "gamma-poisson,fifo", "--capacity", "20%")
    assert len(found["setting"]["seeds"]) == 1
    cell = found["cells"][0]
    assert cell["verdict"] in {"ahead", "not told apart"}
    assert cell["not_told_apart"][: len(cell["alike"])] == cell["alike"]
    alone = document(many, "--policies", "lfu")["cells"][0]
    assert (alone["verdict"], alone["alike"]) == (None, ["lfu"])


def test_policies_that_attain_the_same_are_named_together(diaries: Path) -> None:
    words = (diaries, "--told", "outcome", "--policies", "lru,recency,fifo")
    said = run(*words).stdout
    assert said.startswith('"lfu", "lru", "recency" and 1 other alike hold what answers ')
    cell = document(*words)["cells"][0]
    shares = {row["policy"]: row["share_of_bound"]["estimate"] for row in cell["policies"]}
    assert {shares[name] for name in cell["alike"]} == {shares[cell["best"]]}


def test_who_cannot_learn_from_what_is_told_is_said(diaries: Path) -> None:
    words = (diaries, "--policies", "lru,gamma-poisson,fifo")
    said = run(*words, "--told", "outcome").stdout
    line = "lru, gamma-poisson, lfu learn nothing from right or wrong alone: lfu holds what came last."
    assert line in said
    assert "learn nothing from the words of questions" in run(*words, "--told", "text").stdout
    assert "nothing from" not in run(*words, "--told", "hits").stdout


def test_growth_is_shown_only_where_the_material_appears_as_a_whole(diaries: Path, tmp_path: Path) -> None:
    for arriving, shows in (("sessions", False), ("whole", True)):
        page = tmp_path / f"{arriving}.html"
        words = (diaries, "--policies", "fifo", "--arriving", arriving)
        assert ("  growth" in run(*words, "--report", page).stdout) is shows
        assert (">growth<" in page.read_text("utf-8")) is shows
        row = document(*words)["cells"][0]["policies"][0]
        assert (row["growth"]["estimate"] is not None) is shows


def test_what_the_two_shares_count_stands_beside_the_table(diaries: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    said = run(diaries, "--policies", "fifo", "--report", page).stdout
    for text in (" ".join(said.split()), page.read_text("utf-8")):
        assert "Answered: the share of the questions that happened to be drawn." in text


def test_the_list_of_policies_needs_no_files() -> None:
    said = run("--policies", "list").stdout.splitlines()
    assert [line.split()[0] for line in said] == [kind.name for kind in POLICIES]
    assert all(line.endswith(kind.told) for line, kind in zip(said, POLICIES, strict=True))


def test_the_page_tells_what_each_policy_does_as_outputs_do() -> None:
    page = Path(__file__).parents[2] / "docs" / "how-to" / "replay.md"
    rows = [line for line in page.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert rows == [f"| `{kind.name}` | {kind.told} |" for kind in POLICIES]


def test_a_policy_of_ones_own_is_played_here_and_in_other_processes(diaries: Path, tmp_path: Path) -> None:
    (tmp_path / "Own.py").write_text(OWN, "utf-8")
    words = (diaries, "--policies", f"{tmp_path / 'Own.py'}:Longest,FIFO")
    found = document(*words, "--workers", 1)
    assert set(found["policies"]) == {"Longest", "fifo", "lfu"}
    assert found["policies"]["Longest"] == "Holds the longest claims."
    assert found == document(*words, "--workers", 2)


def test_a_policy_of_ones_own_that_fails_is_told_by_its_call_and_line(diaries: Path, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN, "utf-8")
    with pytest.raises(ContractError, match=r"Failing: score raised ValueError: no idea \(own.py, line"):
        run(diaries, "--policies", f"{tmp_path / 'own.py'}:Failing", "--workers", 1)
