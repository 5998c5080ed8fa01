"""check_operator tells every broken operator, with a counterexample that a person can read."""

import builtins
import itertools
import random
import subprocess
import sys
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest
from hypothesis import strategies as st

from memspan.errors import MaterialError
from memspan.generation import Declared, Decomposable
from memspan.material import Claim, Dropped, KnowledgeItem, Material, Support
from memspan.ports import Generated
from memspan.testing import check_operator, claims

ALONE = Decomposable()


@dataclass(frozen=True)
class Made:
    """An operator made of one function from claims to items."""

    function: object
    name: str = "made"

    def generate(self, claims):
        """Leave everything to the function."""
        return self.function(claims)


def own(claims):
    return ALONE.generate(claims).items


def item(name, *supports, text=None):
    return KnowledgeItem(name, text or f"says {name}", tuple(supports))


def together(claims, count=2):
    """Return every choice of *count* claims as one item that needs them all."""
    for some in itertools.combinations([claim.id for claim in claims], count):
        yield item("+".join(some), Support(some))


def pairs(claims):
    return Generated((*own(claims), *together(claims)))


# --- broken operators: how each fails, and on how many claims at most -------------------------------


def drops_a_claim(claims):
    return Generated(own(claims)[:1])


def drops_the_third_claim(claims):
    return Generated(tuple(n for i, n in enumerate(own(claims)) if i != 2))


def needs_more_than_it_should(claims):
    """Say that claims entail themselves with a companion only."""
    first = claims[0].id if claims else ""
    return Generated(
        tuple(replace(n, supports=(Support(tuple(dict.fromkeys((first, n.id)))),)) for n in own(claims))
    )


def keeps_longer_supports(claims):
    names = tuple(claim.id for claim in claims)
    wider = tuple(replace(n, supports=(*n.supports, Support(names))) for n in own(claims))
    return Generated(wider if len(names) > 1 else own(claims))


def invents_claims(claims):
    return Generated((*own(claims), item("n", Support(("c0", "nobody")))) if claims else ())


def has_no_reason(claims):
    return Generated((*own(claims), item("n")))


def numbers_its_items(claims):
    composed = [replace(n, id=f"n{i}") for i, n in enumerate(together(claims))]
    return Generated((*own(claims), *composed))


def throws_dice():
    draw = random.Random(0)

    def generate(claims):
        items = list(pairs(claims).items)
        draw.shuffle(items)
        return Generated(tuple(items))

    return generate


def promises_too_much(claims):
    """Say that two claims suffice, but give the item only where there are three."""
    extra = (item("n", Support((claims[0].id, claims[1].id))),) if len(claims) > 2 else ()
    return Generated((*own(claims), *extra))


def hides_a_reason(claims):
    """Give the item for a single claim, and of several claims name the last only."""
    return Generated((*own(claims), item("n", Support((claims[-1].id,)))) if claims else ())


def forgets_when_told_more(claims):
    extra = (item("n", Support((claims[0].id,))),) if len(claims) == 1 else ()
    return Generated((*own(claims), *extra))


def stumbles(claims):
    if len(claims) == 2:
        raise KeyError("pair")
    return ALONE.generate(claims)


def sorts_in_place(claims):
    claims.sort(key=lambda claim: claim.id, reverse=True)
    return ALONE.generate(sorted(claims, key=lambda claim: claim.id))


def writes_into_claims(claims):
    for claim in claims:
        claim.extra["seen"] = True
    return ALONE.generate(claims)


def swaps_claims(claims):
    turned = [item("+".join(s.claims), Support(s.claims[::-1])) for n in together(claims) for s in n.supports]
    return Generated((*own(claims), *turned))


