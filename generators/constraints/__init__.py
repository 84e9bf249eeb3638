"""Constraint families, one file each: its name is the key that a spec writes.

docs/adding-a-family.md tells what a file offers; those with a leading underscore are what several
families share. Specs are read by commands that need no numpy, so a family imports what makes
clauses only where it makes them.
"""

from __future__ import annotations

from boardsat.base.registry import Registry

_registry = Registry(__name__, "constraint type")
names, load = _registry.names, _registry.load
