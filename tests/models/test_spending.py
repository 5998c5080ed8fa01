"""Money is counted, and its cap is not passed by more than the estimate was wrong."""

import math
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from memspan.errors import ModelError, SpendingError, UnknownName
from memspan.models import Answers, Cached, Capped, Price, Tally, estimate, price_of, tokens_of
from memspan.ports import Message, Reply

ASK = [Message("user", "Where does Ana live?")]
PRICE = Price(100.0, 1000.0)


class City(BaseModel):
    """A form."""

    name: str


class Paid:
    """A chat model whose answers cost what it was told, or fail having cost it."""

    name = "paid"

    def __init__(self, tokens_in=9, tokens_out=50, *, fails=False):
        """Take the tokens of each answer."""
        self.tokens, self.fails, self.calls = (tokens_in, tokens_out), fails, 0

    def reply(self, messages, form=None):  # noqa: ARG002 - the protocol's
        """Answer."""
        self.calls += 1
        if self.fails:
            raise ModelError("no", tokens_in=self.tokens[0], tokens_out=self.tokens[1])
        return Reply("Porto", None, *self.tokens)


def asked_until_capped(chat, most=10_000):
    for calls in range(most):
        try:
            chat.reply(ASK)
        except SpendingError:
            return calls
    return most


@given(st.integers(0, 2000), st.floats(0, 3))
def test_the_cap_is_not_passed_by_answers_within_the_estimate(answer_tokens, cap):
    model = Paid(estimate(ASK), answer_tokens)
    chat = Capped(model, PRICE, cap, answer_tokens=2000)
    assert asked_until_capped(chat, 20) == model.calls
    assert chat.tally.money <= cap


def test_a_call_that_could_pass_the_cap_is_not_made():
    model = Paid(9, 1000)
    chat = Capped(model, PRICE, 3.5)
    assert asked_until_capped(chat) == 3
    with pytest.raises(SpendingError, match=r"spent 3\.0027 of 3\.5000.*estimated at 1\.0009.*raise the cap"):
        chat.reply(ASK)
    assert model.calls == 3


def test_a_tally_counts_calls_failures_tokens_and_money():
    model = Paid(10, 20)
    chat = Capped(model, PRICE)
    chat.reply(ASK)
    model.fails = True
    with pytest.raises(ModelError):
        chat.reply(ASK)
    assert chat.tally == Tally(2, 0, 1, 20, 40, PRICE.of(20, 40))


def test_an_answer_from_the_cache_costs_nothing_wherever_the_cache_stands(tmp_path):
    with Answers(tmp_path / "a.sqlite3") as answers:
        outer = Capped(Paid(), PRICE)
        around = Cached(outer, answers)
        within = Capped(Cached(Paid(), answers), PRICE)
        for chat in (around, around, within):
            chat.reply(ASK)
    assert (outer.tally.calls, outer.tally.cached) == (1, 0)
    assert within.tally == Tally(calls=1, cached=1)


def test_calls_under_way_count_for_the_cap():
    model = Paid(9, 1000)
    chat = Capped(model, PRICE, 5.0)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: asked_until_capped(chat, 5), range(8)))
    assert model.calls == 4
    assert chat.tally.money <= 5.0


@pytest.mark.parametrize("wrong", [-1, math.inf, math.nan])
def test_what_is_no_price_or_cap_is_refused(wrong):
    with pytest.raises(SpendingError, match="per million tokens"):
        Price(wrong, 1)
    if not wrong > 0:
        with pytest.raises(SpendingError, match="amount of money"):
            Capped(Paid(), PRICE, wrong)


def test_a_price_is_found_by_the_whole_name_or_the_model():
    prices = {"small": Price(1, 2), "small@box:1": Price(0, 0)}
    assert price_of("small@box:1", prices) == Price(0, 0)
    assert price_of("small@elsewhere", prices) == Price(1, 2)
    with pytest.raises(UnknownName, match="known are small, small@box:1"):
        price_of("large", prices)


@given(st.text(), st.text())
def test_tokens_grow_with_the_text_and_are_none_for_nothing(one, two):
    assert tokens_of("") == 0
    assert max(tokens_of(one), tokens_of(two)) <= tokens_of(one + two) <= tokens_of(one) + tokens_of(two)


def test_an_estimate_counts_every_message_and_the_form():
    assert estimate([]) == 0
    assert estimate(ASK) < estimate([*ASK, *ASK]) == 2 * estimate(ASK)
    assert estimate(ASK, City) > estimate(ASK)
