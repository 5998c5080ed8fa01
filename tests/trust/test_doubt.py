"""What is doubtful: what speaks against a claim, and who errs more than was thought."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memspan.material import Claim, Material, Query, Settlement, Support
from memspan.trust import Noise, Rate, Terms, TrustModel, doubts


def material(n: int = 4, *, source: str | None = None) -> Material:
    """One claim for each query, and one query more on the first two claims."""
    claims = tuple(Claim(f"c{i}", source=source) for i in range(n))
    single = tuple(Query(f"q{i}", weight=i + 1, supports=(Support((f"c{i}",)),)) for i in range(n))
    return Material("m", claims, queries=(*single, Query("pair", supports=(Support(("c0", "c1")),))))


OUTCOMES = st.lists(
    st.tuples(
        st.sampled_from(["q0", "q1", "q2", "pair"]),
        st.sampled_from([0.0, 1.0, 0.3]),
        st.sampled_from(["ana", "ben", None]),
    ),
    min_size=1,
    max_size=25,
)


def settled(outcomes: list[tuple[str, float, str | None]], **terms: object) -> TrustModel:
    model = TrustModel(material(), terms=Terms(**terms))  # type: ignore[arg-type]
    model.settle_many(Settlement(query, correct, settler=name) for query, correct, name in outcomes)
    return model


@given(OUTCOMES, st.sampled_from([1.0, 0.8]))
def test_the_settlements_about_a_claim_sum_to_what_they_move_it_by(
    outcomes: list[tuple[str, float, str | None]], drift: float
) -> None:
    for each in doubts(settled(outcomes, drift=drift)).claims:
        assert math.fsum(one.weight for one in each.spoken) == pytest.approx(each.settled, abs=1e-5)
        odds = math.log(each.trust.tau / (1 - each.trust.tau))
        assert each.prior + each.settled + each.linked == pytest.approx(odds, abs=1e-6)


@given(OUTCOMES)
def test_wrong_speaks_against_and_right_speaks_for(outcomes: list[tuple[str, float, str | None]]) -> None:
    for each in doubts(settled(outcomes)).claims:
        assert all(one.weight <= 1e-9 for one in each.spoken if one.correct == 0)
        assert all(one.weight >= -1e-9 for one in each.spoken if one.correct == 1)


@given(OUTCOMES)
def test_equal_outcomes_of_one_settler_weigh_the_same_where_nothing_drifts(
    outcomes: list[tuple[str, float, str | None]],
) -> None:
    for each in doubts(settled(outcomes, drift=1.0)).claims:
        seen: dict[object, float] = {}
        for one in each.spoken:
            kept = seen.setdefault((one.claims, one.settler, one.correct), one.weight)
            assert one.weight == pytest.approx(kept, abs=1e-12)


def test_a_revoked_settlement_speaks_no_more() -> None:
    model = settled([("q0", 0, "ana"), ("q0", 0, "ben")])
    model.revoke(0)
    found = doubts(model)
    assert [one.entry for one in found.claims[0].spoken] == [1]
    assert [each.name for each in found.settlers] == ["ben"]
    assert found.outcomes == 1


def test_claims_as_doubtful_as_each_other_stand_by_the_mass_that_rests_on_them() -> None:
    model = settled([("q0", 0, "ana"), ("q2", 0, "ana")], drift=1.0)
    assert [each.claim for each in doubts(model, material()).claims] == ["c2", "c0"]
    assert [each.mass for each in doubts(model, material()).claims] == [3 / 11, 2 / 11]
    assert doubts(model).claims[0].mass is None


def test_rivals_are_told_with_their_trust() -> None:
    claims = (Claim("old", contradicts=("new",)), Claim("new"))
    model = TrustModel(Material("m", claims, queries=(Query("q", supports=(Support(("new",)),)),)))
    model.settle_many(Settlement("q", 1, settler=name) for name in "abc")
    (found,) = doubts(model).claims
    assert (found.claim, found.spoken, found.rivals[0].claim) == ("old", (), "new")
    assert found.linked < -1
    assert found.rivals[0].tau == pytest.approx(model.tau("new"))


def test_a_pair_that_fails_is_doubted_as_a_whole() -> None:
    model = TrustModel(material())
    model.settle_many(Settlement("q0", 1, settler="ana") for _ in range(3))
    model.settle_many(Settlement("q1", 1, settler="ana") for _ in range(3))
    model.settle_many(Settlement("pair", 0, settler=name) for name in "bcd")
    found = doubts(model)
    assert [each.claims for each in found.sets] == [("c0", "c1")]
    assert found.sets[0].belief < 0.5 <= min(model.tau("c0"), model.tau("c1"))


def test_what_says_nothing_is_counted_and_blames_nobody() -> None:
    model = TrustModel(material())
    model.settle(Settlement("q0", 0, claims=(), settler="ana"))
    found = doubts(model, material())
    assert (found.outcomes, found.silent, found.touched, found.claims, found.settlers) == (1, 1, 0, (), ())


def test_the_limit_bounds_what_is_listed_and_not_what_is_counted() -> None:
    model = settled([(query, 0, name) for query in ("q0", "q1", "q2") for name in ("ana", "ben")])
    assert (len(doubts(model, limit=1).claims), doubts(model, limit=1).false) == (1, 3)


def test_the_limit_bounds_what_is_listed_and_the_rest_is_told() -> None:
    model = settled([(query, 0, name) for query in ("q0", "q1", "q2") for name in ("ana", "ben")])
    found = doubts(model, limit=1)
    assert found.more == found.false + found.less_sure - 1 == 2


@given(OUTCOMES)
def test_what_is_listed_is_probably_false_or_less_sure_than_its_source(
    outcomes: list[tuple[str, float, str | None]],
) -> None:
    found = doubts(settled(outcomes))
    assert found.more == 0
    assert sum(each.trust.tau < 0.5 for each in found.claims) == found.false
    for each in found.claims:
        assert each.trust.tau < 0.5 or each.settled + each.linked < 0


def test_outcomes_without_logged_claims_are_inferred_and_counted() -> None:
    model = TrustModel(material())
    model.settle(Settlement("q0", 0, ("c0",), settler="ana"))
    model.settle(Settlement("q0", 0, settler="ben"))
    model.settle(Settlement("q0", 0, settler="eva", extra={"context": "full"}))
    model.settle(Settlement("nowhere", 0, settler="eva"))
    found = doubts(model)
    assert (found.inferred, found.whole, found.silent) == (2, 1, 1)
    assert {each.settler: each.inferred for each in found.claims[0].spoken} == {
        "ana": False,
        "ben": True,
        "eva": True,
    }
    model.revoke(1)
    assert doubts(model).inferred == 1


# --- settlers and sources -----------------------------------------------------------------------


def world(seed: int, errors: dict[str, float], *, count: int, source: str = "s0") -> Material:
    """200 claims, 4 of 5 true, settled by people who err so often; claims of *source* are all false."""
    rng = np.random.default_rng(seed)
    truth = [0 if f"s{i % 20}" == source else int(rng.random() < 0.8) for i in range(200)]
    claims = tuple(Claim(f"c{i}", truth=each, source=f"s{i % 20}") for i, each in enumerate(truth))
    queries = tuple(Query(f"q{i}", supports=(Support((f"c{i}",)),)) for i in range(200))
    names, made = sorted(errors), []
    for _ in range(count):
        i, name = int(rng.integers(200)), names[int(rng.integers(len(names)))]
        wrong = rng.random() < errors[name]
        made.append(Settlement(f"q{i}", int(truth[i] != wrong), (f"c{i}",), name))
    return Material("w", claims, queries=queries, settlements=tuple(made))


def of_world(seed: int, errors: dict[str, float], count: int = 1200) -> TrustModel:
    drawn = world(seed, errors, count=count)
    model = TrustModel(drawn)
    model.settle_many(drawn.settlements)
    model.refit()
    return model


ERRORS = {"bad": 0.4, **{f"u{i}": 0.1 for i in range(5)}}


def test_a_settler_that_errs_more_than_it_should_comes_first_and_is_flagged() -> None:
    found = doubts(of_world(1, ERRORS))
    assert [each.name for each in found.settlers if each.suspicious] == ["bad"]
    assert found.settlers[0].name == "bad"
    assert found.settlers[0].false_wrong.lower < 0.4 < found.settlers[0].false_wrong.upper
    assert found.settlers[0].false_wrong.others == pytest.approx(0.1, abs=0.04)


def test_a_settler_as_noisy_as_it_was_said_to_be_is_not_flagged() -> None:
    drawn = world(1, ERRORS, count=1200)
    known = Terms(settlers={"bad": Noise(Rate(4, 6), Rate(4, 6))})
    model = TrustModel(drawn, terms=known)
    model.settle_many(drawn.settlements)
    model.refit()
    assert [each.name for each in doubts(model).settlers if each.suspicious] == []


def test_one_question_asked_often_says_little_about_a_settler() -> None:
    model = TrustModel(material())
    model.settle_many(Settlement("q0", 1, settler=name) for name in "abcdef" for _ in range(4))
    model.settle_many(Settlement("q0", 0, settler="bad") for _ in range(100))
    found = next(each for each in doubts(model).settlers if each.name == "bad")
    assert found.outcomes == 100
    assert found.false_wrong.chances < 11


def test_a_source_of_false_claims_comes_first_and_is_flagged() -> None:
    found = doubts(of_world(2, ERRORS))
    assert [each.name for each in found.sources if each.suspicious] == ["s0"]
    assert found.sources[0].upper < found.pool.lower
    assert found.claims[0].reliability is not None


@given(
    st.lists(st.tuples(st.integers(0, 5), st.sampled_from([0.0, 1.0])), min_size=1, max_size=30),
    st.sampled_from([1e-3, 0.5, 4.0]),
    st.sampled_from([1e-3, 20.0]),
)
def test_estimates_lie_in_their_intervals(
    outcomes: list[tuple[int, float]], source_weight: float, base_weight: float
) -> None:
    claims = tuple(Claim(f"c{i}", source=f"s{i % 2}") for i in range(6))
    terms = Terms(
        source_weight=source_weight, base_weight=base_weight, noise=Noise(Rate(1e-3, 9), Rate(9e-3, 9))
    )
    model = TrustModel(Material("m", claims), terms=terms)
    model.settle_many(Settlement(f"q{i}", correct, (f"c{i}",), "ana") for i, correct in outcomes)
    found = doubts(model)
    for each in (*found.sources, found.pool):
        assert 0 <= each.lower <= each.reliability <= each.upper <= 1
        assert -1e-9 <= each.true <= each.claims + 1e-9
    for settler in (*found.settlers, found.erring):
        for rate in (settler.false_wrong, settler.false_right):
            assert 0 <= rate.lower <= rate.rate <= rate.upper <= 1
    trust = found.trust
    assert ((trust.lower <= trust.tau) & (trust.tau <= trust.upper)).all()


def test_where_most_settlers_err_more_than_was_thought_the_noise_is_told() -> None:
    found = doubts(of_world(1, {f"u{i}": 0.35 for i in range(3)}, count=2000))
    assert found.noisy
    assert found.erring.false_wrong.rate == pytest.approx(0.35, abs=0.1)
    assert found.erring.false_wrong.given == 0.1
    assert not doubts(of_world(1, ERRORS)).noisy


def test_an_untrusted_settler_is_told_as_such() -> None:
    model = settled([("q0", 0, "ana"), ("q0", 1, None)])
    model.distrust("ana")
    assert {each.name: each.untrusted for each in doubts(model).settlers} == {"ana": True, None: False}
