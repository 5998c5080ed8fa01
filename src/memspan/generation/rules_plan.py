"""Rules to steps of two relations at most: which premises are joined first, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations

import numpy as np

from memspan.errors import RuleError
from memspan.generation.rules_form import Rule, is_variable
from memspan.kernels.closure import CONSTANT, FAR, NO_RELATION, OTHER, ROW, Program

NOBODY = 0  # the thing that fills the place of a column nobody needs
Column = str | int
"""What stands in a column: a variable, or the number of a thing."""
Columns = tuple[Column, Column]
Variables = frozenset[str]


@dataclass(frozen=True)
class Plan:
    """Rules ready for the kernels.

    Attributes:
        program: the steps.
        names: the relations that rules name; their position is their number.
        things: the constants of rules, by their numbers; None is nobody.
        parts: what the relations after the named ones hold: a rule, halfway.
        recursive: the relations that need themselves, in order.
    """

    program: Program
    names: tuple[str, ...]
    things: tuple[str | None, ...]
    parts: tuple[str, ...]
    recursive: tuple[str, ...]


@dataclass(frozen=True)
class _Node:
    """A relation, or what was joined so far, and what stands in its columns."""

    relation: int
    columns: Columns

    @property
    def variables(self) -> Variables:
        return frozenset(column for column in self.columns if isinstance(column, str))


@dataclass
class _Writer:
    """Steps and tests as they are written."""

    relations: dict[str, int]
    things: dict[str | None, int]
    label: str = ""
    parts: list[str] = field(default_factory=list)
    steps: list[list[int]] = field(default_factory=list)
    tests: list[tuple[int, int, int]] = field(default_factory=list)

    def part(self) -> int:
        """Return the number of a new relation that holds the rule at hand halfway."""
        self.parts.append(self.label)
        return len(self.relations) + len(self.parts) - 1

    def column(self, term: str) -> Column:
        return term if is_variable(term) else self.things[term]


def plan(rules: Sequence[Rule]) -> Plan:
    """Compile *rules*.

    Raises:
        RuleError: a rule that needs more than two things at once between its premises.
    """
    names = list(dict.fromkeys(atom.relation for rule in rules for atom in (rule.head, *rule.body)))
    writer = _Writer({name: i for i, name in enumerate(names)}, {None: NOBODY})
    for term in chain.from_iterable(_terms(rule) for rule in rules):
        if not is_variable(term):
            writer.things.setdefault(term, len(writer.things))
    for rule in rules:
        _write(rule, writer)
    steps = np.array(writer.steps, np.int64).reshape(-1, 11)
    tests = np.array(writer.tests, np.int64).reshape(-1, 3)
    strata = _strata(writer.steps)
    recursive = tuple(_needs_itself(stratum, writer.steps) for stratum in strata)
    program = Program(steps, tests, strata, recursive, len(names) + len(writer.parts))
    looping = sorted(
        relation
        for stratum, loops in zip(strata, recursive, strict=True)
        for relation in stratum
        if loops and relation < len(names)
    )
    return Plan(
        program, tuple(names), tuple(writer.things), tuple(writer.parts), tuple(names[r] for r in looping)
    )


def _terms(rule: Rule) -> Iterator[str]:
    for pair in (rule.head.terms, *(atom.terms for atom in rule.body), *rule.differ):
        yield from pair


def _write(rule: Rule, writer: _Writer) -> None:
    """Write the steps of *rule*: join two nodes at a time until the head is left."""
    nodes = [
        _Node(writer.relations[a.relation], (writer.column(a.first), writer.column(a.second)))
        for a in rule.body
    ]
    head = _Node(
        writer.relations[rule.head.relation],
        (writer.column(rule.head.first), writer.column(rule.head.second)),
    )
    guards = [(writer.column(a), writer.column(b)) for a, b in rule.differ]
    merges = _order([node.variables for node in nodes], head.variables, [_variables(g) for g in guards])
    if merges is None:
        raise RuleError(
            f"rule {rule}: however its premises are joined, more than two things must be kept in mind "
            "between them; two are allowed, so split the rule or drop a premise"
        )
    writer.label = str(rule)
    for a, b, kept in merges:
        out = head if len(nodes) == 2 else _Node(writer.part(), _padded(kept))
        guards = _join(nodes[a], nodes[b], out, guards, writer)
        nodes = [node for i, node in enumerate(nodes) if i not in {a, b}] + [out]
    if len(rule.body) == 1:
        _step(nodes[0], None, head, guards, writer)


def _order(
    sets: Sequence[Variables], head: Variables, guards: Sequence[Variables]
) -> list[tuple[int, int, Variables]] | None:
    """Return which two nodes are joined in turn and what is kept of them; None where two things never do."""
    if len(sets) == 1:
        return []
    choices = sorted(_choices(sets, head, guards), key=lambda choice: choice[:2])
    for _, kept_count, a, b, kept in choices:
        last = len(sets) == 2
        if kept_count > 2 and not last:
            continue
        rest = [own for i, own in enumerate(sets) if i not in {a, b}] + [kept]
        left = [guard for guard in guards if not guard <= sets[a] | sets[b]]
        later = _order(rest, head, left)
        if later is not None:
            return [(a, b, kept), *later]
    return None


def _choices(
    sets: Sequence[Variables], head: Variables, guards: Sequence[Variables]
) -> Iterator[tuple[bool, int, int, int, Variables]]:
    """Yield pairs of nodes: whether nothing connects them, how many variables they leave, and which."""
    for a, b in combinations(range(len(sets)), 2):
        both = sets[a] | sets[b]
        others = head.union(*(own for i, own in enumerate(sets) if i not in {a, b}))
        kept = both & others.union(*(guard for guard in guards if not guard <= both))
        apart = not sets[a] & sets[b]
        if not apart or _narrow(sets[a], sets[b], kept, guards)[1] <= 1:
            yield apart, len(kept), a, b, kept


def _narrow(a: Variables, b: Variables, kept: Variables, guards: Sequence[Variables]) -> tuple[bool, int]:
    """Tell whether *a*, not *b*, needs fewer variables when the two are joined, and how many."""
    needed = kept.union(*(guard for guard in guards if guard <= a | b and not guard <= a and not guard <= b))
    return len(a & needed) < len(b & needed), min(len(a & needed), len(b & needed))


def _join(one: _Node, other: _Node, out: _Node, guards: list[Columns], writer: _Writer) -> list[Columns]:
    """Write the steps that join two nodes; return the guards that still wait."""
    both = one.variables | other.variables
    ready = [guard for guard in guards if _variables(guard) <= both]
    waiting = [guard for guard in guards if guard not in ready]
    left, right = one, other
    if not one.variables & other.variables:
        sets = [_variables(guard) for guard in ready]
        if _narrow(one.variables, other.variables, out.variables, sets)[0]:
            left, right = other, one
        right, ready = _narrowed(right, out, ready, writer)
    elif out.columns[0] not in left.variables:
        left, right = right, left
    _step(left, right, out, ready, writer)
    return waiting


def _narrowed(node: _Node, out: _Node, guards: list[Columns], writer: _Writer) -> tuple[_Node, list[Columns]]:
    """Reduce *node*, which shares nothing with what it is joined to, to the one column that is needed."""
    own = [guard for guard in guards if _variables(guard) <= node.variables]
    rest = [guard for guard in guards if guard not in own]
    needed = node.variables & out.variables.union(*map(_variables, rest))
    narrow = _Node(writer.part(), _padded(needed)[::-1])
    _step(node, None, narrow, own, writer)
    return narrow, rest


def _step(left: _Node, right: _Node | None, out: _Node, guards: Sequence[Columns], writer: _Writer) -> None:
    """Write one step; where only *right* has the head's first column, turn the result round."""
    leading, second = out.columns
    if isinstance(leading, str) and leading not in left.variables:
        turned = (
            (NOBODY, leading) if right and second in right.variables - left.variables else (second, leading)
        )
        around = _Node(writer.part(), turned)
        _step(left, right, around, guards, writer)
        left, right, guards = around, None, ()
    flipped = isinstance(leading, str) and left.columns[0] != leading
    row, other = left.columns[::-1] if flipped else left.columns
    terms: dict[Column, int] = {}
    tests = [*_match(row, ROW, terms), *_match(other, OTHER, terms)]
    looked_up = (NO_RELATION, 0, ROW)
    late: list[tuple[int, int, int]] = []
    if right is not None:
        key = (
            0
            if right.columns[0] in terms
            else 1
            if right.columns[1] in terms
            else int(right.columns[0] != NOBODY)
        )
        looked_up = (right.relation, key, _term(right.columns[key], terms))
        late = _match(right.columns[1 - key], FAR, terms)
    checks = [(0, _term(a, terms), _term(b, terms)) for a, b in guards]
    tests += [check for check in checks if FAR not in check[1:]]
    late += [check for check in checks if FAR in check[1:]]
    start, middle = len(writer.tests), len(writer.tests) + len(tests)
    writer.tests += tests + late
    outs = (out.relation, _term(leading, terms), _term(second, terms))
    writer.steps.append([*outs, left.relation, int(flipped), *looked_up, start, middle, len(writer.tests)])


