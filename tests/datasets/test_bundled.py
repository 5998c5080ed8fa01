import json
import subprocess
import sys
from itertools import combinations

import pytest

from memspan.datasets import BUNDLED, bundled, load
from memspan.errors import UnknownName
from memspan.material import Material

WEIGHTS = {"q1": 20, "q2": 5, "q3": 10, "q4": 15, "q5": 5, "q6": 20, "q7": 5, "q8": 20}


def cents(material: Material, *held: str, true_only: bool = False) -> int:
    """The covered mass in hundredths: exact, and as plain as can be."""
    kept = {name for name in held if not true_only or material.claim(name).truth == 1}
    return sum(
        round(query.weight * 100)
        for query in material.queries
        if any(kept.issuperset(support.claims) for support in material.supports_of(query))
    )


def best(material: Material, size: int, *, true_only: bool = False) -> tuple[int, list[set[str]]]:
    names = [claim.id for claim in material.claims]
    found = {held: cents(material, *held, true_only=true_only) for held in combinations(names, size)}
    top = max(found.values())
    return top, [set(held) for held, value in found.items() if value == top]


def test_the_odyssey_has_the_weights_and_masses_of_the_paper() -> None:
    odyssey = bundled("odyssey")
    assert {query.id: round(query.weight * 100) for query in odyssey.queries} == WEIGHTS
    assert [cents(odyssey, f"e{i}") for i in range(1, 7)] == [25, 30, 35, 20, 5, 5]
    assert all(query.weight in {0.2, 0.05, 0.1, 0.15} for query in odyssey.queries)


def test_the_odyssey_has_the_frontier_of_the_paper() -> None:
    odyssey = bundled("odyssey")
    assert [best(odyssey, size)[0] for size in range(7)] == [0, 35, 60, 80, 90, 95, 100]
    assert best(odyssey, 1)[1] == [{"e3"}]
    assert best(odyssey, 2)[1] == [{"e1", "e3"}]
    assert best(odyssey, 3)[1] == [{"e1", "e3", "e4"}]
    assert best(odyssey, 4)[1] == [{"e1", "e2", "e3", "e4"}]
    assert len(best(odyssey, 5)[1]) == 2
    assert cents(odyssey, "e1", "e2", "e3", "e6") == 75


def test_composites_move_mass_to_what_only_two_claims_tell() -> None:
    composites = bundled("odyssey-composites")
    assert cents(composites, *(f"e{i}" for i in range(1, 7))) == 100
    assert cents(composites, "e2", "e3") - cents(composites, "e2") == 20
    assert cents(composites, "e3") == 35
    assert {query.id: query.weight for query in composites.queries if query.items} == {
        "q9": 0.05,
        "q10": 0,
        "q11": 0,
    }


def test_a_false_claim_tempts_and_earns_nothing() -> None:
    noise = bundled("odyssey-noise")
    assert {claim.id: claim.truth for claim in noise.claims if claim.truth != 1} == {"e0": 0}
    assert best(noise, 1) == (45, [{"e0"}])
    assert cents(noise, "e0", true_only=True) == 0
    assert (cents(noise, "e0", "e3"), cents(noise, "e0", "e3", true_only=True)) == (80, 35)
    assert best(noise, 2, true_only=True) == (60, [{"e1", "e3"}])


@pytest.mark.parametrize("name", BUNDLED)
def test_a_bundled_material_is_loaded_by_its_name(name: str) -> None:
    assert load(name) == [bundled(name)]
    assert all(query.text.endswith(("?", ".")) and query.answer for query in bundled(name).queries)


def test_an_unknown_bundled_material_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="bundled are odyssey, odyssey-composites, odyssey-noise"):
        bundled("iliad")


def test_importing_datasets_stays_light() -> None:
    code = "import memspan.datasets, sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout))
    assert not loaded & {"pydantic", "numpy", "numba", "pooch", "hypothesis"}
