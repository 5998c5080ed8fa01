"""Personal details masked: what is written out no longer says how to reach or charge a person."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from memspan.material import Claim, Dropped, Material, Query

_LOGIN = re.compile(r"(?<=://)[^\s/@\[\]]{1,200}@")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")
_ADDRESS = re.compile(
    r"(?<![\w.:])(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9A-Fa-f:]{3,39}:[0-9A-Fa-f]{0,4})(?![\w.:]*[\w:])"
)
_DIGITS = re.compile(r"(?<![\w.,])(?:\+|\()?\d(?:[\s().\-/]{0,2}\d){6,18}(?!\w|,\d)")
_NO_NUMBER = re.compile(
    r"\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{4}|(?:1\d|20)\d\d\s?-\s?(?:1\d|20)\d\d|(?:\d+\.){2,}\d"
)
_STREETS = (
    "Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Square|Sq|Place|Pl|Terrace|Way"
)
_STREET = re.compile(
    rf"\b\d{{1,5}}[A-Za-z]?\s(?:[A-Z][\w'.\-]{{0,30}}\s){{1,3}}(?:{_STREETS})\b"
    r"|\b[A-ZÄÖÜ][\w\-]{1,30}(?:straße|strasse|gasse|platz|weg)\s\d{1,4}[a-z]?\b"
)
_CARD_DIGITS = 13  # the fewest digits of a payment card
_SURE_PHONE, _BARE_PHONE = 7, 10  # digits that a number needs with a mark of phone numbers, and without


def redact(text: str) -> str:
    """Return *text* with personal details masked, by what they look like.

    E-mail addresses, names and passwords in addresses of the web, account and card numbers, phone
    numbers, addresses of machines, and street addresses with a house number. Names of people stay.

    >>> redact("Write to ana@example.org or call +351 912 345 678 before 2024-03-02.")
    'Write to [email] or call [phone] before 2024-03-02.'
    """
    text = _LOGIN.sub("[login]@", text)
    text = _EMAIL.sub("[email]", text)
    text = _IBAN.sub("[account]", text)
    text = _ADDRESS.sub(_address, text)
    text = _DIGITS.sub(_number, text)
    return _STREET.sub("[street]", text)


def _address(found: re.Match[str]) -> str:
    try:
        ipaddress.ip_address(found.group())
    except ValueError:
        return found.group()
    return "[machine]"


def _number(found: re.Match[str]) -> str:
    seen = found.group()
    count = sum(letter.isdigit() for letter in seen)
    if _NO_NUMBER.search(seen):
        return seen
    if count >= _CARD_DIGITS and not seen.startswith("+"):
        return "[card]"
    marked = seen[0] in "+(0" or not seen.isdigit()
    return "[phone]" if count >= (_SURE_PHONE if marked else _BARE_PHONE) else seen


def redacted(material: Material) -> Material:
    """Return *material* with every text in it masked by `redact`; spans still count in the original.

    ``extra["redacted"]`` says so.
    """
    claims = tuple(_claim(claim) for claim in material.claims)
    queries = tuple(_query(query) for query in material.queries)
    items = tuple(replace(item, text=redact(item.text), triple=_each(item.triple)) for item in material.items)
    dropped = tuple(Dropped(redact(d.record), d.field, redact(d.reason), d.kept) for d in material.dropped)
    extra = {**_inside(material.extra), "redacted": True}
    return replace(
        material,
        id=redact(material.id),
        claims=claims,
        queries=queries,
        items=items,
        dropped=dropped,
        extra=extra,
    )


def _claim(claim: Claim) -> Claim:
    return replace(
        claim,
        text=redact(claim.text),
        source=_maybe(claim.source),
        speaker=_maybe(claim.speaker),
        quote=_maybe(claim.quote),
        triple=_each(claim.triple),
        extra=_inside(claim.extra),
    )


def _query(query: Query) -> Query:
    return replace(query, text=redact(query.text), answer=_maybe(query.answer), extra=_inside(query.extra))


def _maybe(text: str | None) -> str | None:
    return None if text is None else redact(text)


def _each(triple: tuple[str, str, str] | None) -> tuple[str, str, str] | None:
    return None if triple is None else (redact(triple[0]), redact(triple[1]), redact(triple[2]))


def _inside(value: Any) -> Any:
    """Return a JSON value with every text in it masked."""
    kinds: dict[type, Callable[[Any], Any]] = {
        str: redact,
        list: lambda many: [_inside(each) for each in many],
        dict: lambda named: {key: _inside(each) for key, each in named.items()},
    }
    return kinds.get(type(value), lambda same: same)(value)
