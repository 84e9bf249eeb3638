"""Specs to clauses to DIMACS. The Python interface:

from boardsat.generators import build, describe, find, write

formula = build(find("tour", "unary"), {"n": 8})
formula.variables, formula.clauses, formula.literals
for tokens in formula.arrays():   # int32 arrays, each clause ended by 0
    ...
write(formula, "tour.cnf")
describe(find("tour", "unary"), {"n": 400})   # the board and its parameters alone
"""

from typing import TYPE_CHECKING, Any

from boardsat.base.errors import InputError

if TYPE_CHECKING:
    from boardsat.generators.api import (
        Formula,
        Spec,
        build,
        build_grouped,
        describe,
        describe_counted,
        digest,
        find,
        load,
        parse,
        program,
        select_default_encoding,
        size,
        size_for_format,
        stem,
        transform,
        write,
    )

__all__ = [
    "Formula",
    "InputError",
    "Spec",
    "build",
    "build_grouped",
    "describe",
    "describe_counted",
    "digest",
    "find",
    "load",
    "parse",
    "program",
    "select_default_encoding",
    "size",
    "size_for_format",
    "stem",
    "transform",
    "write",
]


def __getattr__(name: str) -> Any:
    """Import NumPy only when something is built: a list or a help text must not wait for it."""
    if name not in __all__:
        raise AttributeError(f"module 'generators' has no attribute {name!r}")
    from boardsat.generators import api

    return getattr(api, name)
