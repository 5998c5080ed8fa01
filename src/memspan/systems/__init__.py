"""Memory systems, one file each, as they choose among claims: all held against one frontier."""

from memspan.systems.author import PlainAuthor
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.registry import KINDS, PACKAGES, systems_named

__all__ = ["KINDS", "PACKAGES", "PlainAuthor", "Setting", "SystemKind", "systems_named"]
