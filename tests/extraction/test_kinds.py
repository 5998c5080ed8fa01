"""What a text is, is told by its content; and each kind is read in its own way."""

import json

import pytest

from memspan.errors import FileError, MemspanError, UnknownName
from memspan.extraction import claims_of, read_text


def said(text, **options):
    (document,) = read_text(text, **options)
    return [(claim.source, claim.text) for claim in claims_of(document).claims]


def turns(value, **options):
    text = value if isinstance(value, str) else json.dumps(value)
    return [[(p.speaker, p.time, p.text) for p in d.passages] for d in read_text(text, **options)]


MARKDOWN = """\
# Trip

Ana went to *Porto*. It rained.

## Packing ##

- a coat
- [ ] two shirts, one
  of them red

| who | brings |
|-----|--------|
| Ana | tea    |
| Rui |        |

> She said: stay.
> They stayed.

```python
I = my + me
```

Home
----
1. The end.
"""


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("One sentence. Another.", "text"),
        ("To do:\n- buy milk\n- call Ana\n", "text"),
        ("Note: bring shoes\nPlace: Porto\nDate: May\n", "text"),
        ("I met Ana: she was well.\nWe ate. We talked. Then\nwe left.", "text"),
        (MARKDOWN, "markdown"),
        ("See [the page](https://example.org) for more.", "markdown"),
        ("Ana: Hi!\nRui: Hello.\nAna: So?", "transcript"),
        ("[2024-03-02 10:15] Ana: Hi!\n[2024-03-02 10:16] Rui: Hello.", "transcript"),
        ("02/03/2024, 10:15 - Ana: Hi!\n02/03/2024, 10:16 - Rui: Hello.", "transcript"),
        ('[{"role": "user", "content": "Hi"}]', "chat"),
        ('{"role": "user", "content": "Hi"}\n{"role": "assistant", "content": "Yes?"}', "chat"),
        ('\ufeff{"messages": [{"role": "user", "content": "Hi"}]}', "chat"),
    ],
)
def test_the_content_tells_the_kind(text, kind):
    assert {document.kind for document in read_text(text)} == {kind}


def test_headings_of_a_plain_text_name_what_follows():
    text = "Before it all.\n\nBOOK II\n\nHe sailed.\n\nChapter 3. Home\n\nHe came home.\n\nBOOK III\nThe end."
    assert said(text, name="ody.txt") == [
        ("ody.txt", "Before it all."),
        ("ody.txt, BOOK II", "He sailed."),
        ("ody.txt, BOOK II > Chapter 3. Home", "He came home."),
        ("ody.txt, BOOK III", "The end."),
    ]


def test_a_paragraph_about_a_chapter_is_no_heading():
    assert said("Chapter 3 of the treaty is long.\n\nHe read.", name="t") == [
        ("t", "Chapter 3 of the treaty is long."),
        ("t", "He read."),
    ]


def test_wrapped_lines_are_joined_and_other_lines_are_not():
    line = "this line is about as long as the lines of a printed book are, more or less"
    assert len(said("\n".join(["The start of", *[line] * 4]))) == 1
    assert [text for _, text in said("Buy milk\nCall Ana\nand Rui\n- pay the rent")] == [
        "Buy milk",
        "Call Ana and Rui",
        "pay the rent",
    ]


def test_markdown_is_read_with_its_headings_lists_tables_and_code():
    assert said(MARKDOWN, name="n.md") == [
        ("n.md, Trip", "Ana went to Porto."),
        ("n.md, Trip", "It rained."),
        ("n.md, Trip > Packing", "a coat"),
        ("n.md, Trip > Packing", "[ ] two shirts, one of them red"),
        ("n.md, Trip > Packing", "who: Ana; brings: tea"),
        ("n.md, Trip > Packing", "who: Rui"),
        ("n.md, Trip > Packing", "She said: stay."),
        ("n.md, Trip > Packing", "They stayed."),
        ("n.md, Trip > Packing", "I = my + me"),
        ("n.md, Trip > Home", "The end."),
    ]


