"""The protocols: what memspan asks of parts that can be swapped.

Whatever has these methods fits; nothing needs to inherit. The laws that an operator must keep
are tried by `memspan.testing.check_operator`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from memspan.material import Claim, Dropped, KnowledgeItem, Query

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from pydantic import BaseModel

    Floats = npt.NDArray[np.float64]
    Vectors = npt.NDArray[np.float32]

# --- generation ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Generated:
    """What an operator entails from some claims.

    Attributes:
        items: the span. Every claim e is among them: some item has the support (e,), which only
            other claims may defeat. The supports of an item are minimal, none holds another,
            shortest first, claims in material order. Ids name the content: the same knowledge has
            the same id whatever claims were given.
        limits: what a cap cut off, by item; where there is any, supports are missing, so that
            whatever is computed from them is a lower bound.
        rejected: what a model proposed and a check turned down; no knowledge is missing for it.
    """

    items: tuple[KnowledgeItem, ...]
    limits: tuple[Dropped, ...] = ()
    rejected: tuple[Dropped, ...] = ()


class GenerationOperator(Protocol):
    """Φ: what a set of claims entails.

    Source: arXiv 2608.11654, Definition 2.2.
    """

    @property
    def name(self) -> str:
        """Short and stable, as outputs name it."""
        ...

    def generate(self, claims: Sequence[Claim]) -> Generated:
        """Return the items that *claims* entail, with all their minimal supports among them."""
        ...


# --- answering ----------------------------------------------------------------------------------

Scorer = Callable[[Query], "Floats"]
"""A question to one number in [0, 1] for each item, in order: the probability that it answers."""


class Answerability(Protocol):
    """ans(n, q): whether the single item n suffices to answer q, as a calibrated probability.

    Source: arXiv 2608.11654, Definition 2.3.
    """

    @property
    def name(self) -> str:
        """Short and stable, as outputs name it."""
        ...

    @property
    def described(self) -> Mapping[str, Any]:
        """What outputs say of it: ``rule``, ``fitted_on``, and ``reliability`` by side where measured."""
        ...

    def scorer(self, items: Sequence[Claim]) -> Scorer:
        """Prepare *items* once, for many questions; a composed item comes as a claim of its own."""
        ...


class ReadPolicy(Protocol):
    """What a memory hands out for a question: K_q."""

    @property
    def name(self) -> str:
        """Short and stable, as outputs name it."""
        ...

    def read(self, query: Query, items: Sequence[Claim]) -> tuple[int, ...]:
        """Return positions of *items*, best first, within the bound that the policy was made with."""
        ...


# --- models -------------------------------------------------------------------------------------


class Embedder(Protocol):
    """Texts to vectors."""

    @property
    def name(self) -> str:
        """Names the model and its version: vectors of different names are never compared."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row of unit length for each text, shape (n, d); a text of nothing is zeros."""
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """One message to a chat model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a chat model answered.

    Attributes:
        text: the answer; where a form was asked for, a JSON document.
        value: the document as an instance of the form; None where none was asked for.
        tokens_in, tokens_out: what was paid for, 0 where the answer came from the cache.
        cached: whether it came from the cache.
    """

    text: str
    value: BaseModel | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    cached: bool = False


class ChatModel(Protocol):
    """A model that answers messages, if asked so in a given form."""

    @property
    def name(self) -> str:
        """Names the model and its version, as outputs and the cache name it."""
        ...

    def reply(self, messages: Sequence[Message], form: type[BaseModel] | None = None) -> Reply:
        """Answer *messages*; with a *form*, a pydantic model, `Reply.value` is an instance of it.

        Raises:
            ModelError: no answer that can be used, after the retries that the client allows.
        """
        ...
