"""What one memory may add to another that says the same: who somebody is, and a remark in brackets."""

from __future__ import annotations

import re

from memspan.audit.reading import Reading
from memspan.audit.wording import KIN, meaning
from memspan.language.verbs import base_of
from memspan.language.words import words

_ASIDE = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")


def names_a_role(more: Reading, less: Reading) -> bool:
    """Whether *more* only says before its first name who that is: Daughter Ella, the user's daughter Ella."""
    extra = more.bag - less.bag
    first = less.words[0].plain if less.words else ""
    if len(extra) != 1 or not extra <= KIN or first not in more.names or first in less.own:
        return False
    places = [i for i, told in enumerate(more.meanings) if extra.intersection(told)]
    if len(places) != 1 or places[0] + 1 >= len(more.words) or any(more.meanings[: places[0]]):
        return False
    role, name = more.words[places[0]], more.words[places[0] + 1]
    return not role.owner and name.plain == first and name.owner == less.words[0].owner


def adds_an_aside(more: Reading, less: Reading) -> bool:
    """Whether *more* says what *less* says but for remarks in brackets that name nobody."""
    found = _ASIDE.findall(more.text)
    if not found or any(_names_somebody(more, one or other) for one, other in found):
        return False
    bare = more.retold(_ASIDE.sub(" ", more.text))
    return bare.bag == less.bag and bare.negated == less.negated


def _names_somebody(reading: Reading, aside: str) -> bool:
    """Whether *aside* begins with a name or a relative, so that it may say of whom the rest holds."""
    first = next((word for word in words(aside) if meaning(word)), "")
    if aside.strip()[:1].isupper() and base_of(first) is None:
        return True
    return first in reading.names or first in reading.own or not KIN.isdisjoint(meaning(first))