BROKEN = [
    (drops_a_claim, "self-containment", 2),
    (drops_the_third_claim, "self-containment", 3),
    (needs_more_than_it_should, "self-containment", 2),
    (keeps_longer_supports, "minimal supports", 2),
    (invents_claims, "given claims only", 1),
    (has_no_reason, "given claims only", 0),
    (numbers_its_items, "ids name content", 3),
    (throws_dice(), "determinism", 2),
    (promises_too_much, "provenance", 3),
    (hides_a_reason, "provenance", 2),
    (forgets_when_told_more, "provenance", 2),
    (stumbles, "answers", 2),
    (sorts_in_place, "leaves claims alone", 2),
    (writes_into_claims, "leaves claims alone", 1),
    (swaps_claims, "supports in order", 2),
    (lambda claims: list(own(claims)), "answers", 0),
    (lambda claims: Generated(list(own(claims))), "answers", 0),
    (lambda claims: Generated(tuple(claims)), "answers", 1),
    (lambda claims: Generated(own(claims) * 2), "answers", 1),
    (lambda claims: Generated(own(claims), ("capped",)), "answers", 0),
    (lambda claims: Generated(tuple(replace(n, supports=("c0",)) for n in own(claims))), "answers", 1),
    (lambda _: None, "answers", 0),
]


@pytest.mark.parametrize(
    ("function", "law", "most"), BROKEN, ids=[f"{b[1]}: {b[0].__name__}" for b in BROKEN]
)
def test_a_broken_operator_is_told_with_a_small_counterexample(function, law, most):
    report = check_operator(Made(function), examples=40)
    assert not report.ok
    told = {each.law: each for each in report.broken}
    assert law in told, report
    assert len(told[law].claims) <= most
    assert all(claim.text in str(told[law]) for claim in told[law].claims)
    assert told[law].expected in str(report)
    assert told[law].seen in str(report)


@pytest.mark.parametrize(
    ("function", "law", "most"), BROKEN, ids=[f"{b[1]}: {b[0].__name__}" for b in BROKEN]
)
def test_given_claims_are_cut_down_to_those_that_matter(function, law, most):
    told = [Claim(f"c{i}", f"statement {i}") for i in range(30)]
    report = check_operator(Made(function), told, examples=10)
    assert {each.law: len(each.claims) for each in report.broken}.get(law, 99) <= most


def test_an_operator_without_a_name_is_told():
    assert [each.law for each in check_operator(Made(pairs, name=""), examples=2).broken] == ["answers"]


# --- operators that keep the laws -----------------------------------------------------------------


def overridden(claims):
    """Entail a note from the first claim unless the last is held."""
    if not claims:
        return Generated(())
    first, last = claims[0].id, claims[-1].id
    unless = () if first == last else (last,)
    return Generated((*own(claims), item("note", Support((first,), unless))))


LATER = (item("note", Support(("c0",), unless=("c1",))),)


def test_an_operator_that_takes_back_is_told_not_failed_unless_monotone_is_demanded():
    told = [Claim(f"c{i}", f"statement {i}") for i in range(5)]
    report = check_operator(Declared(LATER), told)
    assert report.ok
    assert not report.monotone
    against = report.traits["monotone"]
    assert [claim.id for claim in against.claims] == ["c0", "c1"]
    assert against.given == ("c0",)
    demanded = check_operator(Declared(LATER), told, monotone=True)
    assert [each.law for each in demanded.broken] == ["monotone"]
    assert demanded.broken[0] == against


def test_claims_are_drawn_anew_to_be_simpler():
    def stops_at_four(claims):
        return Generated(own(claims)[:-1] if len(claims) > 3 else own(claims))

    report = check_operator(Made(stops_at_four), examples=10)
    told = {each.law: each for each in report.broken}["self-containment"]
    assert [claim.text for claim in told.claims] == ["Ana lives in Ana."] * 4


def test_a_demanded_trait_is_shrunk_by_hypothesis_too():
    report = check_operator(Declared(LATER), monotone=True)
    assert [each.law for each in report.broken] == ["monotone"]
    assert len(report.broken[0].claims) == 2


def test_who_depends_on_what_else_is_given_is_told_even_with_unless():
    assert "provenance" in {each.law for each in check_operator(Made(overridden), examples=30).broken}


def test_traits_and_synergy_of_pairs():
    told = [Claim(f"c{i}", f"statement {i}") for i in range(4)]
    report = check_operator(Made(pairs), told, examples=20)
    assert report.ok
    assert (report.monotone, report.decomposable, report.limited) == (True, False, False)
    assert len(report.traits["decomposable"].claims) == 2
    assert report.synergy.share == pytest.approx(6 / 10)
    strongest = report.synergy.strongest
    assert (strongest.alone, strongest.joined, strongest.growth) == (1, 4, 3)


