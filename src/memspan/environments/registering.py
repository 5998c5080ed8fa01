"""The environments under their names in gymnasium."""

from __future__ import annotations

from memspan.environments.options import LEVELS

NAMESPACE = "memspan"


def register() -> None:
    """Register ``memspan/Level0-v0``, ``Level1a-v0``, ``Level1b-v0``, ``Level2-v0`` and ``Stream-v0``.

    Importing `memspan.environments.gym` does it, so that gymnasium finds them by themselves:
    ``gymnasium.make("memspan.environments.gym:memspan/Level1b-v0", materials=...)``. A second time
    changes nothing.

    Raises:
        MissingExtra: gymnasium is not installed.
    """
    from memspan.environments.needed import gymnasium

    for level, options in LEVELS.items():
        name = f"{NAMESPACE}/{level}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(name, "memspan.environments.levels:Writing", kwargs=dict(options))
