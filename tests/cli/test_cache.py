import json

from typer.testing import CliRunner

from memspan.cli.main import app
from memspan.models import Answers


def call(folder, *words):
    return CliRunner(env={"MEMSPAN_CACHE": str(folder)}).invoke(app, ["cache", *words])


def test_the_cache_is_told_and_purged(tmp_path, monkeypatch):
    monkeypatch.setenv("MEMSPAN_CACHE", str(tmp_path))
    with Answers() as answers:
        answers.put("key", "model", "text")
    assert json.loads(call(tmp_path, "--json").stdout)["answers"] == 1
    assert "1 deleted" in call(tmp_path, "--purge").stdout
    assert call(tmp_path).stdout.startswith("0 answers")
