"""For the tests of those who build on memspan: Hypothesis strategies. Needs hypothesis.

`materials` fills every field of every record, for what reads and writes them; `problems` varies what
utilities and frontiers depend on, small enough for an oracle to try every memory.
"""

from memspan.testing.problems import counts, decimals, memories, problems, truths
from memspan.testing.strategies import materials

__all__ = ["counts", "decimals", "materials", "memories", "problems", "truths"]
