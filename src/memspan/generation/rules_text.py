"""The small language of rules: text to `Rule` objects.

    # one statement a line; a line that ends in a comma or in :- goes on in the next
    grandmother(x, z) :- mother(x, y), mother(y, z).
    sibling(x, y) :- parent(x, z), parent(y, z), x != y.
    lives in(x, "Portugal") :- lives in(x, "Porto").
    inverse child parent
    inverse part of = has part
    symmetric spouse
    transitive located in
    compose spouse + mother = mother-in-law

A variable is one small letter, perhaps with digits (x, y2), or a name after a question mark (?person);
``_`` is a variable that nothing else names. A constant stands in double quotes. A relation is plain words,
or stands in quotes. A path of ``compose`` is followed from left to right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from memspan.errors import RuleError
from memspan.generation.rules_form import (
    Atom,
    Differing,
    Rule,
    compose,
    inverse,
    is_short,
    is_variable,
    symmetric,
    transitive,
)

_TOKEN = re.compile(
    r"""(?P<space>[^\S\n]+|\#[^\n]*)
      | (?P<quoted>"(?:[^"\\\n]|\\.)*")
      | (?P<mark>:-|!=|[(),.+=\n])
      | (?P<word>(?:[^\s"(),.+=!\#:\\]|:(?!-)|!(?!=))+)
      | (?P<bad>.)""",
    re.VERBOSE,
)
_SHORTHANDS = ("inverse", "symmetric", "transitive", "compose")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    line: int
    column: int


class _NotRead(Exception):  # noqa: N818 - never leaves this file
    """One fault: where, and what."""


def read_rules(text: str, name: str = "rules") -> tuple[Rule, ...]:
    """Return the rules that *text* states, in order; a shorthand may stand for two.

    Args:
        text: rules in the language above.
        name: what messages call the text, e.g. its file.

    Raises:
        RuleError: every statement that cannot be read or evaluated, each with line and column.

    >>> print(*read_rules("compose mother + spouse = stepfather  # perhaps"))
    stepfather(x0, x2) :- mother(x0, x1), spouse(x1, x2).
    """
    rules: list[Rule] = []
    faults: list[str] = []
    for statement in _statements(text):
        try:
            rules += _Reader(statement).rules()
        except _NotRead as fault:
            faults.append(f"{name}, {fault}")
        except RuleError as fault:
            faults.append(f"{name}, line {statement[0].line}: {fault}")
    if faults:
        raise RuleError("\n".join(faults))
    return tuple(rules)


def _statements(text: str) -> Iterator[list[_Token]]:
    """Yield the tokens of each statement: to a full stop, or to the end of a line that does not go on."""
    statement: list[_Token] = []
    for token in _tokens(text):
        if token.text == "\n":
            goes_on = statement and statement[-1].text in {",", ":-"}
        else:
            statement.append(token)
            goes_on = token.text != "."
        if statement and not goes_on:
            yield statement
            statement = []
    if statement:
        yield statement


def _tokens(text: str) -> Iterator[_Token]:
    line, start = 1, 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind != "space":
            yield _Token(kind, match.group(), line, match.start() - start + 1)
        if match.group() == "\n":
            line, start = line + 1, match.end()


class _Reader:
    """One statement, read from left to right."""

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.nameless = 0

    def rules(self) -> tuple[Rule, ...]:
        first = self.tokens[0]
        if first.text in _SHORTHANDS and all(token.text != "(" for token in self.tokens):
            self.at = 1
            rules = getattr(self, f"_{first.text}")()
        else:
            rules = (self._rule(),)
        if self._saw() == ".":
            self.at += 1
        if self.at < len(self.tokens):
            self._refuse("the statement should end here", "begin another on a new line")
        return tuple(rules)

    def _rule(self) -> Rule:
        head = self._atom()
        if "?_" in {term[:2] for term in head.terms}:
            self._refuse("_ stands in the head", "name the variable, and name it in a premise", back=1)
        self._take(":-", "after the head comes :-, then what it follows from")
        body: list[Atom] = []
        differ: list[Differing] = []
        while True:
            if self._is_guard():
                differ.append(self._guard())
            else:
                body.append(self._atom())
            if self._saw() != ",":
                return Rule(head, tuple(body), tuple(differ))
            self.at += 1

    def _is_guard(self) -> bool:
        following = self.tokens[self.at + 1 : self.at + 2]
        return bool(following) and following[0].text == "!="

    def _guard(self) -> Differing:
        one = self._term()
        self._take("!=", "two things that must differ stand around !=")
        return one, self._term()

    def _atom(self) -> Atom:
        relation = self._relation()
        self._take("(", f"two things in parentheses follow the relation {relation!r}")
        first = self._term()
        self._take(",", "a relation has two things, with a comma between them")
        second = self._term()
        self._take(")", "a relation has two things, then )")
        return Atom(relation, first, second)

    def _term(self) -> str:
        token = self._next("a variable or a constant")
        if token.kind == "quoted" and not is_variable(_unquoted(token.text)):
            return _unquoted(token.text)
        if token.text == "_":
            self.nameless += 1
            return f"?_{self.nameless}"
        if token.kind == "word" and is_short(token.text):
            return f"?{token.text}"
        if token.kind != "word" or not is_variable(token.text):
            self._refuse(
                "a variable is one small letter, perhaps with digits (x, y2), or ?name",
                f'write "{token.text}" if this one thing is meant, ?name if anything is'
                if token.kind == "word"
                else "a constant stands in double quotes and does not begin with a question mark",
                back=1,
            )
        return token.text

    def _relation(self) -> str:
        if self._kind() == "quoted":
            self.at += 1
            return _unquoted(self.tokens[self.at - 1].text)
        begun = self.at
        while self._kind() == "word":
            self.at += 1
        if begun == self.at:
            self._refuse("the name of a relation should stand here", "plain words, or any text in quotes")
        return " ".join(token.text for token in self.tokens[begun : self.at])

    def _inverse(self) -> tuple[Rule, ...]:
        words = [token for token in self.tokens[1:] if token.text != "."]
        if len(words) == 2 and {token.kind for token in words} <= {"word", "quoted"}:
            self.at = 1 + len(words)
            one, other = (_unquoted(t.text) if t.kind == "quoted" else t.text for t in words)
            return inverse(one, other)
        one = self._relation()
        self._take("=", "two relations of several words have = between them: inverse part of = has part")
        return inverse(one, self._relation())

    def _symmetric(self) -> tuple[Rule, ...]:
        return symmetric(self._relation())

    def _transitive(self) -> tuple[Rule, ...]:
        return transitive(self._relation())

    def _compose(self) -> tuple[Rule, ...]:
        path = [self._relation()]
        while self._saw() == "+":
            self.at += 1
            path.append(self._relation())
        self._take("=", "a path has + between its relations, then = and its name: compose a + b = c")
        return compose(*path, head=self._relation())

    def _saw(self) -> str:
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def _kind(self) -> str:
        return self.tokens[self.at].kind if self.at < len(self.tokens) else ""

    def _next(self, wanted: str) -> _Token:
        if self.at == len(self.tokens):
            self._refuse(f"{wanted} should stand here", "complete the statement")
        self.at += 1
        return self.tokens[self.at - 1]

    def _take(self, text: str, allowed: str) -> None:
        if self._saw() != text:
            self._refuse(allowed, f"put {text} here")
        self.at += 1

    def _refuse(self, allowed: str, remedy: str, back: int = 0) -> NoReturn:
        at = self.at - back
        if at < len(self.tokens):
            token = self.tokens[at]
            where, seen = f"line {token.line}, column {token.column}", f"saw {token.text!r}"
        else:
            token = self.tokens[-1]
            where = f"line {token.line}, column {token.column + len(token.text)}"
            seen = "the statement ends"
        raise _NotRead(f"{where}: {seen}; {allowed}; {remedy}")


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", lambda escaped: "\n" if escaped[1] == "n" else escaped[1], text[1:-1])
