"""MemoryBank: turns by day, summaries of days, and a curve of forgetting.

Source: W. Zhong et al., *MemoryBank: enhancing large language models with long-term memory*, AAAI 2024
(arXiv 2305.10250); zhongwanjun/MemoryBank-SiliconFriend, memory_bank/memory_retrieval/forget_memory.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from memspan.material import Claim, Note, Query, Settlement
from memspan.policies import Holding, note_of
from memspan.systems.clock import HOURS, Clock
from memspan.systems.derived import allowed, derived, told
from memspan.systems.kind import Setting, SystemKind

Floats = npt.NDArray[np.float64]
Curve = Callable[[Floats, Floats], Floats]
"""Days since the last recall, and strengths, to the probability of being kept."""

SLOWED = 5  # forget_memory.py: forgetting_curve, exp(-t / 5*S)
STRENGTH = 1  # forget_memory.py: memory_strength of a new turn, and what a recall adds
READ = 6  # forget_memory.py: VECTOR_SEARCH_TOP_K
ALWAYS = 2  # the overall summary and the overall portrait stand in every prompt
# summarize_memory.py asks for short summaries and names no length; these are ours, in claims.
DAILY = 3  # of a day
OVERALL = 1  # of all days: so many daily summaries
_PROMPT = ("overall:summary", "overall:portrait")


def released_curve(days: Floats, strength: Floats) -> Floats:
    """Return exp(-(t / 5) S): as Python reads the released formula, what is stronger fades faster.

    >>> [round(float(p), 3) for p in released_curve(np.array([3.0, 3.0]), np.array([1.0, 2.0]))]
    [0.549, 0.301]
    """
    kept: Floats = np.exp(-days / SLOWED * strength)
    return kept


def published_curve(days: Floats, strength: Floats) -> Floats:
    """Return exp(-t / S), as it was published: what is stronger fades slower.

    >>> [round(float(p), 3) for p in published_curve(np.array([3.0, 3.0]), np.array([1.0, 2.0]))]
    [0.05, 0.223]
    """
    kept: Floats = np.exp(-days / strength)
    return kept


@dataclass(frozen=True, slots=True)
class _Mark:
    """What is known of a held note: its day, the last recall, its strength, and its draw in [0, 1)."""

    day: int
    recalled: int
    drawn: float
    strength: int = STRENGTH


class MemoryBank:
    """Holds turns until the curve lets go of them; implements `MemorySystem`, `Settles`, `Shrinks`.

    Each turn draws one number; it is forgotten on the first day on which its retention is below
    that. The original draws again at each load. A day that ends gets a summary, which is never
    drawn and goes with the last turn of its day; summaries and, above them, one overall summary
    and one portrait rest on what they tell. Gluing neighbours of one source does nothing here:
    in the last released code each turn is a source of its own.

    Its own ranking: retention, of equal ones turns before summaries and the newest first; the two
    overall texts last. With a capacity it forgets as it does without, and lets go of the lowest.
    """

    def __init__(self, name: str, curve: Curve, setting: Setting) -> None:
        """Start with nothing held."""
        self._name, self._curve = name, curve
        self._capacity = allowed(setting.capacity)
        self._author, self._rng = setting.author, setting.rng
        self._clock, self._today = Clock(), 0
        self._all, self._bank = Holding(setting.likeness), Holding(setting.likeness)
        self._marks: dict[str, _Mark] = {}

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    def observe(self, claim: Claim) -> None:
        """Hold the turn; where it opens a new day, sum up the old one and forget first."""
        day = int(self._clock.tick(claim.time) // HOURS)
        if self._marks and self._clock.today > self._today:
            self._sum_up(self._today)
        self._marks[claim.id] = _Mark(day, day, float(self._rng.random()))
        self._put(note_of(claim))
        if self._clock.today > self._today or day < self._today:
            self._today = self._clock.today
            self._forget()
        if self._capacity is not None:
            self.shrink(self._capacity)

    def _put(self, note: Note) -> None:
        self._all.add(note)
        self._bank.add(note)

    def _sum_up(self, day: int) -> None:
        turns = [note for note in self._bank.notes if self._is_turn(note) and self._marks[note.id].day == day]
        text = self._author.summary(told(turns), DAILY)
        summary = derived(f"summary:{day}", "summary", text, turns, turns[-1].time if turns else None)
        if summary is not None:
            self._put(summary)
            self._marks[summary.id] = _Mark(day, day, 0.0)
        days = [note for note in self._bank.notes if not self._is_turn(note)]
        portraits = self._author.insights(told(days), 1)
        for name, texts in zip(
            _PROMPT, ((self._author.summary(told(days), OVERALL),), portraits), strict=True
        ):
            for written in texts:
                note = derived(name, "overall", written, days, days[-1].time if days else None)
                if note is not None:
                    self._all.add(note)

    @staticmethod
    def _is_turn(note: Note) -> bool:
        return note.kind != "summary"

    def _retention(self, names: Iterable[str]) -> Floats:
        marks = [self._marks[name] for name in names]
        days = np.array([self._today - mark.recalled for mark in marks], float)
        return self._curve(np.maximum(days, 0), np.array([mark.strength for mark in marks], float))

    def _forget(self) -> None:
        turns = [note.id for note in self._bank.notes if self._is_turn(note)]
        drawn = np.array([self._marks[name].drawn for name in turns])
        for i in np.flatnonzero(drawn > self._retention(turns)).tolist():
            self._drop(turns[i])
        alive = {self._marks[note.id].day for note in self._bank.notes if self._is_turn(note)}
        for note in self._bank.notes:
            if not self._is_turn(note) and self._marks[note.id].day not in alive:
                self._drop(note.id)

    def _drop(self, name: str) -> None:
        self._all.drop(name)
        if name in self._bank:
            self._bank.drop(name)
            del self._marks[name]

    def settle(self, settlement: Settlement) -> None:
        """Strengthen what was read: the turns, or the summaries of claims that no turn holds."""
        self._clock.follow(settlement.time)
        for name in settlement.claims or ():
            found = [name] if name in self._bank else self._summaries_of(name)
            for each in found:
                mark = self._marks[each]
                self._marks[each] = replace(
                    mark, recalled=self._clock.today, strength=mark.strength + STRENGTH
                )

    def _summaries_of(self, claim: str) -> list[str]:
        return [note.id for note in self._bank.notes if not self._is_turn(note) and claim in note.claims]

    def shrink(self, capacity: int) -> None:
        """Let go of the least retained until the notes rest on at most *capacity* claims."""
        ranked = list(self.held()) if self._all.size > capacity else []
        while self._all.size > capacity:
            self._drop(ranked.pop().id)

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return the notes most like the question, then the overall texts, *k* in all."""
        overall = self._overall()
        near = self._bank.nearest(query.text, max(k - len(overall), 1))
        return (*(note for note, _ in near), *overall)[: max(k, 0)]

    def _overall(self) -> list[Note]:
        return [self._all.note(name) for name in _PROMPT if name in self._all]

    def held(self) -> tuple[Note, ...]:
        """Return turns and summaries by retention, then the overall texts."""
        notes = self._bank.notes
        late = np.array([not self._is_turn(note) for note in notes], bool)
        kept = self._retention(note.id for note in notes)
        order = np.lexsort([-np.arange(len(notes)), late, -kept])
        return (*(notes[i] for i in order.tolist()), *self._overall())


KINDS = tuple(
    SystemKind(
        "memorybank",
        variant,
        partial(MemoryBank, "memorybank", curve),
        READ + ALWAYS,
        source=source,
    )
    for variant, curve, source in (
        (
            "released",
            released_curve,
            "zhongwanjun/MemoryBank-SiliconFriend@cf61c41, memory_bank/memory_retrieval/forget_memory.py",
        ),
        ("paper", published_curve, "arXiv 2305.10250, section 3.3"),
    )
)
