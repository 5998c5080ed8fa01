"""Places of work and homes that a later memory says are left."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from memspan.audit.reading import Reading
from memspan.audit.statements import Statement, statements

_LEAVING = re.compile(
    r"\b(?:no longer|any ?more|used to|(?:does|do|is)(?:n['\u2019]?t| not)|stopped|quit)\b", re.IGNORECASE
)
_LEAVING_TEXT = "longer anymore more used doesnt dont isnt not stopped quit"
_LEAVING_WORDS = frozenset(_LEAVING_TEXT.split())
_PLACES = {"job": "job", "role": "job", "home": "home"}


def left_places(readings: Sequence[Reading]) -> Iterator[tuple[Reading, Reading, str]]:
    """Yield memories of a place that a later one says is left, whatever else they say of it."""
    left = [(each, place) for each in readings for place in _left(each)]
    if not left:
        return
    held: defaultdict[tuple[str, str, str], list[tuple[Reading, Statement]]] = defaultdict(list)
    for each in readings:
        for said in statements(each):
            who, attribute = said.about
            if attribute in _PLACES and said.names:
                held[each.scope, who, _PLACES[attribute]].append((each, said))
    for new, place in left:
        who, attribute = place.about
        for old, said in held[new.scope, who, _PLACES[attribute]]:
            if old.order < new.order and old.voice == new.voice and place.names <= said.names:
                yield old, new, "a later one says that this is over"


def _left(each: Reading) -> Iterator[Statement]:
    if each.said.isdisjoint(_LEAVING_WORDS) or not _LEAVING.search(each.text):
        return
    bare = each.retold(" ".join(_LEAVING.sub(" ", each.text).split()))
    for said in statements(bare):
        if said.about[1] in _PLACES and said.names and said.value <= said.names | each.dated:
            yield said
