"""Rules: the language, the plans, and the closure against brute force."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from closures import claims as drawn_claims
from closures import entailed, minimal_supports
from closures import rules as drawn_rules
from memspan.errors import RuleError
from memspan.generation import rules as operator
from memspan.generation.rules import Rules
from memspan.generation.rules_form import Atom, Rule, compose, inverse, symmetric, transitive
from memspan.generation.rules_text import read_rules
from memspan.material import Claim

some_rules = st.lists(drawn_rules(), min_size=1, max_size=4)


def supports_by_triple(generated):
    return {item.triple: [s.claims for s in item.supports] for item in generated.items if item.triple}


def chain(length, relation="in"):
    return tuple(Claim(f"c{i}", triple=(f"t{i}", relation, f"t{i + 1}")) for i in range(length))


def limits_of(generated, field="supports"):
    return [limit for limit in generated.limits if limit.field == field]


# --- the closure --------------------------------------------------------------------------------


@settings(max_examples=40)
@given(some_rules, drawn_claims())
def test_supports_are_all_the_minimal_ones_where_no_cap_bites(rules, claims):
    generated = Rules(rules, most_supports=100, longest=10).generate(claims)
    assert not generated.limits
    assert supports_by_triple(generated) == minimal_supports(rules, claims)


@settings(max_examples=40)
@given(st.lists(drawn_rules(5), min_size=1, max_size=2), drawn_claims(4))
def test_rules_of_many_premises_are_joined_two_at_a_time_without_a_loss(rules, claims):
    generated = Rules(rules, most_supports=100, longest=10).generate(claims)
    assert supports_by_triple(generated) == minimal_supports(rules, claims)


@settings(max_examples=40)
@given(some_rules, drawn_claims(), st.integers(1, 3), st.integers(1, 3))
def test_under_a_cap_every_support_still_entails_and_a_missing_one_is_told(rules, claims, most, longest):
    generated = Rules(rules, most, longest).generate(claims)
    found, truth = supports_by_triple(generated), minimal_supports(rules, claims)
    by_id = {claim.id: claim.triple for claim in claims}
    for triple, supports in found.items():
        assert all(triple in entailed(rules, {by_id[c] for c in support}) for support in supports)
        assert not any(set(a) <= set(b) or set(b) <= set(a) for a, b in combinations(supports, 2))
    if found != truth:
        assert generated.limits


@settings(max_examples=40)
@given(some_rules, drawn_claims(), st.integers(1, 2), st.integers(1, 3))
def test_every_claim_supports_an_item_alone_whatever_the_caps(rules, claims, most, longest):
    generated = Rules(rules, most, longest).generate(claims)
    alone = {support.claims for item in generated.items for support in item.supports}
    assert {(claim.id,) for claim in claims} <= alone


@settings(max_examples=40)
@given(some_rules, drawn_claims())
def test_closing_twice_adds_nothing(rules, claims):
    phi = Rules(rules, most_supports=100, longest=10)
    once = phi.generate(claims)
    again = phi.generate([Claim(item.id, item.text, triple=item.triple) for item in once.items])
    assert {item.triple for item in again.items} == {item.triple for item in once.items}


@settings(max_examples=40)
@given(some_rules, drawn_claims(), st.data())
def test_more_claims_never_entail_less_and_knowledge_keeps_its_id(rules, claims, data):
    fewer = data.draw(st.lists(st.sampled_from(claims), unique_by=lambda c: c.id)) if claims else []
    phi = Rules(rules, most_supports=100, longest=10)
    small = {item.id: item.triple for item in phi.generate(fewer).items}
    assert small.items() <= {item.id: item.triple for item in phi.generate(claims).items}.items()


def test_a_claim_without_a_triple_is_an_item_by_itself():
    claims = (Claim("c1", "It rained."), Claim("c2", "It rained."), Claim("c3", triple=("a", "near", "b")))
    items = Rules(symmetric("near")).generate(claims).items
    assert [item.text for item in items] == ["It rained.", "It rained.", "a near b", "b near a"]
    assert [item.id for item in items[:2]] == ["c1", "c2"]


def test_claims_that_say_the_same_are_one_item_with_a_support_each():
    claims = tuple(Claim(f"c{i}", f"Said {i}.", triple=("a", "near", "b")) for i in range(4))
    (item,) = Rules(transitive("near"), most_supports=2).generate(claims).items
    assert item.text == "a near b"
    assert [support.claims for support in item.supports] == [("c0",), ("c1",), ("c2",), ("c3",)]


def test_a_relation_that_no_rule_names_passes_through():
    claims = (Claim("c1", "Ana paints.", triple=("Ana", "paints", "x")), *chain(1))
    items = Rules(transitive("in")).generate(claims).items
    assert [(item.text, item.triple) for item in items] == [
        ("Ana paints x", ("Ana", "paints", "x")),
        ("t0 in t1", ("t0", "in", "t1")),
    ]


def test_an_empty_name_is_a_thing_like_any_other():
    phi = Rules.parse('known(x, "") :- near(x, ""). far(x, y) :- near(x, a), near(y, b), x != y.')
    claims = (Claim("c1", triple=("", "near", "")), Claim("c2", triple=("b", "near", "c")))
    assert {item.triple for item in phi.generate(claims).items} == {
        ("", "near", ""),
        ("b", "near", "c"),
        ("", "known", ""),
        ("", "far", "b"),
        ("b", "far", ""),
    }


# --- caps ---------------------------------------------------------------------------------------


def test_the_shortest_supports_are_kept_and_the_cap_is_told():
    paths = [("a", "r", f"m{i}") for i in range(4)] + [(f"m{i}", "s", "b") for i in range(4)]
    claims = tuple(Claim(f"c{i}", triple=triple) for i, triple in enumerate(paths))
    generated = Rules(compose("r", "s", head="t"), most_supports=2).generate(claims)
    (item,) = (item for item in generated.items if item.triple[1] == "t")
    assert [support.claims for support in item.supports] == [("c0", "c4"), ("c1", "c5")]
    (limit,) = generated.limits
    assert item.id in limit.record
    assert limit.kept
    assert "more than 2 supports" in limit.reason


def test_items_that_need_too_many_claims_are_counted_as_lost():
    generated = Rules(transitive("in"), longest=3).generate(chain(6))
    held = {item.triple for item in generated.items}
    assert held == {(f"t{i}", "in", f"t{j}") for i in range(7) for j in range(i + 1, min(i + 4, 7))}
    lost = [limit for limit in generated.limits if not limit.kept]
    assert len(lost) == 6
    assert all("more than 3 claims" in limit.reason for limit in lost)


def test_very_many_limits_are_summed_up():
    generated = Rules(transitive("in"), longest=1).generate(chain(12))
    assert len(generated.limits) == 21
    assert generated.limits[-1].record == "66 items in all"


def test_a_cap_that_bites_halfway_through_a_rule_is_told():
    paths = (
        [("a", "r", f"m{i}") for i in range(4)] + [(f"m{i}", "s", "b") for i in range(4)] + [("b", "t", "c")]
    )
    claims = tuple(Claim(f"c{i}", triple=triple) for i, triple in enumerate(paths))
    generated = Rules(compose("r", "s", "t", head="u"), most_supports=2).generate(claims)
    (limit,) = limits_of(generated, "premises, halfway")
    assert limit.record == "rule u(x0, x3) :- r(x0, x1), s(x1, x2), t(x2, x3)."


def test_both_twins_give_the_same_items(monkeypatch):
    phi = Rules.parse("transitive in\nsymmetric near\ncompose in + near = by")
    claims = chain(30) + tuple(Claim(f"n{i}", triple=(f"t{i}", "near", f"t{i + 9}")) for i in range(20))
    plain = phi.generate(claims)
    monkeypatch.setattr(operator, "PLAIN_CLAIMS", 0)
    assert phi.generate(claims) == plain


def test_a_small_input_with_a_large_closure_goes_to_the_compiled_twin(monkeypatch):
    phi = Rules(transitive("in"))
    plain = phi.generate(chain(20))
    monkeypatch.setattr(operator, "PATIENCE", 10)
    assert phi.generate(chain(20)) == plain


@pytest.mark.parametrize("cap", ["most_supports", "longest"])
def test_a_cap_below_one_is_refused(cap):
    with pytest.raises(RuleError, match=f"{cap} is 0"):
        Rules((), **{cap: 0})


def test_recursion_is_seen():
    phi = Rules.parse("transitive located in\ncompose father + father = grandfather\ninverse child parent")
    assert set(phi.recursive) == {"located in", "child", "parent"}


# --- the language -------------------------------------------------------------------------------


def test_rules_and_shorthands_are_read():
    text = """
    # kinship
    grandmother(x, z) :- mother(x, y),   # whose
        mother(y, z).
    sibling of(x, y) :- parent(x, ?p), parent(y, ?p), x != y
    lives("in, out", x) :- born(x, "the \\"Lido\\"\\n"), known(x, _), known(_, x).
    inverse child parent
    inverse part of = has part
    symmetric "spouse, or so"
    transitive located in. compose spouse + mother = mother-in-law
    """
    lido = Atom("born", "?x", 'the "Lido"\n')
    assert read_rules(text) == (
        Rule(Atom("grandmother", "?x", "?z"), (Atom("mother", "?x", "?y"), Atom("mother", "?y", "?z"))),
        Rule(
            Atom("sibling of", "?x", "?y"),
            (Atom("parent", "?x", "?p"), Atom("parent", "?y", "?p")),
            (("?x", "?y"),),
        ),
        Rule(
            Atom("lives", "in, out", "?x"),
            (lido, Atom("known", "?x", "?_1"), Atom("known", "?_2", "?x")),
        ),
        *inverse("child", "parent"),
        *inverse("part of", "has part"),
        *symmetric("spouse, or so"),
        *transitive("located in"),
        *compose("spouse", "mother", head="mother-in-law"),
    )


words = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=8)


@given(drawn_rules(4), words, words)
def test_what_a_rule_shows_is_read_as_that_rule(rule, relation, thing):
    thing = thing.lstrip("?") or "?"
    named = replace(rule, head=replace(rule.head, relation=relation), differ=(*rule.differ, (thing, "x y")))
    assert read_rules(str(named)) == (named,)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("p(x, Porto) :- q(x, y).", "line 2, column 6: saw 'Porto'; a variable is one small letter"),
        ("p(x) :- q(x, x).", "line 2, column 4: saw ')'; a relation has two things"),
        ("p(x, y, z) :- q(x, y), q(y, z).", "line 2, column 7: saw ','; a relation has two things, then )"),
        ("p(x, z) :- q(x, y).", "line 2: rule p(x, z) :- q(x, y).: variable z stands in the head"),
        ("p(x, y) :- q(x, y), z != x.", "variable z stands in != but in no premise"),
        ("p(x, y)", "line 2, column 8: the statement ends; after the head comes :-"),
        ("p(x, _) :- q(x, y).", "_ in the head could be anything"),
        ('p(x, y) :- q(x, "y).', "a text in quotes ends on its line; close the quotes"),
        ('p(x, y) :- q(x, "?y").', "does not begin with a question mark"),
        ("p(x, y) :- q(x, y) r(x, y).", "line 2, column 20: saw 'r'; the statement should end here"),
        ("p(x, y) :- (x, y).", "the name of a relation should stand here"),
        ("compose a + b", "put = here"),
        ("inverse part of has part", "two relations of several words have = between them"),
        ("symmetric", "the name of a relation should stand here"),
        ("compose a + b + c + d + e + f + g = h", "has 7 premises; 1 to 6 are allowed"),
        ("h(x, y) :- p(x, a), q(x, b), r(a, b), s(a, y), t(b, y).", "line 2: rule h(x, y)"),
    ],
)
def test_a_statement_that_cannot_be_read_is_told_with_its_place_and_a_cure(line, said):
    with pytest.raises(RuleError) as refused:
        Rules.parse(f"symmetric near\n{line}\n", name="kin.rules")
    assert said in str(refused.value)
    assert str(refused.value).startswith("kin.rules, line 2")


def test_all_faults_are_told_at_once():
    with pytest.raises(RuleError) as refused:
        Rules.parse("p(x, Y) :- q(x, Y).\nsymmetric near\ninverse a")
    assert len(str(refused.value).splitlines()) == 2
