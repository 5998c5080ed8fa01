"""MemOS: memories by kind, each kind with a cap, the oldest out first.

Source: Z. Li et al., *MemOS: a memory OS for AI system* (arXiv 2507.03724); MemTensor/MemOS,
src/memos/memories/textual/tree_text_memory/organize (manager.py, handler.py, reorganizer.py),
src/memos/api/product_models.py.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from memspan.material import Claim, Note, Query, Settlement
from memspan.policies import Holding, best, note_of
from memspan.systems.clock import HOURS, Clock
from memspan.systems.derived import allowed, derived, told
from memspan.systems.kind import Setting, SystemKind

READ = 10  # product_models.py: top_k
WORKING, LONG_TERM, USER = "working", "long-term", "user"
CAPS = ((WORKING, 20), (LONG_TERM, 1500), (USER, 480))  # manager.py: memory_size; no files here
SAME_DAYS = 7  # manager.py: _DEDUP_WINDOW_DAYS, the same text again is not stored
LIKE = 0.8  # handler.py: NodeHandler.EMBEDDING_THRESHOLD
COMPARED = 5  # handler.py: detect, top_k
FUSED = 2  # claims' length of what two memories are fused into: all that both tell
SPEAKER = "user"  # simple_struct.py: what only the user said is of the kind of user memory


@dataclass(frozen=True)
class Rule:
    """How a variant organises.

    Attributes:
        merges: whether a new memory is compared with those like it and fused. The released default
            (is_reorganize) never does.
        by_use: whether what was read counts as new; released goes by the last writing.
        relevant: least likeness of what is read. Released asks for 0.45 (product_models.py:
            relativity) of models whose cosines are higher; of the offline embedder nothing is asked,
            since most questions would then read nothing, which says nothing of the system.
        caps: memories of each kind.
    """

    merges: bool = False
    by_use: bool = False
    relevant: float = 0.0
    caps: tuple[tuple[str, int], ...] = CAPS


RELEASED = Rule()
PAPER = Rule(merges=True, by_use=True)


class MemOS:
    """Memories by kind; implements `MemorySystem`, `Settles`, `Shrinks`.

    A memory goes by the time of its last writing. What was read stands in the working memory too,
    as a copy that outlives the original, the last read first. User memory is what the
    speaker called ``user`` says, or whoever speaks first where nobody is called so.

    A capacity stands above the caps: of the two lasting kinds the one goes first that has more of its
    share of 1500 and 480, the oldest of it; working memory has its share of one hundredth, at least one.
    The archived halves of fused memories are not held: nothing reads them.

    Its own ranking: that order, turned round.
    """

    def __init__(self, name: str, rule: Rule, setting: Setting) -> None:
        """Start with nothing held."""
        self._name, self._rule, self._author = name, rule, setting.author
        self._capacity = allowed(setting.capacity)
        self._caps = dict(rule.caps)
        if self._capacity is not None:
            share = self._capacity * self._caps[WORKING] / sum(self._caps.values())
            self._caps[WORKING] = min(self._caps[WORKING], max(round(share), 1))
        self._clock = Clock()
        self._holding = Holding(setting.likeness)
        self._lasting: dict[str, dict[str, float]] = {LONG_TERM: {}, USER: {}}
        self._working: dict[str, None] = {}
        self._texts: dict[str, str] = {}
        self._user: str | None = None
        self._fused = 0

    @property
    def name(self) -> str:
        """As it was given."""
        return self._name

    def observe(self, claim: Claim) -> None:
        """Store the memory with its kind, fused with one like it where the variant does so."""
        self._clock.tick(claim.time)
        kind = self._kind(claim.speaker)
        if self._is_repeated(claim.text):
            return
        note = note_of(claim)
        self._write(kind, self._resolved(kind, note) if self._rule.merges else note)
        for name in list(self._lasting[kind])[: -self._caps[kind]]:
            self._leave(kind, name)
        if self._capacity is not None:
            self.shrink(self._capacity)

    def _kind(self, speaker: str | None) -> str:
        if speaker is None or speaker.lower() == "assistant":
            return LONG_TERM
        if self._user is None or speaker.lower() == SPEAKER:
            self._user = speaker
        return USER if speaker == self._user else LONG_TERM

    def _is_repeated(self, text: str) -> bool:
        name = self._texts.get(text)
        written = [held[name] for held in self._lasting.values() if name in held]
        return bool(text) and any(self._clock.now - at <= SAME_DAYS * HOURS for at in written)

    def _write(self, kind: str, note: Note) -> None:
        self._holding.add(note)
        self._lasting[kind].pop(note.id, None)
        self._lasting[kind][note.id] = self._clock.now
        self._texts[note.text] = note.id

    def _resolved(self, kind: str, note: Note) -> Note:
        """Return *note*, or what it and a memory like it are fused into; the old one goes."""
        near = [each for each in self._like(note.text) if each.id in self._lasting[kind]][:COMPARED]
        verdict, place = self._author.compare(note.text, [each.text for each in near])
        if verdict == "add" or place is None:
            return note
        old = near[place]
        self._leave(kind, old.id)
        self._working.pop(old.id, None)
        if old.id in self._holding:
            self._holding.drop(old.id)
        if verdict == "delete":  # a contradiction that nothing resolves: the newer stays
            return note
        self._fused += 1
        text = self._author.summary(told([old, note]), FUSED)
        return derived(f"fused:{self._fused}", "fused", text, [old, note], note.time) or note

    def _like(self, text: str) -> list[Note]:
        if not len(self._holding):
            return []
        alike, notes = self._holding.similarity(text), self._holding.notes
        places = np.flatnonzero(alike >= LIKE)
        return [notes[places[i]] for i in best(alike[places], len(places))]

    def _leave(self, kind: str, name: str) -> None:
        """Take the memory out of its kind; it is let go of where no other kind has it."""
        (self._working if kind == WORKING else self._lasting[kind]).pop(name, None)
        if not (name in self._working or any(name in names for names in self._lasting.values())):
            self._holding.drop(name)

    def settle(self, settlement: Settlement) -> None:
        """Copy what was read into the working memory."""
        self._clock.follow(settlement.time)
        read = set(settlement.claims or ())
        for note in self._holding.notes:
            if note.claims and read.issuperset(note.claims):
                self._working.pop(note.id, None)
                self._working[note.id] = None
                self._use(note.id)
        for name in list(self._working)[: -self._caps[WORKING]]:
            self._leave(WORKING, name)

    def _use(self, name: str) -> None:
        for held in self._lasting.values():
            if self._rule.by_use and name in held:
                del held[name]
                held[name] = self._clock.now

    def _leaving(self) -> Iterator[tuple[str, str]]:
        """Yield kinds and memories in the order in which they would go."""
        waiting = {kind: deque(names) for kind, names in self._lasting.items()}
        while any(waiting.values()):
            kind = max(waiting, key=lambda kind: len(waiting[kind]) / self._caps[kind])
            yield kind, waiting[kind].popleft()
        yield from ((WORKING, name) for name in list(self._working))

    def shrink(self, capacity: int) -> None:
        """Let go of what goes first until the notes rest on at most *capacity* claims."""
        leaving = self._leaving()
        while self._holding.size > capacity:
            self._leave(*next(leaving))

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return the *k* notes most like the question."""
        return tuple(note for note, _ in self._holding.nearest(query.text, k, self._rule.relevant))

    def held(self) -> tuple[Note, ...]:
        """Return the notes, the last to go first."""
        names = dict.fromkeys(name for _, name in reversed(list(self._leaving())))
        return tuple(self._holding.note(name) for name in names)


KINDS = tuple(
    SystemKind("memos", variant, partial(MemOS, "memos", rule), READ, bounded=True, source=source)
    for variant, rule, source in (
        ("released", RELEASED, "MemTensor/MemOS@03015c1, tree_text_memory/organize/manager.py"),
        ("paper", PAPER, "arXiv 2507.03724; MemTensor/MemOS@5ac48ef, organize/handler.py"),
    )
)
