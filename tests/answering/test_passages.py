from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.answering.features import MEASURES, features_for, matrix
from memspan.answering.lexical import Lexicon
from memspan.answering.meeting import Meeting, answer_parts
from memspan.answering.passages import Passages, spoken
from memspan.language.words import STOPWORDS, stems, words
from memspan.material import Claim, Query

WORDS = st.sampled_from(
    ["Ana", "Rui", "the", "of", "to", "Porto", "bridge", "painted", "five", "3June", "May", "2023", "boats?"]
)
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)
TIMES = st.sampled_from([None, "", "some day", "2023-05-08", "2023-06-01T10:00"])
SPEAKERS = st.sampled_from([None, "Ana", "Rui Lima", "", "?"])
SOURCES = st.sampled_from([None, "one", "two"])
CLAIMS = st.lists(
    st.builds(Claim, st.just("c"), TEXTS, source=SOURCES, speaker=SPEAKERS, time=TIMES), max_size=7
)
QUERIES = st.builds(Query, st.just("q"), TEXTS, answer=st.one_of(st.none(), TEXTS))
LEXICAL = features_for(answered=True, embedded=False)


def column(name, claims, query):
    return MEASURES[name](Meeting(Passages.of(claims), query)).tolist()


@given(CLAIMS, QUERIES)
def test_each_feature_is_one_finite_number_for_each_item(claims, query):
    table = matrix(Meeting(Passages.of(claims), query), LEXICAL)
    assert table.shape == (len(claims), len(LEXICAL))
    assert np.isfinite(table).all()


@given(CLAIMS, QUERIES)
def test_features_of_the_question_alone_do_not_see_the_answer(claims, query):
    alone = features_for(answered=False, embedded=False)
    passages = Passages.of(claims)
    hidden = Query("q", query.text)
    assert (matrix(Meeting(passages, query), alone) == matrix(Meeting(passages, hidden), alone)).all()


def test_the_features_that_can_be_computed_grow_with_what_is_known():
    counts = [
        len(set(features_for(answered=answered, embedded=embedded)))
        for answered, embedded in ((False, False), (False, True), (True, False), (True, True))
    ]
    assert counts == sorted(counts)
    assert counts[-1] == len(MEASURES)
    assert matrix(Meeting(Passages.of([Claim("c")]), Query("q")), ()).shape == (1, 0)


@given(CLAIMS, QUERIES)
def test_a_phrase_counts_where_its_pairs_stand_side_by_side(claims, query):
    pairs = [pair for pair in pairwise(words(query.text)) if set(pair) - STOPWORDS]
    said = [list(pairwise(words(spoken(claim)))) for claim in claims]
    wanted = [sum(pair in found for pair in pairs) / max(len(pairs), 1) for found in said]
    assert column("asked_phrase", claims, query) == wanted


@given(CLAIMS, QUERIES)
def test_an_answer_stands_word_for_word_or_does_not(claims, query):
    wanted = words(query.answer or "")
    runs = [
        any(said[i : i + len(wanted)] == wanted for i in range(len(said)))
        for said in (words(spoken(claim)) for claim in claims)
    ]
    tells = bool(wanted) and " ".join(wanted) not in STOPWORDS
    assert column("answer_verbatim", claims, query) == [float(tells and run) for run in runs]


@given(CLAIMS, QUERIES)
def test_a_mention_is_a_word_of_the_name_of_a_speaker_whom_the_question_names(claims, query):
    asked = set(words(query.text))
    names = [set(words(claim.speaker or "")) for claim in claims]
    named = {part for name in names if name & asked for part in name}
    wanted = [float(bool(named & set(words(spoken(claim))))) for claim in claims]
    assert column("asked_mention", claims, query) == wanted


def test_the_speaker_whom_a_question_names_stands_out_and_who_says_nothing_of_it_does_not():
    claims = [Claim("c", speaker=speaker) for speaker in ("Ana", "Rui", None, "Mia Ana")]
    assert column("asked_speaker", claims, Query("q", "What did Rui say?")) == [-1, 1, 0, -1]
    assert column("asked_speaker", claims, Query("q", "What did Ana say?")) == [1, -1, 0, 1]
    assert column("asked_speaker", claims, Query("q", "What was said?")) == [0, 0, 0, 0]
    assert column("asked_speaker", claims, Query("q", "Did Ana tell Rui?")) == [0, 0, 0, 0]


