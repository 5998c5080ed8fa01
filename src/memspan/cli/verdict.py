"""Whether a fitted write rule is worth using beside plain ways to write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Reliability = Mapping[str, Mapping[str, float]]
Word = Literal["better", "worse", "not told apart", "too few materials"]

GAIN = "over the best heuristic"
FEW = 5
"""With fewer materials an interval over them says little."""
_SIZES = ("20%", "40%", "10%", "5%")  # the first that is known is told
_NO_PLAIN_WAY = ("rule", "shipped", GAIN, "chances")


@dataclass(frozen=True)
class Verdict:
    """A write rule against the best plain way, on what it was not fitted on.

    Attributes:
        word: the finding in a word or three.
        size: of the memory, in words.
        share: of the best memory of that size that the rule covers.
        plain: the plain way that covers most there.
        plain_share: what that covers.
        told: the finding as a sentence.
    """

    word: Word
    size: str
    share: float
    plain: str
    plain_share: float
    told: str


def verdict(known: Reliability, materials: int) -> Verdict | None:
    """Return whether a rule of that reliability, measured on so many *materials*, is worth using.

    None where no memory of any size covers anything. With fewer than five materials a rule that does
    better is not called better.
    """
    size = next((size for size in _SIZES if size in known["rule"]), None)
    if size is None:
        return None
    ways = {way: figures[size] for way, figures in known.items() if way not in _NO_PLAIN_WAY}
    plain = max(ways, key=lambda way: ways[way])
    share, best = known["rule"][size], ways[plain]
    word = _word(share, best, known[GAIN].get(f"{size} lower", 0.0), materials)
    told = _sentence(word, f"`{plain}`", best, materials)
    return Verdict(word, size.replace("%", " %"), share, plain, best, told)


def _word(share: float, best: float, lower: float, materials: int) -> Word:
    if share < best:
        return "worse"
    if share == best:
        return "not told apart"
    if materials < FEW:
        return "too few materials"
    return "better" if lower > 0 else "not told apart"


def _sentence(word: Word, plain: str, best: float, materials: int) -> str:
    if word == "worse":
        return f"{plain} covers more ({best:.0%}); this rule is not worth using on such material"
    if word == "better":
        return f"That is more than the best plain way, {plain}, covers ({best:.0%})"
    if word == "not told apart":
        return (
            f"{plain} covers {best:.0%}: not told apart, so this rule is hardly worth using on such material"
        )
    count = "one material is" if materials == 1 else f"{materials} materials are"
    return f"The best plain way, {plain}, covers {best:.0%}; {count} too few to tell how sure the gain is"
