"""What is compared when a question, and its answer where known, meet an item.

Each feature is one number for each item, mostly in [0, 1]. Names that begin with ``asked`` look at
the question alone; those with ``answer`` or ``both`` need the right answer; those with ``close``
need an embedder. A learned rule names the features it weighs, so a name here never changes its
meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from memspan.answering.meeting import Meeting, against_best, ranked
from memspan.language.words import STOPWORDS, words

Floats = npt.NDArray[np.float64]
Measure = Callable[[Meeting], Floats]

_WHEN = re.compile(r"\b(when|what (date|day|month|year|time)|how long|which (day|month|year))\b")
_COUNT = re.compile(r"\bhow (many|much|old|often)\b")
_ASKED_REACH = 14  # days after which nearness in time has fallen to 1/e


def _same(meeting: Meeting, value: float) -> Floats:
    """The same for all items: it moves how sure a rule is, not the order."""
    return np.full(meeting.n, value)


def _mentions(meeting: Meeting) -> Floats:
    """1 where the item names a speaker whom the question names."""
    people = meeting.passages.people
    named = sorted({part for name in meeting.people for part in people[name]})
    return np.minimum(sum((meeting.passages.saying([part]) for part in named), np.zeros(meeting.n)), 1)


def _asked_phrase(meeting: Meeting) -> Floats:
    """Share of the question's neighbouring words that stand side by side in the item."""
    said = words(meeting.query.text)
    pairs = [f"{a} {b}" for a, b in pairwise(said) if {a, b} - STOPWORDS]
    return meeting.passages.pairs.held(pairs) / max(len(pairs), 1)


def _asked_group(meeting: Meeting) -> Floats:
    passages = meeting.passages
    return against_best(passages.together.bm25(meeting.asked_terms))[passages.groups]


def _verbatim(meeting: Meeting) -> Floats:
    """1 where the answer stands in the item word for word."""
    wanted = words(meeting.answer)
    if not wanted or " ".join(wanted) in STOPWORDS:
        return np.zeros(meeting.n)
    return meeting.passages.saying(wanted)


def _best_part(meeting: Meeting) -> Floats:
    """How well an item repeats the part of a listed answer that it repeats best."""
    lexicon = meeting.passages.lexicon
    scores = np.zeros(meeting.n)
    for part in meeting.parts:
        scores = np.maximum(scores, against_best(lexicon.bm25(part)) * lexicon.share(part))
    return scores


def _rarest(meeting: Meeting) -> Floats:
    """Rarity of the rarest new stem of the answer in the item, against that of one never seen."""
    lexicon = meeting.passages.lexicon
    best = np.zeros(meeting.n)
    for term in meeting.new_terms:
        held = lexicon.bm25([term]) > 0
        best = np.maximum(best, held * lexicon.rarity(term) / lexicon.unseen)
    return best


def _where(pattern: re.Pattern[str], meeting: Meeting, fits: Floats) -> Floats:
    return fits if pattern.search(meeting.folded) else np.zeros(meeting.n)


def _when(meeting: Meeting) -> Floats:
    """1 where the question asks for a time and the item has words of time."""
    return _where(_WHEN, meeting, meeting.passages.timed)


def _count(meeting: Meeting) -> Floats:
    """1 where the question asks for a number and the item has one."""
    return _where(_COUNT, meeting, meeting.passages.counting)


def _asks_before(meeting: Meeting) -> Floats:
    """How well the item before fits the question, where that item asks something."""
    return meeting.passages.before(meeting.asked * meeting.passages.asks)


