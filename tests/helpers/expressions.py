"""Random conditions of the spec language and of Python, and a test that both mean the same."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import strategies as st

from boardsat.generators import Formula, InputError
from helpers.formulas import clauses_of, make, members

LOW, HIGH = -3, 4
"""The range of the bound names a and b; negative numbers, because // and % and sets know them."""


class Guarded(list[Any]):
    """A list whose indices count from 0 on only, as in specs."""

    def __getitem__(self, index: Any) -> Any:
        if not 0 <= index < len(self):
            raise IndexError(index)
        return super().__getitem__(index)


PARAMS = {"n": "3", "yes": "true", "no": "false"}


DEFINE = {
    "t": "k * k % 5 - 1 for k in range(4)",
    "few": {"for": "k in range(4)", "give": "3 * k - 4"},
    "pairs": {"for": "k in range(3), l in range(3)", "if": "k != l", "give": "k - l, l"},
    "kids": {"for": "k in range(10)", "by": "k % 4"},
}


VARIABLES = {
    "Y": {"for": "i in range(4), j in range(i + 1)", "if": "(i + j) % 2 == 0"},
    "X": {"for": "i in range(7), j in range(7)"},
}


NAMES = {
    "n": 3,
    "yes": True,
    "no": False,
    "true": True,
    "false": False,
    "t": Guarded(k * k % 5 - 1 for k in range(4)),
    "few": {3 * k - 4 for k in range(4)},
    "pairs": {(k - m, m) for k in range(3) for m in range(3) if k != m},
    "kids": Guarded([k for k in range(10) if k % 4 == key] for key in range(4)),
    "exists_y": lambda i, j: 0 <= j <= i < 4 and (i + j) % 2 == 0,
    "min": lambda *numbers: min(numbers),
    "max": lambda *numbers: max(numbers),
    "abs": abs,
    "bit": lambda number, position: position >= 0 and number >> position & 1 == 1,
    "bits": lambda number: next(m for m in range(40) if 2**m >= number),
    "root": lambda number: math.isqrt(max(number, 0)),
    "len": len,
}


class Text(NamedTuple):
    """An expression in both languages, and the level of its loosest operator in ours."""

    spec: str
    python: str
    level: int

    def at(self, level: int) -> str:
        """Text as an operand in the spec language, in brackets if its level requires them."""
        return self.spec if self.level >= level else f"({self.spec})"


# Levels as the language's page lists them, loosest first.
LEVELS = ["else", "<->", "->", "or", "xor", "and", "not", "<", "+", "*", "-x", "**", "atom"]
CHOICE, IFF, THEN, OR, XOR, AND, NOT, COMPARE, SUM, TIMES, MINUS, POWER, ATOM = range(len(LEVELS))


PYTHON = {
    "<->": "(({}) == ({}))",
    "->": "(not ({}) or ({}))",
    "or": "(({}) or ({}))",
    "xor": "(({}) != ({}))",
    "and": "(({}) and ({}))",
}


def infix(sign: str, level: int, first: Text, second: Text) -> Text:
    """Left-associative, but for implications."""
    lower, upper = (level + 1, level) if sign == "->" else (level, level + 1)
    python = PYTHON.get(sign, f"(({{}}) {sign} ({{}}))").format(first.python, second.python)
    return Text(f"{first.at(lower)} {sign} {second.at(upper)}", python, level)


def call(name: str, arguments: list[Text]) -> Text:
    spec = ", ".join(argument.spec for argument in arguments)
    python = ", ".join(argument.python for argument in arguments)
    return Text(f"{name}({spec})", f"{name}({python})", ATOM)


def either(then: Text, test: Text, otherwise: Text) -> Text:
    spec = f"{then.at(IFF)} if {test.at(IFF)} else {otherwise.spec}"
    return Text(spec, f"(({then.python}) if ({test.python}) else ({otherwise.python}))", CHOICE)


@st.composite
def numbers(draw: Callable[..., Any], depth: int) -> Text:
    kinds = ["name", "number"]
    kinds += ["sum", "times", "minus", "power", "call", "table", "len", "else"] if depth else []
    inner = numbers(depth - 1)
    match draw(st.sampled_from(kinds)):
        case "name":
            name = draw(st.sampled_from(["a", "b", "n", "len(few)"]))
            return Text(name, name, ATOM)
        case "sum":
            return infix(draw(st.sampled_from("+-")), SUM, draw(inner), draw(inner))
        case "times":
            sign = draw(st.sampled_from(["*", "//", "%"]))
            return infix(sign, TIMES, draw(inner), draw(inner))
        case "minus":
            number = draw(inner)
            return Text(f"-{number.at(MINUS)}", f"(-({number.python}))", MINUS)
        case "power":
            base, exponent = draw(st.integers(0, 4)), draw(st.integers(0, 3))
            return Text(f"{base} ** {exponent}", f"({base} ** {exponent})", POWER)
        case "call":
            name, min_size, max_size = draw(
                st.sampled_from([("min", 1, 3), ("max", 1, 3), ("abs", 1, 1), ("root", 1, 1)])
            )
            return call(name, draw(st.lists(inner, min_size=min_size, max_size=max_size)))
        case "table":
            index = draw(inner)
            return Text(f"t[{index.spec}]", f"t[{index.python}]", ATOM)
        case "len":
            index = draw(inner)
            return Text(f"len(kids[{index.spec}])", f"len(kids[{index.python}])", ATOM)
        case "else":
            return either(draw(inner), draw(conditions(depth - 1)), draw(inner))
    number = str(draw(st.integers(0, 4)))
    return Text(number, number, ATOM)