@given(CLAIMS)
def test_neighbours_are_those_of_the_same_group(claims):
    passages = Passages.of(claims)
    values = np.arange(1.0, len(claims) + 1)
    together = [a.source == b.source for a, b in pairwise(claims)]
    before = [value * same for value, same in zip(values, together, strict=False)]
    after = [value * same for value, same in zip(values[1:], together, strict=True)]
    assert passages.before(values).tolist() == [0, *before][: len(claims)]
    assert passages.after(values).tolist() == [*after, 0][: len(claims)]


@given(CLAIMS, TEXTS)
def test_windows_and_groups_are_as_if_their_texts_were_read_together(claims, text):
    passages, asked = Passages.of(claims), stems(text)
    said = [stems(spoken(claim)) for claim in claims]
    near = [
        [j for j in (i - 1, i, i + 1) if 0 <= j < len(claims) and claims[i].source == claims[j].source]
        for i in range(len(claims))
    ]
    windows = Lexicon.of_stems([[term for j in places for term in said[j]] for places in near])
    sources = list(dict.fromkeys(claim.source for claim in claims))
    groups = Lexicon.of_stems(
        [[t for c, s in zip(claims, said, strict=True) if c.source == g for t in s] for g in sources]
    )
    assert passages.windows.bm25(asked) == pytest.approx(windows.bm25(asked))
    assert passages.together.bm25(asked) == pytest.approx(groups.bm25(asked))


@given(CLAIMS.filter(len), st.data())
def test_likeness_is_the_cosine_of_rare_words(claims, data):
    passages = Passages.of(claims)
    places = data.draw(st.permutations(range(len(claims))))
    lexicon = passages.lexicon
    table = (lexicon.counts.toarray() > 0) * lexicon.idf
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    unit = table / np.where(lengths > 0, lengths, 1)
    wanted = (unit @ unit.T)[np.ix_(places, places)]
    assert passages.likeness(np.array(places)) == pytest.approx(wanted)


def test_items_can_be_prepared_of_nothing():
    passages = Passages.of([])
    assert passages.lexicon.bm25(["a"]).shape == passages.windows.bm25(["a"]).shape == (0,)
    assert passages.saying(["a"]).shape == passages.spoken_by(["a"]).shape == (0,)


def test_names_of_speakers_are_no_words_to_look_for():
    meeting = Meeting(
        Passages.of([Claim("c", "Ana: I left on 3June", speaker="Ana")]),
        Query("q", "When did Ana leave, 3June or 4June?", answer="three June"),
    )
    assert meeting.asked_terms == ("leav", "3", "june", "4")
    assert meeting.answer_terms == ("3", "june")
    assert meeting.new_terms == ()


def test_a_listed_answer_has_parts_and_each_says_which_items_repeat_it():
    claims = [Claim("c1", "Boats and a red kite."), Claim("c2", "Chess.")]
    query = Query("q", "Hobbies?", answer="chess, red kites; and the")
    shares = answer_parts(Passages.of(claims), query)
    assert [share.tolist() for share in shares] == [[0, 1], [1, 0]]


def test_a_question_for_a_time_or_a_number_looks_for_words_of_that_kind():
    claims = [Claim("c1", "It was last week."), Claim("c2", "I have three boats."), Claim("c3", "Yes.")]
    assert column("asked_when", claims, Query("q", "When was it?")) == [1, 0, 0]
    assert column("asked_count", claims, Query("q", "How many are there?")) == [0, 1, 0]
    assert column("asked_when", claims, Query("q", "Who was it?")) == [0, 0, 0]


def test_an_item_after_a_question_that_fits_is_seen():
    claims = [Claim("c1", "Where are the boats?"), Claim("c2", "In Porto."), Claim("c3", "I see.")]
    assert column("asked_in_question", claims, Query("q", "Where do boats lie?")) == [0, 1, 0]
