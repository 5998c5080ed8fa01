"""Mem0: what a ledger of operations holds, and how its parts add up."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from memspan.material import Claim, Query
from memspan.policies import Likeness
from memspan.systems.author import PlainAuthor
from memspan.systems.mem0 import Adding, ByAuthor, Mem0, Merging, Operation
from memspan.systems.mem0_search import Entities, combined, keyword_scores
from tabled import Tabled, at


@dataclass
class Script:
    """Answers as scripted, call by call, and keeps what it was shown."""

    answers: list
    asked: list = field(default_factory=list)

    def __call__(self, *shown):
        """Answer as the next line of the script says."""
        self.asked.append(tuple(shown))
        return self.answers[len(self.asked) - 1]


def ids(notes):
    return [note.id for note in notes]


def told(memory, *texts):
    for i, text in enumerate(texts, 1):
        memory.observe(Claim(f"c{i}", text, time=f"2026-01-{i:02d}"))
    return memory


def test_the_ledger_of_the_paper_adds_updates_deletes_and_does_nothing():
    script = Script(
        [
            [Operation("add", "Ana lives in Porto")],
            [Operation("add", "Rui cooks"), Operation("none", "Ana lives in Porto", 0)],
            [Operation("update", "Ana lives in Porto with Rui", 0)],
            [Operation("delete", "Rui cooks", 1)],
        ]
    )
    alike = Likeness(Tabled())  # all equally: memories are shown by age
    memory = told(Mem0(Merging(alike, script)), "Ana lives in Porto", "Rui cooks", "Ana with Rui", "no cook")
    (note,) = memory.held()
    assert (note.id, note.text) == ("c1", "Ana lives in Porto with Rui")
    assert note.claims == ("c1", "c3"), "the new text keeps every word of c1"
    assert (note.time, note.extra["created"]) == ("2026-01-03", "2026-01-01"), "created stays"


def test_a_replacement_rests_on_the_new_claim_only():
    script = Script([[Operation("add", "Ana lives in Porto")], [Operation("update", "Ana lives in Faro", 0)]])
    (note,) = told(Mem0(Merging(Likeness(), script)), "Ana lives in Porto", "Ana moved to Faro").held()
    assert (note.id, note.claims) == ("c1", ("c2",))


def test_a_text_that_drops_a_part_no_longer_rests_on_its_claim():
    # c2 adds "Rui" to c1's "Ana sings": then a third text keeps only what c2 added.
    script = Script(
        [
            [Operation("add", "Ana sings")],
            [Operation("update", "Ana sings with Rui", 0)],
            [Operation("update", "Rui paints", 0)],
        ]
    )
    (note,) = told(Mem0(Merging(Likeness(), script)), "1", "2", "3").held()
    assert note.claims == ("c2", "c3")


def test_one_call_decides_about_all_facts_and_is_shown_each_old_memory_once():
    # Each fact brings its five nearest; both bring a, which is shown once, where it came first.
    table = {"a": (1.0,), "b": at(0.5), "x": (1.0,), "y": at(0.9)}
    decide = Script([[Operation("add", "a")], [Operation("add", "b")], []])
    facts = Script([["a"], ["b"], ["x", "y"]])
    told(Mem0(Merging(Likeness(Tabled(table)), decide, facts)), "1", "2", "3")
    assert decide.asked == [(["a"], ()), (["b"], ("a",)), (["x", "y"], ("a", "b"))]


def test_each_fact_is_shown_its_five_nearest_only():
    table = {str(i): at(i / 10, i) for i in range(1, 8)} | {"x": (1.0,)}
    decide = Script([*[[Operation("add", str(i))] for i in range(1, 8)], []])
    memory = Mem0(Merging(Likeness(Tabled(table)), decide))
    told(memory, *[str(i) for i in range(1, 8)], "x")
    assert decide.asked[-1] == (("x",), ("7", "6", "5", "4", "3"))


def test_operations_that_lead_nowhere_do_nothing():
    script = Script(
        [
            [Operation("add", "")],
            [Operation("add", "Ana sings")],
            [Operation("update", "x", 7), Operation("update", "x"), Operation("delete", "", 0)],
            [Operation("delete", "Ana sings", 0), Operation("update", "Ana paints", 0)],
        ]
    )
    memory = Mem0(Merging(Likeness(), script))
    assert told(memory, "1", "2", "3").held()[0].text == "Ana sings"
    memory.observe(Claim("c4", "4"))
    assert memory.held() == (), "an update of what was just deleted is passed over"


def test_no_fact_no_decision():
    memory = told(Mem0(Merging(Likeness(), Script([]), Script([[]]))), "Hm.")
    assert memory.held() == ()


def test_with_the_offline_author_more_of_the_same_merges_and_a_denial_deletes():
    memory = Mem0(Merging(Likeness(), ByAuthor(PlainAuthor())))
    told(memory, "Ana sings", "Rui cooks", "Ana sings fado", "Ana sings", "Rui never cooks")
    # c3 says c1 and more: update. c4 is said already: none. c5 denies c2: delete, and adds nothing.
    assert [(note.id, note.text, note.claims) for note in memory.held()] == [
        ("c1", "Ana sings fado", ("c1", "c3"))
    ]


def test_released_mem0_only_adds_where_the_paper_merges():
    texts = "Ana sings", "Ana sings fado", "Ana never sings fado"
    released = told(Mem0(Adding(Likeness())), *texts)
    paper = told(Mem0(Merging(Likeness(), ByAuthor(PlainAuthor()))), *texts)
    assert [note.text for note in released.held()] == list(reversed(texts))
    assert paper.held() == ()


def test_a_text_that_is_shown_is_not_added_again_but_one_out_of_sight_is():
    # Eleven memories; the message is nearest to the first ten of them. The text of the tenth is left out,
    # that of the eleventh, out of sight, is stored a second time, and one extracted twice is stored once.
    texts = [str(i) for i in range(1, 12)]
    table = {text: at(1 - int(text) / 20, int(text)) for text in texts} | {"message": (1.0,)}
    facts = Script([*[[text] for text in texts], ["10", "11", "new", "new", ""]])
    memory = told(Mem0(Adding(Likeness(Tabled(table)), facts)), *texts, "message")
    assert [note.text for note in memory.held()[:2]] == ["new", "11"]
    assert ids(memory.held())[:2] == ["c12+2", "c12"]
    assert len(memory.held()) == 13
    _, shown, recent = facts.asked[-1]
    assert shown == tuple(texts[:10])
    assert recent == tuple(texts[1:]), "the ten messages before"


# Three memories; a question of two words. Cosines 0.6, 0.9 and 0.05.
MEMORIES = ("Ana moved to Porto", "Rui cooks fish", "Eva reads books")
SEEN = {"Where is Porto?": (1.0,), "porto": (0, 0, 0, 0, 0, 1.0), "ana": (0, 0, 0, 0, 0, 0, 1.0)}
SEEN |= dict(zip(MEMORIES, (at(0.6), at(0.9, 2), at(0.05, 3)), strict=True))


def test_likeness_words_and_entities_add_up_as_by_hand():
    # porto stands in 1 of 3: idf = ln(1 + 2.5 / 1.5) = 0.980829. The memory has 3 stems, so its weight
    # is 2.2 / (1 + 1.2 * (0.25 + 0.75 * 3 / 256)) = 1.678688 and raw BM25 1.646506. One word in the
    # question: the sigmoid is 1 / (1 + exp(-0.7 * (1.646506 - 5))) = 0.087266.
    # The entity porto has cosine 1 and one memory: 1 * 0.5 / (1 + 0) = 0.5. All parts are active:
    # (0.6 + 0.087266 + 0.5) / 2.5 = 0.474906 and 0.9 / 2.5 = 0.36.
    way = Adding(Likeness(Tabled(SEEN)))
    memory = told(Mem0(way), *MEMORIES)
    scores = way._search.scores("Where is Porto?", np.array([0.6, 0.9, 0.05]), 20)
    assert scores == pytest.approx([0.474906, 0.36, 0.02], abs=1e-5)
    assert ids(memory.read(Query("q", "Where is Porto?"), 20)) == ["c1", "c2"], (
        "0.05 is below the gate of 0.1"
    )


def test_what_the_paper_reads_is_the_most_alike_without_a_gate():
    adds = Script([[Operation("add", text)] for text in MEMORIES])
    memory = told(Mem0(Merging(Likeness(Tabled(SEEN)), adds)), *MEMORIES)
    assert ids(memory.read(Query("q", "Where is Porto?"), 20)) == ["c2", "c1", "c3"]


def test_parts_that_no_memory_has_do_not_count_in_the_divisor():
    alike, none = np.array([0.5]), np.zeros(1)
    assert combined(alike, none, none).tolist() == [0.5]
    assert combined(alike, np.array([0.4]), none).tolist() == pytest.approx([0.45])  # 0.9 / 2
    assert combined(alike, none, np.array([0.25])).tolist() == pytest.approx([0.5])  # 0.75 / 1.5
    assert combined(np.array([1.0]), none, np.array([0.5])).tolist() == [1.0]


def test_the_sigmoid_moves_with_the_length_of_the_question():
    # 10 words: midpoint 10, steepness 0.5, so a raw 12 is 1 / (1 + exp(-1)) = 0.731059.
    assert keyword_scores(np.array([12.0]), 10, 60).tolist() == pytest.approx([0.731059], abs=1e-6)
    for words, middle in ((3, 5), (6, 7), (9, 9), (15, 10), (16, 12)):
        assert keyword_scores(np.array([float(middle)]), words, 60).tolist() == [0.5]


def test_an_entity_that_many_mention_boosts_each_less():
    # n = 11 memories: 0.5 / (1 + 0.001 * 10²) = 0.454545; cosine 0.5 with a second name: 0.25 / 1.
    table = {"ana": (1.0,), "anne": at(0.5), "rui": (0, 0, 1.0)}
    entities = Entities(Likeness(Tabled(table)))
    entities.link([(f"m{i}", "met Ana") for i in range(11)])
    entities.link([("n", "met Anne"), ("o", "met Rui")])
    memories = [*(f"m{i}" for i in range(11)), "n", "o"]
    boosts = entities.boosts("Where is Ana?", memories)
    assert boosts.tolist() == pytest.approx([0.454545] * 11 + [0.25, 0.0], abs=1e-6)


def test_names_of_cosine_095_are_one_entity():
    table = {"ana lima": (1.0,), "ana m lima": at(0.96), "lima": at(0.94, 2)}
    entities = Entities(Likeness(Tabled(table)))
    for name, text in (("a", "met Ana Lima"), ("b", "met Ana M Lima"), ("c", "met Lima")):
        entities.link([(name, text)])
    assert {name: list(linked) for name, linked in entities._linked.items()} == {
        "ana lima": ["a", "b"],
        "lima": ["c"],
    }
    entities.unlink("c")
    assert list(entities._linked) == ["ana lima"]


def test_what_was_written_last_stays_longest():
    script = Script(
        [
            [Operation("add", "sings")],
            [Operation("add", "cooks")],
            [Operation("add", "reads")],
            [Operation("update", "sings fado", 0)],
        ]
    )
    memory = told(Mem0(Merging(Likeness(Tabled()), script)), "1", "2", "3", "4")
    assert ids(memory.held()) == ["c1", "c3", "c2"]
    memory.shrink(3)
    assert ids(memory.held()) == ["c1", "c3"], "c1 rests on two claims"
    memory.shrink(1)
    assert memory.held() == ()
