"""Verb forms: what is made from a plain form leads back to it."""

import pytest

from memspan.language.verbs import base_of, is_finite, is_helper, known_verbs, participles, third_person


def test_the_third_person_of_a_known_verb_leads_back_to_it():
    assert [base for base in known_verbs() if base_of(third_person(base)) != (base, False)] == []


@pytest.mark.parametrize(
    ("past", "base"),
    [
        ("went", "go"),
        ("lay", "lie"),
        ("laid", "lay"),
        ("stopped", "stop"),
        ("moved", "move"),
        ("carried", "carry"),
        ("told", "tell"),
        ("had", "have"),
        ("put", "put"),
        ("wound", "wind"),
        ("visited", "visit"),
    ],
)
def test_a_past_form_leads_back_to_its_verb(past, base):
    assert base_of(past) == (base, True)
    assert is_finite(past)


def test_what_is_no_verb_is_none():
    assert [word for word in ("table", "and", "lovely", "telled", "the") if is_finite(word)] == []
    assert {"taken", "moved", "been"} <= participles()
    assert is_helper("was")
    assert not is_helper("had")
