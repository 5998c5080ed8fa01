"""The compiled closure is, entry for entry, that of the plain twin."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from closures import claims, rules
from memspan.generation.rules import Rules
from memspan.generation.rules_form import compose, symmetric, transitive
from memspan.kernels.closure import Caps
from memspan.kernels.fast.closure import close as fast
from memspan.kernels.plain.closure import close as plain
from memspan.material import Claim


def assert_twins(operator, claims, caps):
    stated, things = operator.numbered(claims)
    ours = fast(operator._plan.program, stated, caps, len(things))
    theirs = plain(operator._plan.program, stated, caps, 10**9)
    for name, mine, other in zip(ours._fields, ours, theirs, strict=True):
        np.testing.assert_array_equal(mine, other, err_msg=name)
        assert getattr(mine, "dtype", None) == getattr(other, "dtype", None), name


caps = st.builds(Caps, st.integers(1, 6), st.integers(1, 5), st.sampled_from((0, 1, 3, 1000)))


@settings(max_examples=80)
@given(st.lists(rules(4), min_size=1, max_size=5), claims(14), caps)
def test_both_twins_close_alike_under_any_caps(rules, claims, caps):
    assert_twins(Rules(rules), claims, caps)


def test_both_twins_close_a_larger_graph_alike():
    rng = np.random.default_rng(0)
    operator = Rules(
        (*transitive("p"), *compose("q", "r", head="s"), *compose("s", "q", head="t"), *symmetric("r"))
    )
    triples = [
        (f"t{a}", "pqr"[r], f"t{b}")
        for a, b, r in zip(*rng.integers(0, [[60], [60], [3]], (3, 250)), strict=True)
    ]
    stated = tuple(Claim(f"c{i}", triple=triple) for i, triple in enumerate(triples))
    assert_twins(operator, stated, Caps(16, 6, 10**6))
    assert_twins(operator, stated, Caps(2, 3, 50))


def test_the_plain_twin_gives_up_where_it_would_take_long():
    operator = Rules(transitive("in"))
    chain = tuple(Claim(f"c{i}", triple=(f"t{i}", "in", f"t{i + 1}")) for i in range(40))
    stated, _ = operator.numbered(chain)
    assert plain(operator._plan.program, stated, Caps(16, 6, 100), 50) is None
