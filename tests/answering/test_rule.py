import json
import subprocess
import sys
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.answering.again import LOOKS
from memspan.answering.features import features_for
from memspan.answering.linear import Linear, probability
from memspan.answering.rule import ReaderRule, Side, shipped
from memspan.errors import FileError

NUMBERS = st.floats(-1e9, 1e9)
FIGURES = st.dictionaries(
    st.text(max_size=5), st.dictionaries(st.text(max_size=5), NUMBERS, max_size=2), max_size=2
)


def linears(names):
    return st.builds(Linear, NUMBERS, st.dictionaries(st.sampled_from(names), NUMBERS, max_size=4))


def sides(*, answered, embedded=False):
    names = features_for(answered=answered, embedded=embedded)
    return st.builds(Side, linears(names), st.one_of(st.none(), linears((*names, *LOOKS))))


RULES = st.builds(
    ReaderRule,
    st.text(max_size=9),
    sides(answered=True),
    sides(answered=False),
    fitted_on=st.text(max_size=9),
    reliability=FIGURES,
) | st.builds(
    ReaderRule,
    st.just("with cosines"),
    sides(answered=True, embedded=True),
    sides(answered=False, embedded=True),
    embedder=st.just("MiniLM"),
)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("rules") / "rule.json"


@settings(max_examples=30)
@given(rule=RULES)
def test_what_is_loaded_is_what_was_saved(place, rule):
    rule.save(place)
    assert ReaderRule.load(place) == rule
    before = place.read_bytes()
    ReaderRule.load(place).save(place)
    assert place.read_bytes() == before


def test_the_shipped_rule_is_one_that_could_be_saved(tmp_path):
    shipped().save(tmp_path / "rule.json")
    assert ReaderRule.load(tmp_path / "rule.json") == shipped()


def test_importing_the_reader_reads_no_rule():
    code = (
        "import memspan.answering.hybrid, sys; from memspan.answering.rule import shipped;"
        "sys.exit(shipped.cache_info().currsize or 'memspan.answering.rule_form' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def altered(*steps, value):
    """Return the shipped rule as JSON with another *value* where *steps* lead."""
    raw = json.loads((files("memspan.answering") / "shipped.json").read_text(encoding="utf-8"))
    inner = raw
    for step in steps[:-1]:
        inner = inner[step]
    inner[steps[-1]] = value
    return json.dumps(raw)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is no JSON document"),
        ("{", "is no JSON document"),
        ("[" * 100_000, "is no JSON document"),
        ("[]", "is no reading rule; make one with: memspan train reader"),
        ('{"memspan": 0}', "is no reading rule"),
        ('{"memspan_reader": 0}', "answered: is missing"),
        (altered("memspan_reader", value=9), "is of version 9; this memspan reads version 0"),
        (altered("name", value=3), "name: is 3; input should be a valid string"),
        (altered("asked", value=None), "asked: is None"),
        (altered("asked", "first", "bias", value="high"), "asked.first.bias: is 'high'"),
        (
            altered("asked", "first", "bias", value=float("nan")),
            "asked.first.bias: is nan; input should be a finite",
        ),
        (altered("asked", "first", "weights", "asked", value=1e999), "asked.first.weights.asked: is inf"),
        (altered("asked", "first", "weights", "asked", value=True), "asked.first.weights.asked: is True"),
        (
            altered("asked", "first", "weights", "luck", value=1),
            "asked.first.weights.luck: is no feature known here",
        ),
        (
            altered("asked", "first", "weights", "answer", value=1),
            "asked.first.weights.answer: is no feature",
        ),
        (
            altered("asked", "first", "weights", "close_asked", value=1),
            "close_asked: is no feature known here",
        ),
        (altered("answered", "first", "weights", LOOKS[0], value=1), "is no feature known here"),
        (altered("answered", "extra", value=1), "answered.extra: is 1"),
    ],
)
def test_a_wrong_file_is_refused_with_what_is_wrong(tmp_path, text, told):
    path = tmp_path / "rule.json"
    path.write_text(text)
    with pytest.raises(FileError) as refusal:
        ReaderRule.load(path)
    assert str(refusal.value).startswith(f"{path}: ")
    assert told in str(refusal.value)


def test_all_faults_of_a_file_are_told_at_once(tmp_path):
    path = tmp_path / "rule.json"
    path.write_text('{"memspan_reader": 0, "name": 1, "embedder": 2}')
    with pytest.raises(FileError) as refusal:
        ReaderRule.load(path)
    assert len(refusal.value.faults) == 7


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00", "folder"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path, content):
    path = tmp_path / "rule.json"
    if content == "folder":
        path.mkdir()
    elif content:
        path.write_bytes(content)
    with pytest.raises(FileError, match=r"rule\.json"):
        ReaderRule.load(path)


@pytest.mark.parametrize(
    "side",
    [
        Side(Linear(float("nan"), {})),
        Side(Linear(0.0, {"luck": 1.0})),
        Side(Linear(0.0, {"asked": float("inf")})),
    ],
)
def test_a_rule_that_could_not_be_loaded_is_not_saved_and_the_old_file_stays(tmp_path, side):
    path = tmp_path / "rule.json"
    shipped().save(path)
    with pytest.raises(FileError):
        replace(shipped(), asked=side).save(path)
    assert ReaderRule.load(path) == shipped()
    assert [path.name for path in tmp_path.iterdir()] == ["rule.json"]


def test_where_the_disk_refuses_nothing_is_left_behind(tmp_path):
    with pytest.raises(FileError, match="cannot be written"):
        shipped().save(tmp_path / "missing" / "rule.json")
    (tmp_path / "rule.json").mkdir()
    with pytest.raises(FileError, match="cannot be written"):
        shipped().save(tmp_path / "rule.json")
    assert [path.name for path in tmp_path.iterdir()] == ["rule.json"]


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=5))
def test_a_probability_lies_between_0_and_1_and_rises_with_its_logit(logits):
    chances = probability(np.sort(logits))
    assert ((chances >= 0) & (chances <= 1)).all()
    assert (np.diff(chances) >= 0).all()


@given(
    st.lists(NUMBERS.filter(lambda x: abs(x) < 1e6), min_size=2, max_size=2),
    st.permutations(["a", "b", "other"]),
)
def test_a_sum_takes_its_features_by_name_whatever_else_stands_there(weights, names):
    linear = Linear(0.5, dict(zip("ab", weights, strict=True)))
    values = {"a": 1.0, "b": 2.0, "other": 99.0}
    table = np.array([[values[name] for name in names]])
    assert linear.logits(names, table)[0] == pytest.approx(0.5 + weights[0] + 2 * weights[1])
    assert Linear(0.5, {}).logits((), np.zeros((2, 0))).tolist() == [0.5, 0.5]
