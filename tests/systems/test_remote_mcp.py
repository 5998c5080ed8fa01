"""An MCP server as a system, started over stdio with the official package."""

import copy
import subprocess
import sys
from pathlib import Path

import pytest

from memspan.errors import ContractError, MissingExtra, SystemUnavailableError
from memspan.material import Claim, Query
from memspan.systems import Fields, McpSystem, McpTools, Setting, mcp_system, system_of
from memspan.systems.remote_mcp import _besides, _records, _tool, _written

FILE = Path(__file__).parent.parent / "mcp_memory.py"
ANA = Claim("c1", "Ana moved to Porto.", source="session 1", time="2026-03-01", speaker="Ana")
RUI = Claim("c2", "Rui stayed.")


def command(*how):
    return [sys.executable, str(FILE), *how]


@pytest.fixture(scope="module")
def plain():
    pytest.importorskip("mcp")
    with McpSystem(command("plain")) as system:
        yield system


def test_a_server_is_told_and_asked_by_its_tools(plain):
    plain.observe(ANA)
    plain.observe(RUI)
    (note,) = plain.read(Query("q", "where did Rui stay? Rui stayed."), 1)
    assert (note.text, note.claims) == ("Rui stayed.", ("c2",))
    held = plain.held()
    assert [(note.id, note.claims) for note in held] == [("m-c1", ("c1",)), ("m-c2", ("c2",))]
    assert held[0].text == "Ana: Ana moved to Porto. (2026-03-01)"
    assert plain.read(Query("q", "Rui"), 0) == ()


def test_a_tool_that_fails_is_told_and_the_server_goes_on(plain):
    with pytest.raises(SystemUnavailableError, match=r"tool ingest of .* failed: .*it said: .*"):
        plain.observe(Claim("c9", "boom"))
    plain.observe(Claim("c3", "Eva sings."))
    assert "Eva sings." in [note.text for note in plain.held()]


def test_a_running_server_cannot_be_copied_and_one_not_yet_used_can(plain):
    plain.observe(RUI)
    with pytest.raises(ContractError, match="runs and cannot be copied"):
        copy.deepcopy(plain)
    assert copy.deepcopy(McpSystem(command("plain"))).name == McpSystem(command("plain")).name


def test_a_server_that_does_not_start_is_told_with_its_last_words():
    pytest.importorskip("mcp")
    with (
        McpSystem(command("dies")) as system,
        pytest.raises(SystemUnavailableError, match="it said: no licence"),
    ):
        system.observe(ANA)


def test_a_server_that_says_nothing_is_given_up():
    pytest.importorskip("mcp")
    quiet = [sys.executable, "-c", "import time; time.sleep(60)"]
    with (
        McpSystem(quiet, timeout=0.5) as system,
        pytest.raises(SystemUnavailableError, match=r"did nothing for|within"),
    ):
        system.observe(ANA)


def test_a_program_that_floods_its_output_is_no_server_and_is_soon_given_up(capfd):
    pytest.importorskip("mcp")
    flood = [sys.executable, "-c", "while True: print('y')"]
    with (
        McpSystem(flood, timeout=60) as system,
        pytest.raises(SystemUnavailableError, match="its output is no MCP"),
    ):
        system.observe(ANA)
    assert len(capfd.readouterr().err) < 1000


def test_a_program_that_is_not_there_is_told():
    pytest.importorskip("mcp")
    with pytest.raises(SystemUnavailableError, match="no_such_program"):
        McpSystem("no_such_program serve").observe(ANA)


def test_other_names_are_found_and_the_last_words_of_a_server_told():
    pytest.importorskip("mcp")
    (kind,) = system_of(f"mcp:{sys.executable} {FILE} odd")
    with kind.make(Setting()) as system:
        system.observe(ANA)
        system.observe(RUI)
        (note,) = system.read(Query("q", "Rui stayed. Ana"), 5)
        assert set(note.claims) == {"c1", "c2"}, "one text with a line for each"
        assert [each.extra for each in system.held()] == [{"assumed": True}] * 2
        with pytest.raises(SystemUnavailableError, match="it said: out of memory"):
            system.observe(Claim("c3", "die"))
    with pytest.raises(SystemUnavailableError, match="has ended; make a new system"):
        system.read(Query("q", "Rui"), 1)


def test_a_tool_that_is_named_has_to_be_there():
    pytest.importorskip("mcp")
    wrong = McpSystem(command("odd"), tools=McpTools(ingest="remember"))
    with wrong, pytest.raises(ContractError, match="no tool 'remember'; it has search_memory, add_memory"):
        wrong.observe(ANA)


def test_without_the_package_the_way_to_get_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(MissingExtra, match=r"pip install 'memspan\[mcp\]'"):
        McpSystem(command("plain")).observe(ANA)


@pytest.mark.slow
def test_a_system_that_nobody_closes_holds_up_nothing():
    pytest.importorskip("mcp")
    code = f"from memspan.systems import McpSystem; print(McpSystem({command('plain')!r}).held())"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert (run.returncode, run.stdout.strip()) == (0, "()"), run.stderr


def test_an_empty_command_is_refused():
    with pytest.raises(ContractError, match="command of the MCP server is empty"):
        mcp_system(" ")


@pytest.mark.parametrize(
    ("names", "words", "found"),
    [
        (["get_all", "search_memory", "query"], ("query", "search"), "query"),
        (["memory_search", "memory_query"], ("query", "search"), "memory_query"),
        (["add-memory"], ("add",), "add-memory"),
        (["address"], ("add",), None),
        ([], ("add",), None),
    ],
)
def test_a_tool_is_found_by_the_surest_word_of_its_name(names, words, found):
    assert _tool(names, words) == found


@pytest.mark.parametrize(
    ("takes", "sent"),
    [
        ({"content": {}}, {"content": "hi"}),
        ({"messages": {}}, {"messages": [{"role": "user", "content": "hi"}]}),
        ({"n": {"type": "integer"}, "what": {"type": "string"}}, {"what": "hi"}),
        ({}, {"content": "hi"}),
    ],
)
def test_a_text_goes_where_a_tool_takes_it(takes, sent):
    assert _written(takes, "hi") == sent


def test_what_else_is_known_goes_where_a_tool_takes_it():
    told = {"id": "c1", "time": None, "source": "s"}
    assert _besides({"metadata": {}, "session": {}}, told) == {
        "session": "s",
        "metadata": {"claim_id": "c1", "source": "s"},
    }


@pytest.mark.parametrize(
    ("answer", "records"),
    [
        (["a", "b"], ["a", "b"]),
        ({"result": ["a", "b"]}, ["a", "b"]),
        ({"result": "a"}, ["a"]),
        ({"results": [{"memory": "a"}]}, [{"memory": "a"}]),
        (['{"notes": [{"text": "a"}]}'], [{"text": "a"}]),
        (['["a", "b"]', "c"], ["a", "b", "c"]),
        ({"text": "a", "data": "x"}, [{"text": "a", "data": "x"}]),
        ({"data": {"items": ["a"]}}, ["a"]),
        ([""], []),
        (["12"], ["12"]),
    ],
)
def test_notes_are_found_in_what_a_tool_answers(answer, records):
    assert _records(answer, Fields()) == records
