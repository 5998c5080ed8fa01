"""A question is paid for once; a cache that is damaged, full or shared never stops the work."""

import logging
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import BaseModel

from memspan.errors import FileError, ModelError
from memspan.models import Answers, Cached, cache_folder, function_chat
from memspan.models.cached import key_of
from memspan.ports import Message

ASK = [Message("user", "Where does Ana live?")]


class City(BaseModel):
    """A form."""

    name: str


class Town(BaseModel):
    """A form with another schema."""

    town: str


@pytest.fixture
def answers(tmp_path):
    with Answers(tmp_path / "cache" / "answers.sqlite3") as answers:
        yield answers


def counting(answer="{}"):
    """Return a chat model and the list of what it was asked."""
    asked = []

    def reply(messages, form):
        asked.append((messages, form))
        return answer

    return function_chat("counting", reply), asked


def test_an_answer_is_asked_for_once_and_costs_nothing_again(answers):
    model, asked = counting('{"name": "Porto"}')
    cached = Cached(model, answers)
    first, second = cached.reply(ASK, City), cached.reply(ASK, City)
    assert (first.cached, second.cached, len(asked)) == (False, True, 1)
    assert first.value == second.value == City(name="Porto")
    assert (second.tokens_in, second.tokens_out) == (0, 0)


def test_answers_outlive_the_process(answers, tmp_path):
    model, asked = counting("Porto")
    Cached(model, answers).reply(ASK)
    answers.close()
    with Answers(tmp_path / "cache" / "answers.sqlite3") as later:
        assert Cached(model, later).reply(ASK).cached
    assert len(asked) == 1


def test_what_changes_the_answer_changes_the_key():
    keys = {
        key_of("a", ASK),
        key_of("b", ASK),
        key_of("a", [Message("system", ASK[0].content)]),
        key_of("a", [*ASK, *ASK]),
        key_of("a", ASK, City),
        key_of("a", ASK, Town),
    }
    assert len(keys) == 6


def test_only_an_answer_that_can_be_used_is_kept(answers):
    model, _ = counting('{"town": "Porto"}')
    with pytest.raises(ModelError):
        Cached(model, answers).reply(ASK, City)
    assert len(answers) == 0


def test_an_answer_that_fits_no_longer_is_asked_for_again(answers):
    model, asked = counting('{"name": "Porto"}')
    answers.put(key_of("counting", ASK, City), "counting", "{}")
    reply = Cached(model, answers).reply(ASK, City)
    assert (reply.cached, len(asked)) == (False, 1)
    assert Cached(model, answers).reply(ASK, City).cached


def test_purging_forgets_what_is_older_or_everything(tmp_path):
    moments = [datetime(2026, 3, day, tzinfo=UTC).timestamp() for day in (1, 3)]
    with Answers(tmp_path / "a.sqlite3", clock=iter(moments).__next__) as answers:
        answers.put("old", "m", "x" * 10**6)
        answers.put("new", "m", "y")
        large = answers.size
        assert answers.purge(datetime(2026, 3, 2, tzinfo=UTC)) == 1
        assert (answers.get("old"), answers.get("new")) == (None, "y")
        assert answers.size < large
        assert (answers.purge(), len(answers), answers.purge()) == (1, 0, 0)


def test_a_cache_that_was_never_written_is_empty_and_makes_no_file(tmp_path):
    answers = Answers(tmp_path / "none" / "a.sqlite3")
    assert (len(answers), answers.size, answers.purge()) == (0, 0, 0)
    assert not answers.location.parent.exists()


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\x00" + b"\xff" * 5000, b"\x00" * 4096])
def test_a_damaged_file_is_set_aside_with_a_message(tmp_path, caplog, content):
    path = tmp_path / "a.sqlite3"
    path.write_bytes(content)
    with Answers(path) as answers:
        assert answers.get("k") is None
        answers.put("k", "m", "kept")
        assert answers.get("k") == "kept"
    aside = list(tmp_path.glob("a.sqlite3.damaged-*"))
    assert [file.read_bytes() for file in aside] == [content]
    assert "set aside" in caplog.text