def test_marks_of_emphasis_are_left_out_and_the_quote_keeps_them():
    text = "# A\n\nGo _north_ **today**, then `run` `a b`: 2 * 3 * 4, snake_case_x, \\*no\\*, **open."
    (document,) = read_text(text, time="2024-03-02")
    (claim,) = claims_of(document).claims
    assert claim.text == (
        "Go north today (2024-03-02), then run `a b`: 2 * 3 * 4, snake_case_x, \\*no\\*, **open."
    )
    assert claim.quote == document.words_of(claim) == text[5:]
    (plain,) = read_text("Go **north** now.", kind="text")
    assert claims_of(plain).claims[0].text == "Go **north** now."


def test_the_first_row_of_a_table_is_no_claim_where_rows_are_named_by_it():
    table = "| who | brings |\n|---|---|\n"
    assert said(f"{table}| **Ana** | tea |\n", name="t") == [("t", "who: Ana; brings: tea")]
    assert said(table, name="t") == [("t", "| who | brings |")]
    assert said("| who | brings |\n| Ana | tea |\n", kind="markdown", name="t")[0] == (
        "t",
        "| who | brings |",
    )


def test_a_fence_that_is_never_closed_is_code_to_the_end():
    (document,) = read_text("# A\n```\nx = 1\ny = 2\n")
    assert [passage.form for passage in document.passages] == ["code"]


TALK = """\
Minutes of a meeting

Session 1

[2024-03-02 10:15] Ana: I moved.
Twice, in fact.
Note: she laughed.
[2024-03-02 10:16] Rui Silva: When?
"""


def test_a_transcript_has_turns_with_speakers_and_times():
    (document,) = read_text(TALK, name="talk")
    assert [(p.source, p.speaker, p.time, p.text[p.start : p.end]) for p in document.passages] == [
        ("talk, turn 1", None, None, "Minutes of a meeting"),
        (
            "talk, Session 1, turn 2",
            "Ana",
            "2024-03-02T10:15",
            "I moved.\nTwice, in fact.\nNote: she laughed.",
        ),
        ("talk, Session 1, turn 3", "Rui Silva", "2024-03-02T10:16", "When?"),
    ]


def times_of(text, **options):
    (document,) = read_text(text, kind="transcript", **options)
    return [passage.time for passage in document.passages], document.dropped


def test_the_order_of_day_and_month_is_told_by_the_file_or_not_at_all():
    days = "[02/03/2024, 10:15:12] Ana: Hi\n[{}/03/2024, 10:16:00] Rui: Yes"
    assert times_of(days.format("13"))[0] == ["2024-03-02T10:15:12", "2024-03-13T10:16:00"]
    times, dropped = times_of(days.format("03"))
    assert times[0] == "02/03/2024, 10:15:12"
    assert "no certain reading" in dropped[0].reason


def test_clock_times_belong_to_the_day_above_or_to_the_anchor():
    assert times_of("--- 2 March 2024 ---\nAna [10:15]: Hi\nRui [10:16]: Yes")[0] == [
        "2024-03-02T10:15",
        "2024-03-02T10:16",
    ]
    assert times_of("10:15 Ana: Hi", time="2024-03-02")[0] == ["2024-03-02T10:15"]
    assert times_of("[00:12:31] Ana: Hi")[0] == ["00:12:31"]


HI, YES = {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}
BOTH = [("user", None, "Hi"), ("assistant", None, "Yes?")]


