"""What stores lose is counted: the counts add up, whatever they are; and a store that loses is seen to."""

# A stand-in has the methods of the protocol, which says what they do.
# ruff: noqa: D102, D107

from importlib.util import find_spec

import pytest

from memspan.systems.packages.packaged import Packaged, note_from
from memspan.testing.losses import STORES, crowded, killed, shared

MODULES = {"langgraph": "langgraph", "llama-index": "llama_index", "mem0-package": "mem0"}


def installed(name):
    module = MODULES.get(name, "langgraph")
    if find_spec(module) is None:
        pytest.skip(f"{module} is not installed")


@pytest.mark.parametrize("name", STORES)
def test_what_many_threads_wrote_is_there_or_reported(name, tmp_path, record_property):
    installed(name)
    with STORES[name](tmp_path / "store") as system:
        loss = crowded(system, threads=8, each=5)
    record_property("loss", str(loss))
    assert loss.asked == 40
    assert 0 <= loss.reopened <= 40
    assert 0 <= loss.held <= 40
    assert loss.raised == 0 or loss.faults


def test_langgraphs_sqlite_keeps_what_it_took_through_a_kill_and_two_processes(tmp_path):
    installed("langgraph")
    kill = killed("langgraph-sqlite-unranked", tmp_path / "kill", after=10)
    assert kill.reopened == kill.asked >= 10
    two = shared("langgraph-sqlite-unranked", tmp_path / "two", each=5)
    assert two.silent == 0  # two that make the file at the same time: one may be refused, and says so
    assert two.reopened == 10 - two.raised


class Forgetful:
    """Loses every third write without a word, and another third with one."""

    def __init__(self):
        self.rows = {}

    def write(self, claim, kept):
        number = kept["written"] % 3
        if number == 1:
            raise OSError("disk is full")
        if number == 0:
            self.rows[claim.id] = (claim.text, kept)

    def everything(self):
        return [note_from(name, text, kept) for name, (text, kept) in self.rows.items()]

    def close(self):
        """Keep nothing."""


def test_a_store_that_loses_is_seen_to():
    store = Forgetful()
    with Packaged("forgetful", lambda _: store) as system:
        loss = crowded(system, threads=3, each=10)
    assert (loss.asked, loss.raised, loss.held, loss.reopened, loss.silent) == (30, 10, 10, 10, 10)
    assert loss.faults == ("OSError: disk is full",)


def test_a_store_that_does_not_open_again_is_told(tmp_path, monkeypatch):
    def broken(_):
        raise OSError("locked")

    monkeypatch.setitem(STORES, "broken", broken)
    loss = shared("broken", tmp_path, processes=1, each=3)
    assert (loss.raised, loss.reopened, loss.silent) == (3, None, None)
