"""`memspan audit` as a user meets it."""

import csv
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from memspan.cli.main import app
from memspan.errors import FileError

RUNNER = CliRunner()


@pytest.fixture
def place(fixtures: Path) -> Path:
    """A store with known groups."""
    return fixtures / "audit_held_out.json"


def run(*words: object) -> Any:
    return RUNNER.invoke(app, ["audit", *map(str, words)], catch_exceptions=False)


def digests(folder: Path) -> dict[str, str]:
    return {str(p): hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.rglob("*") if p.is_file()}


def test_the_first_line_is_the_answer(place: Path) -> None:
    first = run(place).stdout.splitlines()[0]
    surely = "13 of 114 memories (9.5 % of the tokens) surely could go at no loss"
    assert first.startswith(f"{surely}, 32 more likely (30.4 %): ")


def test_what_is_sure_is_told_apart_and_usefulness_is_not_claimed(place: Path) -> None:
    said = run(place).stdout
    assert "Sure is read off the text or told by the store; likely is a judgement" in said
    assert "No question was asked, so what is useful is unknown" in said


def test_the_output_keeps_to_its_size(place: Path) -> None:
    lines = run(place).stdout.splitlines()
    plot = [line for line in lines if line[7:9] in (" ┤", " │", " └")]
    assert 0 < len(plot) <= 12
    assert max(map(len, plot)) <= 72
    assert lines[-1].startswith("Next: memspan audit ")


def test_the_list_names_each_memory_once_with_what_is_kept(place: Path, tmp_path: Path) -> None:
    target = tmp_path / "delete.csv"
    run(place, "--delete", target)
    rows = list(csv.DictReader(io.StringIO(target.read_text("utf-8"))))
    assert list(rows[0]) == ["id", "what", "reason", "confidence", "kept instead", "text", "tokens"]
    ids = [row["id"] for row in rows]
    assert len(ids) == len(set(ids)) == 45
    assert not set(ids) & {row["kept instead"] for row in rows}


