"""Embedders and chat models behind the protocols of `memspan.ports`; nothing here decides anything."""
