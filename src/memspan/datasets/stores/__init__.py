"""Memory stores and exports of memories, read as they are: the memories become the claims of a material.

Nothing in a store is ever changed, locked or run.
"""
