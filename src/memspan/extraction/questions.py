"""Questions for a material that has none: made from its claims by templates.

They are circular: a question comes from a claim and is answered by that claim. A frontier over
them says how claims share questions, not what people will ask; every output says so.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memspan.errors import Fault, MaterialError
from memspan.extraction.about import about
from memspan.extraction.naming import names_in
from memspan.extraction.templates import Draft, drafts
from memspan.extraction.vague import is_vague
from memspan.language.words import stems, words
from memspan.material import Claim, Dropped, Material, Query, Support

PER_CLAIM = 2
_BANDS = 3  # questions that come from each stretch of the material, on average


@dataclass(frozen=True)
class _Made:
    position: int
    draft: Draft
    worth: float


def template_questions(material: Material, most: int = 300) -> Material:
    """Return *material* with questions made from its claims by rules, each supported by its claims.

    The rules stand in `memspan.extraction.templates`. What points outside itself, says too little
    or can be read in two ways is left out; at most two questions come from one claim. They are
    spread over the material, and within a stretch the claims of the rarest words come first.
    Nothing is drawn by chance.

    Args:
        material: claims without queries.
        most: how many questions at most.

    Returns:
        Queries of weight 1 and category ``template``; `Query.extra` names the ``rule``.
        `support_source` is ``generated`` and `question_source` is ``template``.

    Raises:
        MaterialError: the material has queries already, or *most* is less than 1.

    >>> claims = (Claim("c1", "So Mira packed."), Claim("c2", "Mira moved to Porto in May 2024."))
    >>> [(query.text, query.answer) for query in template_questions(Material("m", claims)).queries]
    [('When did Mira move to Porto?', 'in May 2024'), ('Who moved to Porto in May 2024?', 'Mira')]
    """
    refuse_asked(material)
    if most < 1:
        raise MaterialError([Fault("most", "", f"is {most}; ask for at least 1 question")])
    chosen = _spread(_distinct(_candidates(material.claims)), len(material.claims), most)
    queries = tuple(_query(f"t{n}", made, material.claims) for n, made in enumerate(chosen, start=1))
    return labelled(material, queries, "template")


def refuse_asked(material: Material) -> None:
    """Refuse a *material* that has queries: made ones would be mixed with them under one label."""
    if material.queries:
        seen = f"holds {len(material.queries)}; questions are made for a material without: drop its own first"
        raise MaterialError([Fault(f"material {material.id}", "queries", seen)])


def labelled(material: Material, queries: tuple[Query, ...], source: str) -> Material:
    """Return *material* with made *queries*, and with the label that every output repeats."""
    dropped = material.dropped
    if not queries:
        dropped = (*dropped, Dropped("queries", "", "no claim gave a question that can be understood alone"))
    return replace(
        material,
        queries=queries,
        dropped=dropped,
        support_source="generated",
        extra={**material.extra, "questions": source},
    )


def _candidates(claims: Sequence[Claim]) -> list[_Made]:
    names = names_in(claims)
    told = [set(stems(claim.text)) for claim in claims]
    seen = Counter(stem for each in told for stem in each)

    def telling(stem: str) -> float:
        return math.log((1 + len(claims)) / (1 + seen[stem])) + 1

    made = []
    for position, claim in enumerate(claims):
        sound = [draft for draft in drafts(claim, names) if not is_vague(draft, names)][:PER_CLAIM]
        last = (
            [] if sound else [draft for draft in about(claim, names, telling) if not is_vague(draft, names)]
        )
        worth = sum(map(telling, told[position])) / math.sqrt(1 + len(told[position]))
        made += [_Made(position, draft, worth) for draft in sound]
        made += [_Made(position, draft, worth / 2) for draft in last]
    return made


def _distinct(made: Sequence[_Made]) -> list[list[_Made]]:
    """Return groups of the same question and answer; a question with several answers is left out."""
    same: dict[str, list[_Made]] = defaultdict(list)
    for each in made:
        same[" ".join(words(each.draft.question))].append(each)
    answers = {key: {" ".join(words(each.draft.answer)) for each in group} for key, group in same.items()}
    return [group for key, group in same.items() if len(answers[key]) == 1]


def _spread(groups: Sequence[list[_Made]], length: int, most: int) -> list[list[_Made]]:
    """Return at most *most* groups, in order: from each stretch in turn the most telling that is left."""
    bands = max(1, math.ceil(most / _BANDS))
    stretches: dict[int, list[list[_Made]]] = defaultdict(list)
    for group in groups:
        stretches[group[0].position * bands // max(1, length)].append(group)
    ranked = [
        (turn, band, group)
        for band, members in stretches.items()
        for turn, group in enumerate(sorted(members, key=lambda group: (-group[0].worth, group[0].position)))
    ]
    ranked.sort(key=lambda entry: (entry[0], -entry[2][0].worth, entry[1]))
    return sorted((group for _, _, group in ranked[:most]), key=lambda group: group[0].position)


def _query(name: str, group: Sequence[_Made], claims: Sequence[Claim]) -> Query:
    positions = dict.fromkeys(made.position for made in group)
    first = group[0].draft
    return Query(
        name,
        first.question,
        answer=first.answer,
        supports=tuple(Support((claims[i].id,)) for i in positions),
        category="template",
        extra={"rule": first.rule},
    )
