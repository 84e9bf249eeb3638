"""Specs to clauses to DIMACS. The Python interface:

from generators import build, find, write

formula = build(find("tour", "unary"), {"n": "8"})
formula.variables, formula.clauses, formula.literals
for tokens in formula.arrays():   # int32 arrays, each clause ended by 0
    ...
write(formula, "tour.cnf")
"""

from generators.api import build, find, load, parse, size, transform, write
from generators.errors import InputError
from generators.formula import Formula
from generators.spec import Spec

__all__ = [
    "Formula",
    "InputError",
    "Spec",
    "build",
    "find",
    "load",
    "parse",
    "size",
    "transform",
    "write",
]
