"""Generation measured: 2WikiMultihopQA answered by rules and names, bAbI by small stories, and harm.

Patterns, names and rules were chosen on the train sample of 2Wiki and on the first fifth of each bAbI
file; the tables report on the dev sample and on the rest.

    python benchmarks/generation.py [--json]
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from instances import public
from measuring import Section, clock
from memspan.answering.relational import Answer, Relational
from memspan.answering.resolving import Resolved, resolve
from memspan.datasets import load
from memspan.generation.comparisons import Compared
from memspan.generation.lifetimes import Lifetimes
from memspan.generation.narrative import Narrative
from memspan.generation.rules import Rules
from memspan.generation.story import asked, read_story
from memspan.language.names import reading
from memspan.material import Claim, KnowledgeItem, Material, Query, Support

TASKS = (1, 2, 3, 7, 8, 14, 15, 16)
LOOKED_AT = 0.2
"""Share of each bAbI file that patterns were written from."""


# --- 2WikiMultihopQA ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Answered:
    """Questions of one type."""

    sample: str
    type: str
    questions: int
    right: float
    wrong: float
    supports_as_annotated: float
    sentences_as_annotated: float
    with_context: int
    one_triple_removed: int
    then_wrong: int


@dataclass(frozen=True)
class World:
    """A sample as one graph, with everything that follows from it."""

    asked: Material
    home: dict[str, Query]
    resolved: Resolved
    ask: Relational
    items: tuple[KnowledgeItem, ...]


def world(path: Path) -> World:
    """Pool all triples of the sample at *path*, and compose what its questions need."""
    (triples,) = load(path, claims="triples", union=True)
    (sentences,) = load(path, claims="sentences", union=True)
    resolved = resolve(triples.claims, sentences.claims)
    ask = Relational(resolved.names)
    wanted = ask.wanted(query.text for query in triples.queries)
    phi = Compared(Lifetimes(Rules.parse(wanted.rules)), wanted.pairs)
    home = {query.id: query for query in sentences.queries}
    return World(triples, home, resolved, ask, phi.generate(resolved.claims).items)


def is_right(w: World, query: Query, answer: Answer) -> bool:
    """Tell whether *answer* is the annotated one, or another name of the same thing."""
    if answer.text is None or query.answer is None:
        return False
    one, two = answer.text, query.answer
    known = w.resolved.names.link(one).name
    return reading(one) == reading(two) or (known is not None and known == w.resolved.names.link(two).name)


def by_type(sample: str, w: World) -> Iterator[Answered]:
    """Yield a row for each type of question, and one for all."""
    kinds = sorted({query.category or "" for query in w.asked.queries})
    for kind in (*kinds, "all"):
        yield _row(sample, kind, w, [q for q in w.asked.queries if kind in {q.category, "all"}])


def _row(sample: str, kind: str, w: World, queries: Sequence[Query]) -> Answered:
    count: Counter[str] = Counter()
    for query in queries:
        answer = w.ask.answer(query.text, w.items)
        right = is_right(w, query, answer)
        count["right"] += right
        count["wrong"] += answer.text is not None and not right
        if answer.text is None:
            continue
        count["answered"] += 1
        supports = [set(s.claims) for i in answer.items for s in w.items[i].supports]
        count["supports"] += set(query.supports[0].claims) in supports
        if query.id in w.home:
            count["context"] += 1
            wanted = [set(support.claims) for support in w.home[query.id].supports]
            count["sentences"] += any(_sentences(w, support) in wanted for support in supports)
        if right:
            removed = list(_removed(w, query))
            count["removed"] += len(removed)
            count["then wrong"] += sum(a.text is not None and not is_right(w, query, a) for a in removed)
    asked, answered, context = len(queries), max(count["answered"], 1), max(count["context"], 1)
    return Answered(
        sample=sample,
        type=kind,
        questions=asked,
        right=count["right"] / asked,
        wrong=count["wrong"] / asked,
        supports_as_annotated=count["supports"] / answered,
        sentences_as_annotated=count["sentences"] / context,
        with_context=count["context"],
        one_triple_removed=count["removed"],
        then_wrong=count["then wrong"],
    )


def _sentences(w: World, support: set[str]) -> set[str]:
    return {w.resolved.stating[name].id for name in support if name in w.resolved.stating}


def _removed(w: World, query: Query) -> Iterator[Answer]:
    """Yield what is answered without each triple of the annotated support."""
    for name in query.supports[0].claims:
        left = [item for item in w.items if any(name not in support.claims for support in item.supports)]
        yield w.ask.answer(query.text, left)


# --- bAbI ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """Questions of one task; the last columns hold each fact with probability one half."""

    task: int
    history: str
    questions: int
    right: float
    annotated_among_ours: float
    cut_off: float
    seconds: float
    u_right: float
    u_wrong: float
    u_none: float
    simulated_right: float
    simulated_wrong: float
    annotated_held: float


def told(folder: Path, task: int, history: Literal["whole", "latest"], rng: np.random.Generator) -> Told:
    """Return the row of *task* over the stories that no pattern was written from."""
    (path,) = folder.glob(f"qa{task}_*.txt")
    stories = load(path)
    stories = stories[round(len(stories) * LOOKED_AT) :]
    operator = Narrative(history)
    seconds, answered = clock(lambda: [operator.told(story) for story in stories])
    count: Counter[str] = Counter()
    for story, mine in zip(stories, answered, strict=True):
        count["cut off"] += sum(dropped.reason.endswith("were followed") for dropped in mine.dropped)
        for query, ours in zip(story.queries, mine.queries, strict=True):
            count["asked"] += 1
            _count(count, operator, story, query, ours, rng)
    share = {key: value / count["asked"] for key, value in count.items()}
    return Told(
        task=task,
        history=history,
        questions=count["asked"],
        right=share["right"],
        annotated_among_ours=share["annotated"],
        cut_off=share.get("cut off", 0.0),
        seconds=seconds,
        u_right=share["u right"],
        u_wrong=share.get("u wrong", 0.0),
        u_none=1 - share["u right"] - share.get("u wrong", 0.0),
        simulated_right=share["simulated right"],
        simulated_wrong=share.get("simulated wrong", 0.0),
        annotated_held=share["held"],
    )


def _count(
    count: Counter[str],
    operator: Narrative,
    story: Material,
    query: Query,
    ours: Query,
    rng: np.random.Generator,
) -> None:
    topic = asked(query.text)
    if topic is None:
        return
    earlier = [claim for claim in story.claims if int(claim.id) < int(query.id)]
    answer = operator.procedure(topic, read_story(earlier))(lambda _: True)
    count["right"] += sorted((answer or "").split(",")) == sorted((query.answer or "").lower().split(","))
    annotated = set(query.supports[0].claims)
    count["annotated"] += annotated in [set(support.claims) for support in ours.supports]
    memory = {claim.id for claim in earlier if rng.random() < 0.5}
    held = _simulated(operator, topic, [claim for claim in earlier if claim.id in memory])
    count["simulated right"] += held == answer
    count["simulated wrong"] += held not in {None, answer}
    count["u right"] += _holds(ours.supports, memory)
    count["u wrong"] += _holds(ours.wrong, memory)
    count["held"] += annotated <= memory


def _simulated(operator: Narrative, topic: tuple[str, str], memory: Sequence[Claim]) -> str | None:
    """Return what *memory* alone entails: the story read anew from nothing but its claims."""
    return operator.procedure(topic, read_story(memory))(lambda _: True)


def _holds(supports: Sequence[Support], memory: set[str]) -> bool:
    return any(memory.issuperset(s.claims) and memory.isdisjoint(s.unless) for s in supports)


# --- tables -------------------------------------------------------------------------------------


def sections() -> Iterator[Section]:
    """Yield the tables whose data are there."""
    wiki, babi = public("multihop"), public("babi")
    if wiki.is_dir():
        samples = (("train", "2wiki_train_dev.json"), ("dev", "2wiki_dev.json"))
        rows = [row for sample, name in samples for row in by_type(sample, world(wiki / name))]
        yield Section(
            "2wiki", "answers from pooled triples by rules and names; dev is the report", tuple(rows)
        )
    if babi.is_dir():
        rng = np.random.default_rng(0)
        plans: list[tuple[int, Literal["whole", "latest"]]] = [(task, "whole") for task in TASKS]
        plans += [(7, "latest"), (8, "latest")]
        rows_told = tuple(told(babi, task, history, rng) for task, history in plans)
        yield Section("babi", "stories, and memories that hold each fact with probability 1/2", rows_told)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    if parser.parse_args().json:
        print(json.dumps([section.record() for section in sections()], indent=1))
        return
    for section in sections():
        print(section.text())


if __name__ == "__main__":
    main()
