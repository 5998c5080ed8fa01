"""Names in texts, by their capitals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.language.mentions import mentions, title_name


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("They met Ana Lima and J. R. Costa.", {"ana lima", "j r costa", "ana lima and j r costa"}),
        ("Hey Mel! I'm fine.", {"mel"}),
        ("He read the Book of Hours.", {"book of hours", "book", "hours"}),
        ("It is in São Tomé, Zoë's home.", {"sao tome", "zoe"}),
        ("Thanks. Yes, on Monday, in 2024!", set()),
        ("", set()),
    ],
)
def test_sure_names_are_found(text, names):
    assert {name for name, sure in mentions(text).items() if sure} == names


def test_a_capital_at_the_start_of_a_sentence_proves_little():
    assert mentions("Ferries sail. Rui sails to Faro.") == {"ferries": False, "rui": False, "faro": True}


def test_one_sure_mention_makes_a_name_sure():
    assert mentions("Porto waited for Porto.") == {"porto": True}


@given(st.text())
def test_any_text_mentions_names_of_words_only(text):
    assert all(name == " ".join(name.split()) and name for name in mentions(text))


@given(st.text(), st.text())
def test_a_text_mentions_what_its_paragraphs_mention(one, other):
    assert mentions(f"{one}.\n. {other}").keys() >= mentions(one).keys()


@given(st.text())
def test_any_title_is_a_name_or_nothing(title):
    assert title_name(title) == " ".join(title_name(title).split())
