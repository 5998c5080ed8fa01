"""Close facts under rules, with the minimal supports of each: dictionaries and sorted tuples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from memspan.kernels import closure as form
from memspan.kernels.closure import Caps, Closure, Program, Stated

Support = tuple[int, ...]
Pair = tuple[int, int]
Table = dict[Pair, "Fact"]


@dataclass
class Fact:
    """A fact's supports; which of them, and whether the fact itself, came in the last round."""

    supports: list[Support] = field(default_factory=list)
    fresh: set[Support] = field(default_factory=set)
    is_new: bool = True
    cut: int = 0


class _OutOfPatience(Exception):  # noqa: N818 - never leaves this file
    """More work than the caller wants done here."""


def close(program: Program, stated: Stated, caps: Caps, patience: int) -> Closure | None:
    """Apply *program* to *stated* until nothing new follows; see the fast twin for the rounds.

    Returns:
        The closure, or None where it takes more than *patience* joins of supports.
    """
    tables: list[Table] = [{} for _ in range(program.relations)]
    columns = (column.tolist() for column in stated)
    for relation, first, second, claim in sorted(zip(*columns, strict=True)):
        tables[relation].setdefault((first, second), Fact()).supports.append((claim,))
    run = _Run(program, tables, caps, patience)
    for table in tables:
        for fact in table.values():
            _keep(fact, [], [], caps)
        run.settle(table)
    try:
        for stratum, recursive in zip(program.strata, program.recursive, strict=True):
            run.stratum(stratum, recursive)
    except _OutOfPatience:
        return None
    return _arrays(tables, run.uncounted)


