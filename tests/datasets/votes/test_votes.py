"""What many say of the same objects: claims, settlements; nothing lost in silence."""

import contextlib
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.datasets import load
from memspan.datasets.votes.building import MOST_OTHERS
from memspan.errors import FileError, FormatError
from memspan.material import Claim, Settlement


@pytest.fixture
def voted(fixtures):
    def read(name):
        (material,) = load(fixtures / "votes" / name)
        return material

    return read


def told(material):
    return {(each.record, each.field, each.reason.split(";")[0]) for each in material.dropped}


def truths(material):
    return {claim.text: claim.truth for claim in material.claims}


def test_author_lists_are_compared_as_sets_of_words_and_shops_speak_once(voted):
    books = voted("books_claims.tsv")
    assert truths(books) == {
        "authors of ISBN 9780201853940: Moura, Ana; Lima, Rui": 1,
        "authors of ISBN 9780201853940: Moura": 0,
        "authors of ISBN 9780321356413: O'Reis, T. J.": 0,
        "authors of ISBN 9780321356413: O'Reis, Tom": 1,
        'authors of ISBN 9780321356413: Tom "Sail" Reis': 0,
        "authors of ISBN 9780130286529: Eva McGraw": None,
    }
    first, second, third = books.queries
    assert first.text == "Who wrote Tides & Harbours (ISBN 9780201853940)?"
    assert (first.answer, first.extra) == ("moura, ana ; lima, rui;", {"truth_from": "golden"})
    assert (second.extra, third.answer, third.extra) == ({"truth_from": "silver"}, None, {})
    assert books.extra["votes"] == {
        "objects": 3,
        "sources": 4,
        "notation": {"value": "names"},
        "truth": {"golden": 1, "silver": 1},
    }
    assert told(books) == {
        ("line 5 and 1 more row", "source", "says again what the same source says before"),
        ("line 6", "value", "says no value (empty, a dash, not available)"),
        ("line 11", "value", "is no list of names"),
        ("books_silver.tsv 9780201853940", "truth", "is told by a better file"),
        ('"9780130286529"', "truth", "is not known of this object"),
    }


def test_times_and_gates_in_many_notations_are_one_claim_each(voted):
    flights = voted("flights_claims.csv")
    assert truths(flights) == {
        "expected departure time of XX-1: 12-04 21:05": 1,
        "expected departure time of XX-1: 12-04 21:15": 0,
        "departure gate of XX-1: E7": None,
        "departure gate of XX-1: E8": None,
        "expected departure time of XX-2: 12-04 06:55": None,
        "expected departure time of XX-2: 12-03 06:55": None,
    }
    assert told(flights) == {
        ("line 6", "value", "is no time"),
        ("line 10", "value", "says no value (empty, a dash, not available)"),
        ("flights_truth.csv line 4", "truth", "is another truth for the same object"),
        ('"XX-1" and 1 more row', "truth", "is not known of this object"),
        ('"XX-9"', "truth", "is known of an object of which nobody speaks"),
    }


def test_numbers_are_compared_as_numbers_and_a_truth_that_nobody_says_leaves_all_false(voted):
    towns = voted("towns_claims.csv")
    assert truths(towns) == {
        "population of faro algarve in 2000: 58,051": 1,
        "population of faro algarve in 2000: -1": 0,
        "population of olhao algarve in 2000: 40,808": 0,
        "population of olhao algarve in 2000: 40,809": 0,
    }
    assert towns.queries[1].text == "What is the population of olhao algarve in 2000?"
    assert towns.queries[1].answer == "45,000"
    assert {settlement.settler for settlement in towns.settlements} >= {"12: Ana", "0 (10.0.0.1)"}
    assert told(towns) == {("line 6", "value", "is no number")}


@pytest.mark.parametrize("place", ["tides", "tides/label.csv"])
def test_labels_of_a_crowd_are_one_claim_for_each_question(place, voted):
    tides = voted(place)
    assert tides.id == "tides"
    assert tides.claims == (
        Claim("0", "question 0: yes", truth=1),
        Claim("1", "question 1: yes", truth=0),
        Claim("2", "question 2: yes"),
    )
    assert [(q.text, q.answer) for q in tides.queries][1] == ("Is the answer to question 1 yes?", "no")
    assert tides.settlements == (
        Settlement("0", 1, ("0",), "5"),
        Settlement("0", 1, ("0",), "6"),
        Settlement("0", 0, ("0",), "7"),
        Settlement("1", 0, ("1",), "5"),
        Settlement("1", 1, ("1",), "6"),  # the last word of worker 6
        Settlement("2", 1, ("2",), "7"),
    )


