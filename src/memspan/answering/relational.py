"""Questions answered by one item with a triple: the reading of the question, the names, the lookup."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from memspan.answering.patterns import KINSHIP
from memspan.answering.questions import Ask, readings
from memspan.language.names import Link, Names, Step, bare
from memspan.language.relations import along, earlier, other, same, steps
from memspan.language.values import alike
from memspan.material import Claim, KnowledgeItem, Query, Triple
from memspan.ports import Scorer

Stated = Claim | KnowledgeItem
Status = Literal["answered", "ambiguous", "nothing", "unread"]
_STEPS: tuple[Step, ...] = ("exact", "folded", "alias", "bare", "overlap", "none")


@dataclass(frozen=True)
class Answer:
    """What the items say to a question.

    Attributes:
        status: ``answered``; ``ambiguous``, items disagree; ``nothing``, no item answers;
            ``unread``, no pattern fits the question.
        text: the answer; None unless answered.
        items: positions of the items that answer, each alone; of the disagreeing ones where ambiguous.
    """

    status: Status
    text: str | None = None
    items: tuple[int, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """What Φ has to compose so that single items answer some questions.

    Attributes:
        rules: chains and kinship, in the text form of rules.
        pairs: what to compare: (thing, relation, other thing).
    """

    rules: str
    pairs: tuple[Triple, ...]


class Relational:
    """Answerability by relations: an item answers where its triple is what the question asks for.

    An `Answerability` whose probabilities are 0 or 1. Names in questions are linked to *names*; a name
    that could mean several things is looked up as each, and an answer stands only if all agree.

    >>> ferry = Claim("c1", triple=("Last Ferry", "director's place of birth", "Porto"))
    >>> ask = Relational(Names(["Last Ferry"]))
    >>> ask.answer("Where was the director of film Last Ferry born?", [ferry]).text
    'Porto'
    """

    name = "relations"

    def __init__(self, names: Names) -> None:
        """Answer about the things that *names* knows."""
        self._names = names

    def wanted(self, questions: Iterable[str]) -> Wanted:
        """Return what *questions* need composed."""
        chains: dict[str, None] = {}
        pairs: dict[Triple, None] = {}
        for question in questions:
            for ask, links in self._ways(question):
                path = steps(ask.relation)
                if len(path) > 1:
                    chains[f"compose {' + '.join(path)} = {along(*path)}"] = None
                if ask.kind != "value":
                    pairs |= dict.fromkeys(
                        (one, ask.relation, two)
                        for one, two in product(*(link.names for link in links))
                        if one != two
                    )
        return Wanted(KINSHIP + "\n".join(chains), tuple(pairs))

    def answer(self, question: str, items: Sequence[Stated]) -> Answer:
        """Return what *items* say to *question*."""
        return self._answer(question, _by_start(items))

    @property
    def described(self) -> Mapping[str, Any]:
        """What outputs say of it."""
        return {"rule": self.name, "fitted_on": "", "reliability": {}}

    def scorer(self, items: Sequence[Claim]) -> Scorer:
        """Prepare *items*: a question gives 1 to each item that answers it alone, 0 to the others."""
        index = _by_start(items)

        def score(query: Query) -> npt.NDArray[np.float64]:
            scores = np.zeros(len(items))
            scores[list(self._answer(query.text, index).items)] = 1.0
            return scores

        return score

    def _answer(self, question: str, index: Mapping[tuple[str, str], list[tuple[int, Triple]]]) -> Answer:
        ways = self._ways(question)
        for ask, links in ways:
            found = list(_found(ask, links, index))
            texts = [text for text, _ in found]
            if found:
                positions = tuple(position for _, position in found)
                agreed = all(_agree(text, texts[0]) for text in texts)
                return (
                    Answer("answered", texts[0], positions)
                    if agreed
                    else Answer("ambiguous", None, positions)
                )
        return Answer("nothing" if ways or readings(question) else "unread")

    def _ways(self, question: str) -> list[tuple[Ask, tuple[Link, ...]]]:
        """Return the readings of *question* whose names are known, those with the surest names only."""
        ways = [(ask, tuple(self._names.link(name) for name in ask.about)) for ask in readings(question)]
        known = [(ask, links) for ask, links in ways if all(link.names for link in links)]
        surest = min((_doubt(links) for _, links in known), default=0)
        return [(ask, links) for ask, links in known if _doubt(links) == surest]


def _doubt(links: Iterable[Link]) -> int:
    return max(_STEPS.index(link.step) for link in links)


def _by_start(items: Sequence[Stated]) -> dict[tuple[str, str], list[tuple[int, Triple]]]:
    index: dict[tuple[str, str], list[tuple[int, Triple]]] = defaultdict(list)
    for position, item in enumerate(items):
        if item.triple is not None:
            index[item.triple[:2]].append((position, item.triple))
    return index


def _found(
    ask: Ask, links: Sequence[Link], index: Mapping[tuple[str, str], list[tuple[int, Triple]]]
) -> Iterator[tuple[str, int]]:
    """Yield answers to *ask* with the position of the item that gives each."""
    for names in product(*(link.names for link in links)):
        if ask.kind == "value":
            yield from ((triple[2], i) for i, triple in index.get((names[0], ask.relation), ()))
        elif ask.kind == "same":
            yield from _alike(names, ask.relation, index)
        else:
            for (one, two), (mine, others) in zip(
                (names, names[::-1]), (ask.about, ask.about[::-1]), strict=True
            ):
                for i, triple in index.get((one, earlier(ask.relation)), ()):
                    if triple[2] == two:
                        yield (mine if ask.kind == "first" else others), i


def _alike(
    names: Sequence[str], relation: str, index: Mapping[tuple[str, str], list[tuple[int, Triple]]]
) -> Iterator[tuple[str, int]]:
    """Yield yes where two share a value, else no where their values differ: one shared value suffices."""
    for said, name in (("yes", same(relation)), ("no", other(relation))):
        held = [i for i, triple in index.get((names[0], name), ()) if triple[2] == names[1]]
        if held:
            yield from ((said, i) for i in held)
            return


def _agree(one: str, two: str) -> bool:
    return alike(one, two) or bare(one) == bare(two)