def test_a_file_damaged_while_in_use_costs_answers_but_no_work(tmp_path, caplog):
    path = tmp_path / "a.sqlite3"
    with Answers(path) as answers:
        for i in range(200):
            answers.put(str(i), "m", "x" * 500)
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xee" * (len(content) - 4096)
    path.write_bytes(content)
    model, _ = counting("Porto")
    with Answers(path) as answers:
        assert Cached(model, answers).reply(ASK).text == "Porto"
        assert Cached(model, answers).reply(ASK).cached
    assert "damaged" in caplog.text


def test_only_one_of_two_users_sets_a_damaged_file_aside(tmp_path):
    path = tmp_path / "a.sqlite3"
    with Answers(path) as one, Answers(path) as two:
        one.put("k", "m", "x")
        two.get("k")
        one.close()
        two.close()
        path.write_bytes(b"damaged" * 100)
        two._open = one._open = None
        one.put("k", "m", "new")
        assert two.get("k") == "new"
    assert len(list(tmp_path.glob("*.damaged-*"))) == 1


def test_a_cache_that_cannot_be_written_is_told_and_passed_over(tmp_path, caplog):
    (tmp_path / "file").write_text("in the way")
    answers = Answers(tmp_path / "file" / "a.sqlite3")
    model, asked = counting("Porto")
    with caplog.at_level(logging.WARNING):
        assert [Cached(model, answers).reply(ASK).text for _ in range(2)] == ["Porto", "Porto"]
    assert len(asked) == 2
    assert caplog.text.count("is not used") == 1


def test_a_purge_that_cannot_be_done_is_an_error(tmp_path):
    with pytest.raises(FileError, match="cannot be purged"):
        Answers(tmp_path).purge()


WRITER = """
import sys
from memspan.models import Answers
with Answers(sys.argv[1]) as answers:
    for i in range(int(sys.argv[2]), int(sys.argv[2]) + 50):
        answers.put(str(i), "m", f"answer {i}")
"""


def test_several_processes_write_at_once_from_the_first_moment(tmp_path):
    path = tmp_path / "a.sqlite3"
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [subprocess.Popen([*command, str(50 * i)], stderr=subprocess.PIPE, text=True) for i in range(3)]
    assert [writer.communicate(timeout=120)[1] for writer in writers] == ["", "", ""]
    with Answers(path) as answers:
        assert len(answers) == 150
        assert answers.get("149") == "answer 149"
        assert answers._connected().execute("pragma journal_mode").fetchone() == ("wal",)


def test_several_threads_share_one_cache(answers):
    model, _ = counting("Porto")
    cached = Cached(model, answers)

    def ask(i):
        return cached.reply([Message("user", str(i % 10))]).text

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, range(200))) == {"Porto"}
    assert len(answers) == 10


def test_a_file_deleted_while_in_use_is_begun_anew(answers):
    answers.put("k", "m", "x")
    for file in answers.location.parent.iterdir():
        file.unlink()
    assert answers.get("k") is None
    answers.put("k", "m", "y")
    assert answers.get("k") == "y"


def test_text_that_no_file_can_hold_is_passed_over(answers):
    answers.put("k", "m", "\ud800")
    assert answers.get("k") is None


@pytest.mark.parametrize(
    ("environ", "platform", "folder"),
    [
        ({"MEMSPAN_CACHE": "/x", "XDG_CACHE_HOME": "/y"}, "linux", Path("/x")),
        ({"XDG_CACHE_HOME": "/y"}, "linux", Path("/y/memspan")),
        ({}, "linux", Path.home() / ".cache/memspan"),
        ({}, "darwin", Path.home() / "Library/Caches/memspan"),
        ({"LOCALAPPDATA": "/l"}, "win32", Path("/l/memspan/Cache")),
    ],
)
def test_the_cache_lies_where_the_system_keeps_caches(environ, platform, folder):
    assert cache_folder(environ, platform) == folder


def test_a_new_folder_is_its_owners_alone_and_the_file_is_plain_sqlite(answers):
    answers.put("k", "m", "x")
    assert answers.location.parent.stat().st_mode & 0o077 == 0
    answers.close()
    link = sqlite3.connect(answers.location)
    assert link.execute("select model, text from answers").fetchall() == [("m", "x")]
    link.close()
