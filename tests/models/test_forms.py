"""A form is found in whatever surrounds it, and never in a part of a broken one."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from memspan.models.forms import fill, instruction, schema_of


class Note(BaseModel):
    """A form that anything fits."""

    text: str = ""
    tags: list[str] = []


class Book(BaseModel):
    """A form with parts."""

    notes: list[Note]


prose = st.text("so, here: é\n`<>", max_size=20)
books = st.builds(Book, notes=st.lists(st.builds(Note, text=st.text(max_size=9)), max_size=3))


@given(books, prose, prose)
def test_a_document_is_found_in_any_prose(book, before, after):
    filled = fill(before + book.model_dump_json() + after, Book)
    assert filled.value == book
    assert Book.model_validate_json(filled.text) == book


@given(books, st.data())
def test_a_document_that_is_cut_short_never_fits(book, data):
    whole = book.model_dump_json()
    assert fill(whole[: data.draw(st.integers(0, len(whole) - 1))], Book).value is None


def test_a_part_of_a_broken_document_is_not_taken_for_it():
    assert fill('{"notes": [{"text": "a"}', Note).value is None


@given(st.text(max_size=40))
def test_any_text_is_read_and_a_misfit_says_why(text):
    filled = fill(text, Book)
    assert (filled.value is None) == bool(filled.problem)


def test_text_in_brackets_before_the_document_is_passed_over():
    assert fill('[1] as {they} say: {"notes": []} {"notes": [{}]}', Book).value == Book(notes=[])


@pytest.mark.parametrize("text", ["{" * 10**5, '{"' * 10**5, "[]" * 10**5, '"\\' * 10**5, "<think>" * 10**5])
def test_a_flood_of_brackets_is_read_once(text):
    start = time.monotonic()
    assert fill(text, Book).value is None
    assert time.monotonic() - start < 10


def test_many_faults_are_told_in_few_words():
    told = fill('{"notes": [1, 2, 3, 4, 5, 6, 7]}', Book).problem
    assert "notes.0" in told
    assert told.endswith("and 2 more")


def test_every_object_of_a_schema_is_strict():
    schema = schema_of(Book)
    note = schema["$defs"]["Note"]
    assert (note["required"], note["additionalProperties"]) == (["text", "tags"], False)
    assert '"notes"' in instruction(Book)
