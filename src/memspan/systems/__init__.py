"""Memory systems, one file each, as they choose among claims: all held against one frontier."""

from memspan.systems.author import PlainAuthor
from memspan.systems.function import function_system
from memspan.systems.given import system_of
from memspan.systems.kind import Setting, SystemKind
from memspan.systems.registry import KINDS, PACKAGES, systems_named
from memspan.systems.remote import HttpSystem, http_system
from memspan.systems.remote_form import Call, Fields, HttpForm
from memspan.systems.remote_mcp import McpSystem, McpTools, mcp_system

__all__ = [
    "KINDS",
    "PACKAGES",
    "Call",
    "Fields",
    "HttpForm",
    "HttpSystem",
    "McpSystem",
    "McpTools",
    "PlainAuthor",
    "Setting",
    "SystemKind",
    "function_system",
    "http_system",
    "mcp_system",
    "system_of",
    "systems_named",
]
