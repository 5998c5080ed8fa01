"""A plain function as a chat model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memspan.errors import ModelError
from memspan.models.forms import fill
from memspan.ports import Message, Reply

if TYPE_CHECKING:
    from pydantic import BaseModel


@dataclass(frozen=True)
class _FunctionChat:
    name: str
    answer: Callable[[Sequence[Message], type[BaseModel] | None], str | BaseModel]

    def reply(self, messages: Sequence[Message], form: type[BaseModel] | None = None) -> Reply:
        said = self.answer(messages, form)
        text = said if isinstance(said, str) else said.model_dump_json()
        if form is None:
            return Reply(text)
        filled = fill(text, form)
        if filled.value is None:
            raise ModelError(
                f"{self.name} gave an answer that does not fit the form {form.__name__}: {filled.problem}"
            )
        return Reply(filled.text, filled.value)


def function_chat(
    name: str, fn: Callable[[Sequence[Message], type[BaseModel] | None], str | BaseModel]
) -> _FunctionChat:
    """Return the `memspan.ports.ChatModel` that answers with *fn*.

    Args:
        name: as outputs and the cache name it.
        fn: messages and the form asked for (or None) to a text, or to an instance of the form.

    Returns:
        A chat model. Its `reply` raises ModelError where the answer does not fit the form asked
        for; it costs no tokens; what *fn* raises passes through.

    >>> loud = function_chat("loud", lambda messages, form: messages[-1].content.upper())
    >>> loud.reply([Message("user", "who?")]).text
    'WHO?'
    """
    return _FunctionChat(name, fn)
