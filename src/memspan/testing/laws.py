"""What every operator must keep, and the traits that it may have.

Each law looks at one trial and returns the first breach it finds. A breach that a reported limit
explains is none: supports are missing then, and the operator says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from memspan.generation.antichain import minimal
from memspan.material import Claim, KnowledgeItem, Support
from memspan.testing.trial import Breach, Misbehaved, Part, Trial, spanned

Law = Callable[[Trial], Breach | None]
_REPEATS = 2
_MOST_FED = 64  # claims and items: longer spans are not fed back; those of parts are


def _answers(trial: Trial) -> Breach | None:
    name = getattr(trial.operator, "name", None)
    if not isinstance(name, str) or not name:
        return Breach("a name: text that is not empty", repr(name))
    return _leaves_claims_alone(trial)


def _leaves_claims_alone(trial: Trial) -> Breach | None:
    for part in trial.parts():
        trial.phi(part)  # looks, and tells which of the two laws is broken
    return None


def _self_containment(trial: Trial) -> Breach | None:
    """Each claim alone entails itself; another one may defeat it, where an operator is not monotone."""
    for part in trial.parts():
        alone = {s.claims for item in trial.phi(part).items for s in item.supports}
        for i in part:
            name = trial.claims[i].id
            if (name,) not in alone:
                return Breach(f"an item with the support ({name})", "there is none", part)
    return None


def _given_claims_only(trial: Trial) -> Breach | None:
    for part in trial.parts():
        given = trial.names(part)
        for item in trial.phi(part).items:
            if not item.supports:
                return Breach("every item has a support", f"{_shown(item)} has none", part)
            used = {name for s in item.supports for name in (*s.claims, *s.unless)}
            if used - given:
                seen = f"{_shown(item)} names {', '.join(sorted(used - given))}"
                return Breach("supports name claims that were given", seen, part)
    return None


def _minimal_supports(trial: Trial) -> Breach | None:
    for part in trial.parts():
        for item in trial.phi(part).items:
            needed = minimal(item.supports)
            if len(needed) < len(item.supports):
                seen = f"{_shown(item)} has {_all(item.supports)}; {_all(needed)} would do"
                return Breach("no support of an item makes another superfluous", seen, part)
    return None


def _supports_in_order(trial: Trial) -> Breach | None:
    for part in trial.parts():
        place = {trial.claims[i].id: i for i in part}
        for item in trial.phi(part).items:
            rows = [[place.get(name, -1) for name in s.claims] for s in item.supports]
            if any(later <= earlier for row in rows for earlier, later in pairwise(row)):
                seen = f"{_shown(item)} has {_all(item.supports)}"
                return Breach("the claims of a support stand in the order given, each once", seen, part)
            if any(len(later) < len(earlier) for earlier, later in pairwise(rows)):
                return Breach("shorter supports first", f"{_shown(item)} has {_all(item.supports)}", part)
    return None


def _determinism(trial: Trial) -> Breach | None:
    for part in trial.parts():
        first = trial.phi(part)
        for _ in range(_REPEATS):
            again = trial.ask([trial.claims[i] for i in part], part)
            if again != first:
                seen = (
                    f"first {_briefly(first.items, again.items)}, then {_briefly(again.items, first.items)}"
                )
                return Breach("the same claims give the same items in the same order", seen, part)
    return None


def _ids_name_content(trial: Trial) -> Breach | None:
    known: dict[str, tuple[KnowledgeItem, Part]] = {}
    for part in trial.parts():
        for item in trial.phi(part).items:
            other, there = known.setdefault(item.id, (item, part))
            if (other.text, other.triple) != (item.text, item.triple):
                given = f"from {_names(trial, there)}"
                seen = f"{_shown(other)} {given}, {_shown(item)} from {_names(trial, part)}"
                return Breach("an id says the same whatever claims are given", seen, part)
    return None


def _provenance(trial: Trial) -> Breach | None:
    whole = trial.phi(trial.whole)
    for part in trial.parts():
        answer, said = trial.phi(part), spanned(whole.items, trial.names(part))
        direct = trial.spanned(part)
        if said - direct and not answer.limits:
            item = _item(whole.items, said - direct)
            expected = f"{_shown(item)}: of all claims it has the supports {_all(item.supports)}"
            return Breach(expected, f"not entailed by {_names(trial, part)}", part)
        if direct - said and not whole.limits:
            item = _item(answer.items, direct - said)
            seen = f"of all claims, no support of it holds there; of these, {_all(item.supports)}"
            return Breach(f"no {_shown(item)} from {_names(trial, part)} alone", seen, part)
    return None


def _monotone(trial: Trial) -> Breach | None:
    whole = trial.phi(trial.whole)
    for part in trial.parts():
        lost = trial.spanned(part) - trial.spanned(trial.whole)
        if lost and not whole.limits:
            item = _item(trial.phi(part).items, lost)
            expected = f"{_shown(item)}, which {_names(trial, part)} entail, follows from all claims too"
            return Breach(expected, "more claims entail it no longer", part)
    return None


def _idempotent(trial: Trial) -> Breach | None:
    answer, had = trial.phi(trial.whole), trial.spanned(trial.whole)
    items = [item for item in answer.items if item.id in had]
    known = {_content(item) for item in items} | {_content(claim) for claim in trial.claims}
    names = trial.names(trial.whole)
    fed = [Claim(item.id, item.text, triple=item.triple) for item in items if item.id not in names]
    if len(trial.claims) + len(fed) > _MOST_FED:
        return None
    again = trial.ask([*trial.claims, *fed])
    held = names | {claim.id for claim in fed}
    new = {item.id for item in again.items if _content(item) not in known} & spanned(again.items, held)
    if new and not answer.limits:
        item = _item(again.items, new)
        return Breach("items given as claims entail nothing new", f"{_shown(item)} is new")
    return None


def _decomposable(trial: Trial) -> Breach | None:
    for part in trial.parts():
        for item in trial.phi(part).items:
            for support in item.supports:
                if len(support.claims) > 1:
                    return Breach(
                        "every support is one claim", f"{_shown(item)} needs {_all([support])}", part
                    )
    return None


def _order_free(trial: Trial) -> Breach | None:
    forward = trial.phi(trial.whole)
    backward = trial.ask([*reversed(trial.claims)])
    here, there = _as_sets(forward.items), _as_sets(backward.items)
    if here != there:
        item = _item((*forward.items, *backward.items), {name for name, _ in here ^ there})
        return Breach("claims in reverse order entail the same", f"{_shown(item)} or its supports differ")
    return None


LAWS: Mapping[str, Law] = {
    "answers": _answers,
    "leaves claims alone": _leaves_claims_alone,
    "self-containment": _self_containment,
    "given claims only": _given_claims_only,
    "minimal supports": _minimal_supports,
    "supports in order": _supports_in_order,
    "determinism": _determinism,
    "ids name content": _ids_name_content,
    "provenance": _provenance,
}
"""What every operator keeps, in the order in which it is told."""

TRAITS: Mapping[str, Law] = {
    "monotone": _monotone,
    "idempotent": _idempotent,
    "decomposable": _decomposable,
    "order-free": _order_free,
}
"""What an operator may have or not."""


def breach_of(name: str, trial: Trial) -> Breach | None:
    """Return how the law or trait *name* is broken in *trial*; None also where it cannot be judged."""
    try:
        return {**LAWS, **TRAITS}[name](trial)
    except Misbehaved as fault:
        return fault.breach if fault.law == name else None


# --- words ----------------------------------------------------------------------------------------


def _content(thing: KnowledgeItem | Claim) -> object:
    return thing.triple or thing.text


def _item(items: Sequence[KnowledgeItem], names: set[str]) -> KnowledgeItem:
    return next(item for item in items if item.id in names)


def _shown(item: KnowledgeItem) -> str:
    return f"item {item.id} {item.text!r}"


def _all(supports: Sequence[Support]) -> str:
    return " or ".join(_support(each) for each in supports)


def _support(support: Support) -> str:
    unless = f" unless {', '.join(support.unless)}" if support.unless else ""
    return f"({', '.join(support.claims)}){unless}"


def _names(trial: Trial, part: Part) -> str:
    return ", ".join(trial.claims[i].id for i in part) or "no claims"


def _briefly(items: Sequence[KnowledgeItem], other: Sequence[KnowledgeItem]) -> str:
    """Show where *items* differ from the *other*."""
    at = next((i for i, item in enumerate(items) if i >= len(other) or item != other[i]), None)
    return f"{len(items)} items" if at is None else f"{_shown(items[at])} {_all(items[at].supports)}"


def _as_sets(items: Sequence[KnowledgeItem]) -> set[tuple[str, object]]:
    return {
        (item.id, frozenset((frozenset(s.claims), frozenset(s.unless)) for s in item.supports))
        for item in items
    }
