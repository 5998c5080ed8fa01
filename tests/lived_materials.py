"""Small materials to live through, drawn; and the same ones with all that is hidden changed."""

from dataclasses import replace

import numpy as np

from memspan.material import Claim, Material, Query, Support

WORDS = [
    "Ana",
    "Rui",
    "Porto",
    "ferry",
    "cello",
    "3",
    "May",
    "rain",
    "painted",
    "sold",
    "Nimbus",
    "2019",
    "lives",
    "works",
    "again",
]


def drawn(seed, claims=7, queries=5, most=2):
    """Return a material in three sessions, a third of its claims false."""
    rng = np.random.default_rng(seed)
    texts = [" ".join(rng.choice(WORDS, rng.integers(1, 7))) for _ in range(claims)]
    false = rng.random(claims) < 1 / 3
    told = tuple(
        Claim(f"c{i}", text, source=f"session {3 * i // claims}", truth=0 if false[i] else 1)
        for i, text in enumerate(texts)
    )
    asked = tuple(
        Query(
            f"q{q}",
            f"{WORDS[q]} or {WORDS[q + 1]}?",
            weight=int(rng.integers(1, 9)),
            answer=WORDS[q],
            supports=tuple(Support(each) for each in _supports(rng, claims, most)),
        )
        for q in range(queries)
    )
    return Material(f"drawn {seed}", told, queries=asked)


def _supports(rng, claims, most):
    count = rng.integers(1, most + 1)
    sizes = rng.integers(1, 3, count)
    return sorted({tuple(f"c{e}" for e in sorted(rng.choice(claims, s, replace=False))) for s in sizes})


def disguised(material, seed):
    """Return the same claims and questions with other supports, weights, truths and answers."""
    other = drawn(seed, len(material.claims), len(material.queries))
    claims = tuple(replace(mine, truth=1 - mine.truth) for mine in material.claims)
    queries = tuple(
        replace(theirs, id=f"hidden {theirs.id}", text=mine.text, answer=f"not {mine.answer}")
        for mine, theirs in zip(material.queries, other.queries, strict=True)
    )
    return replace(material, claims=claims, queries=queries)


def permuted(material, order):
    """Return *material* with its claims in another order."""
    return replace(material, claims=tuple(material.claims[i] for i in order))


def answers(material, query, memory, *, true_only=False, read=None):
    """Say whether a support of *query* lies in *memory*, by the definition."""
    held = {claim.id for claim, held in zip(material.claims, memory, strict=True) if held}
    if true_only:
        held -= {claim.id for claim in material.claims if claim.truth == 0}
    if read is not None:
        held &= read
    return any(set(support.claims) <= held for support in material.supports_of(query))
