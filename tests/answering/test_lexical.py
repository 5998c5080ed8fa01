from collections import Counter
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from memspan.answering.lexical import LENGTH, SATURATION, Lexicon, entries
from memspan.answering.meeting import against_best, ranked

TERMS = st.sampled_from("abcdefg")
DOCUMENTS = st.lists(st.lists(TERMS, max_size=7), max_size=6)
ASKED = st.lists(st.sampled_from("abcdefgxyz"), max_size=6)


def slow_bm25(documents, asked):
    """Return the textbook's sum over terms, one document after another."""
    n = len(documents)
    mean = max(sum(map(len, documents)) / n, 1) if n else 1
    scores = []
    for document in documents:
        counts = Counter(document)
        score = 0.0
        for term in dict.fromkeys(asked):
            holding = sum(term in other for other in documents)
            if not holding:
                continue
            idf = log(1 + (n - holding + 0.5) / (holding + 0.5))
            held_back = SATURATION * (1 - LENGTH + LENGTH * len(document) / mean)
            score += idf * counts[term] * (SATURATION + 1) / (counts[term] + held_back)
        scores.append(score)
    return scores


@given(DOCUMENTS, ASKED)
def test_bm25_equals_the_slow_sum(documents, asked):
    assert Lexicon.of_stems(documents).bm25(asked) == pytest.approx(slow_bm25(documents, asked))


@given(DOCUMENTS, ASKED, st.data())
def test_asking_for_a_term_more_never_lowers_a_score(documents, asked, data):
    lexicon = Lexicon.of_stems(documents)
    more = lexicon.bm25([*asked, data.draw(TERMS)])
    assert (more >= lexicon.bm25(asked) - 1e-12).all()


@given(DOCUMENTS, ASKED)
def test_a_share_lies_between_nothing_and_all_and_is_all_exactly_where_every_term_is_held(documents, asked):
    share = Lexicon.of_stems(documents).share(asked)
    assert ((share >= 0) & (share <= 1)).all()
    assert (share == 1).tolist() == [bool(asked) and set(asked) <= set(document) for document in documents]
    assert (share > 0).tolist() == [bool(set(asked) & set(document)) for document in documents]


@given(DOCUMENTS, ASKED)
def test_the_shares_of_terms_sum_to_the_share(documents, asked):
    lexicon, once = Lexicon.of_stems(documents), list(dict.fromkeys(asked))
    table = lexicon.shares(once)
    assert table.shape == (len(documents), max(len(once), 1))
    assert table.sum(axis=1) == pytest.approx(lexicon.share(once))


@given(DOCUMENTS, ASKED)
def test_held_counts_the_asked_terms_that_a_document_holds_as_often_as_they_are_asked(documents, asked):
    held = Lexicon.of_stems(documents).held(asked)
    assert held.tolist() == [sum(term in document for term in asked) for document in documents]


@given(DOCUMENTS)
def test_rarer_terms_weigh_more_and_unseen_ones_most(documents):
    lexicon = Lexicon.of_stems(documents)
    holding = {term: sum(term in document for document in documents) for term in lexicon.terms}
    for term, count in holding.items():
        assert 0 < lexicon.rarity(term) < lexicon.rarity("unseen") == lexicon.unseen
        assert all(
            lexicon.rarity(term) > lexicon.rarity(other) for other in holding if holding[other] > count
        )


@given(DOCUMENTS, st.data())
def test_gathered_documents_are_as_if_read_together(documents, data):
    picked = data.draw(st.lists(st.lists(st.integers(0, max(len(documents) - 1, 0)), max_size=3), max_size=4))
    picked = picked if documents else []
    members = np.zeros((len(picked), len(documents)))
    for row, places in enumerate(picked):
        np.add.at(members[row], places, 1)
    gathered = Lexicon.of_stems(documents).gathered(csr_matrix(members))
    read = Lexicon.of_stems([[term for place in places for term in documents[place]] for places in picked])
    for asked in ("a", "bc", "abcdefg"):
        assert gathered.bm25(asked) == pytest.approx(read.bm25(asked))
        assert gathered.share(asked) == pytest.approx(read.share(asked))


def test_texts_are_read_by_their_stems():
    lexicon = Lexicon.of(["She was painting.", "", "of the"])
    assert lexicon.terms == {"paint": 0}
    assert lexicon.lengths.tolist() == [1, 0, 0]


@given(st.lists(st.integers(0, 4), max_size=6), st.data())
def test_entries_are_those_of_the_rows_in_turn(lengths, data):
    ptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    rows = data.draw(st.lists(st.integers(0, len(lengths) - 1), max_size=6)) if lengths else []
    at, owner = entries(ptr, np.array(rows, np.int64))
    wanted = [(place, i) for i, row in enumerate(rows) for place in range(ptr[row], ptr[row + 1])]
    assert list(zip(at.tolist(), owner.tolist(), strict=True)) == wanted


@given(st.lists(st.floats(0, 5), max_size=8))
def test_ranks_fall_with_the_value_ties_by_position_and_nothing_has_no_rank(values):
    given_values = np.array(values, np.float64)
    marks = ranked(given_values)
    order = sorted(range(len(values)), key=lambda i: (-values[i], i))
    wanted = {place: 1 / np.log2(2 + rank) for rank, place in enumerate(order)}
    assert marks.tolist() == [wanted[i] if values[i] > 0 else 0 for i in range(len(values))]


@given(st.lists(st.floats(0, 5), max_size=8))
def test_against_the_best_the_best_is_one(values):
    shares = against_best(np.array(values, np.float64))
    assert ((shares >= 0) & (shares <= 1)).all()
    assert shares.max(initial=0) == (1 if max(values, default=0) > 0 else 0)
