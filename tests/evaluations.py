"""Evaluations that tests of pages look at."""

from memspan.diagnosis import Evaluation, evaluate
from memspan.material import Claim, Material, Query, Settlement, Support
from memspan.systems import SystemKind
from memspan.systems.baselines import KINDS

HOSTILE = (
    "</script><script>window.hacked=1</script>\"'><img src=x onerror=window.hacked=2> \u202eRTL {{ 7*7 }}"
)


def material(name: str = "small", *, sure: bool = True, mark: str = "", settled: bool = False) -> Material:
    """Return eight claims, one of them false, and questions that are lost in several ways.

    Args:
        name: its id.
        sure: whether the supports are; if not, each question has two that may be.
        mark: stands in every text and id that can hold it.
        settled: whether a run was recorded.
    """
    chance = None if sure else 0.6
    claims = tuple(
        Claim(f"c{i}{mark}", f"Claim {i} tells of tea. {mark}", truth=0.0 if i == 7 else 1.0)
        for i in range(8)
    )
    ways = [(0,), (1,), (0, 2), (3, 4), (5,), (7,)]
    queries = [
        Query(
            f"q{i}",
            f"Question {i}, of tea? {mark}",
            weight=1 + i % 3,
            answer=f"Answer {i} {mark}",
            supports=tuple(
                Support(tuple(claims[j].id for j in each), probability=chance)
                for each in ([way] if sure else [way, ((way[0] + 1) % 7,)])
            ),
        )
        for i, way in enumerate(ways)
    ]
    queries += [Query("bare", f"Without a support? {mark}"), Query("none", "Nobody knows?", answerable=False)]
    settlements = tuple(
        Settlement(query.id, float(i % 2), claims=(claims[i].id,), settler="run")
        for i, query in enumerate(queries)
        if settled
    )
    source = "annotated" if sure else "found"
    return Material(name, claims, queries=tuple(queries), settlements=settlements, support_source=source)  # type: ignore[arg-type]


def hostile() -> Evaluation:
    """Return an evaluation in which every name and text tries to break out."""
    kind = SystemKind(f"evil {HOSTILE}", f"v{HOSTILE}", KINDS[1].make, 3, needs_capacity=True)
    return evaluate([material(HOSTILE, mark=HOSTILE), material("b")], ["optimum", "random", kind], [2, 4])


def several(count: int = 3) -> Evaluation:
    """Return plain systems on several materials."""
    return evaluate(
        [material(f"m{i}") for i in range(count)], ["optimum", "random", "fifo", "full context"], [1, 3, 5]
    )
