"""Φ for small stories: where somebody or something is, was before, what is carried, feared, looked like.

What a story entails is worked out by procedures that ask which claims are held, latest first; `cases`
turns each into supports with `unless`. Not monotone: what is known later overrides what was known before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from memspan.generation.antichain import minimal
from memspan.generation.cases import Cases, Held, Procedure, cases
from memspan.generation.decomposable import itself
from memspan.generation.rules_items import triple_id
from memspan.generation.story import Move, Story, Topic, Transfer, asked, hands, read_story, topics
from memspan.material import Claim, Dropped, KnowledgeItem, Material, Query, Support
from memspan.ports import Generated

_Carried = Callable[[Story, str, Held], list[str] | None]
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
NOTHING = "nothing"


@dataclass(frozen=True)
class Narrative:
    """What small stories entail, by the latest word on everything; each claim entails itself.

    - A move tells where somebody is until the next; a thing is where its holder is, or was when he lost it.
    - Losing a thing proves having held it before.
    - What somebody carries rests on his gains and losses, see `history`.
    - A kind fears what it is told to fear; a colour is that of the example of the same kind that was
      introduced last.

    Attributes:
        history: what somebody carries rests on the ``whole`` history of his gains and losses: one that does
            not add up (a loss without a gain, or two gains of a thing) shows that something is missing,
            and entails nothing. Or on the ``latest`` word on each thing: this answers more often, and
            more often wrongly.
        most: ways to arrive at results that are followed per topic; where there are more, the less
            likely are left out and `Generated.limits` says so.

    >>> claims = [Claim("1", "Ana went to the harbour."), Claim("2", "Ana went to the market.")]
    >>> for item in Narrative().generate(claims).items[2:4]:
    ...     print(item.text, [(support.claims, support.unless) for support in item.supports])
    ana is in market [(('2',), ())]
    ana is in harbour [(('1',), ('2',))]
    """

    history: Literal["whole", "latest"] = "whole"
    most: int = 128

    @property
    def name(self) -> str:
        """The name of the operator in outputs."""
        return "narrative"

    def generate(self, claims: Sequence[Claim]) -> Generated:
        """Return each of *claims* as an item, then what they tell together, by topic."""
        story = read_story(claims)
        items = [itself(claim) for claim in claims]
        limits: list[Dropped] = []
        for topic in topics(story):
            found = self.about(topic, story)
            limits += _limits(topic, found)
            for result, supports in found.supports.items():
                triple = (*topic, result)
                items.append(KnowledgeItem(triple_id(triple), " ".join(triple), supports, triple))
        return Generated(tuple(items), tuple(limits))

    def about(self, topic: Topic, story: Story) -> Cases:
        """Return every result for *topic*, with its supports."""
        found = cases(self.procedure(topic, story), self.most)
        ordered = {result: _ordered(supports, story) for result, supports in found.supports.items()}
        return replace(found, supports=ordered)

    def told(self, material: Material) -> Material:
        """Return *material* with supports worked out: of the right answers, and of the wrong ones.

        Right is what the full story before the question entails. Claims and queries are numbered by
        line, as in bAbI: a question knows the claims of lower numbers. Queries outside the grammar, or
        without an answer, keep no support and are reported.
        """
        queries, dropped = [], list(material.dropped)
        for query in material.queries:
            topic = asked(query.text)
            earlier = [claim for claim in material.claims if int(claim.id) < int(query.id)]
            story = read_story(earlier)
            right = self.procedure(topic, story)(_all) if topic else None
            if topic is None or right is None:
                reason = "is no question of the story grammar" if topic is None else "the story does not tell"
                dropped.append(Dropped(f"query {query.id}", "text", reason, kept=True))
                queries.append(replace(query, supports=(), wrong=()))
                continue
            found = self.about(topic, story)
            dropped += _limits((f"query {query.id}", ""), found)
            queries.append(_with(query, right, found))
        return replace(material, queries=tuple(queries), support_source="generated", dropped=tuple(dropped))

    def procedure(self, topic: Topic, story: Story) -> Procedure:
        """Return what works out *topic* from the claims that are held."""
        subject, relation = topic
        thing = subject in story.transfers
        before = re.fullmatch(r"before the (\w+) was in", relation)
        if before:
            return partial(_thing_before if thing else _person_before, story, subject, before[1])
        carried = _adding_up if self.history == "whole" else _last_known
        known: dict[str, Callable[[Story, str, Held], str | None]] = {
            "is in": _thing_at if thing else _person_at,
            "carries": partial(_carried, carried),
            "carries how many": partial(_how_many, carried),
            "is afraid of": _feared,
            "is coloured": _coloured,
        }
        return partial(known[relation], story, subject)


# --- places -------------------------------------------------------------------------------------


def _person_at(story: Story, who: str, held: Held) -> str | None:
    return _latest(story.moves.get(who, ()), held)


def _latest(moves: Sequence[Move], held: Held, other_than: str = "") -> str | None:
    """Return the place of the last of *moves* that is held and leads somewhere else."""
    return next((m.place for m in reversed(moves) if m.place != other_than and held(m.claim)), None)


def _until(moves: Sequence[Move], event: Move | Transfer) -> list[Move]:
    return [move for move in moves if move.time < event.time]


def _thing_at(story: Story, thing: str, held: Held) -> str | None:
    """With its holder, or where the last one was when he lost it."""
    for transfer in reversed(story.transfers[thing]):
        if held(transfer.claim):
            if transfer.to:
                return _person_at(story, transfer.to, held)
            return _latest(_until(story.moves.get(transfer.by or "", ()), transfer), held)
    return None


def _person_before(story: Story, who: str, place: str, held: Held) -> str | None:
    """Where the last visit to *place* came from."""
    moves = story.moves.get(who, ())
    for move in reversed(moves):
        if move.place == place and held(move.claim):
            return _latest(_until(moves, move), held, other_than=place)
    return None


def _thing_before(story: Story, thing: str, place: str, held: Held) -> str | None:
    """Where its holder came from when he last brought it to *place*."""
    transfers = story.transfers[thing]
    visits = [m for who in hands(transfers) for m in story.moves.get(who, ()) if m.place == place]
    for visit in sorted(visits, key=lambda move: move.time, reverse=True):
        if _holds(transfers, visit, held) and held(visit.claim):
            origin = _latest(_until(story.moves[visit.who], visit), held, other_than=place)
            if origin:
                return origin
    return None


def _holds(transfers: Sequence[Transfer], visit: Move, held: Held) -> bool:
    """Whether the thing was with whoever made *visit*: a loss that comes next tells, else what came last."""
    following = next((t for t in transfers if t.time > visit.time and held(t.claim)), None)
    if following and following.by:
        return following.by == visit.who
    last = next((t for t in reversed(transfers) if t.time < visit.time and held(t.claim)), None)
    return last is not None and last.to == visit.who


# --- things -------------------------------------------------------------------------------------


def _adding_up(story: Story, who: str, held: Held) -> list[str] | None:
    """Return what *who* carries by his whole history; None where none is known or it does not add up."""
    carried, known = [], False
    for thing, own in _own(story, who):
        has = False
        for transfer in own:
            if held(transfer.claim):
                known = True
                if (transfer.to == who) == has:
                    return None
                has = not has
        carried += [thing] if has else []
    return carried if known else None


def _last_known(story: Story, who: str, held: Held) -> list[str] | None:
    """Return what *who* carries by the last known word on each thing; None where none is known."""
    last = {thing: next((t for t in reversed(own) if held(t.claim)), None) for thing, own in _own(story, who)}
    known = any(last.values())
    return [thing for thing, transfer in last.items() if transfer and transfer.to == who] if known else None


def _own(story: Story, who: str) -> Iterator[tuple[str, list[Transfer]]]:
    for thing, transfers in story.transfers.items():
        yield thing, [transfer for transfer in transfers if who in {transfer.by, transfer.to}]


def _carried(carried: _Carried, story: Story, who: str, held: Held) -> str | None:
    things = carried(story, who, held)
    return None if things is None else ",".join(sorted(things)) or NOTHING


def _how_many(carried: _Carried, story: Story, who: str, held: Held) -> str | None:
    things = carried(story, who, held)
    return (
        None if things is None else NUMBERS[len(things)] if len(things) < len(NUMBERS) else str(len(things))
    )


# --- kinds --------------------------------------------------------------------------------------


def _feared(story: Story, who: str, held: Held) -> str | None:
    """What the kind of *who* fears."""
    for kind in reversed(story.kinds.get(who, ())):
        if held(kind.claim):
            return next((f.what for f in reversed(story.fears.get(kind.what, ())) if held(f.claim)), None)
    return None


def _coloured(story: Story, who: str, held: Held) -> str | None:
    """What was said of *who*, else the colour of the example whose kind was told last."""
    own = next((trait.what for trait in reversed(story.traits.get(who, ())) if held(trait.claim)), None)
    kind = (
        next((k.what for k in reversed(story.kinds.get(who, ())) if held(k.claim)), None)
        if own is None
        else None
    )
    if kind is None:
        return own
    examples = [
        (trait, like)
        for other, traits in story.traits.items()
        for trait in traits
        for like in story.kinds.get(other, ())
        if like.what == kind and other != who
    ]
    for trait, like in sorted(examples, key=lambda pair: pair[1].time, reverse=True):
        if held(like.claim) and held(trait.claim):
            return trait.what
    return None


# --- results ------------------------------------------------------------------------------------


def _ordered(supports: Sequence[Support], story: Story) -> tuple[Support, ...]:
    """Return the minimal *supports*, shortest first, with claims and defeaters in the order of the story."""
    place = story.position.__getitem__
    own = [Support(tuple(sorted(s.claims, key=place)), tuple(sorted(s.unless, key=place))) for s in supports]
    return minimal(sorted(own, key=lambda s: (len(s.claims), [*map(place, s.claims)], len(s.unless))))


def _all(claim: str) -> bool:
    del claim
    return True


def _with(query: Query, right: str, found: Cases) -> Query:
    wrong = tuple(s for result, supports in found.supports.items() if result != right for s in supports)
    return replace(query, supports=found.supports.get(right, ()), wrong=wrong)


def _limits(topic: Topic, found: Cases) -> list[Dropped]:
    if not found.left:
        return []
    reason = f"{found.left:.1%} of random memories lie beyond the ways that were followed"
    return [Dropped(" ".join(topic).strip(), "supports", reason, kept=True)]
