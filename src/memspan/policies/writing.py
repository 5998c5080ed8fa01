"""A write policy as a memory system: what it decides, held as notes and read by similarity."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from memspan.errors import ShapeError
from memspan.growing import Table
from memspan.material import Claim, Note, Query, Settlement
from memspan.policies.holding import Holding, note_of
from memspan.policies.likeness import Likeness
from memspan.ports import Outcome, View, WritePolicy

Floats = npt.NDArray[np.float64]


class Writing:
    """Holds the claims that a write policy scores highest, and reads by similarity; a `MemorySystem`.

    Args:
        policy: decides; it is started anew.
        likeness: how alike texts are.
        capacity: claims held at most; None for no bound.
        seed: of what the policy leaves to chance.
        whole: the policy observes all claims at once, when it is first asked, in place of one source
            after the other; a bounded memory asks as soon as it is full.

    Raises:
        ShapeError: *capacity* is negative.

    >>> from memspan.policies.plain import plain
    >>> two = Writing(plain("fifo"), Likeness(), capacity=2)
    >>> for name in ("a", "b", "c"):
    ...     two.observe(Claim(name))
    >>> [note.id for note in two.held()]
    ['c', 'b']
    """

    def __init__(
        self,
        policy: WritePolicy,
        likeness: Likeness,
        capacity: int | None = None,
        seed: int = 0,
        *,
        whole: bool = False,
    ) -> None:
        """Start with nothing held."""
        if capacity is not None and capacity < 0:
            raise ShapeError(f"capacity is {capacity}; give a number of claims, 0 or more")
        self._policy, self._capacity, self._whole = policy, capacity, whole
        self._waiting: list[Claim] = []
        self._holding = Holding(likeness)
        self._rows = Table(memory=(np.bool_, 0), fresh=(np.bool_, 1))
        self._place: dict[str, int] = {}
        self._names: list[str] = []
        policy.start(seed)

    @property
    def name(self) -> str:
        """The policy's own."""
        return self._policy.name

    def observe(self, claim: Claim) -> None:
        """Hold *claim*, then let go of the lowest where there are too many; seen again, it is a new one."""
        self._let_go(claim.id)
        self._place[claim.id] = self._rows.extend(1)
        self._names.append(claim.id)
        self._holding.add(note_of(claim))
        if self._waiting and not self._whole and self._waiting[-1].source != claim.source:
            self._tell()
        self._waiting.append(claim)
        if self._capacity is not None:
            self.shrink(self._capacity)

    def _tell(self) -> None:
        """Let the policy observe what waits for it."""
        if self._waiting:
            self._policy.observe(tuple(self._waiting))
            self._waiting = []

    def settle(self, settlement: Settlement) -> None:
        """Tell the policy of an outcome, and of the claims that were read."""
        self._tell()
        read = settlement.claims
        used = None if read is None else tuple(self._place[name] for name in read if name in self._place)
        self._policy.settle(Outcome(settlement.correct, used))

    def shrink(self, capacity: int) -> None:
        """Let go of the lowest until at most *capacity* claims are held."""
        if len(self._holding) <= capacity:
            return
        scores = self._scores(capacity)
        places = self._held()
        for place in places[np.argsort(-scores[places], kind="stable")][capacity:].tolist():
            self._let_go(self._names[place])
        memory = self._rows["memory"].used
        memory[:] = False
        memory[self._held()] = True
        self._rows["fresh"].used[:] = False

    def read(self, query: Query, k: int) -> tuple[Note, ...]:
        """Return the *k* notes most like the question."""
        return tuple(note for note, _ in self._holding.nearest(query.text, k))

    def held(self) -> tuple[Note, ...]:
        """Return the notes, the highest score first; of equal ones the first."""
        places, scores = self._held(), self._scores(len(self._holding))
        order = places[np.argsort(-scores[places], kind="stable")].tolist()
        return tuple(self._holding.note(self._names[place]) for place in order)

    def _held(self) -> npt.NDArray[np.int64]:
        return np.array(sorted(self._place.values()), np.int64)

    def _scores(self, capacity: int) -> Floats:
        """Ask the policy; what is held and what is new may stay."""
        self._tell()
        open_ = np.zeros(len(self._names), np.bool_)
        open_[self._held()] = True
        memory, fresh = self._rows["memory"].used.copy(), self._rows["fresh"].used.copy()
        return self._policy.score(View(memory, open_, fresh, np.ones(len(open_)), capacity))

    def _let_go(self, name: str) -> None:
        if name in self._place:
            del self._place[name]
            self._holding.drop(name)
