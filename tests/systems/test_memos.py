"""MemOS: which memory goes, by hand."""

from dataclasses import replace

from memspan.material import Claim, Query, Settlement
from memspan.systems import PlainAuthor, Setting
from memspan.systems.memos import CAPS, KINDS, LIKE, LONG_TERM, PAPER, RELEASED, USER, WORKING, MemOS


def made(rule, claims, capacity=None, author=None):
    memory = MemOS("memos", rule, Setting(capacity, author=author or PlainAuthor()))
    for claim in claims:
        memory.observe(claim)
    return memory


def said(count, speaker="assistant", name="c"):
    return [Claim(f"{name}{i}", f"{name} number {i}", speaker=speaker) for i in range(count)]


def ids(memory):
    return [note.id for note in memory.held()]


def test_the_released_caps_are_those_of_the_manager():
    assert dict(CAPS) == {WORKING: 20, LONG_TERM: 1500, USER: 480}
    # 481 of the user: the first is out; 1501 of others: the first is out
    memory = made(RELEASED, [*said(481, "user", "u"), *said(1501, "assistant", "a")])
    assert len(ids(memory)) == 480 + 1500
    assert not {"u0", "a0"} & set(ids(memory))
    assert {"u1", "a1"} <= set(ids(memory))


def test_the_oldest_goes_first_in_its_own_kind():
    rule = replace(RELEASED, caps=((WORKING, 2), (LONG_TERM, 3), (USER, 2)))
    memory = made(rule, [*said(4, "user", "u"), *said(5, "assistant", "a")])
    assert set(ids(memory)) == {"u2", "u3", "a2", "a3", "a4"}


def test_a_capacity_is_shared_between_the_kinds_in_the_proportion_of_their_caps():
    # 1500 : 480 is about 3 : 1: of 8 claims 6 and 2
    memory = made(
        RELEASED, [each for pair in zip(said(20, "user", "u"), said(20), strict=True) for each in pair], 8
    )
    assert sorted(ids(memory)) == ["c14", "c15", "c16", "c17", "c18", "c19", "u18", "u19"]


def test_what_was_read_outlives_its_original_in_the_working_memory():
    rule = replace(RELEASED, caps=((WORKING, 1), (LONG_TERM, 2), (USER, 2)))
    memory = made(rule, said(2))
    memory.settle(Settlement("q", 1, ("c0",)))
    for claim in said(6)[2:]:
        memory.observe(claim)
    assert ids(memory) == ["c0", "c5", "c4"]
    memory.settle(Settlement("q", 1, ("c4",)))
    assert ids(memory) == ["c4", "c5"], "one place: the copy of c0 goes"


def test_released_goes_by_writing_and_the_paper_by_use():
    # c0, c1, c2 fill their kind; c0 is read, then c2, which takes the one working place. With c3, released
    # lets go of c0, written first; the paper's order is c1, c0, c2: c1 goes
    caps = ((WORKING, 1), (LONG_TERM, 3), (USER, 2))
    for rule, kept in ((RELEASED, {"c1", "c2", "c3"}), (PAPER, {"c0", "c2", "c3"})):
        memory = made(replace(rule, caps=caps), said(3))
        for name in ("c0", "c2"):
            memory.settle(Settlement("q", 1, (name,)))
        memory.observe(said(4)[3])
        assert set(ids(memory)) == kept


def test_the_same_text_within_seven_days_is_not_stored_again():
    told = [Claim(f"c{day}", "Rui cooks", time=f"2026-03-{day:02d}") for day in (1, 8, 9, 17)]
    # day 8 is 7 days after day 1: not stored; day 9 is 8 days after: stored; day 17 is 8 days after that
    assert sorted(ids(made(RELEASED, told))) == ["c1", "c17", "c9"]


def test_the_paper_fuses_memories_of_a_cosine_from_eight_tenths_on():
    told = [
        Claim("a", "Ana moved to Porto in the cold spring"),
        Claim("b", "Ana moved to Porto in the cold early spring"),
    ]
    memory = made(PAPER, told)
    like = memory._holding.likeness
    assert like.to(told[0].text)[like.places([told[1].text])][0] >= LIKE
    assert [note.claims for note in memory.held()] == [("a", "b")]
    assert [note.kind for note in memory.held()] == ["fused"]
    assert sorted(ids(made(RELEASED, told))) == ["a", "b"], "by default nothing is compared"


def test_memories_below_eight_tenths_stay_apart():
    told = [Claim("a", "Ana moved to Porto"), Claim("b", "Ana moved to Porto with Rui and his two old cats")]
    like = made(PAPER, told)._holding.likeness
    assert like.to(told[0].text)[like.places([told[1].text])][0] < LIKE
    assert sorted(ids(made(PAPER, told))) == ["a", "b"], "though the one says all of the other"


def test_a_contradiction_that_the_author_cannot_resolve_keeps_the_newer():
    class _Strict(PlainAuthor):
        def compare(self, text, others):
            assert text
            return ("delete", 0) if others else ("add", None)

    told = [Claim("a", "Ana lives in Porto now"), Claim("b", "Ana lives in Porto now again")]
    assert ids(made(PAPER, told, author=_Strict())) == ["b"]


def test_it_reads_what_is_most_like_the_question():
    memory = made(RELEASED, [Claim("a", "Rui cooks rice"), Claim("b", "Ana paints boats")])
    assert [note.id for note in memory.read(Query("q", "Who paints?"), 1)] == ["b"]
    assert [kind.k for kind in KINDS] == [10, 10]