@pytest.mark.parametrize(
    "value",
    [
        [HI, YES],
        {"messages": [HI, YES], "model": "m"},
        [{"messages": [HI, YES]}],
        {"conversations": [{"from": "user", "value": "Hi"}, {"from": "assistant", "value": "Yes?"}]},
        {"data": {"history": [HI, YES]}},
        {"id": "x", "sessions": [[HI], [YES]]},
        {"sessions": [{"messages": [HI]}, {"messages": [YES]}]},
        [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}, YES],
        [{"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["Hi"]}}, YES],
        '{"role": "user", "content": "Hi"}\n\n{"role": "assistant", "content": "Yes?"}\r\n',
    ],
    ids=range(10),
)
def test_messages_are_found_wherever_they_lie(value):
    assert turns(value) == [BOTH]


def test_each_conversation_of_a_file_is_a_document():
    value = [{"title": "one", "messages": [HI]}, {"title": "one", "messages": [YES]}, {"messages": [HI]}]
    assert [document.id for document in read_text(json.dumps(value), name="chats.json")] == [
        "one",
        "one#2",
        "chats 3",
    ]
    lines = "\n".join(json.dumps(each) for each in value)
    assert len(read_text(lines)) == 3


def test_a_tree_of_messages_is_read_to_its_current_leaf():
    def node(parent, children, message):
        return {"parent": parent, "children": children, "message": message}

    tree = {
        "root": node(None, ["a"], None),
        "a": node(
            "root",
            ["b", "c"],
            {"author": {"role": "user"}, "content": {"parts": ["Hi"]}, "create_time": 1709374500.5},
        ),
        "b": node("a", [], {"author": {"role": "assistant"}, "content": {"parts": ["Old."]}}),
        "c": node("a", [], {"author": {"role": "assistant"}, "content": {"parts": ["New."]}}),
    }
    (document,) = read_text(json.dumps({"title": "t", "mapping": tree, "current_node": "c"}))
    assert [(p.speaker, p.text) for p in document.passages] == [("user", "Hi"), ("assistant", "New.")]
    assert document.passages[0].time == "2024-03-02T10:15:00Z"
    assert "1 message on other branches" in document.dropped[0].reason
    loop = {"a": node("b", ["b"], HI), "b": node("a", ["a"], YES)}
    assert len(read_text(json.dumps({"mapping": loop, "current_node": "a"}))[0].passages) == 2


def test_sessions_of_dialogues_keep_their_numbers_times_and_turn_ids():
    talk = {
        "speaker_a": "Ana",
        "session_2": [{"speaker": "Ana", "dia_id": "D2:1", "text": "I moved yesterday."}],
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_10": [{"speaker": "Rui", "dia_id": "D10:1", "text": "Look!", "blip_caption": "a red house"}],
    }
    (document,) = read_text(json.dumps([{"sample_id": "talk", "qa": [], "conversation": talk}]))
    claims = claims_of(document).claims
    assert [(c.id, c.source, c.time, c.text) for c in claims] == [
        ("D2:1", "text, session 2, message 1", "2023-05-08T13:56", "Ana moved yesterday (2023-05-07)."),
        ("D10:1", "text, session 10, message 2", None, "Look! (image: a red house)"),
    ]


def test_what_a_message_does_not_say_in_text_is_told():
    value = [
        {
            "role": "user",
            "content": [{"type": "image_url", "image_url": {"url": "x"}}, {"type": "text", "text": "See"}],
        },
        {"role": "assistant", "content": None, "tool_calls": [{}]},
        {"role": "user", "content": "half \ud83d"},
        "no message",
        YES,
    ]
    (document,) = read_text(json.dumps(value))
    assert [p.text for p in document.passages] == ["See", "half \N{REPLACEMENT CHARACTER}", "Yes?"]
    told = " ".join(dropped.reason for dropped in document.dropped)
    assert all(word in told for word in ("image_url", "says nothing", "half characters", "not an object"))


def test_a_line_that_does_not_parse_is_told_and_the_rest_is_read():
    documents = read_text(
        '{"role": "user", "content": "Hi"}\n{"role": \n{"role": "assistant", "content": "Yes?"}'
    )
    assert len(documents[0].passages) == 2
    assert documents[0].dropped[0].record == "line 2"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty"),
        (" \r\n\t", "is empty"),
        ('[{"role": "user", "content": "Hi"', "not sound JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('[{"a": 1}]', "its first object has the fields a"),
        ("[]", "without a message"),
        ('{"memspan": 0, "id": "m"}', "a material already"),
        ("<!DOCTYPE html><p>Hi</p>", "is HTML"),
        ('[{"role": "user", "content": ""}]', "without a message"),
    ],
)
def test_what_cannot_be_used_says_why_and_what_to_do(text, problem):
    with pytest.raises(FileError, match=problem):
        read_text(text)


def test_the_kind_can_be_given_where_the_content_misleads():
    assert read_text('{"a": 1', kind="text")[0].kind == "text"
    assert read_text("Ana: Hi\nRui: Hello\nAna: Bye", kind="text")[0].kind == "text"
    with pytest.raises(UnknownName, match="choose one of text, markdown, transcript, chat"):
        read_text("Hi", kind="book")
    with pytest.raises(FileError, match="not sound JSON"):
        read_text("Hi", kind="chat")
    with pytest.raises(MemspanError, match="ISO 8601"):
        read_text("Hi", time="yesterday")
