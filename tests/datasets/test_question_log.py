"""A log of asked questions: what is one question, what stays apart, and what cannot be read."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.datasets import load, merge, read_questions, save, with_questions
from memspan.datasets.question_merging import SHARED, Meaning, is_slip, leaders, meanings
from memspan.errors import FileError
from memspan.material import Claim, Material

WORDS = st.sampled_from(
    [
        "kitchen",
        "garden",
        "train",
        "ticket",
        "ladder",
        "winter",
        "Ana",
        "Porto",
        "Tom",
        "why",
        "who",
        "not",
        "paint",
        "7",
        "8",
    ]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=9).map(" ".join)


@pytest.fixture
def log(tmp_path):
    def write(content, name="log", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write


def lines(*rows):
    return "\n".join(json.dumps(row) for row in rows)


def asked(path):
    return [(query.text, query.weight) for query in read_questions(path).queries]


def together(*texts):
    return len(set(leaders(list(dict.fromkeys(meanings(texts))), [1] * len(set(meanings(texts)))))) == 1


# --- shapes -------------------------------------------------------------------------------------

ROWS = [
    {"question": "Where does Ana live?", "answer": "Porto", "correct": "1", "time": "2026-03-01"},
    {"question": "Who paints, and why?", "answer": 'Tom, "the" painter', "correct": "0", "time": ""},
]


def table(delimiter):
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(ROWS[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(ROWS)
    return text.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        lines(*ROWS),
        json.dumps(ROWS),
        json.dumps({"questions": ROWS}),
        json.dumps(ROWS, indent=2),
        table(","),
        table("\t"),
        table(";"),
        table(",").replace("question,answer", " Question ,ANSWER"),
        "\ufeff" + table(","),
        table(",").replace("\r\n", "\n") + "\n\n",
    ],
    ids=["lines", "list", "object", "indented", "csv", "tsv", "semicolon", "header", "mark", "blank lines"],
)
def test_every_shape_of_a_log_says_the_same(log, content):
    path = log(content)
    told = read_questions(path)
    assert [(q.id, q.text, q.answer, q.weight) for q in told.queries] == [
        ("q1", "Where does Ana live?", "Porto", 1),
        ("q2", "Who paints, and why?", 'Tom, "the" painter', 1),
    ]
    assert [(s.query, s.correct, s.settler) for s in told.settlements] == [("q1", 1, "log"), ("q2", 0, "log")]
    assert told.queries[0].time == "2026-03-01"
    assert told.source == "log"
    assert told.dropped == ()


def test_another_encoding_is_read_when_it_is_named(log):
    path = log("question\nWo wohnt Jürgen?\n", encoding="utf-16")
    with pytest.raises(FileError, match="UTF-16"):
        read_questions(path)
    assert asked_in(path, "utf-16") == ["Wo wohnt Jürgen?"]


def asked_in(path, encoding):
    return [query.text for query in read_questions(path, encoding=encoding).queries]


def test_fields_that_memspan_does_not_know_are_kept(log):
    query = read_questions(
        log(lines({"query": "Who?", "user": "u7", "session": 3, "answerable": False}))
    ).queries[0]
    assert query.extra == {"user": "u7", "session": 3, "asked": 1}
    assert not query.answerable


@pytest.mark.parametrize(
    ("given_time", "kept"),
    [
        (1767225600, "2026-01-01T00:00:00Z"),
        ("1767225600000", "2026-01-01T00:00:00Z"),
        ("noon", "noon"),
        (7, "7"),
    ],
)
def test_times_become_iso_where_their_notation_is_known(log, given_time, kept):
    assert read_questions(log(lines({"text": "Who?", "timestamp": given_time}))).queries[0].time == kept


# --- merging ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Where does Ana live?", "where does ANA live"),
        ("Where does Ana live?", "Please, where does Ana live"),
        ("When did Ana paint the kitchen?", "When was Ana painting the kitchen?"),
        ("Where is the key of the shed?", "The shed key: where is it?"),
        ("When did Ana move to Porto?", "When did Ana move to Portto?"),
        (
            "Why did the old painter sell the house near the river?",
            "Why did the old painter sell the big house near the river?",
        ),
    ],
)
def test_wordings_of_one_question_are_merged(left, right):
    assert together(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Who did Ana call?", "Who called Ana?"),
        ("I saw: did Ana call Tom?", "I saw: did Tom call Ana?"),
        ("When did she leave?", "Where did she leave?"),
        ("Where do I live?", "Where does he live?"),
        ("Is the path safe?", "Is the path not safe?"),
        ("Where did she move from?", "Where did she move to?"),
        ("What happened before the war?", "What happened after the war?"),
        ("How old was Tom in 2019?", "How old was Tom in 2020?"),
        ("When did Maria leave the town?", "When did Marie leave the town?"),
        ("What is the name of the brother?", "What is the name of the sister?"),
        ("What did the mother of Ana cook?", "What did Ana cook?"),
    ],
)
def test_questions_that_differ_in_one_telling_word_stay_apart(left, right):
    assert not together(left, right)


def test_weights_add_as_decimals_and_nothing_is_merged_in_silence(log):
    rows = [{"question": "Where is Ana?", "count": 0.1}] * 9 + [{"question": "where is ana", "count": 0.1}]
    told = read_questions(log(lines(*rows, {"question": "Who came?", "count": "12"})))
    assert [(q.text, q.weight, q.extra["asked"]) for q in told.queries] == [
        ("Where is Ana?", 1.0, 10),
        ("Who came?", 12, 1),
    ]
    assert told.queries[0].extra["wordings"] == ["where is ana"]
    assert [(d.record, d.kept) for d in told.dropped] == [("query q1", True)]
    assert told.rows == 11


def test_conflicting_answers_stay_apart_and_are_told(log):
    rows = [
        {"question": "Where does Ana live?", "answer": "Porto", "count": 3},
        {"question": "where does ana live", "answer": "Lisbon"},
        {"question": "Where does Ana live", "answer": "the Porto."},
        {"question": "Where DOES Ana live?", "count": 5},
    ]
    told = read_questions(log(lines(*rows)))
    assert [(q.answer, q.weight) for q in told.queries] == [("Porto", 9), ("Lisbon", 1)]
    conflict = next(d for d in told.dropped if d.field == "answer")
    assert "Porto" in conflict.reason
    assert "Lisbon" in conflict.reason
    assert "kept apart" in conflict.reason


def test_a_refusal_is_another_answer(log):
    rows = [{"question": "Who?", "answer": "Ana"}, {"question": "who", "answerable": False}]
    assert [q.answerable for q in read_questions(log(lines(*rows))).queries] == [True, False]


@given(
    st.lists(st.tuples(TEXTS, st.integers(0, 9), st.sampled_from([None, "x", "y"])), min_size=1, max_size=30)
)
@settings(max_examples=60)
def test_weight_rows_and_outcomes_are_kept_whatever_is_merged(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("log") / "log.jsonl"
    path.write_text(lines(*({"question": q, "count": w, "answer": a, "correct": 1} for q, w, a in rows)))
    told = read_questions(path)
    assert sum(query.weight for query in told.queries) == sum(weight for _, weight, _ in rows)
    assert sum(query.extra["asked"] for query in told.queries) == len(rows) == len(told.settlements)
    texts = {" ".join(text.split()) for text, _, _ in rows}
    assert {query.text for query in told.queries} <= texts
    Material("m", queries=told.queries, settlements=told.settlements)
    assert read_questions(path) == told


def near(left, right):
    """The plain twin: two meanings compared word by word, slips apart."""
    few, many = sorted((left, right), key=lambda meaning: len(meaning.stems))
    more = set(many.stems) - set(few.stems)
    extra = more.pop() if len(more) == 1 else ""
    return (
        len(few.stems) >= SHARED
        and set(few.stems) <= set(many.stems)
        and extra.isalpha()
        and extra not in many.names
        and (left.turns, left.names) == (right.turns, right.names)
    )


@given(st.lists(st.tuples(TEXTS, st.integers(1, 9)), min_size=1, max_size=40))
def test_blocking_finds_what_comparing_each_with_each_finds(rows):
    meant = list(dict.fromkeys(meanings([text for text, _ in rows])))
    weights = [weight for _, weight in rows][: len(meant)]
    speaker = leaders(meant, weights)
    order = sorted(range(len(meant)), key=lambda i: (-weights[i], i))
    plain = list(range(len(meant)))
    for place, i in enumerate(order):
        free = [j for j in order[:place] if plain[j] == j and near(meant[i], meant[j])]
        plain[i] = free[0] if free else i
    assert speaker == plain


def test_thousands_of_questions_of_one_pattern_stay_apart():
    texts = [f"What is the capital of land{chr(97 + i % 26)}{i}x today?" for i in range(6_000)]
    meant = list(dict.fromkeys(meanings(texts)))
    assert leaders(meant, [1] * len(meant)) == list(range(6_000))


# --- faults -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"question\nWo wohnt J\xfcrgen?\n", "not UTF-8"),
        (b"", "is empty"),
        (b"question\nWho\x00?\n", "zero byte"),
        (b"question\n" + b"Why? " * 20_000 + b"\nWho\x00?\n", "line 3: holds a zero byte"),
        (b"a,b\n1,2\n", 'columns are "a", "b", and none holds the question; name one of them question'),
        (b"Where does Ana live?\nWho came?\n", "put a first line that says question"),
        (b"question\n", "holds no row"),
        (
            b"question,answer\nWho came, and when?,Ana\n",
            "line 2: has 3 fields where the header has 2; put quotes",
        ),
        (b"question,answer\nWho came?\n", "line 2: has 1 fields where the header has 2; fill the row up"),
        (b'question,answer\n"Who came?,Ana\nWhy?,so\n', "line 2: begins a quoted text that is never closed"),
        (b'question,answer\n"Who" came?,Ana\n', "line 2: is no sound row"),
        (b"question,answer\n" + b"x" * 200_000 + b",Ana\n", "more than 131,072 characters"),
        (b"question,question\nWho?,What?\n", "names two columns"),
        (b'{"question": "Who?"}\n{"question": \n', "line 2: is not JSON"),
        (b'[{"question": "Who?"}, 7]', "records[1]: is 7"),
        (b"[]", "holds no row"),
        (b'{"answer": "Ana"}\n{"answer": "Tom"}\n', 'fields are "answer"'),
        (b'{"question": ""}\n{"question": 7}\n', "no question is left"),
        (b"question\n???\n", "holds no word"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_cure(log, content, said):
    with pytest.raises(FileError) as error:
        read_questions(log(content))
    assert said in str(error.value)


def test_all_ragged_rows_are_named_at_once(log):
    with pytest.raises(FileError) as error:
        read_questions(log("question,answer\nWho?\nWhy?,so\nA, b, c?\n"))
    assert [fault.record for fault in error.value.faults] == ["line 2", "line 4"]


def test_an_unknown_encoding_and_a_missing_file_are_clear(log, tmp_path):
    with pytest.raises(FileError, match="names no encoding"):
        read_questions(log("question\nWho?\n"), encoding="utf-9")
    with pytest.raises(FileError, match="is not ascii"):
        read_questions(log("question\nWer läuft?\n"), encoding="ascii")
    for encoding in ("utf-8", "cp1252"):
        with pytest.raises(FileError):
            read_questions(tmp_path / "nothing.csv", encoding=encoding)
    with pytest.raises(FileError, match="is empty"):
        read_questions(log(" "), encoding="cp1252")


def test_what_cannot_be_read_in_a_row_is_told_once_for_each_kind(log):
    rows = [{"question": f"Who was number {i}?", "score": "nice", "weight": "heavy"} for i in range(50)]
    told = read_questions(
        log(lines(*rows, {"question": None}, {"question": "?" * 9}, {"text": "x" * 30_000}))
    )
    assert len(told.queries) == 50
    assert told.settlements == ()
    assert {d.field: d.record for d in told.dropped if d.kept} == {
        "score": "line 1 and 49 more rows",
        "weight": "line 1 and 49 more rows",
    }
    assert sum(not d.kept for d in told.dropped) == 3


@pytest.mark.parametrize(
    ("word", "correct"),
    [
        ("right", 1),
        ("Wrong", 0),
        (True, 1),
        ("0.25", 0.25),
        (0, 0),
        ("unknown", None),
        (None, None),
        (3, None),
    ],
)
def test_outcomes_are_words_or_shares(log, word, correct):
    told = read_questions(log(lines({"question": "Who?", "outcome": word})))
    assert [s.correct for s in told.settlements] == ([] if correct is None else [correct])


@given(st.binary(max_size=300))
@settings(max_examples=150)
def test_any_bytes_are_read_or_refused(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("log") / "log"
    path.write_bytes(b"question\n" + content)
    try:
        told = read_questions(path)
    except FileError:
        return
    assert told.queries


# --- the label ----------------------------------------------------------------------------------


def test_the_label_survives_the_file_format_and_a_union(log, tmp_path):
    told = read_questions(log(lines({"question": "Who?", "correct": 1})))
    plain = Material("a", (Claim("c", "Ana came."),))
    assert plain.question_source == "given"
    labelled = with_questions(plain, told)
    assert labelled.question_source == "log"
    assert labelled.settlements == told.settlements
    save([labelled], tmp_path / "m.json")
    assert load(tmp_path / "m.json")[0].question_source == "log"
    made = replace(plain, id="b", extra={"questions": "template"})
    assert merge([labelled, made], "both").question_source == "template"
    assert merge([plain, replace(plain, id="c")], "both").question_source == "given"


def test_the_questions_written_by_hand_can_be_read_as_a_log(fixtures: Path):
    told = read_questions(fixtures / "odyssey_book06_questions.json")
    assert len(told.queries) == 71
    assert sum(not query.answerable for query in told.queries) == 6
    assert all(query.extra["evidence"] for query in told.queries if query.answerable)


@given(st.text("abco", min_size=5, max_size=8), st.integers(0, 6), st.booleans())
def test_a_slip_in_a_word_is_found(word, place, doubles):
    place = min(place, len(word) - 2)
    exchanged = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    other = word[: place + 1] + word[place:] if doubles else exchanged
    meant = [Meaning((stem, "zebra"), ("who",)) for stem in dict.fromkeys([word, other])]
    assert leaders(meant, [1] * len(meant)) == [0] * len(meant)
    assert word == other or is_slip(word, other)
