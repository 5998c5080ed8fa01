"""MemGPT and Letta v1: a window that holds what fits, and stores that what leaves it is paged into.

Source: C. Packer et al., *MemGPT: towards LLMs as operating systems* (arXiv 2310.08560);
letta-ai/letta, tags 0.2.11 and 0.3.25 (memgpt/constants.py, memgpt/agent.py) and branch archive
(letta/constants.py, letta/services/summarizer).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from memspan.language.tokens import count_tokens
from memspan.language.words import words
from memspan.material import Claim, Note, Query
from memspan.policies import Holding, note_of
from memspan.systems.derived import allowed, derived, told
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.recall import Recall, by_words, by_words_and_likeness

Flush = Callable[[Sequence[int], int], int]
"""Tokens of what is queued, oldest first, and the window's, to how many of the oldest are evicted."""
Search = Callable[[Recall, Sequence[str], str, int], tuple[Note, ...]]
"""Messages, words to look for, the question and a count to the first page of what a search finds."""

PAGE = 5  # constants.py: RETRIEVAL_QUERY_DEFAULT_PAGE_SIZE, in all three
WINDOW = 8192  # memgpt/constants.py: LLM_MAX_TOKENS, DEFAULT
WARNED = 0.75  # memgpt/constants.py: MESSAGE_SUMMARY_WARNING_FRAC
EVICTED = 0.75  # memgpt/constants.py: MESSAGE_SUMMARY_TRUNC_TOKEN_FRAC
LAST = 3  # memgpt/constants.py: MESSAGE_SUMMARY_TRUNC_KEEP_N_LAST
BLOCK = 2000  # memgpt/constants.py: CORE_MEMORY_HUMAN_CHAR_LIMIT, characters
SUMMARY = 100  # memgpt/prompts/gpt_summarize.py: WORD_LIMIT, words
PAPER_WARNED, PAPER_EVICTED = 0.7, 0.5  # the paper, section 2.2, both of the window
LETTA_WINDOW = 32_000  # letta/constants.py: DEFAULT_CONTEXT_WINDOW
LETTA_FULL = 0.9  # letta/constants.py: SUMMARIZATION_TRIGGER_MULTIPLIER
LETTA_KEPT = 0.7  # summarizer_sliding_window.py: 1 - sliding_window_percentage, of the window
LETTA_FIRST, LETTA_STEP = 4, 10  # the same: tries 40 % of the messages, then 50 %, ...
LETTA_BLOCK = 20_000  # letta/constants.py: CORE_MEMORY_HUMAN_CHAR_LIMIT
TOKEN = 4  # characters in a token: sets blocks, told in characters, beside the window
SAVED = 3  # claims that the model saves when it is warned; no rule says how many, this is ours


def by_share_of_queue(costs: Sequence[int], window: int) -> int:
    """Return the oldest that come before three quarters of the tokens are passed; never the last three.

    >>> by_share_of_queue([10] * 8, 80)
    4
    """
    del window
    free, passed = costs[:-LAST], 0
    wanted = int(sum(costs) * EVICTED)
    for count, cost in enumerate(free):
        passed += cost
        if passed > wanted:
            return count
    return max(len(free) - 1, 0)


def by_half_of_window(costs: Sequence[int], window: int) -> int:
    """Return the oldest that together take half of the window, but for the newest.

    >>> by_half_of_window([10] * 8, 80)
    4
    """
    passed = 0
    for count, cost in enumerate(costs[:-1], 1):
        passed += cost
        if passed >= window * PAPER_EVICTED:
            return count
    return max(len(costs) - 1, 0)


def by_sliding(costs: Sequence[int], window: int) -> int:
    """Return 40 % of the messages, or 10 % more and more, until the rest is below 70 % of the window.

    Where nothing is left to try, all go but the newest.

    >>> by_sliding([10] * 10, 100), by_sliding([10] * 7 + [20] * 3, 100)
    (4, 7)
    """
    for tenths in range(LETTA_FIRST, LETTA_STEP):
        count = round(tenths * len(costs) / LETTA_STEP)
        if sum(costs[count:]) < window * LETTA_KEPT:
            return min(count, len(costs) - 1)
    return max(len(costs) - 1, 0)


@dataclass(frozen=True)
class Rule:
    """How a variant pages.

    Attributes:
        window: tokens that fit.
        warned: share of the window at which the model is told to save what matters.
        full: share at which the oldest messages are evicted.
        block: characters of core memory that hold claims; the other block is about the agent.
        flush: how many of the oldest go.
        search: how messages are found again.
    """

    window: int
    warned: float
    full: float
    block: int
    flush: Flush
    search: Search


RELEASED = Rule(WINDOW, WARNED, 1.0, BLOCK, by_share_of_queue, by_words)
PAPER = Rule(WINDOW, PAPER_WARNED, 1.0, BLOCK, by_half_of_window, by_words)
LETTA = Rule(LETTA_WINDOW, LETTA_FULL, LETTA_FULL, LETTA_BLOCK, by_sliding, by_words_and_likeness)


