"""One request and its answer over HTTP: with patience, and within bounds."""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx2

_BUSY = frozenset({408, 409, 425, 429})
_NEVER = frozenset({501, 505})
_OUT_OF_CREDIT = "insufficient_quota"
_LONGEST_ANSWER = 32 * 2**20  # bytes


@dataclass(frozen=True)
class Patience:
    """How long to wait for a server, and how often to ask again.

    Attributes:
        tries: requests sent for one answer, at least 1.
        repairs: how often the model is told what is wrong with its answer and asked again.
        timeout: seconds that one request may take.
        first_wait: seconds before the second try; doubled for each further one, of which a random
            share of up to one half is left off, so that many clients do not come back at once.
        longest_wait: seconds; a server that asks for more is given up.
        clock, sleep, random: time in seconds since 1970, a pause in seconds, a number in [0, 1).
    """

    tries: int = 6
    repairs: int = 2
    timeout: float = 120.0
    first_wait: float = 1.0
    longest_wait: float = 60.0
    clock: Callable[[], float] = field(default=time.time, repr=False)
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    random: Callable[[], float] = field(default=random.random, repr=False)


@dataclass(frozen=True)
class Heard:
    """What came back for one request.

    Attributes:
        status: of HTTP; 0 where no whole answer came.
        document: the JSON of the body; None where the body is none.
        said: the server's own words for a failure, or what went wrong on the way.
        wait: seconds that the server asks for before the next try; None where it does not say.
        hopeless: whether it would be the same again.
        tries: requests sent until then.
    """

    status: int
    document: Any = None
    said: str = ""
    wait: float | None = None
    hopeless: bool = False
    tries: int = 1

    @property
    def fine(self) -> bool:
        """Whether this is an answer of a chat server; some send a failure with status 200."""
        choices = self.document.get("choices") if isinstance(self.document, dict) else None
        return 200 <= self.status < 300 and isinstance(choices, list) and bool(choices)

    @property
    def passing(self) -> bool:
        """Whether another try may help."""
        if self.fine or self.hopeless or _OUT_OF_CREDIT in self.said:
            return False
        broken = self.status < 300  # no answer, or one that makes no sense
        return broken or self.status in _BUSY or (self.status >= 500 and self.status not in _NEVER)


def persist(attempt: Callable[[], Heard], patience: Patience, most_500: int) -> Heard:
    """Repeat *attempt* while another try may help; return what was heard last.

    Args:
        attempt: sends the request once.
        patience: how often, and how long to wait in between.
        most_500: answers of status 500 after which to stop: with some servers it stands for a
            request that they do not understand.
    """
    failures = 0
    for tried in range(1, max(patience.tries, 1) + 1):
        heard = attempt()
        failures += heard.status == 500
        wait = _wait(heard, tried, patience)
        if not heard.passing or failures >= most_500 or tried >= patience.tries or wait is None:
            break
        patience.sleep(wait)
    return replace(heard, tries=tried)


def send(client: httpx2.Client, url: str, body: Any, patience: Patience, method: str = "POST") -> Heard:
    """Send *body* as JSON, none where it is None, and read the answer: within the time and size allowed."""
    import httpx2

    # Escaped: text with lone surrogates passes as well.
    content = None if body is None else json.dumps(body).encode()
    deadline = patience.clock() + patience.timeout
    try:
        with client.stream(method, url, content=content) as response:
            return _read(response, deadline, patience)
    except httpx2.TimeoutException:
        return _too_slow(patience)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        return Heard(0, said=f"{type(error).__name__}: {error}")


def _read(response: httpx2.Response, deadline: float, patience: Patience) -> Heard:
    body = bytearray()
    for part in response.iter_bytes():
        body += part
        if len(body) > _LONGEST_ANSWER:
            return Heard(0, said=f"an answer of more than {_LONGEST_ANSWER // 2**20} MiB", hopeless=True)
        if patience.clock() > deadline:
            return _too_slow(patience)
    document = None
    with suppress(ValueError, RecursionError):
        document = json.loads(body)
    said = _words(document) or body[:2000].decode(errors="replace")
    return Heard(response.status_code, document, said, _asked_wait(response.headers, patience.clock()))


def _too_slow(patience: Patience) -> Heard:
    return Heard(0, said=f"no answer within {patience.timeout:g} s")


def _words(document: Any) -> str:
    """Return what a server says of a failure; OpenAI's form first, then what others use."""
    if not isinstance(document, dict):
        return ""
    error = document.get("error", document)
    if not isinstance(error, dict):
        return str(error)
    code = error.get("code")
    message = error.get("message") or error.get("detail") or error
    return f"{message} ({code})" if code else str(message)


def _wait(heard: Heard, tried: int, patience: Patience) -> float | None:
    """Return the seconds until the next try; None where the server asks for too many."""
    step = min(patience.first_wait * 2.0 ** min(tried - 1, 60), patience.longest_wait)
    own = step * (1 - patience.random() / 2)
    if heard.wait is None:
        return own
    if heard.wait > patience.longest_wait:
        return None
    return heard.wait + min(own, patience.first_wait)


def _asked_wait(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds that Retry-After asks for, given as seconds or as a date.

    Source: RFC 9110, section 10.2.3.
    """
    asked = headers.get("retry-after", "").strip()
    seconds = math.nan
    with suppress(ValueError):
        seconds = float(asked)
    if math.isnan(seconds):
        with suppress(ValueError, TypeError, OverflowError):
            seconds = max(parsedate_to_datetime(asked).timestamp() - now, 0)
    return seconds if seconds >= 0 else None
