"""Likeness and holdings: the same numbers whatever was asked before."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memspan.material import Note
from memspan.models import HashedEmbedder
from memspan.policies import Holding, Likeness, best

TEXTS = [f"Ana painted {i} boats in harbour {i % 7}" for i in range(150)]


@given(st.lists(st.integers(0, 150), max_size=4))
def test_similarities_are_the_same_bits_whatever_was_asked_before(stops):
    at_once, in_steps = Likeness(), Likeness()
    at_once.places(TEXTS)
    for stop in sorted(stops):
        in_steps.places(TEXTS[:stop])
        if stop:
            in_steps.to(TEXTS[0])
    in_steps.places(TEXTS)
    assert at_once.to(TEXTS[0]).tobytes() == in_steps.to(TEXTS[0]).tobytes()


def test_similarities_are_cosines():
    likeness = Likeness()
    places = likeness.places(TEXTS)
    rows = HashedEmbedder().embed(TEXTS)
    assert np.abs(likeness.to(TEXTS[5])[places] - rows @ rows[5]).max() < 1e-6


def test_likeness_of_other_texts_is_shared_and_apart():
    likeness = Likeness()
    likeness.apart("names").places(["ana", "rui"])
    assert likeness.apart("names") is likeness.apart("names")
    assert len(likeness.to("ana")) == 1, "names are not among the claims"


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), max_size=12), st.integers(-1, 14))
def test_the_best_are_those_of_a_full_sort(scores, k):
    plain = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[: max(k, 0)]
    assert best(np.array(scores), k) == plain


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(TEXTS[:6]), st.booleans()), max_size=15))
def test_a_holding_compares_what_it_holds_after_any_changes(changes):
    holding, expected = Holding(Likeness()), {}
    for name, text, keep in changes:
        if keep:
            holding.add(Note(name, text))
            expected[name] = text
        elif name in expected:
            holding.drop(name)
            del expected[name]
        if expected:
            places = holding.likeness.places(list(expected.values()))
            alike = holding.likeness.to(TEXTS[0])[places]
            assert holding.similarity(TEXTS[0]).tolist() == alike.tolist()
