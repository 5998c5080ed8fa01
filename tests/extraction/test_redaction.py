import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.extraction import claims_of, read_text, redact, redacted

PIECES = [
    "ana@example.org",
    "+351 912 345 678",
    "4111 1111 1111 1111",
    "2024-03-02",
    "12 High Street",
    "10.0.0.1",
    "a",
]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("mail ana.reis+x@mail.example.org!", "mail [email]!"),
        ("call +351 912 345 678 or (020) 7946-0018", "call [phone] or [phone]"),
        ("call 0171 234567, or 9123456789", "call [phone], or [phone]"),
        ("card 4111 1111 1111 1111.", "card [card]."),
        ("IBAN DE89 3704 0044 0532 0130 00", "IBAN [account]"),
        ("at 192.168.0.17 or fe80::1ff:fe23:4567:890a", "at [machine] or [machine]"),
        ("see https://ana:secret@example.org/x", "see https://[login]@example.org/x"),
        ("lives at 12 Long Acre Street, or Hauptstraße 5", "lives at [street], or [street]"),
    ],
)
def test_personal_details_are_masked(text, masked):
    assert redact(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "on 2024-03-02 at 10:15:30",
        "from 1999-2005, in 02/03/2024",
        "10,000,000 people",
        "3.14159 of 12345678",
        "D1:2, c1 to c12",
        "Ana Reis",
        "999.999.0.1",
    ],
)
def test_what_is_no_detail_stays(text):
    assert redact(text) == text


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=6).map(" ".join))
def test_masking_twice_masks_no_more(text):
    assert redact(redact(text)) == redact(text)


def test_a_material_is_masked_in_every_text_and_says_so():
    text = "+351 912 345 678: I am at ana@example.org\nAna: my card is 4111 1111 1111 1111\nAna: ok"
    material = claims_of(read_text(text, kind="transcript")[0])
    masked = redacted(material)
    shown = repr(masked)
    assert not any(detail in shown for detail in ("912 345", "example.org", "4111"))
    assert masked.extra["redacted"] is True
    assert [claim.span for claim in masked.claims] == [claim.span for claim in material.claims]
