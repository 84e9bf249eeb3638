"""The language of templates in solver files: text, `{{ value }}` and `{% if %}`, and no more.

It is that part of Jinja2 which always ends, and takes no longer than its length: a file from
elsewhere is data. Jinja2 itself would take longer to load than a small formula to be solved.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_MARK = re.compile(r"\{([{%#])(-?)(.*?)(-?)([}%#])\}", re.DOTALL)
_CLOSED = {"{": "}", "%": "%", "#": "#"}
_STATEMENT = re.compile(r"\s*(if|elif|else|endif)\b(.*)", re.DOTALL)

_NUMBERS: dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
    ast.FloorDiv: ("//", operator.floordiv),
}
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_CONSTANTS = {"none": None, "true": True, "false": False}
_ALLOWED = (
    *(ast.Name, ast.Load, ast.Constant, ast.IfExp, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp),
    *(ast.Not, ast.USub, ast.BinOp, ast.Add, *_NUMBERS, ast.Compare, *_COMPARED),
)

Part = str | ast.expr | list["Branch"]
"""Text, a value to insert, or the branches of an `if`."""
Branch = tuple[ast.expr | None, list[Part]]
"""The condition, none for `else`, and what stands there."""

Values = Mapping[str, object]


class ForbiddenError(SyntaxError):
    """What Jinja2 might know, and templates here do not."""


class Template:
    """A text that was read; SyntaxError if it is no template."""

    def __init__(self, text: str) -> None:
        self.names: set[str] = set()
        self._parts: list[Part] = []
        self._read(text)

    def render(self, values: Values) -> str:
        return "".join(_texts(self._parts, values))

    def _read(self, text: str) -> None:
        parts, open_ifs = self._parts, list[tuple[list[Part], list[Branch]]]()
        place, trim = 0, False
        for mark in _MARK.finditer(text):
            kind, trims_before, inside, trims_after, closed = mark.groups()
            before = text[place : mark.start()]
            before = before.lstrip() if trim else before
            parts.append(_plain(before.rstrip() if trims_before else before))
            place, trim = mark.end(), bool(trims_after)
            if closed != _CLOSED[kind]:
                raise SyntaxError(f"{mark[0][:40]!r} is not closed")
            if kind == "{":
                parts.append(self._expression(inside))
            elif kind == "%":
                parts = self._statement(inside, parts, open_ifs)
        if open_ifs:
            raise SyntaxError("`if` without `endif`")
        rest = text[place:]
        parts.append(_plain(rest.lstrip() if trim else rest))

    def _statement(
        self, text: str, parts: list[Part], open_ifs: list[tuple[list[Part], list[Branch]]]
    ) -> list[Part]:
        """Where the text after a statement goes."""
        found = _STATEMENT.fullmatch(text)
        if found is None:
            raise ForbiddenError(f"`{' '.join(text.split()[:1])[:40]}` in a template")
        word, rest = found[1], found[2]
        if word == "if":
            open_ifs.append((parts, []))
            parts.append(open_ifs[-1][1])
        elif not open_ifs:
            raise SyntaxError(f"`{word}` without `if`")
        outside, branches = open_ifs[-1]
        if word in ("else", "endif") and rest.strip():
            raise SyntaxError(f"something after `{word}`")
        if word == "endif":
            open_ifs.pop()
            return outside
        if branches and branches[-1][0] is None:
            raise SyntaxError(f"`{word}` after `else`")
        inside: list[Part] = []
        branches.append((None if word == "else" else self._expression(rest), inside))
        return inside

    def _expression(self, text: str) -> ast.expr:
        tree = ast.parse(text.strip(), mode="eval").body
        for node in ast.walk(tree):
            if not isinstance(node, _ALLOWED):
                raise ForbiddenError(f"{type(node).__name__} in a template")
            if isinstance(node, ast.Name) and node.id not in _CONSTANTS:
                self.names.add(node.id)
            if isinstance(node, ast.Constant):
                _check_constant(node.value)
        return tree


def _check_constant(value: object) -> None:
    if value == math.inf:
        raise ForbiddenError("a number that is too large")
    if value is not None and not isinstance(value, str | int | float):
        raise ForbiddenError(f"a value of type {type(value).__name__} in a template")


def _plain(text: str) -> str:
    for mark in ("{{", "{%", "{#"):
        if mark in text:
            raise SyntaxError(f"`{mark}` is not closed")
    return text


def _texts(parts: list[Part], values: Values) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, ast.expr):
            yield str(_value(part, values))
        else:
            for condition, inside in part:
                if condition is None or _value(condition, values):
                    yield from _texts(inside, values)
                    break


def _value(node: ast.expr, values: Values) -> Any:
    """What an expression says of these values."""
    match node:
        case ast.Constant(value):
            return value
        case ast.Name(name):
            return _CONSTANTS[name] if name in _CONSTANTS else values[name]
        case ast.IfExp(test, body, orelse):
            return _value(body if _value(test, values) else orelse, values)
        case ast.BoolOp(ast.And(), parts):
            return _first(parts, values, wanted=False)
        case ast.BoolOp(_, parts):
            return _first(parts, values, wanted=True)
        case ast.UnaryOp(ast.Not(), operand):
            return not _value(operand, values)
        case ast.UnaryOp(_, operand):
            return -_value(operand, values)
        case ast.BinOp(left, sign, right):
            return _calculated(_value(left, values), sign, _value(right, values))
        case ast.Compare(left, signs, others):
            sides = [_value(side, values) for side in (left, *others)]
            return all(
                _COMPARED[type(sign)](*sides[place : place + 2]) for place, sign in enumerate(signs)
            )
    raise TypeError(type(node).__name__)


def _first(parts: list[ast.expr], values: Values, wanted: bool) -> Any:
    """The value that decides, or the last one."""
    for part in parts:
        value = _value(part, values)
        if bool(value) is wanted:
            break
    return value


def _calculated(left: Any, sign: ast.operator, right: Any) -> Any:
    if isinstance(sign, ast.Add):
        return left + right
    shown, calculate = _NUMBERS[type(sign)]
    # A text that is multiplied could have any length.
    if not all(isinstance(side, int | float) for side in (left, right)):
        raise TypeError(f"{shown!r} is for numbers")
    return calculate(left, right)