class MemGPT:
    """Core memory, a queue with a summary at its head, and stores outside; a `MemorySystem` that `Shrinks`.

    What fits: the rule's tokens, the preset prompt not counted. With a capacity also that many
    claims: it plays the role of the window, in which core memory and the summary have the shares
    that their lengths have of the rule's tokens. At a warning, once until the next eviction, the model
    saves `SAVED` claims that tell most of the queue, in core memory or, where that is full, in the
    archive. Evicted messages stay in the store; a summary of them and of the summary before
    stands at the head of the queue. Where its rule finds nothing to evict, the original stops with an
    error, and here the oldest goes. Letta v1 does not warn: it saves when it compacts. Claims
    have no roles, so that each may be the first to stay.

    Reading gives a page of found messages, a page of the archive, and then the window: all of it
    stands in the prompt anyway, so that k is as many as there are. What is read is not queued.

    Its own ranking: core memory, the queue from the newest, the summary, then what was paged out,
    the last first.
    """

    def __init__(self, name: str, rule: Rule, setting: Setting) -> None:
        """Start with an empty window."""
        self._name, self._rule, self._author = name, rule, setting.author
        self._capacity = allowed(setting.capacity)
        self._messages, self._archive = Recall(setting.likeness), Holding(setting.likeness)
        self._all = Holding(setting.likeness)
        self._core: dict[str, int] = {}
        self._queue: dict[str, int] = {}
        self._summary: dict[str, int] = {}
        self._outside: dict[str, None] = {}
        self._warned, self._saved = False, 0

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    def observe(self, claim: Claim) -> None:
        """Queue the message; save, summarise and page out where it gets full."""
        note = note_of(claim)
        self._messages.holding.add(note)
        self._outside.pop(note.id, None)
        self._queue.pop(note.id, None)
        self._put(self._queue, note)
        if not self._warned and self._filled() > self._rule.warned:
            self._warned = True
            self._save(claim.time)
        while len(self._queue) > 1 and self._filled() > self._rule.full:
            self._evict(claim.time)
        if self._capacity is not None:
            self.shrink(self._capacity)

    def _put(self, part: dict[str, int], note: Note) -> None:
        self._all.add(note)
        part[note.id] = max(count_tokens(note.text), 1)

    def _notes(self, names: Iterable[str]) -> list[Note]:
        return [self._all.note(name) for name in names]

    def _filled(self) -> float:
        """Return the share of the window that is taken, in tokens or in claims, whichever is more."""
        filled = self._tokens() / self._rule.window
        if self._capacity is None:
            return filled
        above = self._notes([*self._core, *self._summary])
        claims = {claim for note in above for claim in note.claims}.union(self._queue)
        return max(filled, len(claims) / max(self._capacity, 1))

    def _tokens(self) -> int:
        return sum(sum(part.values()) for part in (self._core, self._queue, self._summary))

    def _room(self, tokens: float) -> float:
        """Return how many claims may stand where the rule gives *tokens* of its window."""
        return math.inf if self._capacity is None else self._capacity * tokens / self._rule.window

    def _save(self, time: str | None) -> None:
        core = self._notes(self._core)
        held = {claim for note in core for claim in note.claims}
        room = int(min(self._room(self._rule.block / TOKEN) - len(held), SAVED))
        queued = [note for note in self._notes(self._queue) if note.id not in held]
        for kind, most in (("core", room), ("archival", SAVED)):
            text = self._author.summary(told(queued), max(most, 0))
            note = derived(f"{kind}:{self._saved}", kind, text, queued, time)
            if note is None:
                continue
            if kind == "core" and sum(len(each.text) for each in (*core, note)) <= self._rule.block:
                self._put(self._core, note)
                break
            if kind == "archival":
                self._all.add(note)
                self._archive.add(note)
                self._outside[note.id] = None
        self._saved += 1

    def _evict(self, time: str | None) -> None:
        costs = [*self._summary.values(), *self._queue.values()]
        window = round(self._tokens() / self._filled())  # the tokens that fit: fewer where claims fill it
        count = max(self._rule.flush(costs, window) - len(self._summary), 1)
        gone = self._notes(list(self._queue)[:count])
        whole = [*self._notes(self._summary), *gone]
        most = max(int(min(self._words(gone), self._room(SUMMARY))), 1)
        summary = derived("summary:0", "summary", self._author.summary(told(whole), most), whole, time)
        if summary is not None:
            self._put(self._summary, summary)
        for note in gone:
            del self._queue[note.id]
            self._outside[note.id] = None
        self._warned = False

    @staticmethod
    def _words(notes: Sequence[Note]) -> int:
        """Return how many claims of that length a summary has room for."""
        return max(round(SUMMARY * len(notes) / max(sum(len(words(note.text)) for note in notes), 1)), 1)

    def shrink(self, capacity: int) -> None:
        """Let go of what was paged out first, until the notes rest on at most *capacity* claims."""
        while self._all.size > capacity:
            part = next(each for each in (self._outside, self._summary, self._queue, self._core) if each)
            name = next(iter(part))
            del part[name]
            self._all.drop(name)
            for store in (self._archive, self._messages.holding):
                if name in store:
                    store.drop(name)

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return a page of messages, a page of the archive and the window, at most *k* notes."""
        found = self._rule.search(self._messages, self._author.keywords(query.text), query.text, PAGE)
        archived = (note for note, _ in self._archive.nearest(query.text, PAGE))
        notes = {note.id: note for note in (*found, *archived, *self._notes(self._window()))}
        return tuple(notes.values())[: max(k, 0)]

    def _window(self) -> tuple[str, ...]:
        return (*self._core, *reversed(self._queue), *self._summary)

    def held(self) -> tuple[Note, ...]:
        """Return core memory, the queue, the summary and what was paged out."""
        return tuple(self._notes((*self._window(), *reversed(self._outside))))


KINDS = tuple(
    SystemKind(
        "memgpt",
        variant,
        partial(MemGPT, "memgpt", rule),
        None,
        bounded=True,
        source=source,
    )
    for variant, rule, source in (
        ("released", RELEASED, "letta-ai/letta@0.3.25, memgpt/agent.py, memgpt/constants.py"),
        ("paper", PAPER, "arXiv 2310.08560, section 2"),
        ("letta", LETTA, "letta-ai/letta@archive, letta/services/summarizer, letta/constants.py"),
    )
)
