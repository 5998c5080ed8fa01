"""Problems for the solver's tests: random ones of any size, and a few with known traps."""

import numpy as np
from hypothesis import strategies as st

from memspan.coverage import compile_material
from memspan.material import Claim, Material, Query, Support
from memspan.optimum.problem import Problem


@st.composite
def problems(draw, *, most=9, defeaters=True):
    """Draw a problem of at most *most* claims, small enough to try every memory."""
    n = draw(st.integers(1, most))
    claim = st.integers(0, n - 1)
    rows = []
    weights = draw(st.lists(st.integers(0, 9), min_size=1, max_size=8))
    for q in range(len(weights)):
        for needed in draw(st.lists(st.frozensets(claim, max_size=4), max_size=3)):
            unless = draw(st.frozensets(claim, max_size=1)) if defeaters else frozenset()
            rows.append((needed, unless - needed, q))
    supports, unlesses, owner = zip(*rows, strict=True) if rows else ((), (), ())
    costs = draw(st.one_of(st.just((1,) * n), st.tuples(*[st.integers(0, 4)] * n)))
    return Problem(costs, supports, unlesses, owner, tuple(weights))


def random_problem(claims, queries, seed, *, alternatives=1, sizes=(0.55, 0.25, 0.12, 0.08), weights="unit"):
    """Return a problem with zipf-popular claims; each query has up to *alternatives* supports."""
    rng = np.random.default_rng(seed)
    popularity = rng.permutation((1.0 + np.arange(claims)) ** -0.6)
    popularity /= popularity.sum()
    supports, owner = [], []
    for q in range(queries):
        for _ in range(int(rng.integers(1, alternatives + 1))):
            size = 1 + int(rng.choice(len(sizes), p=sizes))
            supports.append(frozenset(rng.choice(claims, size, replace=False, p=popularity).tolist()))
            owner.append(q)
    values = [1] * queries if weights == "unit" else [int(1 + 1000 * (1 + i) ** -0.8) for i in range(queries)]
    return Problem((1,) * claims, tuple(supports), (frozenset(),) * len(owner), tuple(owner), tuple(values))


def material_of(problem):
    """Return a material with the same claims, queries and supports."""
    queries = []
    for q, weight in enumerate(problem.weights):
        rows = zip(problem.supports, problem.unless, problem.owner, strict=True)
        own = [(needed, unless) for needed, unless, owner in rows if owner == q]
        supports = tuple(Support(names(needed), names(unless)) for needed, unless in own)
        queries.append(Query(f"q{q}", weight=weight, supports=supports))
    claims = tuple(
        Claim(f"c{i}", text=f"claim {i}", costs={"price": cost}) for i, cost in enumerate(problem.costs)
    )
    return Material("random", claims, queries=tuple(queries))


def names(items):
    """Name claims by position."""
    return tuple(f"c{i}" for i in sorted(items))


def compiled(problem):
    """Compile the problem's material."""
    return compile_material(material_of(problem))
