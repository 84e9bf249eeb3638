"""Command-line templates of solver files: a subset of Jinja2 that always terminates.

A solver file may come from anybody. Jinja2 is a language with loops, macros and repetition of text,
so only what a command line needs is allowed: inserting values, `if`, comparisons and numbers. Such
a template is rendered in time proportional to its length.

A template that only inserts variables is rendered without Jinja2, whose import takes longer than a
small solve.
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
"""Maximum number of characters of a template."""

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
"""All variables of templates, with values of a run that requests no options."""

_OPTIONS: Mapping[str, object] = {
    "seed": 1,
    "count": True,
    "proof": "proof",
    "kind": "drat",
    "heuristic": "vsids",
    "statistics": True,
}
"""Variables with values of a run that requests all options."""

_ALLOWED_NODES = frozenset((
    "Template", "Output", "TemplateData", "Name", "Const", "If", "CondExpr", "Test", "Compare",
    "Operand", "Not", "And", "Or", "Neg", "Add", "Sub", "Mul", "Div", "FloorDiv", "Concat",
))  # fmt: skip
"""Classes of Jinja2 syntax nodes that a template may contain."""

_VARIABLE = re.compile(r"\{\{ *(\w+) *\}\}")

_UNQUOTED = re.compile(r"[A-Za-z0-9 @%_+=:,./-]*")
"""Command line without quotes and other special characters of a shell."""

_RENDER_ERRORS = (
    ArithmeticError
    | LookupError
    | MemoryError
    | RecursionError
    | SyntaxError
    | TypeError
    | ValueError
)


def render(template: str, variables: Mapping[str, object]) -> tuple[str, ...]:
    """Return the arguments of a command line; an inserted text stays within one argument."""
    with _translated_errors():
        quoted = {
            name: shlex.quote(inserted) if isinstance(inserted, str) else inserted
            for name, inserted in variables.items()
        }
        if _only_inserts(template):
            line = _VARIABLE.sub(lambda match: _text(quoted[match[1]]), template)
        else:
            line = _compile(template).render(quoted)
        if "\0" in line:
            raise ValueError("a command line cannot have a zero byte")
        # shlex examines each character, at every run.
        return tuple(line.split() if _UNQUOTED.fullmatch(line) else shlex.split(line))


# A campaign calls this before each of its runs.
@cache
def variable_names(template: str) -> frozenset[str]:
    """Return the names of the variables that a template uses."""
    if _only_inserts(template):
        return frozenset(_VARIABLE.findall(template))
    nodes = _nodes(_environment().parse(template))
    return frozenset(node.name for node in nodes if type(node).__name__ == "Name")


def _only_inserts(template: str) -> bool:
    """Return True if a template has variables and unquoted text only."""
    return bool(_UNQUOTED.fullmatch(_VARIABLE.sub("", template)))


def _text(inserted: object) -> str:
    """Return an inserted value as text; empty if the variable is not set."""
    return "" if inserted is None else str(inserted)


def check_template(template: str) -> tuple[str, ...]:
    """Check a template; return its arguments, rendered with sample values.

    Raise InputError if the template is too long, uses unknown variables or syntax that is not
    allowed, or inserts a value inside quotes, or if the arguments are empty.
    """
    if len(template) > MAX_TEMPLATE_LENGTH:
        raise InputError(
            f"the template has {len(template):,} characters", f"at most {MAX_TEMPLATE_LENGTH:,}"
        )
    if not _only_inserts(template):
        _check_syntax(template)
    # Jinja2 gives some names to every template.
    if unknown := variable_names(template) - SAMPLE_VARIABLES.keys():
        raise InputError(f"the template has no variable {min(unknown)!r}", _variables_hint())
    for variables in ({**SAMPLE_VARIABLES, **_OPTIONS}, SAMPLE_VARIABLES):
        arguments = render(template, variables)
        _check_quotes(template, variables)
    if not arguments:
        raise InputError("the command line is empty", _variables_hint())
    return arguments


def _check_syntax(template: str) -> None:
    """Raise InputError if a template uses syntax that is not allowed."""
    with _translated_errors():
        nodes = list(_nodes(_environment().parse(template)))
    if excluded := {type(node).__name__ for node in nodes} - _ALLOWED_NODES:
        fault = f"a template may not use {min(excluded)}"
        raise InputError(fault, "only insert values and use `if`")
    if any(getattr(node, "value", 0) in (math.inf, -math.inf) for node in nodes):
        raise InputError("a number in the template is too large", "write a smaller one")


def _check_quotes(template: str, variables: Mapping[str, object]) -> None:
    """Raise InputError if a value is inserted inside quotes, where it can become several words."""
    names = [name for name, inserted in variables.items() if isinstance(inserted, str)]
    plain = {name: f"_text_{name}_" for name in names}
    special = {name: f"a '{name}\" b" for name in names}
    expected = render(template, {**variables, **plain})
    for name in names:
        expected = tuple(argument.replace(plain[name], special[name]) for argument in expected)
    if render(template, {**variables, **special}) != expected:
        raise InputError(
            "a value is inserted inside quotes", "remove the quotes: it stays one argument"
        )


@contextmanager
def _translated_errors() -> Iterator[None]:
    """Re-raise errors of Jinja2 and of the template's arithmetic as InputError, in one line."""
    try:
        yield
    except Exception as error:
        from jinja2 import TemplateError

        if not isinstance(error, TemplateError | _RENDER_ERRORS):
            raise
        fault = f"the template is invalid: {str(error)[:200]}"
        raise InputError(fault, _variables_hint()) from None


def _variables_hint() -> str:
    return f"the variables are: {', '.join(SAMPLE_VARIABLES)}"


@cache
def _environment() -> Any:
    from jinja2 import StrictUndefined
    from jinja2.exceptions import SecurityError
    from jinja2.sandbox import SandboxedEnvironment

    class NumericEnvironment(SandboxedEnvironment):
        """Sandbox in which texts are not multiplied, not even while a template is compiled."""

        intercepted_binops = frozenset(["*", "+", "-", "/", "//"])

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            if operator == "+" or all(isinstance(side, int | float) for side in (left, right)):
                return super().call_binop(context, operator, left, right)
            raise SecurityError(f"{operator!r} is for numbers")

    environment = NumericEnvironment(undefined=StrictUndefined, finalize=_text)
    environment.globals.clear()
    return environment


@cache
def _compile(template: str) -> Any:
    return _environment().from_string(template)


def _nodes(node: Any) -> Iterator[Any]:
    """Yield a syntax node and all nodes below it."""
    yield node
    for child in node.iter_child_nodes():
        yield from _nodes(child)
