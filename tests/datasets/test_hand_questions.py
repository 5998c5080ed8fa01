"""The questions written by hand: each can be graded, because its evidence can be found."""

import json
import re
from collections import Counter

import pytest

LEAST = {6: (48, 10, 6), 10: (20, 4, 2)}  # by book: questions, of two sentences, without an answer
BOOKS = [("odyssey_book06_questions.json", 6), ("odyssey_book10_questions.json", 10)]
each_book = pytest.mark.parametrize(("name", "number"), BOOKS, ids=["VI", "X"])


def questions(fixtures, name):
    return json.loads((fixtures / name).read_text())["questions"]


def book(data, number):
    """The text of a book with single spaces; a heading `BOOK N` begins each but the first."""
    text = (data / "odyssey" / "odyssey_butler_books01-17.txt").read_text()
    return " ".join(re.split(r"\nBOOK [IVXL]+\n", text)[number - 1].split())


def anchor_sets(question):
    return [question["evidence"], *question.get("also", [])] if question["answerable"] else []


@each_book
def test_there_are_enough_questions_of_every_kind(fixtures, name, number):
    least, multi, unanswered = LEAST[number]
    asked = questions(fixtures, name)
    assert len(asked) >= least
    assert len({q["id"] for q in asked}) == len({q["question"] for q in asked}) == len(asked)
    assert {"who", "what", "why", "how many", "when"} <= {q["kind"] for q in asked}
    assert sum(q["multi"] for q in asked) >= multi
    assert sum(not q["answerable"] for q in asked) >= unanswered
    assert all(q["answer"] for q in asked if q["answerable"])
    assert all(not q.keys() & {"answer", "evidence"} for q in asked if not q["answerable"])


@each_book
def test_an_anchor_is_three_to_six_words_that_stand_once_in_the_book(data, fixtures, name, number):
    text = book(data, number)
    anchors = [a for q in questions(fixtures, name) for each in anchor_sets(q) for a in each]
    assert len(anchors) >= LEAST[number][0] - LEAST[number][2]
    assert [anchor for anchor in anchors if text.count(anchor) != 1] == []
    assert {len(anchor.split()) for anchor in anchors} <= {3, 4, 5, 6}


@each_book
def test_a_question_that_needs_two_sentences_has_anchors_in_two(data, fixtures, name, number):
    text = book(data, number)
    starts = [found.end() for found in re.finditer(r"[.!?]['\"]*\s+(?=[\"'A-Z])", text)]
    for question in questions(fixtures, name):
        for anchors in anchor_sets(question):
            homes = {sum(start <= text.index(anchor) for start in starts) for anchor in anchors}
            assert (len(homes) > 1) == question["multi"], question["id"]
            assert not question["multi"] or len(homes) == len(anchors)


@each_book
def test_no_question_copies_the_book(data, fixtures, name, number):
    text = re.sub(r"\W+", " ", book(data, number).lower())
    for question in questions(fixtures, name):
        told = re.sub(r"\W+", " ", question["question"].lower()).split()
        runs = [" ".join(told[i : i + 8]) for i in range(len(told) - 7)]
        assert [run for run in runs if run in text] == []


def test_the_chat_has_two_days_two_speakers_and_no_questions(fixtures):
    chat = json.loads((fixtures / "chat_export.json").read_text())
    assert set(chat) == {"id", "title", "messages"}
    assert len(chat["messages"]) == 60
    assert Counter(message["role"] for message in chat["messages"]) == {"user": 30, "assistant": 30}
    times = [message["timestamp"] for message in chat["messages"]]
    assert times == sorted(times)
    assert sorted({time[:10] for time in times}) == ["2026-04-11", "2026-04-13"]


def test_the_chat_questions_name_messages_that_exist(fixtures):
    asked = questions(fixtures, "chat_export_questions.json")
    assert len(asked) == 20
    for question in asked:
        sets = anchor_sets(question)
        numbers = [n for each in sets for n in each] + question.get("outdated", [])
        assert set(numbers) <= set(range(1, 61)), question["id"]
        assert question["multi"] == (len(question["evidence"]) > 1)
        assert set(question["evidence"]).isdisjoint(question.get("outdated", []))
    assert sum("outdated" in question for question in asked) == 5
