from memspan.generation.comparisons import Compared
from memspan.generation.lifetimes import Lifetimes
from memspan.generation.rules import Rules
from memspan.material import Claim
from memspan.testing import check_operator

CLAIMS = (
    Claim("c1", triple=("Ferry", "director", "Ana")),
    Claim("c2", triple=("Ana", "born", "3 May 1950")),
    Claim("c3", triple=("Lighthouse", "director", "Rui")),
    Claim("c4", triple=("Rui", "born", "1949")),
    Claim("c5", triple=("Ana", "citizen", "Portuguese")),
    Claim("c6", triple=("Rui", "citizen", "Portugal")),
)
RULES = "compose director + born = director's born"


def found(claims, *pairs):
    phi = Compared(Rules.parse(RULES), pairs)
    return {item.text: [s.claims for s in item.supports] for item in phi.generate(claims).items}


def test_a_comparison_is_one_item_with_the_claims_of_both_sides():
    items = found(CLAIMS, ("Ferry", "director's born", "Lighthouse"), ("Ana", "citizen", "Rui"))
    assert items["Lighthouse earlier director's born than Ferry"] == [("c1", "c2", "c3", "c4")]
    assert items["Ana same citizen as Rui"] == [("c5", "c6")]


def test_the_laws_of_operators_hold_and_more_claims_never_entail_less():
    pairs = (("Ferry", "director's born", "Lighthouse"), ("Ana", "citizen", "Rui"))
    phi = Compared(Lifetimes(Rules.parse(RULES), "born", "died"), pairs)
    report = check_operator(phi, CLAIMS, monotone=True, examples=20)
    assert report.ok, str(report)


def test_without_a_claim_of_either_side_nothing_is_compared():
    for missing in range(4):
        left = [claim for i, claim in enumerate(CLAIMS) if i != missing]
        assert not any("earlier" in text for text in found(left, ("Ferry", "director's born", "Lighthouse")))


def test_dates_that_do_not_tell_are_not_ordered():
    claims = [Claim("c1", triple=("A", "born", "1950")), Claim("c2", triple=("B", "born", "May 1950"))]
    assert not any("earlier" in text for text in found(claims, ("A", "born", "B")))


def test_a_lifetime_needs_both_dates():
    dates = [Claim("c1", triple=("Ana", "born", "1950")), Claim("c2", triple=("Ana", "died", "2000"))]
    phi = Lifetimes(Rules(()), "born", "died")
    assert [s.claims for s in phi.generate(dates).items[-1].supports] == [("c1", "c2")]
    assert len(phi.generate(dates[:1]).items) == 1
    died_first = [Claim("c1", triple=("Ana", "born", "1950")), Claim("c2", triple=("Ana", "died", "1900"))]
    assert len(phi.generate(died_first).items) == 2
