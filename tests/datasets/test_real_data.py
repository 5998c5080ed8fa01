"""The loaders on the real sets, where they are at hand. Counts only: nothing of the sets is kept here."""

import json
from collections import Counter
from pathlib import Path

import pytest

from memspan.datasets import load, with_audit
from memspan.material import Material


def lost(materials: list[Material]) -> int:
    return sum(not dropped.kept for material in materials for dropped in material.dropped)


def repairs(materials: list[Material]) -> Counter[str]:
    return Counter(dropped.field for m in materials for dropped in m.dropped if dropped.kept)


def counts(materials: list[Material]) -> tuple[int, int, int]:
    """Claims, queries and queries with supports."""
    queries = [query for material in materials for query in material.queries]
    claims = sum(len(material.claims) for material in materials)
    return claims, len(queries), sum(bool(query.supports) for query in queries)


def test_locomo_has_the_counts_of_an_independent_program(data: Path) -> None:
    expected = json.loads((data / "locomo" / "expected_frontier.json").read_text())["materials"]
    materials = load(data / "locomo" / "locomo10_dev.json")
    assert [
        {
            "material": material.id,
            "claims": len(material.claims),
            "queries": sum(query.answerable for query in material.queries),
            "dropped": lost([material]),
        }
        for material in materials
    ] == [{key: each[key] for key in ("material", "claims", "queries", "dropped")} for each in expected]
    assert all(query.supports for material in materials for query in material.queries if query.answerable)
    assert sum(not query.answerable for material in materials for query in material.queries) == 310


def test_the_locomo_audit_gives_second_supports(data: Path) -> None:
    materials = with_audit(
        load(data / "locomo" / "locomo10_dev.json"), data / "locomo" / "audit_errors_dev.json"
    )
    assert Counter(len(query.supports) for m in materials for query in m.queries)[2] == 56


def test_locomo_observations_load(data: Path) -> None:
    materials = load(data / "locomo" / "locomo10_dev.json", claims="observations")
    assert counts(materials) == (1742, 1069, 759)


def test_longmemeval_notes_keep_all_questions_and_outcomes(data: Path) -> None:
    materials = load(data / "longmemeval" / "oracle_notes_dev.jsonl")
    assert counts(materials) == (658, 350, 333)
    assert sum(len(material.settlements) for material in materials) == 236 * 4 + 114 * 9
    assert lost(materials) == 0
    assert repairs(materials) == {"note": 80, "answer": 17, "question_date": 32}


@pytest.mark.parametrize(
    ("name", "expected", "dropped"),
    [
        ("longmemeval/native_sample.json", (48, 2, 1), 0),
        ("longmemeval/oracle_flat_dev.json", (202, 11, 0), 0),
        ("longmemeval/abstain_flat.json", (458, 4, 0), 0),
        ("multihop/hotpotqa_dev.json", (5395, 133, 133), 1),
        ("multihop/2wiki_dev.json", (3633, 107, 107), 26),
        ("multihop/2wiki_train_dev.json", (10267, 330, 330), 3),
        ("multihop/musique_dev.json", (2660, 133, 133), 0),
        ("multihop/strategyqa_dev.json", (652, 153, 153), 0),
        ("halumem/user0.jsonl", (297, 67, 51), 0),
        ("halumem/user3.jsonl", (314, 55, 45), 0),
        ("orlib_scp/scp42_unicost.txt", (1000, 200, 200), 0),
        ("orlib_scp/rail507.txt", (63009, 507, 507), 0),
    ],
)
def test_a_set_loads_with_all_that_is_left_out_reported(
    name: str, expected: tuple[int, int, int], dropped: int, data: Path
) -> None:
    materials = load(data / name)
    assert counts(materials) == expected
    assert lost(materials) == dropped


def test_babi_is_clean(data: Path) -> None:
    for path in sorted((data / "babi").glob("*.txt")):
        materials = load(path)
        assert not any(material.dropped for material in materials)
        assert counts(materials)[1:] == (700, 700)


def test_halumem_marks_the_interference_as_false(data: Path) -> None:
    materials = load(data / "halumem" / "user0.jsonl") + load(data / "halumem" / "user3.jsonl")
    truths = Counter(claim.truth for material in materials for claim in material.claims)
    assert truths == {0: 101, 1: 510}
    unanswerable = sum(not query.answerable for material in materials for query in material.queries)
    assert unanswerable == 26


def test_incidences_of_set_covering_are_those_published(data: Path) -> None:
    lines = (data / "orlib_scp" / "optima.csv").read_text().splitlines()[1:]
    for name, _, _, arcs, *_ in [line.split(",") for line in lines]:
        path = data / "orlib_scp" / f"{name}.txt"
        if path.exists() and path.stat().st_size < 100_000:
            (material,) = load(path)
            assert sum(len(query.supports) for query in material.queries) == int(arcs)


def test_a_union_of_contexts_shares_their_sentences(data: Path) -> None:
    apart = load(data / "multihop" / "2wiki_train_dev.json")
    (together,) = load(data / "multihop" / "2wiki_train_dev.json", union=True)
    assert len(together.queries) == 330
    assert len(together.claims) < sum(len(material.claims) for material in apart)
