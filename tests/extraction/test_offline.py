"""Laws of offline extraction: every claim is where it says, and nothing is lost."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from memspan.datasets import load, save
from memspan.errors import UnknownName
from memspan.extraction import UNITS, claims_of, extract, read_text
from memspan.extraction.claims import LONG_SENTENCE, LONG_TURN
from memspan.language.tokens import count_tokens
from memspan.material import Claim, Material
from memspan.optimum.costs import claim_costs

LINES = [
    "# Trip",
    "BOOK II",
    "2 March 2026",
    "**Monday, 2 March 2026:**",
    "Ana: I moved to Porto yesterday.",
    "[2024-03-02 10:15] Rui: My cat, my cat!",
    "- one **thing** and _another *one*_ in `code`",
    "2. another thing",
    "> Quoted, she said.",
    "| name | town |",
    "|---|---|",
    "| Ana | Porto |",
    "```",
    "x = I + me",
    '"I love it," he said. He left.',
    "",
    "",
    "***",
    "你好。我很好！",  # noqa: RUF001 - Chinese
    "\u05e9\u05dc\u05d5\u05dd. \u05de\u05d4 \u05e9\u05dc\u05d5\u05de\u05da?",
    "🎉🎉 Great! 👍",
    "a rather long line of prose that was wrapped by hand somewhere, as books are,",
    "and goes on in the next line. Then comes Mr. Smith from the U.S. with 3.5 pounds.",
]
TEXTS = st.lists(st.sampled_from(LINES) | st.text(max_size=30), min_size=1, max_size=12).map("\n".join)
SPEAKERS = st.sampled_from(["user", "assistant", "Ana", "Rui"])
CHATS = st.lists(
    st.fixed_dictionaries({"role": SPEAKERS, "content": TEXTS | st.just("") | st.none()}),
    min_size=1,
    max_size=5,
)


def documents_of(text, **options):
    assume(text.strip())
    assume("\x00" not in text)
    assume(not text.lstrip().startswith(("{", "[", "<")) or "kind" in options)
    return read_text(text, **options)


def same_words(claim, words):
    """Whether a claim's quote, or else its text, are the *words* of the source."""
    return words == claim.quote if claim.quote is not None else words.split() == claim.text.split()


def check_places(document, material):
    place = dict.fromkeys(document.texts, 0)
    for claim in material.claims:
        assert same_words(claim, document.words_of(claim))
        assert place[claim.source] <= claim.span[0] < claim.span[1]
        place[claim.source] = claim.span[1]
        assert claim.costs == {"tokens": count_tokens(claim.text)}


@given(
    TEXTS,
    st.sampled_from(["text", "markdown", "transcript"]),
    st.sampled_from([None, "sentence", "paragraph"]),
)
@example("a\x1c\nb", "text", None)
@example("\ud800 half", "text", None)
def test_every_claim_of_a_text_stands_in_the_source_as_it_says(text, kind, unit):
    for document in documents_of(text, kind=kind, time="2024-03-02"):
        check_places(document, claims_of(document, unit=unit, splitter="plain"))


@given(CHATS, st.sampled_from([None, *UNITS]))
def test_every_claim_of_a_chat_stands_in_its_message_as_it_says(chat, unit):
    assume(any((message["content"] or "").strip() for message in chat))
    for document in read_text(json.dumps(chat), time="2024-03-02"):
        check_places(document, claims_of(document, unit=unit, splitter="plain"))


@given(TEXTS, st.sampled_from(["text", "transcript"]), st.sampled_from(["sentence", "paragraph"]))
def test_no_letter_of_a_plain_text_is_lost_in_silence(text, kind, unit):
    (document,) = documents_of(text, kind=kind)
    material = claims_of(document, unit=unit, splitter="plain")
    left = list(text)
    for start, end in [*document.headings, *(claim.span for claim in material.claims)]:
        left[start:end] = " " * (end - start)
    assert ("headings" in str(material.dropped) or "names" in str(material.dropped)) == bool(
        document.headings
    )
    silent = re.findall(r"[^\W_]+", "".join(left))
    assert all(re.fullmatch(r"\d{1,3}|[a-z]", mark) for mark in silent), "marks of lists alone may be left"


@given(TEXTS)
def test_windows_line_ends_give_the_same_texts(text):
    assume("\r" not in text)
    (unix,) = documents_of(text, kind="text")
    (windows,) = documents_of(text.replace("\n", "\r\n"), kind="text")
    said = [[claim.text for claim in claims_of(each, splitter="plain").claims] for each in (unix, windows)]
    assert said[0] == said[1]


