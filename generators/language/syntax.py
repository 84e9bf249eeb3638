"""Parser of the expression language of specs: text to a syntax tree.

Precedence, loosest first: `x if c else y`, `<->`, `->`, `or`, `xor`, `and`, `not`, comparisons and
`in` (which chain), `+ -`, `* // %`, unary `-`, `**`, then calls and indices.
A comprehension is `item for name in set, name in set if condition`. `a / b` is allowed in weights
only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from boardsat.base.errors import InputError
from boardsat.generators.build_limits import (
    EXPRESSION_DEPTH,
    EXPRESSION_HEIGHT,
    EXPRESSION_TOKENS,
    MAX_INTEGER,
)
from boardsat.generators.language.nodes import (
    Binary,
    Binding,
    Call,
    Comparison,
    Comprehension,
    Conditional,
    ExpressionText,
    Index,
    Name,
    Node,
    Number,
    Pair,
    Unary,
    Word,
    children,
)

KEYWORDS = {"and", "or", "not", "xor", "for", "in", "if", "else"}
RESERVED = KEYWORDS | {"true", "false", "range"}

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<name>[^\W\d]\w*(?:\.[^\W\d]\w*)?)|(?P<word>'[^']*'|\"[^\"]*\")"
    r"|(?P<operator><->|->|//|\*\*|<=|>=|==|!=|[-+*/%<>()\[\],]))"
)
_DECIMAL = re.compile(r"([0-9])\.([0-9]{1,9})", re.ASCII)
_COMPARISONS = {"==", "!=", "<", "<=", ">", ">=", "in"}
# Precedence of binary operators, loosest first.
_CONNECTIVES = {"<->": 1, "->": 2, "or": 3, "xor": 4, "and": 5}
_ARITHMETIC = {"+": 1, "-": 1, "*": 2, "//": 2, "%": 2}


def is_name(text: str) -> bool:
    """Return True if a spec may give this name to a parameter, set or variable.

    Names of variables are written in comments of formula files, where drat-trim would take
    `cnf 3 2` for the header.
    """
    match = re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*", text) and not text.startswith("cnf")
    return bool(match) and text not in RESERVED


class _Parser:
    """Recursive descent parser of one text."""

    def __init__(self, source: ExpressionText) -> None:
        self.source = source
        self.tokens = list(islice(self._scan(), EXPRESSION_TOKENS + 1))
        if len(self.tokens) > EXPRESSION_TOKENS:
            raise source.error(
                f"an expression must have at most {EXPRESSION_TOKENS} tokens",
                "name subexpressions under `define:`",
            )
        self.position = 0
        self.depth = 0

    def _scan(self) -> Iterator[tuple[str, str, int]]:
        text, position = self.source.text, 0
        end = len(text.rstrip())
        while position < end:
            match = _TOKEN.match(text, position)
            if match is None:
                start = position + len(text[position:]) - len(text[position:].lstrip())
                raise self.source.error(
                    f"unexpected {text[start]!r}", "see docs/spec-language.md", at=start
                )
            kind = match.lastgroup or ""
            token = match.group(kind)
            if kind == "name" and token in KEYWORDS:
                kind = "operator"
            yield kind, token, match.start(kind)
            position = match.end()
        yield "end", "the end", len(text)

    @property
    def token(self) -> str:
        """Current token if it is an operator or keyword, otherwise empty."""
        kind, token, _ = self.tokens[self.position]
        return token if kind == "operator" else ""

    @property
    def at(self) -> int:
        """Index of the current token's first character."""
        return self.tokens[self.position][2]

    def accept(self, *operators: str) -> str:
        """Consume and return the current token if it is one of these, otherwise return ""."""
        token = self.token
        if token and token in operators:
            self.position += 1
            return token
        return ""

    def expect(self, operator: str) -> None:
        if not self.accept(operator):
            raise self.unexpected(f"write `{operator}` before it")

    def unexpected(self, remedy: str) -> InputError:
        kind, token, at = self.tokens[self.position]
        fault = "unexpected end" if kind == "end" else f"unexpected {token!r}"
        return self.source.error(fault, remedy, at=at)

    def finish(self, trees: Sequence[Node]) -> None:
        """Raise InputError if tokens are left, or if the trees are too high.

        The tree of a sum has a level for each term, although it has no brackets.
        """
        if self.tokens[self.position][0] != "end":
            raise self.unexpected("remove it, or write an operator before it")
        level, height = trees, 0
        while level:
            height += 1
            if height > EXPRESSION_HEIGHT:
                raise self.source.error(
                    f"an expression must have at most {EXPRESSION_HEIGHT} operations in a row",
                    "name subexpressions under `define:`",
                )
            level = [child for node in level for child in children(node)]

    # Methods of the grammar, each of which consumes what it parses.

    def expression(self) -> Node:
        self.depth += 1
        if self.depth > EXPRESSION_DEPTH:
            raise self.source.error(
                f"an expression must be nested at most {EXPRESSION_DEPTH} deep",
                "name subexpressions under `define:`",
            )
        at, then = self.at, self.operation()
        if self.token == "if" and self._is_conditional():
            self.accept("if")
            test = self.operation()
            self.expect("else")
            then = Conditional(at, then, test, self.expression())
        self.depth -= 1
        return then

    def _is_conditional(self) -> bool:
        """Return True if this `if` has an `else`; otherwise it belongs to a comprehension."""
        nesting = 0
        for kind, token, _ in self.tokens[self.position + 1 :]:
            if kind != "operator":
                continue
            nesting += (token in "([") - (token in ")]")
            if nesting < 0 or (nesting == 0 and token in (",", "for")):
                return False
            if nesting == 0 and token == "else":
                return True
        return False

    def binary(
        self, precedences: dict[str, int], operand: Callable[[], Node], loosest: int = 1
    ) -> Node:
        """Parse binary operators from the loosest precedence on (precedence climbing)."""
        at, left = self.at, operand()
        while (precedence := precedences.get(self.token, 0)) >= loosest:
            operator = self.accept(self.token)
            # Implication is right-associative: a -> b -> c is a -> (b -> c).
            tighter = precedence if operator == "->" else precedence + 1
            left = Binary(at, operator, left, self.binary(precedences, operand, tighter))
        return left

    def operation(self) -> Node:
        return self.binary(_CONNECTIVES, self.negation)

    def sum(self) -> Node:
        return self.binary(_ARITHMETIC, self.power)

    def negation(self) -> Node:
        at, inverted = self.at, False
        while self.accept("not"):
            inverted = not inverted
        return Unary(at, "not", self.comparison()) if inverted else self.comparison()

    def comparison(self) -> Node:
        at, first = self.at, self.sum()
        operands, operators = [first], []
        while True:
            if self.token == "not":
                self.position += 1
                self.expect("in")
                operators.append("not in")
            elif operator := self.accept(*_COMPARISONS):
                operators.append(operator)
            else:
                break
            operands.append(self.sum())
        return Comparison(at, tuple(operands), tuple(operators)) if operators else first

    def quotient(self) -> tuple[Node, Node]:
        """Parse `a / b`, or a sum, which has the denominator 1."""
        if all(token != "/" for kind, token, _ in self.tokens if kind == "operator"):
            return self.sum(), Number(0, 1)
        numerator = self.binary(_ARITHMETIC, self.power, _ARITHMETIC["*"])
        if not self.accept("/"):
            raise self.unexpected("put the numerator in brackets")
        return numerator, self.power()

    def power(self) -> Node:
        at, negative = self.at, False
        while self.accept("-"):
            negative = not negative
        base = self.operand()
        if self.accept("**"):
            base = Binary(at, "**", base, self.operand())
        return Unary(at, "-", base) if negative else base

    def operand(self) -> Node:
        kind, token, at = self.tokens[self.position]
        if kind == "number":
            self.position += 1
            if len(token) > 10 or int(token) > MAX_INTEGER:
                fault = f"a number must be at most {MAX_INTEGER}"
                raise self.source.error(f"{fault} (got {token[:20]})", "use smaller numbers")
            return Number(at, int(token))
        if kind == "word":
            self.position += 1
            return Word(at, token[1:-1])
        if kind == "name":
            self.position += 1
            return self.named(token, at)
        if self.accept("("):
            return self.parenthesis(at)
        raise self.unexpected("write a number, a name or `(` there")

    def named(self, name: str, at: int) -> Node:
        if self.accept("["):
            return Index(at, name, self.items("]"))
        if self.accept("("):
            if self.accept(")"):
                return Call(at, name, ())
            return Call(at, name, self.items(")"))
        return Name(at, name)

    def items(self, closing: str) -> tuple[Node, ...]:
        items = [self.comprehension()]
        while self.accept(","):
            items.append(self.expression())
        self.expect(closing)
        return tuple(items)

    def parenthesis(self, at: int) -> Node:
        items = [self.expression()]
        while self.accept(","):
            items.append(self.expression())
        self.expect(")")
        return Pair(at, tuple(items)) if len(items) > 1 else items[0]

    def comprehension(self) -> Node:
        at, item = self.at, self.expression()
        if not self.accept("for"):
            return item
        bindings = self.bindings()
        condition = self.expression() if self.accept("if") else None
        return Comprehension(at, item, bindings, condition)

    def bindings(self) -> tuple[Binding, ...]:
        bindings = [self.binding()]
        while self.accept(",", "for"):
            bindings.append(self.binding())
        return tuple(bindings)

    def binding(self) -> Binding:
        at = self.at
        if self.accept("("):
            names = [self.bound_name()]
            while self.accept(","):
                names.append(self.bound_name())
            self.expect(")")
        else:
            names = [self.bound_name()]
        self.expect("in")
        return Binding(at, tuple(names), self.sum())

    def bound_name(self) -> str:
        kind, token, at = self.tokens[self.position]
        if kind != "name" or not is_name(token):
            raise self.source.error(
                f"{token!r} is not a name that `for` can bind",
                "write `for: name in set, name in set`",
                at=at,
            )
        self.position += 1
        return token


# Validations, archives and tests make many formulas of few specs. Trees are immutable, so they can
# be shared.
_MAX_CACHED_TREES = 2048


@lru_cache(_MAX_CACHED_TREES)
def parse_expression(source: ExpressionText) -> Node:
    """Return the tree of an expression, or of a comprehension over one."""
    parser = _Parser(source)
    tree = parser.comprehension()
    parser.finish((tree,))
    return tree


def parse_quotient(source: ExpressionText) -> tuple[Node, Node]:
    """Return the trees of numerator and denominator of a fraction or decimal number."""
    if decimal := _DECIMAL.fullmatch(source.text):
        integral, digits = decimal.groups()
        return Number(0, int(integral + digits)), Number(0, 10 ** len(digits))
    parser = _Parser(source)
    trees = parser.quotient()
    parser.finish(trees)
    return trees


@lru_cache(_MAX_CACHED_TREES)
def parse_bindings(source: ExpressionText) -> tuple[Binding, ...]:
    """Return the bindings of a `for`, such as `i in cells, (j, k) in moves`."""
    parser = _Parser(source)
    bindings = parser.bindings()
    parser.finish(bindings)
    return bindings
