"""What a store of memories holds that it need not: duplicates, old versions, recalled text, noise."""

from memspan.audit.auditing import audit
from memspan.audit.findings import (
    REMOVABLE,
    TITLES,
    Audit,
    Confidence,
    Finding,
    Growth,
    Heard,
    Kind,
    Period,
    Removal,
)
from memspan.audit.listing import listing

__all__ = [
    "REMOVABLE",
    "TITLES",
    "Audit",
    "Confidence",
    "Finding",
    "Growth",
    "Heard",
    "Kind",
    "Period",
    "Removal",
    "audit",
    "listing",
]
