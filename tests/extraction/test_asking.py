"""Atomic claims by a model: each is checked against the source, and no finished work is lost."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.errors import FileError, ModelError, SpendingError
from memspan.extraction import Journal, atomic_claims, estimate, read_text
from memspan.extraction.asking import UNSUPPORTED
from memspan.extraction.locating import located
from memspan.extraction.windows import TOKENS, windows_of
from memspan.language.tokens import count_tokens
from memspan.ports import Reply

TALK = "[2024-03-02 10:15] Ana: I moved to Porto, finally.\n[2024-03-02 10:16] Rui: Oh!\n"
LONG = "\n\n".join(f"Paragraph {i} says that the lamp number {i} was lit on the pier." for i in range(300))


class Scripted:
    """A model that answers from a function of what it is shown, and counts."""

    name = "scripted"

    def __init__(self, answer):
        """Take the function: what is shown and the number of the question to claims."""
        self.answer, self.asked = answer, []

    def reply(self, messages, form=None):
        """Answer in form, for a price."""
        self.asked.append(messages[-1].content)
        found = self.answer(messages[-1].content, len(self.asked))
        return Reply("", form.model_validate({"claims": found}), 100, 10)


def echo(shown, _=0):
    """Claim each line of the window's own text."""
    own = shown.rpartition("Text:\n")[2]
    lines = [line for line in own.splitlines() if line and not line.startswith("[")]
    return [{"text": f"It says: {line}", "quote": line} for line in lines]


def test_a_quote_is_found_and_the_claim_keeps_its_place():
    (document,) = read_text(TALK, name="talk")
    record = {"text": "Ana moved to Porto.", "quote": "i moved to porto", "time": "2024-03"}
    material = atomic_claims(document, Scripted(lambda *_: [record]))
    (claim,) = material.claims
    assert (claim.id, claim.text, claim.speaker, claim.time) == (
        "c1",
        "Ana moved to Porto.",
        "Ana",
        "2024-03",
    )
    assert document.words_of(claim) == claim.quote == "I moved to Porto"
    assert claim.source == "talk, turn 1"
    assert material.extra["extracted"]["model"] == "scripted"


def test_a_claim_without_a_place_stays_with_low_truth_and_is_told():
    (document,) = read_text(TALK)
    record = {"text": "Ana owns a boat.", "quote": "I bought a boat in the harbour last year"}
    material = atomic_claims(document, Scripted(lambda *_: [record]))
    (claim,) = material.claims
    assert (claim.truth, claim.span, claim.quote) == (UNSUPPORTED, None, None)
    assert [(d.field, d.kept) for d in material.dropped if d.reason.startswith("unsupported")] == [
        ("quote", True)
    ]


def test_windows_hold_all_of_the_text_once():
    (document,) = read_text(LONG)
    windows = list(windows_of(document))
    assert len(windows) > 5
    pieces = [piece for window in windows for piece in window.pieces]
    assert [p.passage.text[p.start : p.end] for p in pieces] == LONG.split("\n\n")
    assert all(sum(count_tokens(r.text) for r in window.regions) <= TOKENS for window in windows)
    assert all(window.before == last.pieces[-3:] for last, window in pairwise(windows))


def test_an_interruption_loses_no_finished_window(tmp_path):
    (document,) = read_text(LONG)
    whole = atomic_claims(document, Scripted(echo))

    def interrupted(shown, number):
        if number == 4:
            raise KeyboardInterrupt
        return echo(shown)

    path = tmp_path / "journal"
    with pytest.raises(KeyboardInterrupt):
        atomic_claims(document, Scripted(interrupted), journal=Journal(path))
    path.write_bytes(path.read_bytes() + b'{"key": "cut off in the mid')
    again = Scripted(echo)
    resumed = atomic_claims(document, again, journal=Journal(path))
    assert resumed.claims == whole.claims
    windows = whole.extra["extracted"]["windows"]
    assert len(again.asked) == windows - 3
    third = Scripted(echo)
    assert atomic_claims(document, third, journal=Journal(path)).claims == whole.claims
    assert third.asked == []
    assert estimate([document], "scripted", Journal(path)).known == windows
    assert estimate([document], "another", Journal(path)).known == 0


