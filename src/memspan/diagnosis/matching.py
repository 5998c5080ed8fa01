"""A memory as it is today: which claims of a material the memories of a foreign store rest on."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

from memspan.diagnosis.answered import Answered, answered
from memspan.diagnosis.foreign import factor, scaled
from memspan.diagnosis.pairing import LEAST, RELIABILITY, Pair, pairs
from memspan.material import Claim, Dropped, Material, Note

if TYPE_CHECKING:
    import numpy as np

How = Literal["provenance", "text", "answer", "none"]
Chances = Mapping[str, Mapping[str, float]]
"""Memory id to claim id to the probability that the one rests on the other."""

_LIKELY = 0.5
_OTHER = {
    "number": "another number",
    "date": "another date",
    "name": "another name",
    "denial": "the opposite",
}


@dataclass(frozen=True)
class Matching:
    """Which memory rests on which claims, as far as can be told.

    Attributes:
        memories: the stored memories, in order.
        material: what they are matched with.
        chances: for each memory the claims that it may rest on; 1 where it says so itself or says
            the same, a probability elsewhere, and what is less likely than 0.05 left out.
        how: for each memory ``provenance`` (it names its claims), ``text`` (it likely tells some),
            ``answer`` (it likely tells none, but answers questions that claims answer) or ``none``.
        reports: provenance that names nothing, and likely pairs that something speaks against.
        reliability: of matching by text, as measured; not of the memories at hand.
    """

    memories: tuple[Claim, ...]
    material: Material
    chances: Chances
    how: Mapping[str, How]
    reports: tuple[Dropped, ...] = ()
    reliability: Mapping[str, float] = field(default_factory=lambda: dict(RELIABILITY))

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """The memories with the claims that each likelier rests on than not.

        ``extra`` holds ``matched`` (see `how`) and ``confidence``, the probability that it is these
        claims and no others; claims are taken to be told independently.
        """
        return tuple(self._note(memory, self._likely(memory.id)) for memory in self.memories)

    @property
    def unmatched(self) -> tuple[str, ...]:
        """Ids of the memories that likelier rest on no claim: inventions, or told in words not understood."""
        return tuple(note.id for note in self.notes if not note.claims)

    @property
    def counts(self) -> Mapping[How, int]:
        """How many memories were matched which way."""
        found = Counter(self.how.values())
        return {way: found[way] for way in get_args(How)}

    @property
    def likeliest_share(self) -> float:
        """Share of the memories with a text that likelier tell some claim than none; 0 where none has a text.

        Below 0.2 the store is likely not of this material: of another person, or of another time.
        """
        spoken = [bool(note.claims) for note in self.notes if note.text.strip() or note.claims]
        return sum(spoken) / len(spoken) if spoken else 0.0

    @property
    def expected_size(self) -> float:
        """Expected number of claims that the memories rest on together; `notes` may rest on fewer."""
        missing: dict[str, float] = defaultdict(lambda: 1.0)
        for told in self.chances.values():
            for claim, chance in told.items():
                missing[claim] *= 1 - chance
        return sum(1 - chance for chance in missing.values())

    def draw(self, rng: np.random.Generator) -> tuple[Note, ...]:
        """Return the memories with claims drawn by their chances: one of the ways it may be.

        >>> import numpy as np
        >>> trip = Material("trip", (Claim("c1", "Ana moved to Porto."), Claim("c2", "Rui cooks.")))
        >>> match([Claim("m", "Ana moved to Porto")], trip).draw(np.random.default_rng(0))[0].claims
        ('c1',)
        """
        luck = iter(rng.random(sum(map(len, self.chances.values()))).tolist())
        return tuple(
            self._note(memory, tuple(c for c, p in self._told(memory.id) if next(luck) < p))
            for memory in self.memories
        )

    def _told(self, memory: str) -> Sequence[tuple[str, float]]:
        return [*self.chances.get(memory, {}).items()]

    def _likely(self, memory: str) -> tuple[str, ...]:
        return tuple(claim for claim, chance in self._told(memory) if chance >= _LIKELY)

    def _note(self, memory: Claim, claims: tuple[str, ...]) -> Note:
        chosen = set(claims)
        sure = math.prod(p if claim in chosen else 1 - p for claim, p in self._told(memory.id))
        told: dict[str, Any] = {**memory.extra, "matched": self.how[memory.id], "confidence": sure}
        return Note(memory.id, memory.text, claims, "memory", memory.time, told)


def match(memories: Sequence[Claim], material: Material, *, answers: bool = True) -> Matching:
    """Match stored *memories* to the claims of *material* that they rest on.

    A memory that names claims of the material (``extra["claims"]``, or its ``source`` is the id of one)
    rests on those. One whose ``source`` is the source of some claims, such as a session, rests on
    some of them; others are matched by text: the same but for case, accents and punctuation, else by a
    probability from the words that both share. A pair in which the memory says another number, date or
    name, or the opposite, is no match; a likely one is reported.

    A memory that then likelier tells no claim may still answer questions, in words of its own. Where
    the material has questions with known answers, it rests with the probability that it answers one
    on the claims of that question's smallest support. So whatever a store is credited with counts in
    its size, and no point can lie above the frontier.

    Args:
        memories: stored memories as claims, ids unique, e.g. ``ms.load(store)[0].claims``.
        material: claims, and queries where there are any.
        answers: whether to ask memories that tell no claim for what they answer.

    >>> trip = Material("trip", (Claim("c1", "Ana moved to Porto in May 2023."), Claim("c2", "Rui cooks.")))
    >>> stored = [Claim("a", "Ana moved to Lisbon in May 2023."), Claim("b", extra={"claims": ["c2"]})]
    >>> found = match(stored, trip)
    >>> [(note.id, note.claims, note.extra["matched"]) for note in found.notes]
    [('a', (), 'none'), ('b', ('c2',), 'provenance')]
    """
    reports: list[Dropped] = []
    named = {memory.id: _named(memory, material, reports) for memory in memories}
    chances: dict[str, dict[str, float]] = {name: dict.fromkeys(told, 1.0) for name, told in named.items()}
    how: dict[str, How] = {name: "provenance" if told else "none" for name, told in named.items()}
    silent = [memory for memory in memories if not named[memory.id]]
    _by_text(silent, material, chances, reports)
    for memory in silent:
        if any(chance >= _LIKELY for chance in chances[memory.id].values()):
            how[memory.id] = "text"
    if answers:
        left = [memory for memory in silent if how[memory.id] == "none"]
        for name in _by_answer(answered(left, material), material, chances, _factor(chances)):
            how[name] = "answer"
    order = material.claim_position
    ordered = {
        name: dict(sorted(told.items(), key=lambda at: order[at[0]])) for name, told in chances.items()
    }
    return Matching(tuple(memories), material, ordered, how, tuple(reports))


# --- provenance ----------------------------------------------------------------------------------


def _named(memory: Claim, material: Material, reports: list[Dropped]) -> list[str]:
    """Return the claims that *memory* names; names of nothing are reported."""
    told = memory.extra.get("claims") or ()
    names = [told] if isinstance(told, str) else [str(name) for name in told]
    known = [name for name in dict.fromkeys(names) if name in material.claim_position]
    lost = [name for name in names if name not in material.claim_position]
    if lost:
        reason = f"names {len(lost)} of {len(names)} claims that {material.id!r} does not have: {lost[0]}"
        reports.append(Dropped(f"memory {memory.id}", "claims", reason, kept=True))
    if not known and memory.source in material.claim_position:
        known = [memory.source] if memory.source else []
    return known


# --- text ----------------------------------------------------------------------------------------


def _by_text(
    memories: Sequence[Claim],
    material: Material,
    chances: dict[str, dict[str, float]],
    reports: list[Dropped],
) -> None:
    """Add the chances of what *memories* tell; what something speaks against is reported instead."""
    sources = {claim.source for claim in material.claims} - {None}
    for pair in pairs(memories, material.claims):
        memory, claim = memories[pair.memory], material.claims[pair.claim]
        if memory.source in sources and claim.source != memory.source:
            continue
        if pair.against is None:
            chances[memory.id][claim.id] = pair.chance
        elif pair.chance >= _LIKELY:
            reports.append(_contradiction(memory, claim, pair))


def _contradiction(memory: Claim, claim: Claim, pair: Pair) -> Dropped:
    says = _OTHER[pair.against] if pair.against else ""
    return Dropped(
        f"memory {memory.id}", "text", f"says {says} than claim {claim.id}; not matched", kept=True
    )


# --- answers -------------------------------------------------------------------------------------


def _by_answer(
    found: Mapping[str, Answered], material: Material, chances: dict[str, dict[str, float]], by: float
) -> Iterator[str]:
    """Add the smallest support of each query that a memory answers; yield memories that likely answer one.

    Odds are multiplied *by* what the store's own are: in a store of somebody else answers are chance too.
    """
    likely: dict[str, None] = {}
    for name, each in found.items():
        supports = [s.claims for s in material.supports_of(material.query(name)) if s.claims and not s.unless]
        if not supports:
            continue
        for memory, chance in zip(each.memories, _scaled(each.chances, by), strict=True):
            for claim in min(supports, key=len) if chance >= LEAST else ():
                chances[memory][claim] = max(chance, chances[memory].get(claim, 0.0))
            if chance >= _LIKELY:
                likely[memory] = None
    yield from likely


def _factor(chances: Chances) -> float:
    return factor(sum(max(told.values(), default=0.0) for told in chances.values()), len(chances))


def _scaled(chances: Sequence[float], by: float) -> list[float]:
    import numpy as np

    return [float(chance) for chance in scaled(np.array(chances), by)]