ASKED: Mapping[str, Measure] = {
    "asked": lambda m: m.asked,
    "asked_level": lambda m: m.asked_level / 20,
    "asked_share": lambda m: m.asked_share,
    "asked_rank": lambda m: ranked(m.asked),
    "asked_phrase": _asked_phrase,
    "asked_pieces": lambda m: m.asked_pieces,
    "asked_pieces_rank": lambda m: ranked(m.asked_pieces),
    "asked_window": lambda m: m.asked_window,
    "asked_window_share": lambda m: m.passages.windows.share(m.asked_terms),
    "asked_window_rank": lambda m: ranked(m.asked_window),
    "asked_before": lambda m: m.passages.before(m.asked),
    "asked_after": lambda m: m.passages.after(m.asked),
    "asked_group": _asked_group,
    "asked_most": lambda m: _same(m, float(m.asked_share.max(initial=0))),
    "asked_rivals": lambda m: _same(m, float((m.asked > 0.7).sum()) / 10),
    "asked_speaker": lambda m: m.speaker,
    "asked_speaker_fit": lambda m: np.maximum(m.speaker, 0) * m.asked,
    "asked_mention": _mentions,
    "asked_in_question": _asks_before,
    "asked_when": _when,
    "asked_when_fit": lambda m: _when(m) * m.asked,
    "asked_count": _count,
    "asked_near": lambda m: m.passages.said.nearness(m.asked_days, _ASKED_REACH),
    "asked_meant": lambda m: m.passages.meant.agreement(m.asked_days),
    "asks": lambda m: m.passages.asks,
    "asks_before": lambda m: m.passages.before(m.passages.asks),
    "follows": lambda m: m.passages.before(np.ones(m.n)),
    "length": lambda m: np.log1p(m.passages.lexicon.lengths) / 4,
}
"""Features of the question alone."""

ANSWERED: Mapping[str, Measure] = {
    "answer": lambda m: m.answered,
    "answer_level": lambda m: m.answer_level / 20,
    "answer_share": lambda m: m.answer_share,
    "answer_new": lambda m: m.passages.lexicon.share(m.new_terms),
    "answer_rank": lambda m: ranked(m.answered),
    "answer_verbatim": _verbatim,
    "answer_rarest": _rarest,
    "answer_part": _best_part,
    "answer_pieces": lambda m: m.answer_pieces,
    "answer_pieces_rank": lambda m: ranked(m.answer_pieces),
    "answer_before": lambda m: m.passages.before(m.answered),
    "answer_after": lambda m: m.passages.after(m.answered),
    "answer_most": lambda m: _same(m, float(m.answer_share.max(initial=0))),
    "answer_dated": lambda m: _same(m, float(bool(m.answer_days))),
    "answer_near": lambda m: m.answer_near,
    "answer_near_fit": lambda m: m.answer_near * m.asked,
    "answer_meant": lambda m: m.answer_meant,
    "answer_meant_fit": lambda m: m.answer_meant * m.asked,
    "answer_meant_window": lambda m: m.answer_meant * m.asked_window,
    "both": lambda m: m.both,
    "both_level": lambda m: m.both_level / 30,
    "both_rank": lambda m: ranked(m.both),
    "both_share": lambda m: m.asked_share * m.answer_share,
    "both_pieces": lambda m: m.both_pieces,
    "both_pieces_rank": lambda m: ranked(m.both_pieces),
    "both_window": lambda m: m.both_window,
    "both_window_rank": lambda m: ranked(m.both_window),
    "both_group": lambda m: m.both_group,
    "both_group_fit": lambda m: m.both_group * m.both,
}
"""Features that need the right answer."""


def _close(side: str) -> Iterator[tuple[str, Measure]]:
    yield f"close_{side}", lambda m: m.closeness[side]
    yield f"close_{side}_gap", lambda m: m.closeness[side] - m.closeness[side].max(initial=-1)
    yield f"close_{side}_rank", lambda m: ranked(m.closeness[side])
    yield f"close_{side}_before", lambda m: m.passages.before(m.closeness[side])
    yield f"close_{side}_after", lambda m: m.passages.after(m.closeness[side])


CLOSE: Mapping[str, Measure] = dict(pair for side in ("asked", "answer", "both") for pair in _close(side))
"""Features that need an embedder: cosines to the question, the answer and both."""

MEASURES: Mapping[str, Measure] = {**ASKED, **ANSWERED, **CLOSE}


def features_for(*, answered: bool, embedded: bool) -> tuple[str, ...]:
    """Return the names of the features that can be computed."""
    sides = ("asked", "answer", "both") if answered else ("asked",)
    close = [name for name in CLOSE if name.split("_")[1] in sides] if embedded else []
    return (*ASKED, *(ANSWERED if answered else ()), *close)


def matrix(meeting: Meeting, names: Sequence[str]) -> Floats:
    """Return the features called *names*, shape (n items, n names)."""
    if not names:
        return np.zeros((meeting.n, 0))
    return np.stack([MEASURES[name](meeting) for name in names], axis=1)
