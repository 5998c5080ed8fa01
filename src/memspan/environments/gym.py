"""The environments for gymnasium; importing this module registers them.

>>> import gymnasium
>>> env = gymnasium.make("memspan.environments.gym:memspan/Level1b-v0", capacity=2)
>>> env.action_space.shape
(6,)
"""

from memspan.environments.driving import Driven, as_action, drive
from memspan.environments.features import SURFACE, Features, MakesFeatures, Surface, judged
from memspan.environments.levels import Writing
from memspan.environments.options import LEVELS, Options
from memspan.environments.registering import register
from memspan.environments.wrappers import Building, Streaming, Swapping

__all__ = [
    "LEVELS",
    "SURFACE",
    "Building",
    "Driven",
    "Features",
    "MakesFeatures",
    "Options",
    "Streaming",
    "Surface",
    "Swapping",
    "Writing",
    "as_action",
    "drive",
    "judged",
    "register",
]

register()  # what gymnasium's users expect of the module that they name in make()