@st.composite
def comparisons(draw: Callable[..., Any], depth: int) -> Text:
    operands = draw(st.lists(numbers(depth), min_size=2, max_size=4))
    spec, python = operands[0].at(SUM), f"({operands[0].python})"
    for operand in operands[1:]:
        sign = draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]))
        spec, python = f"{spec} {sign} {operand.at(SUM)}", f"{python} {sign} ({operand.python})"
    if draw(st.booleans()):
        sign = draw(st.sampled_from(["in", "not in"]))
        spec, python = f"{spec} {sign} few", f"{python} {sign} few"
    return Text(spec, f"({python})", COMPARE)


@st.composite
def conditions(draw: Callable[..., Any], depth: int) -> Text:
    kinds = ["word", "compare", "member", "pair", "bit", "exists"]
    kinds += ["not", "same", "else", *[s for s in LEVELS if s in PYTHON] * 2] if depth else []
    number, inner = numbers(max(0, depth - 1)), conditions(depth - 1)
    match draw(st.sampled_from(kinds)):
        case "word":
            literal = draw(st.sampled_from(["true", "false", "yes", "no"]))
            return Text(literal, literal, ATOM)
        case "member":
            member, sign = draw(number), draw(st.sampled_from(["in", "not in"]))
            return Text(f"{member.at(SUM)} {sign} few", f"(({member.python}) {sign} few)", COMPARE)
        case "pair":
            first, second = draw(number), draw(number)
            python = f"((({first.python}), ({second.python})) in pairs)"
            return Text(f"({first.spec}, {second.spec}) in pairs", python, COMPARE)
        case "bit":
            return call("bit", [draw(number), draw(number)])
        case "exists":
            first, second = draw(number), draw(number)
            python = f"exists_y(({first.python}), ({second.python}))"
            return Text(f"exists(Y[{first.spec}, {second.spec}])", python, ATOM)
        case "not":
            condition = draw(inner)
            return Text(f"not {condition.at(NOT)}", f"(not ({condition.python}))", NOT)
        case "same":
            sign = draw(st.sampled_from(["==", "!="]))
            first, second = draw(inner), draw(inner)
            python = f"(({first.python}) {sign} ({second.python}))"
            return Text(f"{first.at(SUM)} {sign} {second.at(SUM)}", python, COMPARE)
        case "else":
            return either(draw(inner), draw(inner), draw(inner))
        case sign if sign in PYTHON:
            return infix(sign, LEVELS.index(sign), draw(inner), draw(inner))
    return draw(comparisons(max(0, depth - 1)))


def rows_of(condition: str) -> Formula:
    """Return unit clauses: for every row that satisfies the condition, then for every other row."""
    rows = f"a in range({LOW}, {HIGH}), b in range({LOW}, {HIGH})"
    member = f"X[a + {-LOW}, b + {-LOW}]"
    return make(
        params=PARAMS,
        define=DEFINE,
        variables=VARIABLES,
        constraints=[
            {"for": rows, "if": condition, "clause": member},
            {"for": rows, "clause": [f"({condition}) == true", member]},
        ],
    )


def kept_by_spec(condition: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the rows selected by `if`, and those in which the condition as a literal is false."""
    formula = rows_of(condition)
    row_of = {number: (i + LOW, j + LOW) for (i, j), number in members(formula, "X").items()}
    rows = [row_of[literal] for (literal,) in clauses_of(formula)]
    num_kept = formula.sections[0].clauses
    return rows[:num_kept], rows[num_kept:]


def kept_by_python(condition: str) -> list[tuple[int, int]]:
    code = compile(condition, "condition", "eval")
    square = product(range(LOW, HIGH), repeat=2)
    return [(a, b) for a, b in square if eval(code, {**NAMES, "a": a, "b": b})]


def agree(spec: str, python: str) -> None:
    """Check that both languages select the same rows, or both raise an error."""
    try:
        expected = kept_by_python(python)
    except (ZeroDivisionError, IndexError):
        with pytest.raises(InputError, match=r"division by zero|out of range"):
            rows_of(spec)
        return
    rejected = [row for row in product(range(LOW, HIGH), repeat=2) if row not in expected]
    assert kept_by_spec(spec) == (expected, rejected)


SHARED = """
    a + 2 * b - 3 < 4 - -b
    a - b - 1 == -a + b - 3
    -a // 2 + b % 3 * 2 > -1
    -2 ** 2 + a * b == -3 - a
    7 // 2 * 2 - a % 3 ** 2 > b
    not a < b and b < 2 or a == 3
    not not a > b or not b == 2 and a != 0
    -2 <= a < b <= 2 != a
    (a < b) == true or b < a < 2
    (1 if a > b else 2 if a == b else 3) >= 2
    ((a if a < 0 else -a) + 2 if b > 0 else b) > 0
    true if a > 0 else b > 0 and a == -b
    a > 0 and 4 // a > b
    a <= 0 or 4 // a > b
    4 // a > b or a > 0
    0 < a <= 4 // a
    0 <= a and t[a] == b
    t[a] == b and 0 <= a
    (t[a] if a in few else t[b]) > 0 if a >= 0 <= b else false
    0 <= b and a == b and t[a] > 0
    no and t[9] > 0 or a > b
    (t[9] if a > 9 else a) > b
    len(kids[max(a, 0)]) - len(few) == b or (a, b) in pairs
"""
