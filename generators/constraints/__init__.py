"""Constraint types, one module each: its name is the key in specs.

docs/adding-a-constraint-type.md describes the interface of a module; modules with a leading
underscore are shared by several constraint types. Specs are read by commands that do not import
NumPy, so a constraint type imports what makes clauses only in the function that makes them.
"""

from __future__ import annotations

from boardsat.base.registry import Registry

_registry = Registry(__name__, "constraint type")
names, load = _registry.names, _registry.load