def test_votes_of_ones_own_load_under_other_names_and_missing_truth_is_told(voted):
    birds = voted("weather.tsv")
    assert [(claim.id, claim.text, claim.truth) for claim in birds.claims] == [
        ("Which bird nests on the cliff?#1", "Which bird nests on the cliff?: a Puffin.", None),
        ("Which bird nests on the cliff?#2", "Which bird nests on the cliff?: puffin", None),
        ("Which bird nests on the cliff?#3", "Which bird nests on the cliff?: Gannet", None),
        ("When does the ferry leave?#1", "When does the ferry leave?: early", None),
    ]
    votes = {(s.claims[0][-1], s.settler): s.correct for s in birds.settlements if "bird" in s.query}
    assert votes["3", "eva"] == 1  # the later word, though it stands further up
    assert [s.time for s in birds.settlements][-1] is None
    assert ("weather.tsv", "truth", "no file of truths lies beside the votes") in told(birds)
    assert ("line 5", "value", "is replaced by a later value of the same source") in told(birds)


def test_a_folder_of_tables_gives_them_all(fixtures):
    names = [material.id for material in load(fixtures / "votes")]
    assert names == ["books_claims", "flights_claims", "towns_claims", "weather"]
    (together,) = load(fixtures / "votes", union=True)
    assert together.id == "votes"
    with pytest.raises(FileError, match="offers no claims of kind 'turns'"):
        load(fixtures / "votes", claims="turns")


def table(rows, header="object,source,value"):
    return "\n".join([header, *(",".join(row) for row in rows)]) + "\n"


VOTES = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.sampled_from(["1", "2", "3", "n/a"])),
    min_size=1,
)


@given(VOTES)
def test_each_source_speaks_for_one_value_of_an_object_and_against_all_others(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "votes" / "mine.csv"
    path.parent.mkdir(exist_ok=True)
    path.write_text(table(rows))
    (material,) = load(path)
    last = {(thing, source): value for thing, source, value in rows if value != "n/a"}
    said = {(s.query, s.settler): material.claim(s.claims[0]).text for s in material.settlements if s.correct}
    assert said == {pair: f"{pair[0]}: {value}" for pair, value in last.items()}
    for query in material.queries:
        claims = {support.claims[0] for support in query.supports}
        assert len(claims) == len({value for (thing, _), value in last.items() if thing == query.id})
        settled = Counter(s.settler for s in material.settlements if s.query == query.id)
        assert set(settled.values()) == {len(claims)}
        assert not any(material.claim(name).contradicts for name in claims)


def test_an_object_of_very_many_values_grows_no_more_than_in_proportion(tmp_path):
    count = 3 * MOST_OTHERS
    (tmp_path / "votes.csv").write_text(table([("a", f"s{i}", f"v{i}") for i in range(count)]))
    (material,) = load(tmp_path / "votes.csv")
    assert len(material.claims) == len(material.queries[0].supports) == count
    assert len(material.settlements) == count * (1 + MOST_OTHERS)
    assert "speak against the 64 with most votes only" in str(material.dropped)


def test_values_that_are_written_apart_are_shown_as_they_are_first_written(tmp_path):
    (tmp_path / "v.csv").write_text(table([("a", "x", "Tea"), ("a", "y", "TEA"), ("a", "z", "milk")]))
    (material,) = load(tmp_path / "v.csv")
    assert [claim.text for claim in material.claims] == ["a: Tea", "a: milk"]


def test_objects_whose_names_run_together_keep_ids_of_their_own(tmp_path):
    rows = [("a/b", "c", "x", "1"), ("a", "b/c", "x", "2")]
    (tmp_path / "v.csv").write_text(table(rows, "object,property,source,value"))
    assert [query.id for query in load(tmp_path / "v.csv")[0].queries] == ["a/b/c", "a/b/c#2"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("object,source,value\n", "holds no vote"),
        ("object,source,value\na,,1\n", "holds no vote"),
        ("object,value\na,1\n", "is no table of votes"),
    ],
)
def test_a_table_without_votes_is_refused(content, said, tmp_path):
    (tmp_path / "v.csv").write_text(content)
    with pytest.raises(FileError, match=said):
        load(tmp_path / "v.csv", format="votes")


