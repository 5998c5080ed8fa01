import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.material import Claim, Material, Query, Support
from memspan.optimum import frontier
from memspan.report import Study, finding, render
from memspan.report.asides import asides
from memspan.report.counts import which_count
from memspan.report.line import same
from memspan.testing import materials

ONE = (Claim("a", "One."),)
SUPPORTED = Query("q", supports=(Support(("a",)),))


def study(*queries, claims=ONE, **options):
    """Return a material of *queries*, solved."""
    material = Material("one", claims, queries=queries)
    return Study(material, frontier(material, **options))


def test_questions_that_do_not_count_are_told_with_their_reason():
    queries = [Query(f"s{i}", supports=(Support(("a",)),)) for i in range(4)]
    queries += [Query("bare"), Query("no", answerable=False)]
    told = "4 of 6 questions count; 1 has no support, 1 is a refusal."
    assert which_count([study(*queries)]) == told
    assert which_count([study(*queries)] * 2) == "8 of 12 questions count; 2 have no support, 2 are refusals."
    assert told in render([study(*queries)]).partition("<figure>")[0]


def test_nothing_is_told_where_every_question_counts():
    assert which_count([study(SUPPORTED)]) is None
    assert asides([study(SUPPORTED)]) == []


def test_shares_of_all_questions_are_told_to_be_that():
    assert which_count([study(SUPPORTED, Query("bare"), over="all")]) == (
        "1 of 2 questions counts; 1 has no support; shares are of all 2."
    )


@pytest.mark.parametrize(
    ("queries", "reason"),
    [
        ((), "there is no question"),
        ((Query("q"),), "no question has a support yet"),
        ((Query("q", answerable=False),), "the right answer to every question is a refusal"),
        (
            (Query("q", weight=0, supports=(Support(("a",)),)),),
            "every question that has a support has weight 0",
        ),
    ],
)
def test_nothing_to_cover_comes_with_its_reason_and_no_picture(queries, reason):
    empty = study(*queries)
    assert finding([empty]) == f"Nothing to cover in one: {reason}."
    assert finding([empty, empty]) == f"Nothing to cover in any of these 2 materials: {reason}."
    for page in (render([empty]), render([empty, empty])):
        assert "<figure>" not in page
        assert "<table" not in page.replace('<table class="dropped">', "")
        assert 'class="data"' not in page


def test_claims_that_cost_nothing_are_told():
    free = study(SUPPORTED, claims=(Claim("a"), Claim("b")), cost="tokens")
    assert finding([free]) == (
        "Nothing to measure in one: no claim has a text, so each costs 0 tokens; count claims instead."
    )


def test_what_only_a_smaller_memory_answers_is_something_to_cover():
    claims = (Claim("a"), Claim("b"))
    defeated = study(Query("q", supports=(Support(("a",), unless=("b",)),)), claims=claims)
    assert finding([defeated]).startswith("1 of 2 claims answers 50 %")


@pytest.mark.parametrize(
    ("unknown", "told"),
    [
        (0, "True claims alone do as well at every capacity."),
        (1, "As far as truth is known, true claims alone do as well at every capacity."),
    ],
)
def test_truth_is_claimed_only_as_far_as_it_is_known(unknown, told):
    claims = (Claim("a", truth=1), *(Claim(f"u{i}") for i in range(unknown)))
    material = Material("m", claims, queries=(SUPPORTED,))
    found = Study(material, frontier(material), frontier(material, utility="precision"))
    assert finding([found]).endswith(told)


@given(materials(), st.sampled_from(["claims", "tokens"]))
def test_true_claims_do_as_well_only_where_they_do_at_every_capacity(material, cost):
    both = [frontier(material, utility=utility, cost=cost) for utility in ("coverage", "precision")]
    every = range(max(len(each.solution.curve.lower) for each in both))
    alike = all(both[0].at(capacity).lower == both[1].at(capacity).lower for capacity in every)
    assert same(*both) == alike