def failing(numbers, error=ModelError):
    def answer(shown, number):
        if number in numbers:
            raise error("no answer")
        return echo(shown)

    return Scripted(answer)


def test_a_failure_is_told_and_the_rest_goes_on():
    (document,) = read_text(LONG)
    material = atomic_claims(document, failing({2, 4}))
    assert material.extra["extracted"]["unfinished"] == 2
    assert sum("the model failed: no answer" in d.reason for d in material.dropped) == 2


@pytest.mark.parametrize(("chat", "asked"), [(failing({2, 3, 4}), 4), (failing({3}, SpendingError), 3)])
def test_nothing_more_is_asked_after_three_failures_or_at_the_cap(tmp_path, chat, asked):
    (document,) = read_text(LONG)
    journal = Journal(tmp_path / "journal")
    material = atomic_claims(document, chat, journal=journal)
    assert len(chat.asked) == asked
    assert "windows are not finished" in material.dropped[-1].reason
    finished = material.extra["extracted"]["windows"] - material.extra["extracted"]["unfinished"]
    assert finished == len(journal) == (1 if asked == 4 else 2)
    whole = atomic_claims(document, Scripted(echo), journal=Journal(tmp_path / "journal"))
    assert whole.claims == atomic_claims(document, Scripted(echo)).claims


def test_an_answer_out_of_form_is_a_failure():
    class Loose:
        name = "loose"

        def reply(self, _messages, _form=None):
            return Reply(json.dumps({"claims": [{"text": 1}]}))

    (document,) = read_text("One text.")
    material = atomic_claims(document, Loose())
    assert material.extra["extracted"]["unfinished"] == 1


def test_a_price_is_known_before_anything_is_asked():
    (document,) = read_text(LONG)
    found = estimate([document])
    assert found.windows == len(list(windows_of(document)))
    assert found.tokens_in > len(LONG) / 4
    assert found.money(2.0, 8.0) == pytest.approx((2 * found.tokens_in + 8 * found.tokens_out) / 1e6)


def test_a_journal_that_cannot_be_kept_is_refused(tmp_path):
    with pytest.raises(FileError, match="cannot be read"):
        Journal(tmp_path)
    with pytest.raises(FileError, match="cannot be written"):
        Journal(tmp_path / "no" / "journal").add("key", [])


WORDS = st.lists(
    st.sampled_from(["Ana", "moved", "to", "Porto", "in", "May", "and", "stayed", "there"]),
    min_size=4,
    max_size=30,
)


@given(WORDS, st.data())
def test_a_stretch_of_the_text_is_found_whatever_its_case_and_blanks(words, data):
    text = "\n".join(words)
    start = data.draw(st.integers(0, len(words) - 1))
    quote = " ".join(words[start : start + 6]).upper() + "!"
    first, last, likeness = located(quote, text)
    assert likeness == 1
    assert " ".join(text[first:last].split()).upper() + "!" == quote


def test_a_near_quote_is_found_and_a_far_one_is_not():
    text = "After supper, Ana told everybody that she had moved to Porto in early March, which surprised us."
    first, last, likeness = located("that she has moved to Porto in early march", text)
    assert text[first:last] == "that she had moved to Porto in early March"
    assert 0.85 <= likeness < 1
    assert located("that he had sold the old house in Lisbon", text) is None
    assert located("art", "The party is over.") is None
    assert located("...", text) is located("", text) is None


@given(st.text(max_size=60), st.text(max_size=20))
def test_a_place_that_is_found_lies_in_the_text(text, quote):
    found = located(quote, text)
    assert found is None or 0 <= found[0] < found[1] <= len(text)
