from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memspan.answering.again import CANDIDATES, LOOKS, look_again
from memspan.answering.features import features_for, matrix
from memspan.answering.hybrid import Hybrid, read
from memspan.answering.linear import Linear, probability
from memspan.answering.meeting import Meeting
from memspan.answering.passages import Passages
from memspan.answering.rule import ReaderRule, Side, shipped
from memspan.errors import ModelError
from memspan.material import Claim, Query
from memspan.models import HashedEmbedder

WORDS = ["Ana", "Rui", "moved", "to", "Porto", "the", "bridge", "painted", "of", "boats", "2023", "yesterday"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join) | st.text(max_size=12)
CLAIMS = st.lists(
    st.builds(
        Claim,
        st.just("c"),
        TEXTS,
        source=st.sampled_from([None, "one", "two"]),
        speaker=st.sampled_from([None, "Ana", "Rui"]),
        time=st.sampled_from([None, "some day", "2023-05-08T10:00"]),
    ),
    min_size=1,
    max_size=6,
)
QUERIES = st.builds(Query, st.just("q"), TEXTS, answer=st.one_of(st.none(), TEXTS))


def looking_again(seed, *, embedder=None, scale=1.0):
    """Return a rule of random weights that looks twice on both sides."""
    rng = np.random.default_rng(seed)

    def linear(names):
        return Linear(float(rng.normal()), {name: scale * float(rng.normal()) for name in names})

    def side(*, answered):
        names = features_for(answered=answered, embedded=embedder is not None)
        return Side(linear(names), linear((*names, *LOOKS)))

    name = embedder.name if embedder is not None else None
    return ReaderRule("random", side(answered=True), side(answered=False), name)


READERS = (
    Hybrid(),
    Hybrid(looking_again(1)),
    Hybrid(looking_again(2, embedder=HashedEmbedder(16)), HashedEmbedder(16)),
)


@pytest.mark.parametrize("reader", READERS, ids=["shipped", "twice", "with cosines"])
@settings(max_examples=30)
@given(claims=CLAIMS, query=QUERIES)
def test_each_item_has_a_chance_between_0_and_1_whatever_the_texts(reader, claims, query):
    chances = reader.scorer(claims)(query)
    assert chances.shape == (len(claims),)
    assert ((chances >= 0) & (chances <= 1)).all()
    assert (chances == reader.scorer(claims)(query)).all()
    stranger = Claim("x", "Zebras doze.", source="elsewhere", speaker="Zoe", time="1999-01-01")
    assert np.isfinite(reader.scorer([*claims, stranger])(query)).all()


@settings(max_examples=30)
@given(CLAIMS, QUERIES, st.randoms(use_true_random=False))
def test_where_no_neighbours_matter_the_order_of_items_does_not_matter(claims, query, random):
    apart = [replace(claim, id=f"c{i}", source=f"s{i}") for i, claim in enumerate(claims)]
    order = list(range(len(apart)))
    random.shuffle(order)
    unranked = {n: w for n, w in shipped().answered.first.weights.items() if not n.endswith("rank")}
    side = Side(Linear(-3.0, unranked))  # equal items have ranks by position
    reader = Hybrid(replace(shipped(), answered=side, asked=side))
    chances = reader.scorer(apart)(query)
    moved = reader.scorer([apart[i] for i in order])(query)
    assert moved == pytest.approx(chances[order])


def test_without_items_there_are_no_chances():
    assert Hybrid().scorer([])(Query("q", "Who?")).shape == (0,)


def test_an_answer_is_looked_for_where_it_is_known_and_an_empty_one_is_not_known():
    claims = [Claim("c1", "Ana lives in Porto."), Claim("c2", "Ana lives by the sea.")]
    score = Hybrid().scorer(claims)
    told = score(Query("q", "Where does Ana live?", answer="Porto"))
    assert told[0] > told[1]
    alone = score(Query("q", "Where does Ana live?"))
    assert score(Query("q", "Where does Ana live?", answer="")).tolist() == alone.tolist()


