"""How far the plain judge of answers agrees with recorded verdicts, and what the offline reasoner reaches.

Run it as `python benchmarks/judging.py`. Data sets are read from the folder that MEMSPAN_DATA names.
Thresholds come from HaluMem user 3 and LoCoMo conversations 1-3; figures are of HaluMem user 0 and LoCoMo
conversations 4-7.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import memspan as ms
from memspan.answering.hybrid import Hybrid
from memspan.answering.judging import PlainJudge
from memspan.answering.reasoning import ExtractiveReasoner
from memspan.material import Note, Query

DATA = Path(os.environ.get("MEMSPAN_DATA", Path(__file__).parents[2] / "shared" / "data"))
READ = 10  # turns that the reasoner is given
EVERY = 4  # of the questions it is asked


def halumem(user: int) -> Iterator[tuple[Query, str, bool]]:
    """Yield questions, the answers of a Mem0 run, and whether they were judged correct."""
    records = json.loads((DATA / "halumem" / f"mem0_eval_user{user}.json").read_text())
    for each in records["question_answering_records"]:
        answerable = each["question_type"] != "Memory Boundary"
        query = Query("q", each["question"], answer=str(each["answer"]), answerable=answerable)
        yield query, each["system_response"] or "", each["result_type"] == "Correct"


def stress(conversations: Sequence[int]) -> Iterator[tuple[Query, str, str]]:
    """Yield questions, wrong answers to them, and which kind of wrong."""
    raw = json.loads((DATA / "locomo" / "locomo10_dev.json").read_text())
    chosen = {raw[k]["sample_id"]: raw[k]["qa"] for k in conversations}
    for line in (DATA / "locomo" / "judge_stress_dev.jsonl").read_text().splitlines():
        record = json.loads(line)
        if record["sample_id"] in chosen:
            asked = chosen[record["sample_id"]][record["qa_index"]]
            query = Query("q", asked["question"], answer=str(asked["answer"]))
            yield from ((query, wrong, kind) for kind, wrong in record["wrong_answer"].items())


def agreement(user: int) -> str:
    """Return how often the plain judge agrees with the run's."""
    judge = PlainJudge()
    seen = Counter((right, judge.judge(query, said) > 0) for query, said, right in halumem(user))
    rights, wrongs = seen[True, True] + seen[True, False], seen[False, True] + seen[False, False]
    return (
        f"HaluMem user {user}: {rights + wrongs} answers, agrees on {seen[True, True] + seen[False, False]}, "
        f"false right {seen[False, True]} of {wrongs}, false wrong {seen[True, False]} of {rights}"
    )


def stressed(name: str, conversations: Sequence[int]) -> str:
    """Return how many wrong answers the plain judge takes for right."""
    judge = PlainJudge()
    seen = Counter((kind, judge.judge(query, wrong) > 0) for query, wrong, kind in stress(conversations))
    parts = (f"{kind}: {seen[kind, True]} of {seen[kind, True] + seen[kind, False]}" for kind in ("v1", "v2"))
    return f"LoCoMo {name}, wrong answers taken for right: {', '.join(parts)}"


def reasoned(name: str, conversations: Sequence[int]) -> str:
    """Return what the offline reasoner reaches from the turns that the shipped reader reads."""
    reasoner, judge, reader = ExtractiveReasoner(), PlainJudge(), Hybrid()
    found: Counter[tuple[bool, bool]] = Counter()
    for k in conversations:
        material = ms.load(DATA / "locomo" / "locomo10_dev.json")[k]
        score = reader.scorer(material.claims)
        for query in material.queries[::EVERY]:
            if query.answerable and not query.answer:
                continue
            best = np.argsort(-score(replace(query, answer=None)), kind="stable")[:READ].tolist()
            claims = [material.claims[i] for i in best]
            notes = [Note(claim.id, claim.text, time=claim.time) for claim in claims]
            found[query.answerable, judge.judge(query, reasoner.reason(query, notes)) > 0] += 1
    can, cannot = (found[kind, True] + found[kind, False] for kind in (True, False))
    return (
        f"LoCoMo {name}, offline reasoner: right {found[True, True]} of {can} answerable, "
        f"refused {found[False, True]} of {cannot} unanswerable"
    )


def main() -> None:
    """Print all figures."""
    for user in (3, 0):
        print(agreement(user), flush=True)
    for name, conversations in (("1-3", range(3)), ("4-7", range(3, 7))):
        print(stressed(name, conversations), flush=True)
        print(reasoned(name, conversations), flush=True)


if __name__ == "__main__":
    main()
