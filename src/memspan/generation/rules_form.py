"""What a rule is: a head, premises, and things that must differ; shorthands build the usual ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memspan.errors import RuleError

MOST_PREMISES = 6  # of one rule; longer chains are split by naming a relation halfway
Differing = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Atom:
    """A relation between two terms; a term that starts with ``?`` is a variable, any other a constant.

    >>> print(Atom("born in", "?x", "Porto"))
    born in(x, "Porto")
    """

    relation: str
    first: str
    second: str

    @property
    def terms(self) -> tuple[str, str]:
        """Both terms, in order."""
        return self.first, self.second

    @property
    def variables(self) -> frozenset[str]:
        """Those of the terms that are variables."""
        return frozenset(term for term in self.terms if is_variable(term))

    def __str__(self) -> str:
        """Return the atom as the rule language writes it."""
        return f"{name_text(self.relation)}({term_text(self.first)}, {term_text(self.second)})"


@dataclass(frozen=True, slots=True)
class Rule:
    """Where all premises hold and nothing that must differ is the same, the head holds.

    Attributes:
        head: what follows; each of its variables stands in a premise.
        body: the premises, 1 to 6.
        differ: pairs of terms that must not be the same thing.

    Raises:
        RuleError: no premise, too many, or a variable outside the premises.

    >>> print(Rule(Atom("twin", "?x", "?y"), (Atom("born", "?x", "?d"), Atom("born", "?y", "?d"))))
    twin(x, y) :- born(x, d), born(y, d).
    """

    head: Atom
    body: tuple[Atom, ...]
    differ: tuple[Differing, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a rule that could not be evaluated."""
        for problem in self._problems():
            raise RuleError(f"rule {self}: {problem}")

    def _problems(self) -> Iterator[str]:
        if not 1 <= len(self.body) <= MOST_PREMISES:
            yield (
                f"has {len(self.body)} premises; 1 to {MOST_PREMISES} are allowed, "
                "so give a longer chain a relation of its own halfway"
            )
        known = frozenset[str]().union(*(atom.variables for atom in self.body))
        used = [("the head", term) for term in self.head.terms]
        used += [("!=", term) for pair in self.differ for term in pair]
        for where, term in used:
            if is_variable(term) and term not in known:
                yield (
                    f"variable {term_text(term)} stands in {where} but in no premise, so that it could be "
                    "anything; name it in a premise"
                )

    def __str__(self) -> str:
        """Return the rule as the rule language writes it."""
        guards = [f"{term_text(a)} != {term_text(b)}" for a, b in self.differ]
        return f"{self.head} :- {', '.join([*map(str, self.body), *guards])}."


def inverse(one: str, other: str) -> tuple[Rule, ...]:
    """Say that *one* (x, y) and *other* (y, x) are the same fact.

    >>> print(*inverse("child", "parent"), sep="; ")
    child(x, y) :- parent(y, x).; parent(x, y) :- child(y, x).
    """
    forth = Rule(Atom(one, "?x", "?y"), (Atom(other, "?y", "?x"),))
    return forth, Rule(Atom(other, "?x", "?y"), (Atom(one, "?y", "?x"),))


def symmetric(relation: str) -> tuple[Rule, ...]:
    """Say that *relation* holds both ways.

    >>> print(*symmetric("spouse"))
    spouse(x, y) :- spouse(y, x).
    """
    return (Rule(Atom(relation, "?x", "?y"), (Atom(relation, "?y", "?x"),)),)


def transitive(relation: str) -> tuple[Rule, ...]:
    """Say that *relation* carries on: from x to y and from y to z is from x to z.

    >>> print(*transitive("located in"))
    located in(x, z) :- located in(x, y), located in(y, z).
    """
    steps = Atom(relation, "?x", "?y"), Atom(relation, "?y", "?z")
    return (Rule(Atom(relation, "?x", "?z"), steps),)


def compose(*path: str, head: str) -> tuple[Rule, ...]:
    """Say that following the relations of *path*, in order, is *head*.

    >>> print(*compose("spouse", "mother", head="mother-in-law"))
    mother-in-law(x0, x2) :- spouse(x0, x1), mother(x1, x2).
    """
    body = tuple(Atom(relation, f"?x{i}", f"?x{i + 1}") for i, relation in enumerate(path))
    return (Rule(Atom(head, "?x0", f"?x{len(path)}"), body),)


def is_variable(term: str) -> bool:
    """Tell whether *term* is a variable: a question mark, then letters, digits or underscores.

    >>> is_variable("?x"), is_variable("Porto"), is_variable("?!")
    (True, False, False)
    """
    return term[:1] == "?" and term[1:].replace("_", "0").isalnum()


def term_text(term: str) -> str:
    """Return *term* as the rule language writes it.

    >>> term_text("?x"), term_text("?someone"), term_text("Porto")
    ('x', '?someone', '"Porto"')
    """
    if not is_variable(term):
        return _quoted(term)
    return term[1:] if is_short(term[1:]) else term


def name_text(relation: str) -> str:
    """Return the name of a *relation* as the rule language writes it: in quotes where it must be.

    >>> name_text("located in"), name_text("a, b")
    ('located in', '"a, b"')
    """
    words = relation.split(" ")
    plain = all(words) and not any(character in '"(),.+=!#:\\' for character in relation)
    return relation if plain and "".join(words).isprintable() else _quoted(relation)


def is_short(word: str) -> bool:
    """Tell whether *word* is a variable without its question mark: one small letter, then digits.

    >>> is_short("x"), is_short("y2"), is_short("Porto")
    (True, True, False)
    """
    small = word[:1].isascii() and word[:1].islower()
    return small and (len(word) == 1 or (word[1:].isascii() and word[1:].isdigit()))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
