"""Formula formats other than CNF: one module each, named after its file extension.

A module defines two constants and two functions::

    HAS_LINEAR_CONSTRAINTS, HAS_OBJECTIVE
        True if files may have linear constraints besides clauses, and an objective.
    read(path, name=None) -> LinearFormula
        Parse a whole file. `name` replaces the path in errors. Raise DimacsError (with the line)
        at the first fault.
    text(formula) -> Iterator[bytes]
        Yield the formula as every solver reads it: without comments, one constraint on a line.
"""

from __future__ import annotations

from boardsat.base.compression import split_compression
from boardsat.base.registry import Registry

_registry = Registry(__name__, "format")
names, load = _registry.names, _registry.load


def format_from_name(path: str) -> str:
    """Return the format of a file by its extension; empty for other formats."""
    path, _ = split_compression(path)
    return next((name for name in names() if path.endswith(f".{name}")), "")
