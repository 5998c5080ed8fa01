from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from memspan.generation.cases import cases

CLAIMS = ("a", "b", "c", "d")
tables = st.lists(st.sampled_from(["x", "y", None]), min_size=16, max_size=16)


def memories():
    for bits in product([True, False], repeat=len(CLAIMS)):
        yield frozenset(claim for claim, bit in zip(CLAIMS, bits, strict=True) if bit)


def reading(table):
    """Look every claim up and take the result from a table: any Φ at all over four claims."""

    def procedure(held):
        return table[sum(held(claim) << i for i, claim in enumerate(CLAIMS))]

    return procedure


def holds(support, memory):
    return memory.issuperset(support.claims) and memory.isdisjoint(support.unless)


@given(tables)
def test_a_result_is_supported_exactly_where_the_procedure_comes_to_it(table):
    procedure = reading(table)
    found = cases(procedure)
    assert found.left == 0
    for memory in memories():
        supported = {r for r, supports in found.supports.items() if any(holds(s, memory) for s in supports)}
        assert supported == {procedure(memory.__contains__)} - {None}


@given(tables)
def test_each_claim_and_each_defeater_of_a_support_is_needed(table):
    procedure = reading(table)
    for result, supports in cases(procedure).supports.items():
        for support in supports:
            for claim in (*support.claims, *support.unless):
                claims, unless = set(support.claims) - {claim}, set(support.unless) - {claim}
                assert any(
                    procedure(memory.__contains__) != result
                    for memory in memories()
                    if memory.issuperset(claims) and memory.isdisjoint(unless)
                )


def test_what_a_cap_leaves_out_is_told_as_a_share_of_memories():
    def last(held):
        return next((claim for claim in reversed(CLAIMS) if held(claim)), None)

    found = cases(last, most=2)
    assert [*found.supports] == ["d", "c"]
    assert found.left == 0.25