def _match(column: Column, term: int, terms: dict[Column, int]) -> list[tuple[int, int, int]]:
    """Note that *term* holds *column*; return the test that it asks for where that is known already."""
    if isinstance(column, str) and column not in terms:
        terms[column] = term
        return []
    known = _term(column, terms)
    return [] if column == NOBODY else [(1, term, known)]


def _term(column: Column, terms: Mapping[Column, int]) -> int:
    return terms[column] if isinstance(column, str) else CONSTANT + column


def _padded(variables: Variables) -> Columns:
    first, second, *_ = [*sorted(variables), NOBODY, NOBODY]
    return first, second


def _variables(guard: Columns) -> Variables:
    return frozenset(column for column in guard if isinstance(column, str))


def _strata(steps: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Return the relations that steps lead to, those that need each other together, after what they need."""
    needs: dict[int, set[int]] = {}
    for head, left, right in ((step[0], step[3], step[5]) for step in steps):
        needs.setdefault(head, set()).update({left, right} - {NO_RELATION})
    reached = {head: _reached(head, needs) for head in needs}
    groups = {
        tuple(sorted({head} | {r for r in reached[head] if head in reached.get(r, ())})) for head in needs
    }
    return tuple(sorted(groups, key=lambda group: (len(reached[group[0]] | set(group)), group)))


def _reached(head: int, needs: Mapping[int, set[int]]) -> set[int]:
    found: set[int] = set()
    waiting = [head]
    while waiting:
        for relation in needs.get(waiting.pop(), set()) - found:
            found.add(relation)
            waiting.append(relation)
    return found


def _needs_itself(stratum: Sequence[int], steps: Sequence[Sequence[int]]) -> bool:
    return any(step[0] in stratum and (step[3] in stratum or step[5] in stratum) for step in steps)
