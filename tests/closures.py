"""Rule closures by brute force: every assignment of every rule, every subset of the claims."""

from itertools import combinations, product

from hypothesis import strategies as st

from memspan.errors import RuleError
from memspan.generation.rules_form import Atom, Rule, is_variable
from memspan.generation.rules_plan import plan
from memspan.material import Claim

THINGS = ("A", "B", "C", "D")
RELATIONS = ("p", "q", "r", "s")


def entailed(rules, triples):
    """Return the closure of *triples*, trying every assignment of variables until nothing new comes."""
    facts = set(triples)
    things = sorted(
        {thing for s, _, o in triples for thing in (s, o)}
        | {t for rule in rules for atom in (rule.head, *rule.body) for t in atom.terms if not is_variable(t)}
    )
    while True:
        more = {fact for rule in rules for fact in _consequences(rule, facts, things)} - facts
        if not more:
            return facts
        facts |= more


def _consequences(rule, facts, things):
    names = sorted(frozenset().union(*(atom.variables for atom in rule.body)))
    for values in product(things, repeat=len(names)):
        known = dict(zip(names, values, strict=True))
        body = all(_fact(atom, known) in facts for atom in rule.body)
        if body and all(known.get(a, a) != known.get(b, b) for a, b in rule.differ):
            yield _fact(rule.head, known)


def _fact(atom, known):
    return known.get(atom.first, atom.first), atom.relation, known.get(atom.second, atom.second)


def minimal_supports(rules, claims):
    """Return for each entailed triple all minimal sets of claims, from the closure of every subset."""
    supports = {}
    for size in range(1, len(claims) + 1):
        for chosen in combinations(claims, size):
            names = tuple(claim.id for claim in chosen)
            for fact in entailed(rules, {claim.triple for claim in chosen}):
                held = supports.setdefault(fact, [])
                if not any(set(one) <= set(names) for one in held):
                    held.append(names)
    return supports


@st.composite
def rules(draw, most_premises=3):
    """Draw a rule that can be evaluated, with constants and guards now and then."""
    variables = ("?x", "?y", "?z", "?w")
    term = st.sampled_from((*variables[:3], *variables, "A"))
    atom = st.builds(Atom, st.sampled_from(RELATIONS), term, term)
    body = tuple(draw(st.lists(atom, min_size=1, max_size=most_premises)))
    known = [*sorted(frozenset().union(*(a.variables for a in body))), "A"]
    inside = st.sampled_from(known)
    head = Atom(draw(st.sampled_from(RELATIONS)), draw(inside), draw(inside))
    guards = draw(st.lists(st.tuples(inside, inside), max_size=2))
    rule = Rule(head, body, tuple(guards))
    try:
        plan([rule])
    except RuleError:
        return draw(rules(1))
    return rule


def claims(most=6):
    """Draw claims with triples over a few things."""
    thing = st.sampled_from(THINGS)
    triple = st.tuples(thing, st.sampled_from(RELATIONS), thing)
    return st.lists(triple, max_size=most).map(
        lambda triples: tuple(Claim(f"c{i}", triple=triple) for i, triple in enumerate(triples))
    )