def test_a_wrong_format_by_force_says_what_is_missing(fixtures):
    with pytest.raises(FileError, match="first line names the columns object, source and value"):
        load(fixtures / "votes" / "books_claims.tsv", format="votes")
    with pytest.raises(FileError, match="no table of source, ISBN, title and authors"):
        load(fixtures / "votes" / "weather.tsv", format="book-authors")


def test_a_row_that_cannot_be_used_is_told(tmp_path):
    (tmp_path / "v.csv").write_text('object,source,value\na,x,1\nb,y\n,z,1\nc,z,"open\n')
    (material,) = load(tmp_path / "v.csv")
    assert {(each.record, each.field) for each in material.dropped} >= {("line 3", ""), ("line 4", "object")}


def test_a_truth_that_cannot_be_read_is_told(tmp_path):
    (tmp_path / "v_claims.csv").write_text(table([("a", "x", "1")]))
    for content in (b"\x00\x01", b"once upon a time"):
        (tmp_path / "v_truth.csv").write_bytes(content)
        (material,) = load(tmp_path / "v_claims.csv")
        assert {each.field for each in material.dropped} == {"truth"}
        assert any(each.record == "v_truth.csv" for each in material.dropped)


def test_the_truth_of_another_table_is_not_taken(tmp_path):
    (tmp_path / "v_claims.csv").write_text(table([("a", "x", "1")]))
    (tmp_path / "w_truth.csv").write_text("object,value\na,1\n")
    assert load(tmp_path / "v_claims.csv")[0].claims[0].truth is None
    (tmp_path / "truth.csv").write_text("object,value\na,1\n")
    assert load(tmp_path / "v_claims.csv")[0].claims[0].truth == 1
    (tmp_path / "v_truth.csv").write_text("object,value\na,2\n")
    assert load(tmp_path / "v_claims.csv")[0].claims[0].truth == 0


def test_an_empty_folder_is_no_table(tmp_path):
    (tmp_path / "bad.csv").write_bytes(b"\x00")
    with pytest.raises(FormatError, match="is a directory"):
        load(tmp_path)


@pytest.mark.parametrize(
    "name", ["books_claims.tsv", "flights_claims.csv", "tides/label.csv", "flights_truth.csv"]
)
@given(st.data())
@settings(max_examples=60)
def test_no_damage_raises_anything_but_a_file_error(name, fixtures, tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp() / "damaged votes"
    folder.mkdir(exist_ok=True)
    text = (fixtures / "votes" / name).read_bytes()
    at = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(at, min(at + 12, len(text))))
    put = data.draw(st.sampled_from([b"", b'"', b",", b"\n", b"\t", b"\r", b"\x00", b"9" * 40, b"\xff"]))
    (folder / "m_claims.csv").write_bytes((fixtures / "votes" / "flights_claims.csv").read_bytes())
    target = "m_truth.csv" if "truth" in name else "m_claims.csv"
    (folder / target).write_bytes(text[:at] + put + text[end:])
    for forced in (None, "votes", "book-authors"):
        with contextlib.suppress(FileError):
            load(folder / "m_claims.csv", format=forced)


# --- real data ----------------------------------------------------------------------------------

SETS = {
    "truth_discovery/book_claims_dev.tsv": (4042, 1233, 84979, {"golden": 70, "silver": 1163}),
    "truth_discovery/population_claims_dev.csv": (473, 205, 1990, {"truth": 205}),
    "truth_discovery/weather_temperature_claims_dev.csv": (3626, 840, 55618, {"truth": 706}),
    "truth_discovery/flights_claims_dev.csv": (2030, 1059, 30578, {"truth": 71}),
    "crowd/bluebird": (108, 108, 4212, {"truth": 108}),
    "crowd/product": (8315, 8315, 24945, {"truth": 8315}),
    "crowd/rte": (800, 800, 8000, {"truth": 800}),
    "crowd/sentiment": (1000, 1000, 20000, {"truth": 1000}),
    "crowd/sp_amt": (500, 500, 10000, {"truth": 500}),
    "crowd/zencrowd_in": (2040, 2040, 10495, {"truth": 2040}),
}


@pytest.mark.parametrize("name", SETS)
def test_a_public_set_loads_with_the_truth_beside_it(name, data):
    (material,) = load(data / name)
    claims, queries, settlements, truth = SETS[name]
    assert (len(material.claims), len(material.queries)) == (claims, queries)
    assert len(material.settlements) == settlements
    assert material.extra["votes"]["truth"] == truth
    known = sum(query.answer is not None for query in material.queries)
    assert known == sum(truth.values())
