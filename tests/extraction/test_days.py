"""A line that is only a date dates what follows until the next one, and is no claim itself."""

import pytest

from memspan.extraction import claims_of, read_text


def told(text, **options):
    (document,) = read_text(text, name="d", **options)
    return [(c.source, c.time, c.text) for c in claims_of(document).claims]


@pytest.mark.parametrize(
    "line",
    [
        "2 March 2026",
        "2026-03-02",
        "Monday, 2 March 2026",
        "March 2, 2026:",
        "2nd of March 2026.",
        "--- 2 March 2026 ---",
        "**2 March 2026**",
        "[2026-03-02]",
        "2026-03-02 (Monday)",
        "March 2nd 2026, Monday",
    ],
)
@pytest.mark.parametrize("gap", ["\n", "\n\n", "\r\n\r\n"])
@pytest.mark.parametrize("kind", ["text", "markdown"])
def test_a_line_that_is_only_a_date_dates_what_follows(line, gap, kind):
    found = told(f"{line}{gap}We saw a whale today.\n", kind=kind, time="2020-01-01")
    assert [claim[1:] for claim in found] == [("2026-03-02", "We saw a whale today (2026-03-02).")]
    assert "2" in found[0][0].removeprefix("d, ")


def test_each_date_holds_until_the_next_one_and_what_stands_before_keeps_the_given_time():
    text = "A diary.\n\n2 March 2026\n\nIt rained.\n\nYesterday too.\n3 March 2026\nIt stopped.\n"
    assert told(text, time="2025-01-01") == [
        ("d", "2025-01-01", "A diary."),
        ("d, 2 March 2026", "2026-03-02", "It rained."),
        ("d, 2 March 2026", "2026-03-02", "Yesterday (2026-03-01) too."),
        ("d, 3 March 2026", "2026-03-03", "It stopped."),
    ]


def test_headings_that_are_dates_hold_as_far_as_headings_do():
    text = "# Diary\n## 2 March 2026\nIt rained.\n### Evening\nIt stopped.\n## Recipes\nBoil the tea.\n"
    assert told(text) == [
        ("d, Diary > 2 March 2026", "2026-03-02", "It rained."),
        ("d, Diary > 2 March 2026 > Evening", "2026-03-02", "It stopped."),
        ("d, Diary > Recipes", None, "Boil the tea."),
    ]


def test_a_date_under_a_heading_dates_it_and_one_heads_a_wrapped_paragraph():
    line = "this line is about as long as the lines of a printed book are, more or less\n"
    text = f"# Diary\n2 March 2026\nSo {line}{line}and it ended.\n3 March 2026\nThen {line}{line}"
    assert [claim[:2] for claim in told(text)] == [
        ("d, Diary > 2 March 2026", "2026-03-02"),
        ("d, Diary > 3 March 2026", "2026-03-03"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "She was born on\n2 March 2026\nand left.",
        "Invoice date\n2 March 2026\nDue date\n2 April 2026",
        "Holidays:\n\n- 2 March 2026\n- 3 April 2026",
        "March 2026\n\nIt rained.",
        "2 March 2026 was wet.\n\nIt rained.",
        "3/4/2026\n\nIt rained.",
        "1709374500\n\nIt rained.",
        "Vol. 12 1984\n\nIt rained.",
        "31 February 2026\n\nIt rained.",
        "20260302\n\nIt rained.",
        "> 2 March 2026\n\nIt rained.",
    ],
)
@pytest.mark.parametrize("kind", ["text", "markdown"])
def test_what_is_no_line_of_a_date_alone_dates_nothing(text, kind):
    (document,) = read_text(text, kind=kind)
    assert not document.headings
    assert {passage.time for passage in document.passages} == {None}


def test_a_clock_time_beside_the_date_is_kept():
    assert told("13.03.2026 10:15\n\nIt rained.") == [
        ("d, 13.03.2026 10:15", "2026-03-13T10:15", "It rained.")
    ]


def test_many_short_lines_with_years_are_read_quickly():
    text = "".join(f"Rui {i} met {1000 + i}.\n{i % 31} a{i} {1000 + i}\n" for i in range(3000))
    assert not read_text(text, kind="text")[0].headings


def test_a_heading_and_a_date_are_counted_in_plain_words():
    for text, words in [
        ("2 March 2026\n\nIt rained.", "1 heading stands in the source of"),
        ("BOOK I\n\n2 March 2026\n\nIt rained.", "2 headings stand in the sources of"),
        ("Ana: Hi.\nRui: Hi!\nAna: Bye.", "names and times at 3 turns stand in the speaker, time"),
    ]:
        (dropped,) = claims_of(read_text(text)[0]).dropped
        assert dropped.reason.startswith(words)