def test_a_rule_asks_for_the_embedder_it_was_fitted_with():
    rule = looking_again(0, embedder=HashedEmbedder(16))
    with pytest.raises(ModelError, match=r"fitted with the embedder .* and none is given"):
        Hybrid(rule).scorer([Claim("c")])
    with pytest.raises(ModelError, match=HashedEmbedder(8).name):
        Hybrid(rule, HashedEmbedder(8)).scorer([Claim("c")])
    assert HashedEmbedder(16).name in Hybrid(rule, HashedEmbedder(16)).name


def test_an_embedder_that_the_rule_does_not_weigh_is_not_asked():
    class Silent:
        name = "silent"

        def embed(self, texts):
            raise AssertionError(texts)

    assert Hybrid(embedder=Silent()).scorer([Claim("c", "Ana")])(Query("q", "Who?")).shape == (1,)


def test_readers_share_the_shipped_rule_and_do_not_hold_it_as_a_class():
    assert Hybrid().rule is Hybrid().rule is shipped()
    assert not hasattr(Hybrid, "rule")


# --- the second look ----------------------------------------------------------------------------


def meeting(n, seed=0):
    rng = np.random.default_rng(seed)
    claims = [Claim(f"c{i}", " ".join(rng.choice(WORDS, 5)), source=f"s{i // 7}") for i in range(n)]
    return Meeting(Passages.of(claims), Query("q", "Did Ana paint boats?", answer="boats, the bridge"))


@pytest.mark.parametrize("n", [1, 2, 3, CANDIDATES - 1, CANDIDATES, CANDIDATES + 9])
def test_the_best_items_are_looked_at_again_and_stay_above_the_others(n):
    met = meeting(n)
    side = looking_again(3).answered
    names = features_for(answered=True, embedded=False)
    table = matrix(met, names)
    first = side.first.logits(names, table)
    look = look_again(met, first)
    assert look.places.tolist() == np.argsort(-first, kind="stable")[:CANDIDATES].tolist()
    assert look.features.shape == (min(n, CANDIDATES), len(LOOKS))
    assert np.isfinite(look.features).all()
    logits = read(side, met, names, table)
    others = np.setdiff1d(np.arange(n), look.places)
    assert logits[others].max(initial=-np.inf) <= logits[look.places].min()
    assert (logits[others] <= first[others]).all()


def test_the_second_look_sees_what_lies_near_and_what_is_alike():
    claims = [Claim("a", "red boats", source="s"), Claim("b", "red boats", source="s"), Claim("c", "chess")]
    look = look_again(Meeting(Passages.of(claims), Query("q", "red boats")), np.array([2.0, 0.0, -2.0]))
    seen = dict(zip(LOOKS, look.features.T, strict=True))
    chance = probability(np.array([2.0, 0.0, -2.0]))
    assert seen["again_gap"].tolist() == [0, -2, -4]
    assert seen["again_near"] == pytest.approx(chance.sum() - chance)
    assert seen["again_above"] == pytest.approx([0, chance[0], chance[0] + chance[1]])
    assert seen["again_group"] == pytest.approx([chance[0] + chance[1]] * 2 + [chance[2]])
    assert seen["again_like_above"] == pytest.approx([0, 1, 0])
    assert seen["again_same_1"].tolist() == [1, 1, 0]
    assert seen["again_after_2"].tolist() == [-1, 0, 1]
    assert seen["again_asked_new"] == pytest.approx([1, 0, 0])


def test_a_side_without_a_second_look_keeps_the_first():
    met = meeting(9)
    side = shipped().answered
    names = tuple(side.first.weights)
    table = matrix(met, names)
    assert read(side, met, names, table).tolist() == side.first.logits(names, table).tolist()


@pytest.mark.parametrize("text", ["x" * 300_000, "boats " * 50_000, "\x00\ud800 é" * 1000, "بيت 🚢" * 1000])
def test_huge_and_strange_texts_are_read(text):
    claims = [Claim("c1", text, speaker=text[:90]), Claim("c2", "boats", speaker="Ana")]
    chances = Hybrid(looking_again(1)).scorer(claims)(Query("q", text, answer=text))
    assert np.isfinite(chances).all()


def test_weights_beyond_all_measure_end_at_0_or_1():
    chances = Hybrid(looking_again(5, scale=1e6)).scorer([Claim("a", "Ana"), Claim("b", "boats")])
    assert set(chances(Query("q", "Ana")).round(6)) <= {0, 1}
