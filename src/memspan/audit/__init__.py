"""What a store of memories holds that it need not: duplicates, old versions, recalled text, noise."""

from memspan.audit.auditing import audit
from memspan.audit.findings import REMOVABLE, TITLES, Audit, Finding, Growth, Period, Removal

__all__ = ["REMOVABLE", "TITLES", "Audit", "Finding", "Growth", "Period", "Removal", "audit"]
