from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.extraction.persons import quoted, seems_english, third_person
from memspan.extraction.wording import applied


def told(text, speaker="Ana"):
    return applied(text, list(third_person(text, speaker)))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("I moved to Porto.", "Ana moved to Porto."),
        ("I am tired and I was ill.", "Ana is tired and Ana was ill."),
        ("I'm here; I've eaten, I'll go.", "Ana is here; Ana has eaten, Ana will go."),
        ("I\u2019m not sure I don't care.", "Ana is not sure Ana doesn't care."),
        (
            "I have a cat. I do like it. I haven't seen it.",
            "Ana has a cat. Ana does like it. Ana hasn't seen it.",
        ),
        ("I also really love tea.", "Ana also really love tea."),
        ("I always want tea and I try it.", "Ana always wants tea and Ana tries it."),
        ("Do I need it? Am I late? What have I done?", "Does Ana need it? Is Ana late? What has Ana done?"),
        ("I can swim, and should I swim?", "Ana can swim, and should Ana swim?"),
        ("My cat likes me. A friend of mine, too.", "Ana's cat likes Ana. A friend of Ana's, too."),
        ("I taught myself.", "Ana taught themself."),
        ("Rui and I live there.", "Rui and Ana live there."),
        ("We talked and I have news.", "We talked and Ana has news."),
        ("i moved", "Ana moved"),
        ("Oh my god, World War I ended.", "Oh my god, World War I ended."),
        ("Mail me@example.org, i.e. now.", "Mail me@example.org, i.e. now."),
        ("You and he moved. We ate.", "You and he moved. We ate."),
    ],
)
def test_the_first_person_becomes_the_speaker_with_a_fitting_verb(said, meant):
    assert told(said) == meant


def test_a_role_gets_an_article_and_a_capital_where_a_sentence_starts():
    assert (
        told("I moved. So I think my cat did.", "user")
        == "The user moved. So the user thinks the user's cat did."
    )
    assert told("I'm a model.", "assistant") == "The assistant is a model."


@given(st.text(alphabet="I'm yandobeh.,\"ve\n\u2019", max_size=60))
def test_edits_lie_in_the_text_and_do_not_overlap(text):
    edits = sorted(third_person(text, "Ana"), key=lambda edit: edit.start)
    assert all(0 <= edit.start <= edit.end <= len(text) for edit in edits)
    assert all(a.end <= b.start for a, b in pairwise(edits))


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("I moved to the coast.", True),
        ("I moved.", True),
        ("Me gusta el pan de la casa.", False),
        ("I ragazzi di Roma sono qui.", False),
        ("Ich habe das nicht gesehen.", False),
    ],
)
def test_only_english_is_rewritten(text, english):
    assert seems_english(text) is english


def test_quotation_marks_and_code_are_known_even_where_they_do_not_close():
    text = 'He said "I am" and `I = 1`; it`s “mine'
    assert [text[start:end] for start, end in quoted(text)] == ['"I am"', "`I = 1`", "“mine"]
