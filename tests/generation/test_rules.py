"""Rules: the language, the plans, and the closure against brute force."""


from hypothesis import given, settings
from hypothesis import strategies as st

from closures import claims as drawn_claims
from closures import minimal_supports
from closures import rules as drawn_rules
from memspan.generation.rules import Rules


def supports_by_triple(generated):
    return {item.triple: [s.claims for s in item.supports] for item in generated.items if item.triple}


@settings(max_examples=150)
@given(st.lists(drawn_rules(), min_size=1, max_size=4), drawn_claims())
def test_supports_are_all_the_minimal_ones_where_no_cap_bites(rules, claims):
    generated = Rules(rules, most_supports=100, longest=10).generate(claims)
    assert not generated.limits
    assert supports_by_triple(generated) == minimal_supports(rules, claims)
