"""A chat model that is asked each question once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from memspan.models.answers import Answers
from memspan.models.forms import fill
from memspan.ports import ChatModel, Message, Reply

if TYPE_CHECKING:
    from pydantic import BaseModel


def key_of(name: str, messages: Sequence[Message], form: type[BaseModel] | None = None) -> str:
    """Return the content hash of a question: model, messages, and the schema of the form."""
    schema = form.model_json_schema() if form is not None else None
    told = [[message.role, message.content] for message in messages]
    return sha256(json.dumps([name, told, schema], sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Cached:
    """A chat model with its answers kept on disk; implements `memspan.ports.ChatModel`.

    Only answers that could be used are kept. One that is kept but does not fit the form any longer is
    asked for again. Threads that ask the same at the same moment may each pay for it.

    Attributes:
        chat: the model.
        answers: where its answers are kept; models may share it. Close it when done.

    >>> import tempfile
    >>> from memspan.models.function import function_chat
    >>> with tempfile.TemporaryDirectory() as folder, Answers(f"{folder}/answers.sqlite3") as answers:
    ...     chat = Cached(function_chat("echo", lambda messages, form: messages[-1].content), answers)
    ...     [chat.reply([Message("user", "hello")]).cached for _ in range(2)]
    [False, True]
    """

    chat: ChatModel
    answers: Answers

    @property
    def name(self) -> str:
        """The model's own."""
        return self.chat.name

    def reply(self, messages: Sequence[Message], form: type[BaseModel] | None = None) -> Reply:
        """Answer from the cache, else as the model does.

        Raises:
            ModelError: as the model does; nothing is kept then.
        """
        key = key_of(self.name, messages, form)
        known = self.answers.get(key)
        if known is not None and (kept := _kept(known, form)):
            return kept
        reply = self.chat.reply(messages, form)
        self.answers.put(key, self.name, reply.text)
        return reply


def _kept(text: str, form: type[BaseModel] | None) -> Reply | None:
    if form is None:
        return Reply(text, cached=True)
    filled = fill(text, form)
    return Reply(filled.text, filled.value, cached=True) if filled.value is not None else None
