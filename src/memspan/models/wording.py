"""What a failed request is called: what was seen and what to do, never the key."""

from __future__ import annotations

from memspan.errors import ModelError

_SHOWN = 300
_DUMMY = 8  # characters; shorter keys are placeholders such as "none", not secrets


class Secret:
    """An API key that shows itself to nobody but the request.

    Raises:
        ModelError: the key has characters that no header can carry.

    >>> Secret("sk-1234567890")
    [key]
    >>> Secret("sk-1234567890").hidden("wrong key sk-1234567890")
    'wrong key [key]'
    """

    __slots__ = ("_key",)

    def __init__(self, key: str) -> None:
        """Keep *key*, without the blanks and line ends that files and variables bring along."""
        bare = key.strip()
        if not (bare.isascii() and bare.isprintable()):
            raise ModelError("the API key holds characters that no key has; copy it again, without quotes")
        self._key = bare

    def __repr__(self) -> str:
        """Return a placeholder."""
        return "[key]"

    def headers(self) -> dict[str, str]:
        """Return what a request carries for it; nothing for an empty key."""
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}

    def hidden(self, text: str) -> str:
        """Return *text* with a placeholder in place of the key."""
        return text.replace(self._key, "[key]") if len(self._key) >= _DUMMY else text


def one_line(text: str) -> str:
    r"""Return *text* on one line, printable, cut where it is long: a server may send anything.

    >>> one_line("no\x1b[31m\n way")
    'no[31m way'
    """
    line = " ".join(text[: 2 * _SHOWN].split())
    shown = "".join(character for character in line if character.isprintable())
    return f"{shown[:_SHOWN]}..." if len(shown) > _SHOWN else shown


def advice(status: int, said: str, tries: int, wait: float | None) -> str:
    """Return one sentence on a failure: its status, the server's words, and the cure."""
    count = f"{tries} tries" if tries > 1 else "1 try"
    seen = f"status {status}" if status else "no answer"
    words = f": {said}" if said else ""
    return f"{seen} after {count}{words}; {_cure(status, said, wait)}"


def _cure(status: int, said: str, wait: float | None) -> str:
    if status == 402 or "insufficient_quota" in said:
        return "the account has no credit left; add some, or take another server"
    if status == 429 and wait is not None:
        return f"the server limits the rate; try again in {wait:.0f} s, finished work is kept"
    return next(cure for most, cure in _CURES if status <= most)


_KEY = "check the API key: the argument, or the variable MEMSPAN_API_KEY (OpenAI: OPENAI_API_KEY)"
_REFUSED = "the server refuses the request; shorten it or change the options (options={} sends none)"
_CURES = (  # each up to its status
    (0, "is the server running, and the URL right up to /v1? finished work is kept"),
    (299, "that is not the answer of a chat server; is the URL right, up to and with /v1?"),
    (399, "the server sends requests elsewhere; give the final URL"),
    (400, _REFUSED),
    (403, _KEY),
    (405, "check the name of the model, and that the URL ends in /v1"),
    (428, _REFUSED),
    (429, "the server limits the rate; try again later, finished work is kept"),
    (499, _REFUSED),
    (10_000, "the server has trouble; try again later, finished work is kept"),
)
