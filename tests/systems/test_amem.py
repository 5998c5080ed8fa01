"""A-MEM: whose tags are rewritten, which links lead somewhere, what is read."""

from memspan.material import Claim, Query
from memspan.policies import Likeness
from memspan.systems.amem import EVOLUTIONS, PAPER, RELEASED, TAGS, AMem
from memspan.systems.author import PlainAuthor
from tabled import Tabled, at

# Eight notes, of which the fish ones, 6 7 and 8, share a word with the ninth. Their cosines with it are
# 0.6, 0.7 and 0.8; 1 and 2 follow with 0.2 and 0.1.
TEXTS = ("ant", "bee", "cow", "dog", "elk", "grilled fish", "raw fish", "fried fish", "fish soup")
COSINES = (0.2, 0.1, 0.0, 0.0, 0.0, 0.6, 0.7, 0.8, 1.0)
TABLE = {text: at(cosine, i + 1) for i, (text, cosine) in enumerate(zip(TEXTS, COSINES, strict=True))}
TABLE["fish soup"] = (1.0,)


class Unmoved(PlainAuthor):
    """Finds nothing relevant until it is asked about the ninth."""

    def relevant(self, query, texts):
        """Share a word with the ninth."""
        return super().relevant(query, texts) if query == "fish soup" else ()


def observed(way, texts=TEXTS, author=None, table=None, capacity=None):
    memory = AMem(way, Likeness(Tabled(TABLE if table is None else table)), author or Unmoved(), capacity)
    for i, text in enumerate(texts, 1):
        memory.observe(Claim(str(i), text))
    return memory


def tags(memory):
    return {note.id: note.extra["tags"] for note in memory.held()}


def test_released_a_mem_rewrites_the_first_five_notes_whoever_the_neighbours_are():
    # Neighbours by rank: 8 (0.8), 7, 6, 1, 2. The new tags are those of 8, 7 and 6 with the new keywords
    # before them, and the old ones of 1 and 2. Ranks 0..4 are used as positions: notes 1 to 5 get them.
    found = tags(observed(RELEASED))
    assert [found[str(i)] for i in range(1, 6)] == [
        ("fish", "soup", "fri"),
        ("fish", "soup", "raw"),
        ("fish", "soup", "grill"),
        ("ant",),
        ("bee",),
    ]
    assert [found[str(i)] for i in range(6, 9)] == [("grill", "fish"), ("raw", "fish"), ("fri", "fish")]


def test_a_mem_of_the_paper_rewrites_the_neighbours():
    everything = {f"{text} {words} {words}": TABLE[text] for text, words in KEYED.items()}
    found = tags(observed(PAPER, table=TABLE | everything))
    assert [found[str(i)] for i in range(1, 6)] == [("ant",), ("bee",), ("cow",), ("dog",), ("elk",)]
    assert [found[str(i)] for i in range(6, 9)] == [
        ("fish", "soup", "grill"),
        ("fish", "soup", "raw"),
        ("fish", "soup", "fri"),
    ]


KEYED = {
    "ant": "ant",
    "bee": "bee",
    "cow": "cow",
    "dog": "dog",
    "elk": "elk",
    "grilled fish": "grill fish",
    "raw fish": "raw fish",
    "fried fish": "fri fish",
    "fish soup": "fish soup",
}


def test_links_lead_to_the_relevant_neighbours_in_the_paper_and_nowhere_in_the_library():
    everything = {f"{text} {words} {words}": TABLE[text] for text, words in KEYED.items()}
    assert observed(PAPER, table=TABLE | everything).held()[0].extra["links"] == ("8", "7", "6")
    assert all(note.extra["links"] == () for note in observed(RELEASED).held())


def test_those_with_most_links_stay_longest_then_the_newest():
    # 9 has three links, 8 7 and 6 one each; the others none.
    everything = {f"{text} {words} {words}": TABLE[text] for text, words in KEYED.items()}
    memory = observed(PAPER, table=TABLE | everything)
    assert [note.id for note in memory.held()] == ["9", "8", "7", "6", "5", "4", "3", "2", "1"]
    memory.shrink(3)
    assert [note.id for note in memory.held()] == ["9", "8", "7"]
    assert [note.id for note in observed(RELEASED).held()][:2] == ["9", "8"]


def test_half_of_what_the_paper_reads_is_found_and_the_links_fill_the_rest():
    everything = {f"{text} {words} {words}": TABLE[text] for text, words in KEYED.items()}
    memory = observed(PAPER, table=TABLE | everything | {"soup?": (1.0,)})
    read = memory.read(Query("q", "soup?"), 2)
    assert [note.id for note in read] == ["9", "8"], "9 is nearest; 8 is its first link"
    assert [note.id for note in memory.read(Query("q", "soup?"), 3)] == ["9", "7", "8"], "8 is found itself"


def test_the_library_reads_the_most_alike():
    memory = observed(RELEASED, table=TABLE | {"soup?": (1.0,)})
    assert [note.id for note in memory.read(Query("q", "soup?"), 3)] == ["9", "8", "7"]


def test_a_note_is_found_by_new_tags_when_the_index_is_renewed_at_the_hundredth_evolution():
    # Each text has the word fish, so each but the first is an evolution; the last brings a word that
    # the first note gets as a tag. The first is among the neighbours as all are equally alike.
    memory = observed(PAPER, [f"fish {i}" for i in range(EVOLUTIONS)], PlainAuthor(), {})
    assert memory._evolved == EVOLUTIONS - 1
    before = memory._index.note("1").text
    assert before == "fish 0 fish 0 fish 0", "as it was written"
    memory.observe(Claim("last", "fish soup"))
    assert memory._evolved == EVOLUTIONS
    assert "soup" in memory._index.note("1").text


def test_tags_are_bounded_and_the_oldest_go():
    memory = observed(PAPER, [f"fish {i}" for i in range(30)], PlainAuthor(), {})
    first = tags(memory)["1"]
    assert len(first) == TAGS
    assert first[:2] == ("fish", "29")


def test_what_a_note_says_and_rests_on_is_never_rewritten():
    for note in observed(RELEASED).held():
        assert (note.text, note.claims) == (TEXTS[int(note.id) - 1], (note.id,))
