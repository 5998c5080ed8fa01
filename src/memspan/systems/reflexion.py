"""Reflexion: what an agent tells itself after each trial that failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memspan.language.tokens import count_tokens
from memspan.material import Claim, Note, Query, Settlement
from memspan.ports import Author
from memspan.systems.kind import Setting, SystemKind

# noahshinn/reflexion @218cf0e
LAST = 3  # alfworld_runs/alfworld_trial.py and generate_reflections.py, webshop_runs: memory[-3:]
PROMPT = 3896  # hotpotqa_runs/agents.py, is_halted: tokens of a prompt, beyond which a trial halts
NEWEST = 1  # programming_runs/reflexion.py: the last reflection alone goes into the next attempt
CLAIMS = 5  # claims that a reflection tells: turns of 50 tokens, in the 250 of agents.py (max_tokens)
FAILED = 0.5  # below this an outcome is a failure; the code knows right and wrong only

Keep = Callable[[Sequence[Note]], int]
"""How many of the reflections stay, given all, the newest first."""


class Reflexion:
    """Holds reflections on failed trials; a `MemorySystem` with `Settles` and `Shrinks`.

    The one system of the eight that writes by outcome: a settled query that was answered wrong is a
    failed trial, and one reflection is written on it; what was answered right leaves nothing. The
    trial is made of the claims that the settlement names; where it names none that was observed, of
    the claims observed since the trial before; where there are none, of the last session. What was
    observed is the log of the trial, which whoever reflects is given, and not memory.

    As long as nothing has been settled, each session (`Claim.source`) counts as one trial that failed
    when it ended: when another session begins, or, for the time being, when the memory is looked at.
    The first settlement is the outcome of the session that is open then.

    A reflection is the author's summary of its trial in at most five claims, or as many as the
    capacity allows. Nothing is searched: what is held is read, the newest first, whatever is asked.
    Its own ranking is the newest first.

    >>> from memspan.systems.author import PlainAuthor
    >>> memory = Reflexion(the_last, PlainAuthor())
    >>> for name, session in (("a", "1"), ("b", "2"), ("c", "2")):
    ...     memory.observe(Claim(name, f"Text of {name}.", source=session))
    >>> [note.claims for note in memory.held()]
    [('b', 'c'), ('a',)]
    """

    name = "reflexion"

    def __init__(self, keep: Keep, author: Author, capacity: int | None = None) -> None:
        """Start with nothing held; *keep* tells how many reflections stay."""
        self._keep, self._author, self._capacity = keep, author, capacity
        self._written: tuple[Note, ...] = ()
        self._log: dict[str, Claim] = {}
        self._trial: list[Claim] = []
        self._session: list[Claim] = []
        self._trials = 0
        self._gated = False
        self._held: tuple[Note, ...] | None = ()

    def observe(self, claim: Claim) -> None:
        """Take *claim* into the open trial; as long as no outcome was told, a new session ends the old."""
        if self._session and self._session[-1].source != claim.source:
            if not self._gated:
                self._end(self._session)
            self._session = []
        self._log[claim.id] = claim
        self._session.append(claim)
        self._trial.append(claim)
        self._held = None

    def settle(self, settlement: Settlement) -> None:
        """End a trial, and write a reflection if it failed."""
        self._gated = True
        read = [self._log[name] for name in settlement.claims or () if name in self._log]
        self._end((read or self._trial or self._session) if settlement.correct < FAILED else ())
        self._held = None

    def _end(self, failed: Sequence[Claim]) -> None:
        self._written = self._fitting((*self._reflection(failed), *self._written))
        self._trials += 1
        self._trial = []

    def _reflection(self, claims: Sequence[Claim]) -> tuple[Note, ...]:
        """Return the reflection on a trial of *claims*; none where there is nothing to tell."""
        most = CLAIMS if self._capacity is None else min(CLAIMS, self._capacity)
        if not claims or most < 1:
            return ()
        written = self._author.summary(claims, most)
        name = f"reflection {self._trials + 1}"
        return (Note(name, written.text, written.claims, "reflection", claims[-1].time),)

    def _fitting(self, notes: tuple[Note, ...]) -> tuple[Note, ...]:
        kept = notes[: self._keep(notes)]
        return kept if self._capacity is None else _cut(kept, self._capacity)

    def shrink(self, capacity: int) -> None:
        """Let go of the oldest reflections until the rest rests on at most *capacity* claims."""
        self._held = _cut(self.held(), capacity)
        names = {note.id for note in self._held}
        self._written = tuple(note for note in self._written if note.id in names)

    def held(self) -> tuple[Note, ...]:
        """Return the reflections, the newest first."""
        if self._held is None:
            open_one = () if self._gated else self._reflection(self._session)
            self._held = self._fitting((*open_one, *self._written))
        return self._held

    def read(self, query: Query, k: int) -> tuple[Note, ...]:  # noqa: ARG002 - the same for all
        """Return the *k* newest reflections."""
        return self.held()[: max(k, 0)]


def _cut(notes: Sequence[Note], capacity: int) -> tuple[Note, ...]:
    """Return the first of *notes*, as many as rest on at most *capacity* claims together."""
    resting: set[str] = set()
    for i, note in enumerate(notes):
        resting |= set(note.claims)
        if len(resting) > capacity:
            return tuple(notes[:i])
    return tuple(notes)


def the_last(notes: Sequence[Note]) -> int:
    """Keep three, as in the household tasks.

    >>> the_last([Note(str(i)) for i in range(5)])
    3
    """
    return min(LAST, len(notes))


def within_prompt(notes: Sequence[Note]) -> int:
    """Keep all that fit into a prompt, as in question answering; the code halts where they do not.

    >>> within_prompt([Note("new", "word " * 3000), Note("old", "word " * 3000)])
    1
    """
    tokens = 0
    for i, note in enumerate(notes):
        tokens += count_tokens(note.text)
        if tokens > PROMPT:
            return i
    return len(notes)


def the_newest(notes: Sequence[Note]) -> int:
    """Keep one, as in programming.

    >>> the_newest([Note("new"), Note("old")])
    1
    """
    return min(NEWEST, len(notes))


def alfworld(setting: Setting) -> Reflexion:
    """Return Reflexion as it plays ALFWorld and WebShop."""
    return Reflexion(the_last, setting.author, setting.capacity)


def hotpotqa(setting: Setting) -> Reflexion:
    """Return Reflexion as it answers HotpotQA."""
    return Reflexion(within_prompt, setting.author, setting.capacity)


def programming(setting: Setting) -> Reflexion:
    """Return Reflexion as it writes programs."""
    return Reflexion(the_newest, setting.author, setting.capacity)


_SOURCE = "noahshinn/reflexion@218cf0e {}; arXiv 2303.11366"
KINDS = (
    SystemKind(
        "reflexion",
        "alfworld",
        alfworld,
        LAST,
        bounded=True,
        source=_SOURCE.format("alfworld_runs/generate_reflections.py"),
    ),
    SystemKind(
        "reflexion",
        "hotpotqa",
        hotpotqa,
        None,
        bounded=True,
        source=_SOURCE.format("hotpotqa_runs/agents.py"),
    ),
    SystemKind(
        "reflexion",
        "programming",
        programming,
        NEWEST,
        bounded=True,
        source=_SOURCE.format("programming_runs/reflexion.py"),
    ),
)