def test_a_decomposable_operator_has_every_trait_and_no_synergy():
    report = check_operator(ALONE, examples=30)
    assert report.ok
    assert all(against is None for against in report.traits.values())
    assert report.synergy.share == 0
    assert report.synergy.strongest is None


def test_an_operator_that_composes_its_own_items_further_is_not_idempotent():
    def joined(claims):
        names = {claim.id for claim in claims}
        return Generated((*own(claims), *(n for n in together(claims) if n.id not in names)))

    report = check_operator(Made(joined), examples=30)
    assert report.ok
    assert not report.idempotent
    assert len(report.traits["idempotent"].claims) == 2


def test_an_operator_that_goes_by_the_order_of_claims_is_told():
    def last_first(claims):
        ends = (claims[0].id, claims[-1].id)
        extra = (item(" before ".join(ends), Support(ends)),) if len(claims) == 2 else ()
        return Generated((*own(claims), *extra))

    assert len(check_operator(Made(last_first), examples=30).traits["order-free"].claims) == 2


@dataclass(frozen=True)
class Capped:
    """Pairs, at most three of them; says so or not."""

    tells: bool
    name: str = field(default="capped")

    def generate(self, claims):
        """Return the claims and the first three pairs."""
        two = tuple(together(claims))
        limits = (Dropped("pairs", "items", f"{len(two)}, more than 3"),) if len(two) > 3 else ()
        return Generated((*own(claims), *two[:3]), limits if self.tells else ())


def test_what_a_reported_cap_explains_breaks_no_law():
    open_, silent = (check_operator(Capped(tells), examples=15) for tells in (True, False))
    assert open_.ok
    assert open_.limited
    assert not silent.ok
    assert {each.law for each in silent.broken} == {"provenance"}
    assert len(silent.broken[0].claims) <= 4


# --- the check itself -----------------------------------------------------------------------------


def test_the_same_check_gives_the_same_report():
    one, other = (check_operator(Made(hides_a_reason), examples=20) for _ in range(2))
    assert one == other
    assert str(one) == str(other)


def test_a_report_is_frozen_and_counts_what_was_tried():
    report = check_operator(ALONE, claims(most=2), examples=7)
    assert report.examples == 7
    with pytest.raises(FrozenInstanceError):
        report.examples = 8


def test_a_strategy_of_ones_own_is_drawn_from():
    def refuses_bob(claims):
        if any(claim.text == "Bob" for claim in claims):
            raise ValueError("Bob")
        return ALONE.generate(claims)

    bobs = st.lists(st.sampled_from(["Ann", "Bob"]), max_size=4).map(
        lambda names: [Claim(f"c{i}", name) for i, name in enumerate(names)]
    )
    report = check_operator(Made(refuses_bob), bobs, examples=20)
    assert [claim.text for claim in report.broken[0].claims] == ["Bob"]
    assert "ValueError: Bob" in str(report)


def test_no_claims_are_claims_too():
    report = check_operator(ALONE, [])
    assert report.ok
    assert report.synergy.items == 0


def test_claims_that_share_an_id_are_refused():
    with pytest.raises(MaterialError, match="'c1' stands 2 times"):
        check_operator(ALONE, [Claim("c1"), Claim("c1")])


def test_drawn_claims_make_a_material_and_often_join():
    def joins(drawn):
        ends = [(c.triple[0], c.triple[2]) for c in drawn if c.triple]
        return any(one[1] == other[0] for one, other in itertools.permutations(ends, 2))

    from memspan.testing.shrinking import drawn

    lists = drawn(claims(), 100)
    assert all(Material("m", told) for told in lists)
    assert sum(map(joins, lists)) > 20


def test_given_claims_need_no_hypothesis_and_a_strategy_says_what_it_needs():
    code = """
import sys
sys.modules["hypothesis"] = None
from memspan.errors import MissingExtra
from memspan.generation import Decomposable
from memspan.material import Claim
from memspan.testing import check_operator
assert check_operator(Decomposable(), [Claim("c1")]).ok
try:
    check_operator(Decomposable())
except MissingExtra as missing:
    assert "memspan[testing]" in str(missing)
else:
    raise SystemExit("drew without hypothesis")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_interruptions_are_not_swallowed():
    def interrupted(_):
        raise builtins.KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_operator(Made(interrupted), [Claim("c1")])
