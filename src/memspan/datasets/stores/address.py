"""The address of a database: told apart from a path, and shown without its password."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

SCHEMES = ("postgresql://", "postgres://")
_SECRETS = re.compile(r"(?i)([?&](?:password|sslpassword|passfile|sslkey)=)[^&#]*")


def is_address(place: str) -> bool:
    """Whether *place* is the address of a PostgreSQL database."""
    return place.lower().startswith(SCHEMES)


def shown_address(place: str) -> str:
    """Return *place* as it can be shown: without a password where it is an address.

    >>> shown_address("postgresql://ana:secret@localhost/agent")
    'postgresql://ana:***@localhost/agent'
    >>> shown_address("notes.json")
    'notes.json'
    """
    if not is_address(place):
        return place
    scheme, _, rest = place.partition("://")
    user, at, host = rest.rpartition("@")
    if at and ":" in user:
        user = f"{user.partition(':')[0]}:***"
    return _SECRETS.sub(r"\1***", f"{scheme}://{user}{at}{host}")


def name_of(place: str) -> str:
    """Return the last part of *place*: of a path the file's name, of an address the database's.

    >>> name_of("postgresql://ana:secret@localhost:5432/agent?sslmode=require"), name_of("a/b.db")
    ('agent', 'b.db')
    """
    if not is_address(place):
        return Path(place).name
    rest = place.partition("://")[2].rpartition("@")[2]
    return unquote(re.split(r"[?#]", rest.partition("/")[2])[0]) or "postgresql"


def silent(said: str, place: str) -> str:
    """Return what a server *said*, unless it repeats a part of the password in the address *place*.

    >>> silent('could not translate host name "ss@host"', "postgresql://ana:pa@ss@host/agent")[:30]
    'the address is not well formed'
    """
    given = place.partition("://")[2].rpartition("@")[0].partition(":")[2]
    queried = [match.partition("=")[2] for match in re.findall(r"(?i)\w*password=[^&#]*", place)]
    parts = {
        part for secret in (given, *queried) for part in re.split(r"[^\w]+", f"{secret} {unquote(secret)}")
    }
    if any(len(part) > 1 and part in said for part in parts) or "%" in said:
        cure = "write special letters of the password as %XX (@ is %40, : is %3A)"
        return f"the address is not well formed; {cure}"
    return said
