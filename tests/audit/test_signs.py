"""Signs that change what is meant keep memories apart."""

import pytest

from memspan.audit import audit
from memspan.material import Claim, Material


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The freezer is at -5 C", "The freezer is at 5 C"),
        ("Rui writes C++ at work", "Rui writes C at work"),
        ("Rui writes C# at work", "Rui writes C at work"),
        ("Alert when x > 3 in the log", "Alert when x < 3 in the log"),
        ("The discount is 10% for members", "The discount is $10 for members"),
        ("The parcel is for US customers", "The parcel is for us customers"),
    ],
)
def test_a_sign_makes_another_memory(one, other):
    found = audit(Material("store", (Claim("a", one), Claim("b", other))))
    assert not [each for each in found.removals if each.what in {"exact", "near"}]
