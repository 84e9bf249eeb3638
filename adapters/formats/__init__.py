"""Formats beside CNF, one file each, named like their ending: linear constraints, an objective.

A file has `read`, text to constraints, and `text`, back to what every solver reads alike.
"""

from __future__ import annotations

from boardsat.base.compression import split_compression
from boardsat.base.registry import Registry

_registry = Registry(__name__, "format")
names, load = _registry.names, _registry.load


def format_from_name(path: str) -> str:
    """The format of a file by its name; empty for one that is none of these."""
    path, _ = split_compression(path)
    return next((name for name in names() if path.endswith(f".{name}")), "")
