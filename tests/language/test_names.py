import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.language.countries import country, names_of
from memspan.language.names import Names, bare, reading
from memspan.language.values import alike, before, moment

KNOWN = (
    "Zoë Lima",
    "The Ferry (1954 film)",
    "The Ferry (band)",
    "Henry IV of Leiria",
    "Rui Pinto Costa Alves",
)
NAMES = Names(KNOWN, {"Zoë Maria Lima (baker)": ["Zoë Lima"]})


@pytest.mark.parametrize(
    ("mention", "name", "step"),
    [
        ("Zoë Lima", "Zoë Lima", "exact"),
        ("ZOE LIMA!", "Zoë Lima", "folded"),
        ("zoe maria lima (Baker)", "Zoë Lima", "alias"),
        ("Zoë Maria Lima", "Zoë Lima", "bare"),
        ("Rui Costa Alves", "Rui Pinto Costa Alves", "overlap"),
        ("The Ferry (1954 Film)", "The Ferry (1954 film)", "folded"),
        ("Somebody Else", None, "none"),
        ("Henry III of Leiria", None, "none"),
        ("", None, "none"),
    ],
)
def test_a_mention_is_linked_by_the_surest_step_that_finds_it(mention, name, step):
    link = NAMES.link(mention)
    assert (link.name, link.step) == (name, step)


def test_an_ambiguous_mention_is_told_and_not_guessed():
    link = NAMES.link("the ferry")
    assert link.ambiguous
    assert link.name is None
    assert link.names == ("The Ferry (1954 film)", "The Ferry (band)")


def test_brackets_that_contradict_are_no_match():
    assert NAMES.link("The Ferry (2001 film)").names == ()


@settings(max_examples=30)
@given(st.lists(st.text(min_size=1, max_size=12), unique=True, max_size=6))
def test_every_known_name_links_to_itself(known):
    names = Names(known)
    assert all(names.link(name).name == name for name in known)


@given(st.text(alphabet=st.characters(max_codepoint=0x24F)))
def test_reading_again_changes_nothing(text):
    assert reading(reading(text)) == reading(text)
    assert bare(bare(text)) == bare(text)


def test_all_names_of_a_country_are_one():
    assert {country(name) for name in ("U.S.", "American", "the United States", "usa")} == {"United States"}
    assert country("Atlantis") is None
    assert "Danish" in names_of("Denmark")
    assert alike("Iranian", "Iran")
    assert not alike("Niger", "Nigeria")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 May 1950", (1950, 5, 5)),
        ("May 5, 1950", (1950, 5, 5)),
        ("Sept 1950", (1950, 9)),
        ("1950-05-05", (1950, 5, 5)),
        ("1950", (1950,)),
        ("44 BC", (-44,)),
        ("May", None),
        ("no date", None),
    ],
)
def test_dates_are_read_in_the_usual_notations(text, expected):
    assert moment(text) == expected


def test_a_year_alone_comes_neither_before_nor_after_a_day_in_it():
    assert before((1950,), (1950, 5, 5)) is None
    assert before((1949,), (1950, 5, 5)) is True
    assert before((1950, 6), (1950, 5, 5)) is False
