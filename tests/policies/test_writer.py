import json
import subprocess
import sys
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.answering.linear import Linear
from memspan.errors import FileError, ModelError
from memspan.material import Claim
from memspan.models import HashedEmbedder
from memspan.policies.traits import TRAITS, Traits
from memspan.policies.writer import WriterRule, shipped

NUMBERS = st.floats(-1e9, 1e9)
FIGURES = st.dictionaries(
    st.text(max_size=5), st.dictionaries(st.text(max_size=5), NUMBERS, max_size=2), max_size=2
)
LINEARS = st.builds(Linear, NUMBERS, st.dictionaries(st.sampled_from([*TRAITS]), NUMBERS, max_size=4))
RULES = st.builds(
    WriterRule, st.text(max_size=9), LINEARS, fitted_on=st.text(max_size=9), reliability=FIGURES
) | st.builds(
    WriterRule,
    st.just("with vectors"),
    LINEARS,
    embedder=st.just("MiniLM"),
    direction=st.lists(NUMBERS, min_size=1, max_size=3).map(tuple),
)
CLAIMS = [
    Claim("a", "Ana: Hi, how are you?", "s1", speaker="Ana"),
    Claim("b", "Rui: Last Friday I moved to Porto with 3 cats.", "s1", speaker="Rui"),
    Claim("c", "Ana: Wow, that sounds great!", "s1", speaker="Ana"),
    Claim("d", "Rui: On 3 May I start at the Harbour Office.", "s2", speaker="Rui"),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("rules") / "rule.json"


@settings(max_examples=30)
@given(rule=RULES)
def test_what_is_loaded_is_what_was_saved(place, rule):
    rule.save(place)
    assert WriterRule.load(place) == rule
    before = place.read_bytes()
    WriterRule.load(place).save(place)
    assert place.read_bytes() == before


def test_the_shipped_rule_is_one_that_could_be_saved_and_keeps_what_is_particular(tmp_path):
    shipped().save(tmp_path / "rule.json")
    assert WriterRule.load(tmp_path / "rule.json") == shipped()
    hello, moved, wow, starts = shipped().prior().observe(CLAIMS)
    assert min(moved, starts) > max(hello, wow)


def test_importing_the_rule_reads_no_file_and_no_form():
    code = (
        "from memspan.policies.writer import shipped; import sys;"
        "sys.exit(shipped.cache_info().currsize or 'memspan.policies.writer_form' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def altered(*steps, value):
    """Return the shipped rule as JSON with another *value* where *steps* lead."""
    raw = json.loads((files("memspan.policies") / "shipped.json").read_text(encoding="utf-8"))
    inner = raw
    for step in steps[:-1]:
        inner = inner[step]
    inner[steps[-1]] = value
    return json.dumps(raw)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is no JSON document"),
        ("[" * 100_000, "is no JSON document"),
        ("[]", "is no write rule; make one with: memspan train writer"),
        ('{"memspan_reader": 0}', "is no write rule"),
        ('{"memspan_writer": 0}', "linear: is missing"),
        (altered("memspan_writer", value=9), "is of version 9; this memspan reads version 0"),
        (altered("name", value=3), "name: is 3; input should be a valid string"),
        (altered("linear", value=None), "linear: is None"),
        (altered("linear", "bias", value=float("nan")), "linear.bias: is nan"),
        (altered("linear", "weights", "mass", value=1e999), "linear.weights.mass: is inf"),
        (altered("linear", "weights", "luck", value=1.0), "linear.weights.luck: is no feature known here"),
        (altered("direction", value=[1.0]), "direction: has 1 entries and the embedder is None"),
        (altered("embedder", value="MiniLM"), "direction: has 0 entries and the embedder is 'MiniLM'"),
        (altered("extra", value=1), "extra: is 1"),
    ],
)
def test_a_wrong_file_is_refused_with_what_is_wrong(tmp_path, text, told):
    path = tmp_path / "rule.json"
    path.write_text(text)
    with pytest.raises(FileError) as refusal:
        WriterRule.load(path)
    assert str(refusal.value).startswith(f"{path}: ")
    assert told in str(refusal.value)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FileError, match="cannot be read"):
        WriterRule.load(tmp_path / "none.json")


@pytest.mark.parametrize("linear", [Linear(float("nan"), {}), Linear(0.0, {"luck": 1.0})])
def test_a_rule_that_could_not_be_loaded_is_not_saved_and_the_old_file_stays(tmp_path, linear):
    path = tmp_path / "rule.json"
    shipped().save(path)
    with pytest.raises(FileError):
        replace(shipped(), linear=linear).save(path)
    assert WriterRule.load(path) == shipped()


@given(LINEARS)
def test_chances_lie_between_0_and_1_and_never_on_them(linear):
    chances = WriterRule("any", linear).chances(Traits().observe(CLAIMS))
    assert chances.shape == (4,)
    assert ((chances > 0) & (chances < 1)).all()


@given(st.integers(0, 4))
def test_a_prior_sees_no_claim_before_it_appears(cut):
    whole, parts = shipped().prior(), shipped().prior()
    first = parts.observe(CLAIMS[:cut])
    assert np.array_equal(first, shipped().prior().observe(CLAIMS[:cut]))
    assert len(parts.observe(CLAIMS[cut:])) == 4 - cut
    whole.observe(CLAIMS[:2])
    whole.start()
    assert np.array_equal(whole.observe(CLAIMS), shipped().prior().observe(CLAIMS))


def test_an_embedder_is_weighed_where_the_rule_names_it_and_refused_where_it_is_another():
    small = HashedEmbedder(8)
    direction = tuple(range(1, 9))
    rule = WriterRule("v", Linear(0.0, {}), small.name, tuple(map(float, direction)))
    logits = small.embed([claim.text for claim in CLAIMS]) @ np.array(direction)
    assert rule.prior(small).observe(CLAIMS) == pytest.approx(1 / (1 + np.exp(-logits)), rel=1e-5)
    assert rule.prior(small).observe([]).shape == (0,)
    for other in (None, HashedEmbedder(16)):
        with pytest.raises(ModelError, match="give that one, or use another rule"):
            rule.prior(other)
    assert shipped().prior(small).name == "shipped"