class _Run:
    """Tables on their way to the closure."""

    def __init__(self, program: Program, tables: list[Table], caps: Caps, patience: int) -> None:
        self.program, self.tables, self.caps = program, tables, caps
        self.left = patience
        self.first_round = True
        self.uncounted = False

    def stratum(self, relations: tuple[int, ...], recursive: bool) -> None:
        """Close *relations* in rounds; each round reads the state that the one before it left."""
        self.first_round, changed = True, True
        while changed:
            news = {relation: self._found(relation) for relation in relations}
            for relation in relations:
                self.settle(self.tables[relation])
            changed = self._take(news) and recursive
            self.first_round = False
        for relation in relations:
            self.settle(self.tables[relation])

    @staticmethod
    def settle(table: Table) -> None:
        """Let nothing in *table* count as new."""
        for fact in table.values():
            fact.fresh, fact.is_new = set(), False

    def _take(self, news: dict[int, dict[Pair, tuple[list[Support], list[Support]]]]) -> bool:
        changed = False
        for relation, found in news.items():
            table = self.tables[relation]
            room = self.caps.lost - sum(not fact.supports for fact in table.values())
            for pair in sorted(found):
                fact = table.get(pair) or Fact()
                before = set(fact.supports)
                _keep(fact, *found[pair], self.caps)
                fact.fresh |= set(fact.supports) - before
                if pair not in table and not fact.supports:
                    room -= 1
                    if room < 0:
                        self.uncounted = True
                        continue
                changed = changed or bool(fact.fresh) or pair not in table
                table[pair] = fact
        return changed

    def _found(self, head: int) -> dict[Pair, tuple[list[Support], list[Support]]]:
        """Return for each fact that new facts lead to its further supports, and those that are too long."""
        found: dict[Pair, tuple[list[Support], list[Support]]] = {}
        for step in self.program.steps[self.program.steps[:, form.HEAD] == head].tolist():
            for pair, left, right in self._joins(step):
                short, long = found.setdefault(pair, ([], []))
                for support in self._unions(left, right):
                    (short if len(support) <= self.caps.claims else long).append(support)
        return found

    def _joins(self, step: list[int]) -> Iterator[tuple[Pair, Fact, Fact | None]]:
        """Yield what *step* leads to and from which facts, one of them new."""
        right = None if step[form.RIGHT] == form.NO_RELATION else self._by_row(step, form.RIGHT)
        for row, others in self._by_row(step, form.LEFT).items():
            for other, left in others.items():
                if not self._pass(step[form.TESTS], step[form.LEFT_TESTS_END], (row, other)):
                    continue
                if right is None:
                    if self._is_fresh(left):
                        yield self._out(step, (row, other)), left, None
                    continue
                key = _value(step[form.KEY], (row, other))
                for far, fact in right.get(key, {}).items():
                    fresh = self._is_fresh(left) or self._is_fresh(fact)
                    if fresh and self._pass(
                        step[form.LEFT_TESTS_END], step[form.TESTS_END], (row, other, far)
                    ):
                        yield self._out(step, (row, other, far)), left, fact

    def _is_fresh(self, fact: Fact) -> bool:
        return self.first_round or fact.is_new or bool(fact.fresh)

    def _by_row(self, step: list[int], side: int) -> dict[int, dict[int, Fact]]:
        rows: dict[int, dict[int, Fact]] = {}
        for (first, second), fact in self.tables[step[side]].items():
            row, other = (second, first) if step[side + 1] else (first, second)
            rows.setdefault(row, {})[other] = fact
        return rows

    def _pass(self, start: int, end: int, values: tuple[int, ...]) -> bool:
        tests = self.program.tests[start:end].tolist()
        return all((_value(a, values) == _value(b, values)) == bool(equal) for equal, a, b in tests)

    @staticmethod
    def _out(step: list[int], values: tuple[int, ...]) -> Pair:
        return _value(step[form.OUT_FIRST], values), _value(step[form.OUT_SECOND], values)

    def _unions(self, left: Fact, right: Fact | None) -> Iterator[Support]:
        """Yield the supports that *left* and *right* make together, where one of the two is new."""
        if right is None:
            self._spend(1 + len(left.supports))
            yield from (one for one in left.supports if self.first_round or one in left.fresh)
            return
        self._spend(1 + len(left.supports) * len(right.supports))
        for one in left.supports:
            for other in right.supports:
                if self.first_round or one in left.fresh or other in right.fresh:
                    yield tuple(sorted({*one, *other}))

    def _spend(self, joins: int) -> None:
        self.left -= joins
        if self.left < 0:
            raise _OutOfPatience


def _value(term: int, values: tuple[int, ...]) -> int:
    return values[term] if term < form.CONSTANT else term - form.CONSTANT


def _keep(fact: Fact, short: list[Support], long: list[Support], caps: Caps) -> None:
    """Keep the best minimal supports among those of *fact* and *short*; note what is cut."""
    kept: list[Support] = []
    for support in sorted({*fact.supports, *short}, key=lambda support: (len(support), support)):
        if any(set(one) <= set(support) for one in kept):
            continue
        if len(kept) == caps.supports:
            fact.cut |= form.BY_COUNT
            break
        kept.append(support)
    if any(not any(set(one) <= set(support) for one in kept) for support in long):
        fact.cut |= form.BY_LENGTH
    fact.supports = kept


def _arrays(tables: list[Table], uncounted: bool) -> Closure:
    facts = [
        (relation, *pair, table[pair]) for relation, table in enumerate(tables) for pair in sorted(table)
    ]
    supports = [support for *_, fact in facts for support in fact.supports]
    relation, first, second = (np.array([fact[i] for fact in facts], np.int32) for i in range(3))
    return Closure(
        relation,
        first,
        second,
        _offsets([len(fact.supports) for *_, fact in facts]),
        _offsets([len(support) for support in supports]),
        np.array([claim for support in supports for claim in support], np.int32),
        np.array([fact.cut for *_, fact in facts], np.int8),
        uncounted,
    )


def _offsets(sizes: list[int]) -> form.Ints:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(np.array(sizes, np.int64))])
