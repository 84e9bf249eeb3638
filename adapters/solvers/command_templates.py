"""The command lines in solver files: templates that only insert values, and so always end.

A file from elsewhere is data. Jinja2 is a language with loops, macros and text that can be
multiplied, so of it only what a command line needs is allowed: inserting, `if`, comparing, and
numbers. What is left takes no longer than its length.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from boardsat.adapters.counters import DEFAULT_DELTA, DEFAULT_EPSILON
from boardsat.base.errors import InputError

MAX_TEMPLATE_LENGTH = 4000
"""Characters of a template."""

SAMPLE_VARIABLES: Mapping[str, object] = {
    "program": "program",
    "library": "library",
    "file": "formula.cnf",
    "proof": None,
    "kind": None,
    "seed": None,
    "seconds": 60,
    "count": False,
    "epsilon": DEFAULT_EPSILON,
    "delta": DEFAULT_DELTA,
    "models": 1,
    "samples": 1,
    "heuristic": None,
    "cuts": "cuts.json",
    "statistics": False,
}
"""All words that templates know, as they are when little is asked for."""

_ALSO: Mapping[str, object] = {
    "seed": 1,
    "count": True,
    "proof": "proof",
    "kind": "drat",
    "heuristic": "vsids",
    "statistics": True,
}
"""The same when everything is."""

_ALLOWED = frozenset((
    "Template", "Output", "TemplateData", "Name", "Const", "If", "CondExpr", "Test", "Compare",
    "Operand", "Not", "And", "Or", "Neg", "Add", "Sub", "Mul", "Div", "FloorDiv", "Concat",
))  # fmt: skip

_PLAIN = re.compile(r"[A-Za-z0-9 @%_+=:,./-]*")
"""A line without quotes and the like."""

_FAULTS = (ArithmeticError, LookupError, MemoryError, RecursionError, SyntaxError, TypeError)


def render(text: str, words: Mapping[str, object]) -> tuple[str, ...]:
    """The words of a command line; a word that is inserted stays one."""
    with _one_line():
        quoted = {k: shlex.quote(v) if isinstance(v, str) else v for k, v in words.items()}
        line = _compiled(text).render(quoted)
        if "\0" in line:
            raise ValueError("a zero byte, which no command line can have")
        # By itself it looks at each character, at every run.
        return tuple(line.split() if _PLAIN.fullmatch(line) else shlex.split(line))


# A campaign asks before each of its runs.
@cache
def variable_names(text: str) -> frozenset[str]:
    """The words that a template uses."""
    nodes = _nodes(_environment().parse(text))
    return frozenset(node.name for node in nodes if type(node).__name__ == "Name")


def check_template(text: str) -> tuple[str, ...]:
    """What a template gives for a sample; an error in one line if it gives nothing."""
    if len(text) > MAX_TEMPLATE_LENGTH:
        raise InputError(
            f"{len(text):,} characters", f"at most {MAX_TEMPLATE_LENGTH:,} is the limit"
        )
    with _one_line():
        nodes = list(_nodes(_environment().parse(text)))
    if other := {type(node).__name__ for node in nodes} - _ALLOWED:
        raise InputError(f"{min(other)} in a template", "only insert values and use `if`")
    if any(getattr(node, "value", 0) in (math.inf, -math.inf) for node in nodes):
        raise InputError("a number that is too large", "write a smaller one")
    # Jinja2 gives some names to every template.
    if strange := variable_names(text) - SAMPLE_VARIABLES.keys():
        raise InputError(f"a broken template: {min(strange)!r} is undefined", _words())
    for words in ({**SAMPLE_VARIABLES, **_ALSO}, SAMPLE_VARIABLES):
        line = render(text, words)
        _check_quotes(text, words)
    if not line:
        raise InputError("an empty command line", _words())
    return line


def _check_quotes(text: str, words: Mapping[str, object]) -> None:
    """Raise InputError if a value is inserted inside quotes, where it can become several words."""
    texts = [key for key, word in words.items() if isinstance(word, str)]
    plain = {key: f"_word_{key}_" for key in texts}
    odd = {key: f"a '{key}\" b" for key in texts}
    expected = render(text, {**words, **plain})
    for key in texts:
        expected = tuple(word.replace(plain[key], odd[key]) for word in expected)
    if render(text, {**words, **odd}) != expected:
        raise InputError("a value inside quotes", "leave the quotes out: it stays one word")


@contextmanager
def _one_line() -> Iterator[None]:
    from jinja2 import TemplateError

    try:
        yield
    except (TemplateError, ValueError, *_FAULTS) as error:
        raise InputError(f"a broken template: {str(error)[:200]}", _words()) from None


def _words() -> str:
    return f"the words are: {', '.join(SAMPLE_VARIABLES)}"


@cache
def _environment() -> Any:
    from jinja2 import StrictUndefined
    from jinja2.exceptions import SecurityError
    from jinja2.sandbox import SandboxedEnvironment

    class Numbers(SandboxedEnvironment):
        """Texts are not multiplied, not even while a template is compiled."""

        intercepted_binops = frozenset(["*", "+", "-", "/", "//"])

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            if operator == "+" or all(isinstance(side, int | float) for side in (left, right)):
                return super().call_binop(context, operator, left, right)
            raise SecurityError(f"{operator!r} is for numbers")

    environment = Numbers(undefined=StrictUndefined, autoescape=False)
    environment.globals.clear()
    return environment


@cache
def _compiled(text: str) -> Any:
    return _environment().from_string(text)


def _nodes(node: Any) -> Iterator[Any]:
    yield node
    for child in node.iter_child_nodes():
        yield from _nodes(child)
