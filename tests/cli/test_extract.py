import json
import sys
from contextlib import contextmanager

import pytest
from typer.testing import CliRunner

from memspan.cli import asking
from memspan.cli.main import app, main
from memspan.datasets import load
from memspan.errors import ModelError
from memspan.ports import Reply

TALK = (
    "Ana: I moved to Porto yesterday. Mail me: ana@example.org\nRui: \u05e9\u05dc\u05d5\u05dd 🎉\nAna: ;)\n"
)


@pytest.fixture
def talk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "talk.txt"
    path.write_text(TALK, encoding="utf-8")
    return path


def call(*words):
    return CliRunner().invoke(app, ["extract", *map(str, words)])


def test_the_first_line_is_the_answer_and_the_last_one_what_to_do_next(talk):
    run = call(talk, "--time", "2024-03-02")
    assert run.exit_code == 0
    lines = run.stdout.splitlines()
    assert lines[0] == "talk.txt: 2 claims, 23 tokens, 1 dropped → talk.claims.json"
    assert lines[-1] == "Next: memspan frontier talk.claims.json" or lines[-1].endswith(
        "frontier talk.claims.json"
    )
    assert any("holds no word" in line for line in lines)
    (material,) = load("talk.claims.json")
    assert material.claims[0].text.startswith("Ana moved to Porto yesterday (2024-03-01).")


def test_what_was_reworded_is_said_and_only_then(talk):
    assert "own words, with names for I and dates for words like yesterday (the exact words" in " ".join(
        call(talk, "--time", "2024-03-02").stdout.split()
    )
    talk.write_text("It rained. It stopped.", encoding="utf-8")
    assert "in the source's own words." in call(talk).stdout


def test_json_is_one_document_with_what_was_made_and_left_out(talk):
    run = call(talk, "--json", "--unit", "sentence", "--out", "x.jsonl")
    told = json.loads(run.stdout)
    (material,) = told["materials"]
    assert (told["out"], told["redacted"], material["claims"]) == ("x.jsonl", False, 3)
    assert material["extracted"]["unit"] == "sentence"
    assert {dropped["kept"] for dropped in material["dropped"]} == {True, False}
    assert len(load("x.jsonl")[0].claims) == 3


def test_redaction_masks_what_is_written(talk):
    assert "masked" in call(talk, "--redact").stdout
    assert "ana@example.org" not in talk.with_name("talk.claims.json").read_text(encoding="utf-8")
    assert load("talk.claims.json")[0].extra["redacted"] is True


def test_a_text_of_another_encoding_is_read_when_it_is_named(talk, capsys, monkeypatch):
    talk.write_bytes(b"caf\xe9 au lait")
    monkeypatch.setattr(sys, "argv", ["memspan", "extract", "talk.txt"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert "--encoding cp1252" in capsys.readouterr().err
    assert call(talk, "--encoding", "cp1252").exit_code == 0
    assert load("talk.claims.json")[0].claims[0].text == "café au lait"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--cap", "3"], "name one with --model"),
        (["--dry-run"], "name one with --model"),
        (["--model", "m", "--unit", "turn"], "leave --unit out"),
        (["--model", "m", "--prices", "1"], "two prices"),
        (["--model", "m", "--cap", "1"], "--cap needs --prices"),
    ],
)
def test_options_that_do_not_fit_together_are_refused(talk, words, problem):
    run = call(talk, *words)
    assert run.exit_code == 2
    assert problem in " ".join(run.stderr.replace("│", " ").split())


def test_a_source_is_never_overwritten_by_its_claims(talk):
    run = call(talk, "--out", talk)
    assert "would be overwritten" in str(run.exception)
    assert talk.read_text(encoding="utf-8") == TALK


class Scripted:
    """A model that claims what it is told to, until it is interrupted."""

    name = "scripted"

    def __init__(self, stops_at=None, error=KeyboardInterrupt):
        """Stop at a question, counted from 1."""
        self.stops_at, self.error, self.asked = stops_at, error, 0

    def reply(self, messages, form=None):
        """Claim the last line of the window."""
        self.asked += 1
        if self.asked == self.stops_at:
            raise self.error
        last = messages[-1].content.splitlines()[-1]
        return Reply("", form.model_validate({"claims": [{"text": f"So: {last}", "quote": last}]}), 100, 10)


