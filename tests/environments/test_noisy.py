"""Look-alikes: coverage counts what they answer, precision does not, and no place tells which is true."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import memspan as ms
from memspan.coverage import compile_material, u_cov, u_prec
from memspan.environments.episode import Episode
from memspan.environments.noisy import LookAlikes, with_look_alikes
from memspan.environments.orders import draw
from memspan.environments.scene import scene
from memspan.errors import ShapeError
from memspan.material import Claim, Material, Query, Support

shares = st.floats(0, 1)


def talk(sessions=4, turns=6, asked=8):
    claims = tuple(
        Claim(f"c{s}.{t}", f"Ana saw {t} birds in Porto on day {s}", source=f"session {s}")
        for s in range(sessions)
        for t in range(turns)
    )
    rng = np.random.default_rng(3)
    queries = tuple(
        Query(
            f"q{i}",
            supports=(
                Support(tuple(claims[e].id for e in rng.choice(len(claims), 1 + i % 3, replace=False))),
            ),
        )
        for i in range(asked)
    )
    return Material("talk", claims, queries=queries)


@given(shares, shares, shares, st.integers(0, 99))
def test_as_many_false_claims_appear_as_were_asked_for_and_the_rest_stays_in_order(
    share, linked, later, seed
):
    plain = talk()
    noisy = with_look_alikes(plain, np.random.default_rng(seed), LookAlikes(share, linked, later))
    false = [claim for claim in noisy.claims if claim.truth == 0]
    assert len(false) == round(share * len(plain.claims))
    kept = [claim.id for claim in noisy.claims if claim.truth != 0]
    assert kept == [claim.id for claim in plain.claims]
    assert len(scene(noisy).seen) == len(scene(plain).seen), "sessions stay what they are"


@given(st.integers(0, 99))
def test_what_is_true_answers_what_it_did_and_false_claims_alone_answer_nothing_rightly(seed):
    plain = talk()
    noisy = compile_material(with_look_alikes(plain, np.random.default_rng(seed), LookAlikes(0.6)))
    true = ~(noisy.truth < 0.5)
    assert u_prec(noisy, true) == pytest.approx(1)
    assert u_prec(noisy, ~true) == 0
    both = np.ones(len(true), bool)
    assert u_cov(noisy, both) == u_prec(noisy, both) == pytest.approx(1)


def test_a_look_alike_answers_wherever_its_original_does():
    noisy = with_look_alikes(talk(), np.random.default_rng(0), LookAlikes(1.0))
    for query in noisy.queries:
        sets = {frozenset(support.claims) for support in query.supports}
        size = len(query.supports[0].claims)
        assert len(sets) == min(2**size, 9)


def test_the_same_seed_gives_the_same_material_and_another_one_another():
    first, again, other = (with_look_alikes(talk(), np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_the_order_of_supports_does_not_tell_which_is_true():
    noisy = with_look_alikes(talk(6, 20, 90), np.random.default_rng(0), LookAlikes(1.0))
    false = {claim.id for claim in noisy.claims if claim.truth == 0}
    single = [query.supports[0].claims[0] in false for query in noisy.queries if len(query.supports) == 2]
    assert 0.2 < np.mean(single) < 0.8


def test_links_are_symmetric_in_time_and_only_of_the_share_that_is_known():
    noisy = with_look_alikes(talk(), np.random.default_rng(0), LookAlikes(1.0, linked=0.5, later=0.0))
    place = noisy.claim_position
    pairs = [(claim, other) for claim in noisy.claims for other in claim.contradicts]
    assert all(place[claim.id] > place[other] for claim, other in pairs)
    assert {claim.truth for claim, _ in pairs} == {0.0, None}, "either of the two may be the one that tells"
    assert 6 < len(pairs) < 18
    unlinked = with_look_alikes(talk(), np.random.default_rng(0), LookAlikes(1.0, linked=0.0))
    assert not any(claim.contradicts for claim in unlinked.claims)


@pytest.mark.parametrize("sources", ["one", "each"])
def test_materials_without_sessions_are_cut_as_before(sources):
    claims = tuple(Claim(f"c{i}", source="book" if sources == "one" else f"s{i}") for i in range(40))
    queries = (Query("q", supports=(Support(("c3",)),)),)
    noisy = with_look_alikes(Material("m", claims, queries=queries), np.random.default_rng(0))
    assert len(scene(noisy).seen) == 20


def test_the_text_of_a_look_alike_differs_in_one_word():
    noisy = with_look_alikes(talk(), np.random.default_rng(0))
    for claim in noisy.claims:
        if claim.truth == 0:
            original = noisy.claim(claim.id.removesuffix(" not"))
            pairs = list(zip(claim.text.split(), original.text.split(), strict=True))
            assert sum(a != b for a, b in pairs) == 1


def test_a_policy_is_not_told_what_is_false():
    trip = scene(with_look_alikes(ms.bundled("odyssey"), np.random.default_rng(0), LookAlikes(0.5)))
    episode = Episode(trip, draw(trip, "iid", np.random.default_rng(0)), 2)
    assert all(claim.truth is None for claim in episode.appeared())


@pytest.mark.parametrize("name", ["share", "linked", "later"])
def test_a_share_outside_its_range_is_refused(name):
    with pytest.raises(ShapeError, match=f"{name} is 1.5; give a share from 0 to 1"):
        LookAlikes(**{name: 1.5})
