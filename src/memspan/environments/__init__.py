"""The memorisation decision process: a memory is written, a query is asked and settled, and again."""

from memspan.environments.registering import register

__all__ = ["register"]