class Failing(Scripted):
    """A model that answers some of the questions, counted from 1, and fails for all others."""

    def __init__(self, answers, *, empty=False):
        """Answer *answers*, with no claim where *empty*."""
        super().__init__()
        self.answers, self.empty = answers, empty

    def reply(self, messages, form=None):
        """Answer or fail."""
        told = super().reply(messages, form)
        if self.asked not in self.answers:
            raise ModelError("no server")
        return Reply("", form.model_validate({"claims": []}), 100, 10) if self.empty else told


def use(monkeypatch, chat):
    @contextmanager
    def chat_of(_asked):
        yield chat

    monkeypatch.setattr(asking, "chat_of", chat_of)
    return chat


@pytest.fixture
def book(talk):
    path = talk.with_name("book.txt")
    path.write_text(
        "\n\n".join(f"Lamp number {i} was lit on the pier at night." for i in range(300)), encoding="utf-8"
    )
    return path


def test_a_dry_run_tells_the_price_and_asks_nothing(book, monkeypatch):
    chat = use(monkeypatch, Scripted())
    run = call(book, "--model", "m", "--prices", "1,2", "--dry-run")
    assert run.stdout.startswith("book.txt: 6 windows; about ")
    assert "in all" in run.stdout
    told = json.loads(call(book, "--model", "m", "--dry-run", "--json").stdout)
    assert told["windows"] == 6
    assert told["money"] is None
    assert chat.asked == 0
    assert not book.with_name("book.claims.json").exists()


def test_an_interrupted_run_goes_on_where_it_stopped(book, monkeypatch):
    use(monkeypatch, Scripted(stops_at=4))
    assert "3 answers kept in book.claims.json.journal" in call(book, "--model", "m").stderr
    assert not book.with_name("book.claims.json").exists()
    chat = use(monkeypatch, Scripted())
    run = call(book, "--model", "m")
    assert (run.exit_code, chat.asked) == (0, 3)
    assert run.stdout.startswith("book.txt: 6 claims")
    assert not book.with_name("book.claims.json.journal").exists()


def test_a_run_that_is_not_finished_is_written_and_says_so(book, monkeypatch):
    from memspan.errors import SpendingError

    use(monkeypatch, Scripted(stops_at=3, error=SpendingError("spent 1.00 of 1.00")))
    run = call(book, "--model", "m", "--prices", "1,2", "--cap", "1")
    assert run.exit_code == 1
    assert "4 windows not finished; run the same command again" in run.stderr
    assert "spent 1.00 of 1.00" in run.stdout
    assert len(load("book.claims.json")[0].claims) == 2
    assert book.with_name("book.claims.json.journal").exists()


@pytest.mark.parametrize("before", [None, "claims that were paid for"])
def test_a_model_that_does_not_answer_destroys_nothing(book, monkeypatch, before):
    out = book.with_name("book.claims.json")
    if before:
        out.write_text(before, encoding="utf-8")
    use(monkeypatch, Failing(set()))
    run = call(book, "--model", "m")
    assert run.exit_code == 2
    assert "nothing is written: the model failed: no server" in run.stderr
    assert "stopped after 3 failures in a row; 6 windows are not finished" in run.stderr
    assert run.stdout == ""
    assert (out.read_text(encoding="utf-8") if before else out.exists()) == (before or False)
    assert not book.with_name("book.claims.json.journal").exists()


def test_a_run_that_is_not_finished_leaves_earlier_claims_and_keeps_its_answers(book, monkeypatch):
    out = book.with_name("book.claims.json")
    assert call(book).exit_code == 0
    offline = out.read_bytes()
    use(monkeypatch, Failing({1, 2}))
    run = call(book, "--model", "m", "--ask", "5")
    assert (run.exit_code, run.stdout) == (1, "")
    assert "book.claims.json stays as it was" in run.stderr
    assert "answers so far are in book.claims.json.journal, and the same command goes on" in run.stderr
    assert out.read_bytes() == offline
    chat = use(monkeypatch, Scripted())
    assert call(book, "--model", "m").exit_code == 0
    assert chat.asked == 4
    assert len(load("book.claims.json")[0].claims) == 6


def test_answers_without_a_claim_are_kept_where_the_model_fails_after_them(book, monkeypatch):
    use(monkeypatch, Failing({1}, empty=True))
    run = call(book, "--model", "m")
    assert run.exit_code == 2
    assert "answers so far are in book.claims.json.journal" in run.stderr
    assert not book.with_name("book.claims.json").exists()
    assert book.with_name("book.claims.json.journal").exists()
