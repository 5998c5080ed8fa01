"""Reflexion: what is written after which trial, and what stays."""

from memspan.language.tokens import count_tokens
from memspan.material import Claim, Query, Settlement
from memspan.systems.author import PlainAuthor
from memspan.systems.reflexion import CLAIMS, PROMPT, Reflexion, the_last, the_newest, within_prompt


def observed(keep, sessions, capacity=None):
    memory = Reflexion(keep, PlainAuthor(), capacity)
    for name, session in sessions:
        memory.observe(Claim(name, f"Text of {name}.", source=session, time=f"2026-01-0{len(name)}"))
    return memory


def resting(memory):
    return [note.claims for note in memory.held()]


FIVE = [(f"c{i}", f"session {i}") for i in range(1, 6)]


def test_alfworld_keeps_the_last_three_of_five_failed_trials():
    assert resting(observed(the_last, FIVE)) == [("c5",), ("c4",), ("c3",)]


def test_programming_keeps_the_newest_and_hotpotqa_all():
    assert resting(observed(the_newest, FIVE)) == [("c5",)]
    assert resting(observed(within_prompt, FIVE)) == [("c5",), ("c4",), ("c3",), ("c2",), ("c1",)]


def test_hotpotqa_keeps_what_fits_into_a_prompt():
    # Each reflection takes 1300 tokens, so that two take 2600, three 3900: the third does not fit into 3896.
    memory = Reflexion(within_prompt, PlainAuthor())
    for i in range(4):
        memory.observe(Claim(str(i), "word " * 1300, source=str(i)))
    assert count_tokens(memory.held()[0].text) * 3 > PROMPT
    assert resting(memory) == [("3",), ("2",)]


def test_without_outcomes_a_session_is_reflected_on_as_a_whole_when_it_ends():
    memory = observed(the_last, [("a", "1"), ("b", "1"), ("c", "2")])
    assert resting(memory) == [("c",), ("a", "b")]
    memory.observe(Claim("d", "Text of d.", source="2"))
    assert resting(memory) == [("c", "d"), ("a", "b")], "session 2 was still open"
    assert [note.id for note in memory.held()] == ["reflection 2", "reflection 1"]


def test_only_a_failure_writes_once_outcomes_are_told():
    memory = observed(the_last, [("a", "1"), ("b", "1"), ("c", "2"), ("d", "2")])
    memory.settle(Settlement("q1", 1, ("a",)))
    assert resting(memory) == [("a", "b")], "the open session was answered right: nothing is written on it"
    memory.settle(Settlement("q2", 0, ("d", "b", "unknown")))
    assert resting(memory) == [("d", "b"), ("a", "b")], "on the claims that were read"
    memory.observe(Claim("e", "Text of e.", source="3"))
    memory.observe(Claim("f", "Text of f.", source="4"))
    assert resting(memory) == [("d", "b"), ("a", "b")], "sessions no longer count as failures"
    memory.settle(Settlement("q3", 0.4))
    assert resting(memory)[0] == ("e", "f"), "on what was observed since the trial before"
    memory.settle(Settlement("q4", 0, ()))
    assert resting(memory)[0] == ("f",), "nothing since: on the last session"


def test_an_agent_that_never_fails_learns_nothing():
    memory = Reflexion(the_last, PlainAuthor())
    memory.settle(Settlement("q", 1))
    memory.settle(Settlement("q", 0))
    assert memory.held() == (), "a failure before anything was seen tells nothing"
    memory.observe(Claim("a", "Text."))
    memory.settle(Settlement("q", 1))
    assert memory.held() == ()


def test_a_reflection_tells_five_claims_or_as_many_as_the_capacity_allows():
    long = [(f"c{i}", "1") for i in range(9)]
    assert len(resting(observed(the_last, long))[0]) == CLAIMS
    assert len(resting(observed(the_last, long, 2))[0]) == 2
    assert resting(observed(the_last, long, 0)) == []


def test_the_oldest_reflection_goes_where_they_rest_on_too_much():
    sessions = [("a", "1"), ("b", "1"), ("c", "2"), ("d", "2"), ("e", "3")]
    assert resting(observed(within_prompt, sessions, 3)) == [("e",), ("c", "d")]
    memory = observed(within_prompt, sessions)
    memory.shrink(4)
    assert resting(memory) == [("e",), ("c", "d")]
    memory.shrink(0)
    assert resting(memory) == []


def test_reading_asks_nothing():
    memory = observed(the_last, FIVE)
    assert memory.read(Query("q", "anything"), 2) == memory.held()[:2]
