"""Two or three claims in reading order, joined by rare entities.

Which claims make a chain, and in which order they read, depends on these claims alone; how rare an
entity is depends on all claims given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

from memspan.generation.entities import Entities, Link
from memspan.material import Claim

Chain = tuple[int, ...]
"""Positions of claims, in reading order."""
Links = Mapping[tuple[int, int], Link]
MOST_ENDS = 12  # links of one claim that are combined into chains of three: at most 66 chains


def told(claim: Claim) -> str:
    """Return what *claim* says; its triple where it has no text."""
    return claim.text.strip() or " ".join(claim.triple or ()).strip()


def of_two(claims: Sequence[Claim], found: Entities, links: Links) -> list[Chain]:
    """Return the *links* between claims that say different things as chains, rarest entity first."""
    pairs = [pair for pair in links if _differ(claims, pair)]
    pairs.sort(key=lambda pair: (links[pair].frequency, pair))
    return [_read(claims, found, pair) for pair in pairs]


def of_three(claims: Sequence[Claim], found: Entities, links: Links) -> tuple[list[Chain], int]:
    """Return chains over two links that rest on different entities, rarest first.

    Also returns how many claims have more links than are combined.
    """
    rank: dict[Chain, int] = {}
    reading: dict[Chain, Chain] = {}
    middles = _ends(claims, links)
    for middle, ends in middles.items():
        for (one, i), (other, j) in combinations(ends[:MOST_ENDS], 2):
            chain = _read(claims, found, (i, middle, j))
            if len(one.names | other.names) > 1 and _differ(claims, chain):
                key = tuple(sorted(chain))
                rank[key] = min(rank.get(key, len(claims) * 2), one.frequency + other.frequency)
                reading[key] = min(reading.get(key, chain), chain, key=lambda c: [told(claims[i]) for i in c])
    crowded = sum(len(ends) > MOST_ENDS for ends in middles.values())
    return [reading[key] for key in sorted(rank, key=lambda key: (rank[key], key))], crowded


def _ends(claims: Sequence[Claim], links: Links) -> dict[int, list[tuple[Link, int]]]:
    """Return each claim's links with the claim at their other end, rarest first."""
    ends: dict[int, list[tuple[Link, int]]] = defaultdict(list)
    for (i, j), link in links.items():
        if _differ(claims, (i, j)):
            ends[i].append((link, j))
            ends[j].append((link, i))
    for each in ends.values():
        each.sort(key=lambda end: (end[0].frequency, end[1]))
    return ends


def _differ(claims: Sequence[Claim], chain: Chain) -> bool:
    """Tell whether each claim says something, and something else: the same words twice compose nothing."""
    texts = {told(claims[i]) for i in chain}
    return len(texts) == len(chain) and "" not in texts


def _read(claims: Sequence[Claim], found: Entities, chain: Chain) -> Chain:
    """Return *chain* or its reverse: first the claim that names what the next is about; else by time."""
    first, last = claims[chain[0]], claims[chain[-1]]
    onward = sum(found.leads(i, j) - found.leads(j, i) for i, j in pairwise(chain))
    earlier = (first.time or "", told(first)) <= (last.time or "", told(last))
    return chain if onward > 0 or (onward == 0 and earlier) else chain[::-1]
