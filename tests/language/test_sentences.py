import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memspan.language.sentences import sentences

SPLITTERS = ("plain", "syntok")
WORDS = [
    "Ana",
    "moved.",
    "Dr.",
    "U.S.",
    "3.5",
    "she",
    "I",
    "wait...",
    '"Oh!"',
    "你好。",
    "\u05e9\u05dc\u05d5\u05dd!",
    "🎉",
    "e.g.",
    "-",
]
TEXTS = st.text(max_size=80) | st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)


def split(text, splitter):
    if splitter == "syntok":
        pytest.importorskip("syntok")
    return [text[start:end] for start, end in sentences(text, splitter)]


@pytest.mark.parametrize("splitter", SPLITTERS)
@given(text=TEXTS)
@example(text="\r\n\x1f a\u2028b. C\x85d")
def test_sentences_stand_in_order_and_leave_out_blank_space_only(splitter, text):
    if splitter == "syntok":
        pytest.importorskip("syntok")
    position = 0
    for start, end in sentences(text, splitter):
        assert position <= start < end <= len(text)
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()


@pytest.mark.parametrize("splitter", SPLITTERS)
@given(text=TEXTS, blank=st.sampled_from(["\r\n", "\n", "  ", "\t \u2003"]))
def test_the_kind_of_blank_space_changes_no_sentence(splitter, text, blank):
    if splitter == "syntok":
        pytest.importorskip("syntok")
    plain = " ".join(text.split())
    told = [" ".join(sentence.split()) for sentence in split(plain.replace(" ", blank), splitter)]
    assert told == split(plain, splitter)


TOLD_APART = [
    ["Dr. Reis met Mr. J. Smith.", "They left."],
    ["He paid 3.50 for tea.", "Was it much?"],
    ["They flew to the U.S. in May.", "It rained."],
    ["She waited... and left.", "Then it rained!"],
    ['"Go away!" he said.', '"Now."'],
    ["No. 5 is ready.", "The others, e.g. the red one, are not."],
    ["你好。", "今天很好！", "他说：「走吧。」", "我们走了。"],  # noqa: RUF001 - Chinese
    ["\u05de\u05d4 \u05e9\u05dc\u05d5\u05de\u05da?", "\u05d0\u05e0\u05d9 \u05d1\u05e1\u05d3\u05e8."],
]


@pytest.mark.parametrize("splitter", SPLITTERS)
@pytest.mark.parametrize("expected", TOLD_APART, ids=lambda e: e[0][:12])
def test_what_ends_no_sentence_splits_none(splitter, expected):
    joined = " ".join(expected)
    assert split(joined, splitter) == expected


def test_scripts_without_spaces_are_split_without_spaces():
    assert split("你好。今天很好！我们走了。", "plain") == ["你好。", "今天很好！", "我们走了。"]  # noqa: RUF001 - Chinese


@pytest.mark.parametrize(
    "text", ["a" * 300_000, ". " * 50_000, '" ' * 50_000, "。" * 100_000, "A.b" * 50_000]
)
def test_a_text_without_sentences_takes_no_longer_than_one_with(text):
    assert sum(end - start for start, end in sentences(text, "plain")) <= len(text)
