"""What untrusted settlers cannot do, and what looks like an alarm and is none."""

import math
import os

import pytest

import memspan as ms
from memspan.datasets.settling import append_settlements, read_settlements
from memspan.errors import FileError, NoiseError
from memspan.material import Claim, Settlement
from memspan.trust import VOTES, Rate, Terms, TrustModel, doubts


def said(correct, *claims, settler=None, query="q"):
    return Settlement(query, correct, claims, settler=settler)


def holding(claims, **terms):
    model = TrustModel(**terms)
    model.add(claims)
    return model


def log_odds(model, claim):
    tau = model.tau(claim)
    return math.log(tau / (1 - tau))


@pytest.mark.parametrize("field", ["source", "corroborates", "contradicts"])
def test_an_untrusted_settler_moves_no_claim_through_another(field):
    others = [f"c{i}" for i in range(1, 30)]
    link = {"source": "s"} if field == "source" else {field: ("c0",)}
    first = Claim("c0", source="s" if field == "source" else None)
    model = holding([first, *(Claim(name, **link) for name in others)], untrusted=["liar"])
    model.settle_many([said(0, "c0")] * 3)
    model.refit()
    before = model.tau("c0")
    for correct in (0, 1):
        model.settle_many(said(correct, name, settler="liar") for name in others for _ in range(20))
        assert model.tau("c0") == before
        model.refit()
        assert model.tau("c0") == pytest.approx(before, abs=1e-12)


def test_an_untrusted_settler_moves_each_claim_by_its_cap_even_where_errors_are_learned():
    claims = [Claim(f"c{i}") for i in range(20)]
    model = holding(claims, terms=VOTES, untrusted=["liar"])
    for name in ("ana", "rui"):
        model.settle_many(said(int(i >= 5), f"c{i}", settler=name) for i in range(20))
    model.refit()
    before = [log_odds(model, claim.id) for claim in claims]
    model.settle_many(said(int(i < 5), f"c{i}", settler="liar") for _ in range(30) for i in range(20))
    model.refit()
    moved = [abs(log_odds(model, claim.id) - b) for claim, b in zip(claims, before, strict=True)]
    assert max(moved) <= Terms().cap_untrusted + 1e-9


def test_a_settler_distrusted_late_is_as_one_distrusted_from_the_start():
    claims = [Claim(f"c{i}", source="s", contradicts=("c0",) if i == 1 else ()) for i in range(4)]
    early, late = holding(claims, untrusted=["x"]), holding(claims)
    for model in (early, late):
        model.settle_many([said(1, "c0", settler="x")] * 4 + [said(0, "c2", "c3", settler="x")] * 4)
    late.distrust("x")
    for model in (early, late):
        model.refit()
    assert late.trust().tau.tolist() == pytest.approx(early.trust().tau.tolist(), abs=1e-9)


def test_one_untrusted_name_is_one_settler():
    assert TrustModel(untrusted="rui").engine.caps.untrusted == {"rui"}


def test_votes_against_the_other_values_of_an_object_raise_no_alarm():
    names = [f"v{i}" for i in range(40)]
    model = holding([Claim(name) for name in names])
    model.settle_many(said(int(name == "v0"), name, settler="s", query="object") for name in names)
    assert not model.alarms()


def test_outcomes_that_are_neither_right_nor_wrong_raise_no_alarm():
    model = holding([Claim("a")])
    model.settle_many([said(0.5, "a")] * 40)
    assert not model.alarms()


def test_rates_beyond_what_floats_tell_apart_are_refused():
    with pytest.raises(NoiseError, match="1e"):
        Rate(1e14, 9e14)


def test_what_links_say_is_told_however_sure_a_claim_is():
    model = holding([Claim("a"), Claim("b", contradicts=("a",))])
    model.settle_many(said(0, "a", settler=f"s{i}") for i in range(40))
    found = doubts(model).claims[0]
    assert found.settled < -60
    assert abs(found.linked) < 5


def test_nothing_is_appended_that_could_not_be_read_again(tmp_path):
    log = tmp_path / "log.jsonl"
    append_settlements(log, [Settlement("q", 1, id="a")])
    for bad in (
        [Settlement("q", 2)],
        [Settlement("q", 1, weight=-1)],
        [Settlement("q", 1, id="b"), Settlement("q", 1, id="b")],
    ):
        with pytest.raises(FileError):
            append_settlements(log, bad)
    assert [entry.id for entry in read_settlements(log)] == ["a"]


def test_a_model_is_never_saved_over_what_is_no_file(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(FileError, match="regular"):
        TrustModel(ms.bundled("odyssey")).save(pipe)
    assert pipe.is_fifo()
