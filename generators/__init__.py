"""Generators: from specs to clauses to DIMACS files.

Examples
--------
>>> from boardsat.generators import build, describe, find, write
>>> formula = build(find("tour", "unary"), {"n": 8})
>>> formula.variables, formula.clauses
(4055, 127237)
>>> sum(map(len, formula.arrays())) == formula.literals + formula.clauses
True
>>> write(formula, "tour.cnf") > 0
True
>>> comments = describe(find("tour", "unary"), {"n": 400})

`formula.arrays()` yields int32 arrays in which 0 ends each clause. `describe` returns the header
comments, with the board and the parameters, of an instance whose clauses are not needed.
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
    """Import the interface on first use, so that lists and help texts do not wait for NumPy."""
    if name not in __all__:
        raise AttributeError(f"module 'generators' has no attribute {name!r}")
    from boardsat.generators import api

    return getattr(api, name)
