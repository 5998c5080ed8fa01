"""For the tests of those who build on memspan: laws to try, and Hypothesis strategies.

`check_operator` tries the laws of a generation operator, `check_system` those of a memory system,
`check_policy` those of a write policy, which `looks_ahead` holds against a material of your own.
`materials` fills every field of every record, for what reads and writes them; `problems` varies what
utilities and frontiers depend on, small enough for an oracle to try every memory; `claims` are few
words that join. The strategies need hypothesis (the extra `testing`); `check_operator` needs it only
where it draws claims itself, the others never.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memspan.testing.counterexample import Counterexample as Counterexample
    from memspan.testing.covering import counts as counts
    from memspan.testing.covering import decimals as decimals
    from memspan.testing.covering import memories as memories
    from memspan.testing.covering import problems as problems
    from memspan.testing.covering import truths as truths
    from memspan.testing.foresight import Foresight as Foresight
    from memspan.testing.foresight import looks_ahead as looks_ahead
    from memspan.testing.interaction import Interaction as Interaction
    from memspan.testing.interaction import Synergy as Synergy
    from memspan.testing.joining import claims as claims
    from memspan.testing.operators import OperatorReport as OperatorReport
    from memspan.testing.operators import check_operator as check_operator
    from memspan.testing.policies import PolicyReport as PolicyReport
    from memspan.testing.policies import check_policy as check_policy
    from memspan.testing.policy_trial import Setting as Setting
    from memspan.testing.strategies import materials as materials
    from memspan.testing.systems import SystemReport as SystemReport
    from memspan.testing.systems import check_system as check_system

_HOME = {
    "Counterexample": "counterexample",
    "Foresight": "foresight",
    "Interaction": "interaction",
    "OperatorReport": "operators",
    "PolicyReport": "policies",
    "Setting": "policy_trial",
    "Synergy": "interaction",
    "SystemReport": "systems",
    "check_operator": "operators",
    "check_policy": "policies",
    "check_system": "systems",
    "claims": "joining",
    "counts": "covering",
    "decimals": "covering",
    "looks_ahead": "foresight",
    "materials": "strategies",
    "memories": "covering",
    "problems": "covering",
    "truths": "covering",
}
__all__ = sorted(_HOME)  # noqa: PLE0605 - strings, gathered


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that not all of them need hypothesis."""
    if name not in _HOME:
        raise AttributeError(f"module 'memspan.testing' has no attribute {name!r}")
    try:
        return getattr(import_module(f"memspan.testing.{_HOME[name]}"), name)
    except ModuleNotFoundError as missing:
        if missing.name != "hypothesis":
            raise
        from memspan.errors import MissingExtra

        cure = "pip install 'memspan[testing]'"
        raise MissingExtra(f"{name} draws with hypothesis, which is not installed; {cure}") from missing


def __dir__() -> list[str]:
    """List the public names."""
    return list(__all__)
