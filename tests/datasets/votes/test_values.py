"""Notations: what makes two values one, and what no damage can break."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.datasets.votes.authors import isbn, key_of_names
from memspan.datasets.votes.values import Notation, notation_of

SAME = {
    "time": [
        (
            "12-04 21:05",
            [
                "9:05 PM, Dec 04",
                "Dec 04 - 9:05pm*",
                "9:05pDec 4",
                "9:05 PMDec 04",
                "2011-12-04 09:05 PM",
                "2011-12-04 09:05PM CST",
                "Sun, Dec 4 9:05 PM            On Time",
                "12/4/11 9:05 PM (-05:00)",
                "12/04/2011 09:05 PM",
                "09:05 PM  Sun 04-Dec-2011 (Runway)",
                "9:05 PM, Dec 04&nbsp(Estimated)",
                "9:05P 12-04-11",
                "2011-12-04  9:05P",
                "Sun., Dec.04, 2011 9:05 p.m.",
                "2011-12-04 21:05 ",
                "2011-12-04 Sun  21:05",
                "2011-12-04 12/4 9:05 PM",
            ],
        ),
        ("12-03 00:10", ["2011-12-04 12/3 12:10 AM", "12:10 a.m. Dec 3"]),
        ("09:10", ["9:10", "09:10:59", "9:10 Arrived"]),
        (None, ["Cancelled", "Dec 04 - Contact Airline", "25:10", "9:75", "", "--", "not available", "4"]),
    ],
    "gate": [
        ("C27", ["C27", " c-27 ", "C27/C", "Main Term - C27", "Terminal 3 - C27", "C27?"]),
        ("7", ["07", "7/3", "Terminal T4 - 7"]),
        (None, ["Terminal 3", "TBA", " -", "--", "Not provided by airline", "?"]),
    ],
    "yes or no": [("yes", ["1", "Yes", "TRUE"]), ("no", ["0", "no", " False "]), (None, ["2", "", "maybe"])],
    "number": [
        ("1235", ["1,234.5", "1234.6", "1235", "+1235", "01235"]),
        ("0", ["-0.4", "0", ".2"]),
        (None, ["12,34", "11-Dec", "1e3", "", ".", "-", "n/a", "4 F", "\u0664"]),
    ],
    "words": [
        ("puffin", ["Puffin", " PUFFIN. ", "<b>puffin</b>", "puff\u00edn!"]),
        ("a & b", ["A &amp;  B"]),
        ("!", ["!"]),
        (None, ["Unknown", "none", "-"]),
    ],
    "names": [
        (
            "andrew conry murray vincent weafer",
            [
                "Conry-Murray, Andrew; Weafer, Vincent",
                "WEAFER, VINCENT CONRY-MURRAY, ANDREW",
                "Conry-Murray, AndrewWeafer, Vincent",
                "Conry_Murray, A. Andrew and Vincent Weafer, PhD",
                "Andrew Conry-Murray (Author) et al., Vincent WeaferBRAndrew Conry Murray",
            ],
        ),
        ("mcgraw", ["McGraw", "MCGRAW", "X. McGraw"]),
        ("oleary", ["O'Leary", "Oleary", "Oandapos;Leary"]),
        (None, ["0", "", "None", "and"]),
    ],
}


@pytest.mark.parametrize("kind", SAME)
def test_values_that_say_the_same_have_one_key(kind):
    for key, values in SAME[kind]:
        assert {value: Notation(kind).key(value) for value in values} == dict.fromkeys(values, key)


@pytest.mark.parametrize("kind", SAME)
@given(text=st.text(max_size=30) | st.from_regex(r"[0-9:/\-., apmDec&;<]{0,20}"))
def test_any_text_has_a_key_or_none_and_the_key_can_be_shown(kind, text):
    notation = Notation(kind)
    key = notation.key(text)
    assert key is None or (key and notation.shown(text, key))


@given(st.integers(-(10**12), 10**12), st.integers(0, 3))
def test_the_key_of_a_number_is_its_rounding_and_shows_its_thousands(number, decimals):
    notation = Notation("number", decimals)
    key = notation.key(f"{number:,}.0")
    assert float(key) == number
    assert float(notation.shown("", key).replace(",", "")) == number


@given(
    st.lists(
        st.sampled_from(["Ana Moura", "Rui Lima", "Eva McGraw", "T. J. O'Reis"]), min_size=1, unique=True
    )
)
def test_the_key_of_names_knows_no_order_case_or_comma(names):
    turned = "; ".join(", ".join(reversed(name.split(" ", 1))) for name in reversed(names))
    assert key_of_names(" and ".join(names)) == key_of_names(turned) == key_of_names(turned.upper())


def test_a_notation_is_what_most_values_are_written_in():
    assert notation_of("", ["0", "1", "1"]).kind == "yes or no"
    assert notation_of("", ["1", "1", "2"]) == Notation("number", 0)
    assert notation_of("", ["1.5", "2.25", "3.5"]) == Notation("number", 1)
    assert notation_of("", ["9:10", "9:20 am", "late"]).kind == "time"
    assert notation_of("ArrivalGate", ["9", "10"]).kind == "gate"
    assert notation_of("", ["", "-"]).kind == notation_of("", ["1", "two"]).kind == "words"


@given(st.text("0123456789", min_size=9, max_size=9))
def test_an_isbn_of_10_and_of_13_digits_are_one(nine):
    rest = -sum((10 - i) * int(digit) for i, digit in enumerate(nine)) % 11
    ten = nine + ("X" if rest == 10 else str(rest))
    assert isbn(isbn(ten)) == isbn(ten) == isbn(f"{ten[:3]}-{ten[3:]}")
    assert len(isbn(ten)) == 13
    wrong = nine + str((rest + 1) % 10 if rest < 9 else 0)
    assert isbn(wrong) == wrong or wrong == ten