@given(TEXTS)
def test_extraction_says_the_same_each_time(text):
    documents = documents_of(text)
    assert [claims_of(document) for document in documents] == [claims_of(d) for d in documents_of(text)]


@given(st.text(max_size=80))
def test_tokens_are_counted_as_frontiers_count_them(text):
    material = Material("m", (Claim("c", text),))
    assert claim_costs(material, "tokens").tolist() == [count_tokens(text)]


def test_a_sentence_that_never_ends_is_cut_at_blanks():
    text = "word " * 3_000 + "x" * 5_000
    material = claims_of(read_text(text)[0])
    assert max(claim.span[1] - claim.span[0] for claim in material.claims) <= LONG_SENTENCE
    assert "".join(claim.text for claim in material.claims).replace(" ", "") == text.replace(" ", "")


def test_a_long_turn_is_told_in_sentences_and_a_short_one_whole():
    long = "I like tea a lot. " * (LONG_TURN // 18 + 2)
    (document,) = read_text(
        json.dumps([{"role": "Ana", "content": "Hi. Bye."}, {"role": "Rui", "content": long}])
    )
    claims = claims_of(document).claims
    assert claims[0].text == "Hi. Bye."
    assert [claim.id for claim in claims[:3]] == ["m1", "m2.1", "m2.2"]
    assert claims[1].text == "Rui likes tea a lot."
    assert len(claims_of(document, unit="turn").claims) == 2


def test_what_holds_no_word_is_left_out_and_told():
    material = claims_of(read_text("One.\n\n***\n\n👍\n\nTwo.", kind="text")[0])
    assert [claim.text for claim in material.claims] == ["One.", "👍", "Two."]
    assert [(d.record, d.kept) for d in material.dropped] == [("text[6:9]", False)]
    many = claims_of(read_text("One.\n\n" + "***\n\n" * 500, kind="text")[0])
    assert "400 more" in many.dropped[-1].reason


def test_a_unit_that_a_text_has_not_is_refused():
    (document,) = read_text("Just a text.")
    with pytest.raises(UnknownName, match="no turns; choose sentence or paragraph"):
        claims_of(document, unit="turn")
    with pytest.raises(UnknownName, match="choose one of turn, sentence, paragraph"):
        claims_of(document, unit="word")


def test_claims_are_saved_and_loaded_as_they_are(tmp_path):
    source = tmp_path / "talk.txt"
    source.write_text(
        "Ana: I moved yesterday.\nRui: \u05e9\u05dc\u05d5\u05dd 🎉\nAna: Bye.\n", encoding="utf-8"
    )
    materials = extract(source, time="2024-03-02")
    save(materials, tmp_path / "talk.claims.json")
    assert load(tmp_path / "talk.claims.json") == materials


def test_progress_is_told():
    told = []
    claims_of(read_text("One.\n\nTwo.")[0], report=lambda done, of: told.append((done, of)))
    assert told == [(0, 2), (1, 2)]


def test_the_sixth_book_is_found_under_its_heading(data, tmp_path):
    book = (data / "odyssey" / "odyssey_butler_books01-17.txt").read_text(encoding="utf-8")
    sixth = tmp_path / "six.txt"
    sixth.write_text(book[book.index("BOOK VI\n") : book.index("BOOK VII\n")], encoding="utf-8")
    (material,) = extract(sixth)
    assert 90 <= len(material.claims) <= 200
    assert {claim.source for claim in material.claims} == {"six.txt, BOOK VI"}


def test_turns_of_real_dialogues_are_claims_under_their_own_ids(data):
    path: Path = data / "locomo" / "locomo10_dev.json"
    ours = extract(path, unit="turn")
    theirs = load(path)
    assert [material.id for material in ours] == [material.id for material in theirs]
    for mine, annotated in zip(ours, theirs, strict=True):
        known = {claim.id: claim for claim in annotated.claims}
        assert len(mine.claims) >= len(known) - 1
        assert all((c.speaker, c.time) == (known[c.id].speaker, known[c.id].time) for c in mine.claims)
        assert all(c.quote or c.text for c in mine.claims)


def test_claims_are_the_same_whatever_is_installed_and_say_how_they_were_split():
    (document,) = read_text("I have the ticket 4471-B. I walked to the pier.")
    material = claims_of(document)
    assert material.extra["extracted"]["splitter"] == "plain"
    assert [claim.text for claim in material.claims] == ["I have the ticket 4471-B.", "I walked to the pier."]
    pytest.importorskip("syntok")
    assert claims_of(document, splitter="syntok").extra["extracted"]["splitter"] == "syntok"
