"""bAbI: short stories of numbered facts, with questions and the numbers of the facts that answer them.

A line is ``n fact`` or ``n question<TAB>answer<TAB>numbers``; numbering begins anew with
each story. A later fact may overtake an earlier one (a person moves on).

Source: Weston et al., *Towards AI-Complete Question Answering*, 2015 (CC BY 3.0).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from memspan.datasets.format import Format
from memspan.datasets.source import Source
from memspan.material import Claim, Dropped, Material, Query, Support

_LINE = re.compile(r"(\d{1,9}) +(\S.*)")
MOST_STORIES = 100_000  # a file of the public set holds some thousand
_QUESTION = re.compile(r"(\d{1,9}) +(\S[^\t]*)\t([^\t]*)\t([\d ]*)")


@dataclass
class _Story:
    """A story while its lines come in."""

    id: str
    claims: dict[str, Claim] = field(default_factory=dict)
    queries: dict[str, Query] = field(default_factory=dict)
    dropped: list[Dropped] = field(default_factory=list)


def _detect(source: Source) -> bool:
    if source.shape != "text":
        return False
    lines = source.head.replace("\r\n", "\n").strip("\n").split("\n")
    whole = lines[:-1] or lines
    questions = any(_QUESTION.fullmatch(line.rstrip()) for line in lines)
    return questions and sum(map(bool, map(_LINE.match, whole))) > len(whole) / 2


def _read(source: Source, _: str) -> list[Material]:
    stories: list[_Story] = []
    last = 0
    for number, raw in enumerate(source.text.splitlines(), start=1):
        line = raw.strip(" \r")
        found = _LINE.fullmatch(line)
        if not line:
            continue
        n = int(found[1]) if found else last
        if not stories or (found and n <= last):
            if len(stories) == MOST_STORIES:
                raise source.refuse(
                    f"holds more than {MOST_STORIES:,} stories; split the file if it is bAbI at all",
                    f"line {number}",
                )
            stories.append(_Story(f"story {len(stories) + 1}"))
        last = n
        _take(stories[-1], f"line {number}", line)
    return [_material(story) for story in stories]


def _take(story: _Story, place: str, line: str) -> None:
    asked, fact = _QUESTION.fullmatch(line), _LINE.fullmatch(line)
    if asked:
        _ask(story, place, *asked.groups())
    elif fact and "\t" not in line:
        story.claims[fact[1]] = Claim(fact[1], fact[2], story.id)
    else:
        story.dropped.append(
            Dropped(place, "", "is neither 'n fact' nor 'n question<TAB>answer<TAB>numbers'")
        )


def _ask(story: _Story, place: str, name: str, question: str, answer: str, numbers: str) -> None:
    claims = tuple(dict.fromkeys(numbers.split()))
    unknown = [number for number in claims if number not in story.claims]
    if unknown or not claims:
        seen = f"names no earlier fact: {', '.join(unknown)}" if unknown else "names no fact"
        story.dropped.append(Dropped(place, "supporting facts", seen))
        return
    query = Query(name, question.strip(), answer=answer.strip(), supports=(Support(claims),))
    story.queries[name] = query


def _material(story: _Story) -> Material:
    return Material(
        story.id,
        tuple(story.claims.values()),
        queries=tuple(story.queries.values()),
        dropped=tuple(story.dropped),
    )


BABI = Format("babi", "bAbI", _detect, _read)
