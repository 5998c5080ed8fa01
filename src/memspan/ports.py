"""The protocols: what memspan asks of parts that can be swapped.

Whatever has these methods fits; nothing needs to inherit. The laws that an operator must keep
are tried by `memspan.testing.check_operator`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, runtime_checkable

from memspan.material import Claim, Dropped, KnowledgeItem, Note, Query, Settlement

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from pydantic import BaseModel

    Bools = npt.NDArray[np.bool_]
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


# --- memory systems ------------------------------------------------------------------------------


class MemorySystem(Protocol):
    """Holds what it chooses of the claims it sees, and reads from it.

    Its memory M is the set of claims that its notes rest on. Systems that learn from use have
    `Settles` too, and those that can be made smaller afterwards `Shrinks`. The laws are tried by
    `memspan.testing.check_system`.
    """

    @property
    def name(self) -> str:
        """Short and stable, as outputs name it."""
        ...

    def observe(self, claim: Claim) -> None:
        """Take the next claim, in the order of the source."""
        ...

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return at most *k* held notes for *query*, best first; what is held stays as it was."""
        ...

    def held(self) -> tuple[Note, ...]:
        """Return all that is held: what it would keep longest first, where it has such an order."""
        ...


@runtime_checkable
class Settles(Protocol):
    """A system that learns from use: which of its claims were read, and whether the answer was right."""

    def settle(self, settlement: Settlement) -> None:
        """Take the outcome of a query; ``settlement.claims`` are those that were read."""
        ...


@runtime_checkable
class Shrinks(Protocol):
    """A system that can be cut to a capacity by its own ranking: so one run serves many capacities."""

    def shrink(self, capacity: int) -> None:
        """Let go of what it would keep least until the notes rest on at most *capacity* claims."""
        ...


@dataclass(frozen=True, slots=True)
class Written:
    """A text that was made from claims.

    Attributes:
        text: the text.
        claims: ids of those that it keeps; all that were given where that cannot be told.
    """

    text: str
    claims: tuple[str, ...]


Verdict = Literal["add", "update", "delete", "none"]


class Author(Protocol):
    """The parts of memory systems that a language model writes.

    `memspan.systems.author.PlainAuthor` stands in for one, offline and always the same.
    """

    @property
    def name(self) -> str:
        """Names the model, as outputs name it."""
        ...

    def importance(self, text: str) -> int:
        """Return how much *text* matters, from 1 (idle) to 10."""
        ...

    def summary(self, claims: Sequence[Claim], most: int) -> Written:
        """Return a text of about *most* claims' length that tells what matters of *claims*."""
        ...

    def insights(self, claims: Sequence[Claim], most: int) -> tuple[Written, ...]:
        """Return at most *most* inferences from *claims*, each with those that it rests on."""
        ...

    def keywords(self, text: str) -> tuple[str, ...]:
        """Return the words by which *text* would be filed."""
        ...

    def compare(self, text: str, others: Sequence[str]) -> tuple[Verdict, int | None]:
        """Return what a new *text* does to the *others* held: which of them it changes, if any."""
        ...

    def relevant(self, query: str, texts: Sequence[str]) -> tuple[int, ...]:
        """Return the positions of the *texts* that help to answer *query*."""
        ...


class Reasoner(Protocol):
    """Answers a query from the notes that were read, and from nothing else."""

    @property
    def name(self) -> str:
        """Names the model, as outputs name it."""
        ...

    def reason(self, query: Query, notes: Sequence[Note]) -> str:
        """Return the answer; an empty text refuses."""
        ...


class AnswerJudge(Protocol):
    """Tells whether an answer is right."""

    @property
    def name(self) -> str:
        """Names the judge, as outputs name it."""
        ...

    def judge(self, query: Query, answer: str) -> float:
        """Return 1 right, 0 wrong, or the probability of right; an empty *answer* is a refusal."""
        ...


# --- writing over time ---------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """What a write policy sees when it writes; one entry for each claim that has appeared, in that order.

    Attributes:
        memory: bool (n,), held now.
        open: bool (n,), may be held after this write: all of them where the material can be read
            again, else what is held and what is fresh.
        fresh: bool (n,), appeared since the last write.
        costs: float64 (n,), what holding each costs.
        capacity: what may be held at most, in the unit of the costs.
        coming: the query that will be asked next, its text alone, where it is known (level 0).
    """

    memory: Bools
    open: Bools
    fresh: Bools
    costs: Floats
    capacity: float
    coming: Query | None = None


@dataclass(frozen=True)
class Outcome:
    """What is disclosed of a query once it is settled; claims by their position in the order of arrival.

    Attributes:
        correct: 1 right, 0 wrong, or the probability of right.
        used: the claims that the answer rested on, none where nothing was found; None where that is
            not told.
        supports: all supports of the query, also where it was missed; None where that is not told.
        query: its text, and its answer where that is told; None where neither is.
    """

    correct: float
    used: tuple[int, ...] | None = None
    supports: tuple[tuple[int, ...], ...] | None = None
    query: Query | None = None


class WritePolicy(Protocol):
    """Decides what a memory holds: one score for each claim, the best within capacity are held.

    Written over time a policy is asked in turn to observe, to score, and to settle. It sees neither
    supports nor the distribution of queries beyond what outcomes disclose. The laws are tried by
    `memspan.testing.check_policy`.

    Source: arXiv 2608.11654, section 5.
    """

    @property
    def name(self) -> str:
        """Short and stable, as outputs name it."""
        ...

    def start(self, seed: int) -> None:
        """Forget everything: a new material begins; *seed* is for whatever is left to chance."""
        ...

    def observe(self, claims: Sequence[Claim]) -> None:
        """Take the next claims, e.g. of a session; what is true of them is not told."""
        ...

    def score(self, view: View) -> Floats:
        """Return a score for each claim that has appeared, shape (n,); -inf is never held.

        The open claims with the highest scores are held as far as they fit, of equal ones the first.
        """
        ...

    def settle(self, outcome: Outcome) -> None:
        """Learn from the outcome of a query."""
        ...


class Prior(Protocol):
    """How likely a claim is to be asked for, judged before any query."""

    @property
    def name(self) -> str:
        """Short and stable, as outputs name it."""
        ...

    def start(self) -> None:
        """Forget everything: a new material begins."""
        ...

    def observe(self, claims: Sequence[Claim]) -> Floats:
        """Return for each of the next claims the chance that some query needs it, in (0, 1), shape (k,)."""
        ...


# --- work ----------------------------------------------------------------------------------------

Job = TypeVar("Job")
Done = TypeVar("Done")


class Executor(Protocol):
    """Runs many like jobs, and gives their results in the order of the jobs."""

    def map(self, function: Callable[[Job], Done], jobs: Iterable[Job]) -> Iterator[Done]:
        """Yield ``function(job)`` for each of *jobs*; both can be pickled."""
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
