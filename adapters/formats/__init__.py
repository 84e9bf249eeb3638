"""Formats beside CNF, one file each, named like their ending: linear constraints, an objective.

A file has `read`, text to constraints, and `text`, back to what every solver reads alike.
"""

from __future__ import annotations

from boardsat.base.registry import Registry

PACKED = (".gz", ".xz", ".zst")
"""Endings of files that are compressed."""

_registry = Registry(__name__, "format")
names, load = _registry.names, _registry.load


def ending_of(path: str) -> str:
    """The format of a file by its name; empty for one that is none of these."""
    for packed in PACKED:
        path = path.removesuffix(packed)
    return next((name for name in names() if path.endswith(f".{name}")), "")
