"""Generative Agents: a stream of events and thoughts, scored by recency, importance and relevance.

Source: J. S. Park et al., *Generative agents: interactive simulacra of human behavior*, UIST 2023
(arXiv 2304.03442); joonspk-research/generative_agents, reverie/backend_server/persona.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from memspan.material import Claim, Note, Query, Settlement
from memspan.policies import best, note_of
from memspan.systems.clock import Clock
from memspan.systems.derived import allowed, derived, told
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.stream import Rows, Stream

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

READ = 30  # retrieve.py: new_retrieve, n_count
LATEST = 5  # scratch.py: retention; an event like one of so many latest is not stored again
SPENT = 150  # scratch.py: importance_trigger_max; the same in the paper
QUESTIONS, INSIGHTS = 3, 5  # reflect.py: generate_focal_points, generate_insights_and_evidence
RANK_DECAY = 0.99  # scratch.py: recency_decay
HOUR_DECAY = 0.995  # the paper, section 4.1: for each hour since the last access
RECENT = 100  # the paper, section 4.2: records that the questions are asked about


Recency = Callable[[Stream, Rows, float], tuple[Places, Floats]]
"""Some rows of a stream and the time to their order, which ties follow, and the recency in that order."""


def by_rank(stream: Stream, rows: Rows, now: float) -> tuple[Places, Floats]:
    """Return 0.99 to the power of the rank, counted as released: from the access longest ago.

    So what was accessed first is the most recent. Among equal accesses events come before
    thoughts and the newest first, as the released lists are joined before they are sorted.
    """
    del now
    order = np.lexsort([-rows, stream.thought[rows], stream.accessed[rows]])
    return order, RANK_DECAY ** np.arange(1.0, len(rows) + 1)


def by_hours(stream: Stream, rows: Rows, now: float) -> tuple[Places, Floats]:
    """Return 0.995 to the power of the hours since the last access, as it was published."""
    accessed = stream.accessed[rows]
    order = np.lexsort([rows, accessed])
    return order, HOUR_DECAY ** np.maximum(now - accessed[order], 0)


@dataclass(frozen=True)
class Rule:
    """How a variant scores.

    Attributes:
        recency: how recent each note is.
        weights: of recency, relevance, importance.
        passed_over: notes with this in their text are never read; None for no such word.
        asked_about: notes, accessed last, that a reflection asks about; None for as many as
            events came since the last reflection.
    """

    recency: Recency
    weights: tuple[float, float, float]
    passed_over: str | None = None
    asked_about: int | None = None


RELEASED = Rule(by_rank, (0.5, 3.0, 2.0), passed_over="idle")  # retrieve.py: gw; embedding_key
PAPER = Rule(by_hours, (1.0, 1.0, 1.0), asked_about=RECENT)


def spread(values: npt.NDArray[np.floating]) -> Floats:
    """Return *values* moved to [0, 1]; all one half where they are equal, as released.

    >>> spread(np.array([1.0, 3.0, 2.0])).tolist(), spread(np.array([7.0])).tolist()
    ([0.0, 1.0, 0.5], [0.5])
    """
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    if high == low:
        return np.full(len(values), 0.5)
    moved: Floats = (values.astype(float) - low) / (high - low)
    return moved


class GenerativeAgents:
    """A memory stream that reflects; implements `MemorySystem`, `Settles`, `Shrinks`.

    Reading refreshes the access time, through `settle`: of events that were read, and of thoughts
    all of whose claims were. The offline author's insights are the questions of a reflection, too;
    an insight that is already held is renewed and not stored twice.

    Its own ranking: recency and importance as it weighs them for reading, without relevance; what
    it never reads goes first.
    """

    def __init__(self, name: str, rule: Rule, setting: Setting) -> None:
        """Start with nothing held."""
        self._name, self._rule, self._author = name, rule, setting.author
        self._capacity = allowed(setting.capacity)
        self._clock = Clock()
        self._stream = Stream(setting.likeness)
        self._latest: deque[str] = deque(maxlen=LATEST)
        self._thoughts: dict[str, str] = {}
        self._since, self._budget = 0, SPENT
        self._time: str | None = None
        self._ready: tuple[Places, Floats] | None = None
        self._ranked: tuple[Note, ...] | None = None

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    def observe(self, claim: Claim) -> None:
        """Store the event unless one of the latest is the same; reflect where enough was important."""
        self._clock.tick(claim.time)
        self._time = claim.time or self._time
        key = repr(claim.triple or claim.text or claim.id)
        if key in self._latest:
            return
        self._latest.append(key)
        importance = self._write(note_of(claim))
        self._since += 1
        self._budget -= importance
        if self._capacity is not None:
            self.shrink(self._capacity)
        if self._budget <= 0:
            self._reflect()
            self._budget, self._since = SPENT, 0

    def _write(self, note: Note) -> int:
        importance = self._author.importance(note.text)
        self._stream.write(note, self._clock.now, importance)
        self._ready = self._ranked = None
        return importance

    def _reflect(self) -> None:
        notes = self._stream.holding.notes
        count = self._since if self._rule.asked_about is None else self._rule.asked_about
        places = self._scored()[0].tolist()
        recent = [notes[i] for i in places[-count:]]
        questions = self._author.insights(told(recent), QUESTIONS)
        for evidence in [self._evidence(question.text) for question in questions]:
            for insight in self._author.insights(told(evidence), INSIGHTS):
                name = self._thoughts.setdefault(insight.text, f"thought:{len(self._thoughts)}")
                thought = derived(name, "thought", insight, evidence, self._time)
                if thought is not None:
                    self._write(thought)

    def _evidence(self, question: str) -> tuple[Note, ...]:
        notes = self._retrieve(question, READ)
        self._access([note.id for note in notes])
        return notes

    def _access(self, names: Iterable[str]) -> None:
        for name in names:
            self._stream.access(name, self._clock.now)
        self._ready = self._ranked = None

    def settle(self, settlement: Settlement) -> None:
        """Refresh when the notes that were read were last accessed."""
        self._clock.follow(settlement.time)
        read, notes = set(settlement.claims or ()), self._stream.holding.notes
        self._access([note.id for note in notes if note.claims and read.issuperset(note.claims)])

    def _scored(self) -> tuple[Places, Floats]:
        """Return where the notes that can be read stand, and their score but for relevance."""
        if self._ready is None:
            stream, word = self._stream, self._rule.passed_over
            places = np.arange(len(stream.holding))
            if word is not None:
                read = [word not in note.text for note in stream.holding.notes]
                places = np.flatnonzero(np.array(read, bool))
            rows = stream.rows[places]
            order, recency = self._rule.recency(stream, rows, self._clock.now)
            first, _, last = self._rule.weights
            fixed = first * spread(recency) + last * spread(stream.importance[rows[order]])
            self._ready = places[order], fixed
        return self._ready

    def _retrieve(self, text: str, k: int) -> tuple[Note, ...]:
        places, fixed = self._scored()
        if not len(places):
            return ()
        alike = self._stream.holding.similarity(text)[places]
        chosen = places[best(fixed + self._rule.weights[1] * spread(alike), k)]
        notes = self._stream.holding.notes
        return tuple(notes[i] for i in chosen.tolist())

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return the *k* notes of the highest score."""
        return self._retrieve(query.text, k)

    def shrink(self, capacity: int) -> None:
        """Let go of the lowest by its own ranking until the notes rest on at most *capacity* claims."""
        if self._stream.holding.size <= capacity:
            return
        ranked = list(self.held())
        while self._stream.holding.size > capacity:
            self._stream.drop(ranked.pop().id)
        self._ready, self._ranked = None, tuple(ranked)  # the order stays, though what is left scales anew

    def held(self) -> tuple[Note, ...]:
        """Return the notes, the highest of its own ranking first."""
        if self._ranked is None:
            notes = self._stream.holding.notes
            places, fixed = self._scored()
            order = places[best(fixed, len(places))].tolist()
            never = sorted(set(range(len(notes))) - set(order), reverse=True)
            self._ranked = tuple(notes[i] for i in [*order, *never])
        return self._ranked


KINDS = tuple(
    SystemKind(
        "generative-agents",
        variant,
        partial(GenerativeAgents, "generative-agents", rule),
        READ,
        source=source,
    )
    for variant, rule, source in (
        (
            "released",
            RELEASED,
            "joonspk-research/generative_agents@51072d4, persona/cognitive_modules/retrieve.py",
        ),
        ("paper", PAPER, "arXiv 2304.03442, sections 4.1 and 4.2"),
    )
)