def test_no_byte_of_the_store_changes(place: Path, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    copy = folder / "memories.json"
    copy.write_bytes(place.read_bytes())
    before = digests(folder)
    run(copy, "--delete", tmp_path / "delete.csv", "--report", tmp_path / "page.html")
    assert digests(folder) == before


def test_json_is_one_document_that_agrees_with_the_text(place: Path) -> None:
    told = json.loads(run(place, "--json").stdout)["materials"][0]
    assert told["removable"]["all"]["memories"] == len(told["removals"]) == 45
    assert sum(told["removable"]["kinds"].values()) == 45
    assert {"findings", "growth", "longest", "unread", "limits"} <= told.keys()


def test_questions_tell_what_they_need_and_what_no_question_needs(place: Path, tmp_path: Path) -> None:
    log = tmp_path / "questions.csv"
    log.write_text("question\nWhat is Tomas's e-mail address?\nHow much is the rent?\n", encoding="utf-8")
    said = run(place, "--questions", log).stdout
    assert "claims answer" in said
    assert "of the 69 memories that would stay seem to help with none of the 2 questions." in said
    told = json.loads(run(place, "--questions", log, "--json").stdout)
    assert told["questions"]["questions"] == 2
    assert told["questions"]["idle"]


def test_a_transcript_is_read_beside_the_store(place: Path, tmp_path: Path) -> None:
    talk = tmp_path / "talk.txt"
    lines = ("Tomas: hello there", "assistant: Greta is single, and Tomas smokes.", "Tomas: bye then")
    talk.write_text("\n".join(lines), encoding="utf-8")
    ran = run(place, "--transcript", talk)
    assert ran.exit_code == 0
    told = "Transcript: 3 turns; no memory repeats what the assistant handed out from memory."
    assert told in ran.stdout.splitlines()
    heard = json.loads(run(place, "--transcript", talk, "--json").stdout)["materials"][0]["transcript"]
    assert heard == {"turns": 3, "assistant": 1, "repeats": 0}


def test_a_transcript_without_an_assistant_is_said_to_tell_nothing(place: Path, tmp_path: Path) -> None:
    talk = tmp_path / "talk.txt"
    talk.write_text("Tomas: I am here.\nGreta: I am single.\nTomas: Good.\n", encoding="utf-8")
    assert "3 turns, none of them by an assistant" in run(place, "--transcript", talk).stdout


def test_what_stays_is_neither_sure_nor_likely_to_go(place: Path) -> None:
    rows = [line for line in run(place).stdout.splitlines() if "(stays)" in line]
    assert rows
    assert [row for row in rows if not row.rstrip().endswith("%")] == []


def test_no_file_is_named_that_is_not_there(place: Path, tmp_path: Path) -> None:
    words = ("--report", tmp_path / "page.html", "--delete", tmp_path / "delete.csv")
    assert run(place, *words).stdout.strip().endswith("--questions FILE")


def test_a_full_page_of_mem0_is_said_to_be_perhaps_not_all(tmp_path: Path) -> None:
    for count, told in ((20, True), (21, False), (100, True)):
        store = tmp_path / f"of{count}.json"
        rows = [{"id": f"m{i}", "memory": f"Boat {i} is here.", "user_id": "ana"} for i in range(count)]
        store.write_text(json.dumps({"results": rows}), "utf-8")
        assert (
            f"Exactly {count} memories: get_all returns 20 unless told top_k" in run(store).stdout
        ) == told


def test_a_clean_store_says_so(tmp_path: Path) -> None:
    clean = tmp_path / "clean.json"
    clean.write_text(
        '{"memspan": 0, "id": "c", "claims": [{"id": "a", "text": "Ana keeps bees on the roof."}]}'
    )
    assert run(clean).stdout.splitlines()[0].startswith("None of 1 memory was found to repeat")


def test_an_unwritable_place_is_refused_before_anything_is_done(place: Path, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="does not exist"):
        run(place, "--delete", tmp_path / "nowhere" / "delete.csv")


TALK = """Ana: I moved to Porto in March.
Rui: Great! I am learning the cello.
Ana: My sister Eva lives in Lisbon.
"""
ASKED = "question,answer\nWhere did Ana move?,Porto\nWhat is Rui learning?,the cello\n"


def test_with_a_transcript_and_questions_the_store_is_placed_under_the_frontier(tmp_path: Path) -> None:
    files = {
        "talk.txt": TALK,
        "asked.csv": ASKED,
        "store.json": '[{"id": "m1", "memory": "Ana moved to Porto."}]',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    talk, asked, store = (tmp_path / name for name in files)
    words = (store, "--transcript", talk, "--questions", asked)
    (point,) = json.loads(run(*words, "--json").stdout)["evaluation"]["points"]
    assert point["size"] == 1
    assert point["u_read"] == pytest.approx(0.5, abs=0.15)  # a chance of the match is drawn
    ran = run(*words, "--report", tmp_path / "page.html")
    said = ran.stdout
    assert [ran.stderr.count(each) for each in ("talk.txt: 3 claims", "supports found in the text")] == [1, 1]
    page = (tmp_path / "page.html").read_text("utf-8")
    placed = page.split("What the store makes of its conversations")[1].split("</section>")[0]
    assert "At its own size, store:as it is covers" in placed
    assert "learning the cello" in placed
    assert "+50 %" in placed.replace("\N{NO-BREAK SPACE}", " ")
    assert ">capacity<" in placed
    assert "store:as it is" in said
    assert said.strip().splitlines()[-1].startswith("Next: memspan evaluate ")


@pytest.mark.parametrize("option", ["--delete", "--report"])
def test_a_store_is_never_written_over(option: str, tmp_path: Path) -> None:
    store = tmp_path / "store.json"
    store.write_text('[{"id": "m1", "memory": "Ana moved to Porto."}]', "utf-8")
    before = store.read_bytes()
    with pytest.raises(FileError, match="would be lost"):
        run(store, option, store)
    assert store.read_bytes() == before
