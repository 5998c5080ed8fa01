"""What answers cost: tokens estimated before, counted after, and a cap on the money."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memspan.errors import ModelError, SpendingError, UnknownName
from memspan.models.forms import schema_of
from memspan.ports import ChatModel, Message, Reply

if TYPE_CHECKING:
    from pydantic import BaseModel

_PER_MESSAGE = 4  # tokens of the frame that a chat template puts around a message


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, read and written, in one's own currency.

    Raises:
        SpendingError: a price is negative or not finite.
    """

    per_million_in: float
    per_million_out: float

    def __post_init__(self) -> None:
        """Refuse what is no price."""
        for price in (self.per_million_in, self.per_million_out):
            if not 0 <= price < math.inf:
                raise SpendingError(f"a price is {price}; give money per million tokens, finite and >= 0")

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """Return what so many tokens cost.

        >>> Price(0.15, 0.60).of(1_000_000, 500_000)
        0.45
        """
        return (self.per_million_in * tokens_in + self.per_million_out * tokens_out) / 1_000_000


@dataclass(frozen=True, slots=True)
class Tally:
    """What was asked and paid so far.

    Attributes:
        calls: questions asked, those answered from a cache and those that failed included.
        cached: of these, answered from a cache.
        failed: of these, without an answer that could be used.
        tokens_in, tokens_out: paid for.
        money: paid, in the currency of the price.
    """

    calls: int = 0
    cached: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    money: float = 0.0


def price_of(name: str, prices: Mapping[str, Price]) -> Price:
    """Return the price of the model called *name*: under that name, or the part of it before ``@``.

    Raises:
        UnknownName: *prices* has neither.
    """
    for key in (name, name.partition("@")[0]):
        if key in prices:
            return prices[key]
    known = ", ".join(sorted(prices)) or "none"
    raise UnknownName(f"no price for the model {name!r}; known are {known}; add one per million tokens")


def tokens_of(text: str) -> int:
    """Estimate the tokens of *text*: one for each four ASCII characters, one for each other character.

    Close for English, on the dear side for most other languages. Servers count by their own rules.

    >>> tokens_of("four letter word"), tokens_of("日本")
    (4, 2)
    """
    plain = len(text.encode("ascii", "ignore"))
    return math.ceil(plain / 4) + len(text) - plain


def estimate(messages: Sequence[Message], form: type[BaseModel] | None = None) -> int:
    """Estimate the tokens that a model reads: the messages, four for the frame of each, the form's schema.

    >>> estimate([Message("user", "Where does Ana live?")])
    9
    """
    schema = tokens_of(json.dumps(schema_of(form))) if form is not None else 0
    return schema + sum(_PER_MESSAGE + tokens_of(message.content) for message in messages)


class Capped:
    """A chat model that counts what it costs and stops before a cap is passed.

    A call is let through only if what was spent, what calls under way are expected to cost and its own
    estimate stay within the cap together; then its real cost is counted. So the cap is passed at most
    by what answers cost beyond their estimate. May be used by several threads. Put a cache around it,
    not within: an answer from the cache costs nothing.

    Args:
        chat: the model that is paid.
        price: of its tokens.
        cap: most money to spend; without one it only counts.
        answer_tokens: tokens expected of an answer, attempts to repair it included; the model's own
            bound (``max_tokens``) makes the cap strict.

    Raises:
        SpendingError: the cap is no amount of money.
    """

    def __init__(
        self, chat: ChatModel, price: Price, cap: float = math.inf, *, answer_tokens: int = 1000
    ) -> None:
        """Start with nothing spent."""
        if not cap >= 0:
            raise SpendingError(f"the spending cap is {cap}; give an amount of money >= 0")
        self._chat, self._price, self._cap = chat, price, cap
        self._answer_tokens = answer_tokens
        self._lock = threading.Lock()
        self._tally, self._pending = Tally(), list[float]()

    @property
    def name(self) -> str:
        """The model's own."""
        return self._chat.name

    @property
    def tally(self) -> Tally:
        """What was spent so far."""
        return self._tally

    def reply(self, messages: Sequence[Message], form: type[BaseModel] | None = None) -> Reply:
        """Answer as the model does.

        Raises:
            SpendingError: the call could pass the cap; it was not made.
            ModelError: as the model does; what it had paid is counted.
        """
        expected = self._price.of(estimate(messages, form), self._answer_tokens)
        self._reserve(expected)
        spent = Tally(calls=1, failed=1)
        try:
            reply = self._chat.reply(messages, form)
            spent = Tally(1, int(reply.cached), 0, reply.tokens_in, reply.tokens_out)
        except ModelError as error:
            spent = replace(spent, tokens_in=error.tokens_in, tokens_out=error.tokens_out)
            raise
        finally:
            self._count(spent, expected)
        return reply

    def _reserve(self, expected: float) -> None:
        with self._lock:
            spent = self._tally.money
            if math.fsum((spent, expected, *self._pending)) > self._cap:
                raise SpendingError(
                    f"spent {spent:.4f} of {self._cap:.4f}, and the next call is estimated at {expected:.4f};"
                    " answers so far are kept: raise the cap to go on"
                )
            self._pending.append(expected)

    def _count(self, spent: Tally, expected: float) -> None:
        with self._lock:
            self._pending.remove(expected)
            old = self._tally
            tokens_in, tokens_out = old.tokens_in + spent.tokens_in, old.tokens_out + spent.tokens_out
            self._tally = Tally(
                old.calls + spent.calls,
                old.cached + spent.cached,
                old.failed + spent.failed,
                tokens_in,
                tokens_out,
                self._price.of(tokens_in, tokens_out),
            )
