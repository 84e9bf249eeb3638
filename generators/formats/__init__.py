"""Formats of files, one file each: its name is what `--format` takes, and the ending of its files.

docs/formats.md tells what a file offers. Commands list them in their help, so a format
imports what writes it only where it writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardsat.base.errors import InputError
from boardsat.base.registry import Registry

if TYPE_CHECKING:
    from boardsat.generators.formula import Formula

CNF, WCNF = "cnf", "wcnf"

_registry = Registry(__name__, "format")
names, load = _registry.names, _registry.load


def refuse_unfit(formula: Formula, name: str) -> None:
    """What a format does not carry: cuts are for those who read CNF, sums for those who add."""
    if formula.header.lazy and name != CNF:
        raise InputError(
            f"lazy: its cuts are found while solving, so it has no file of format {name}",
            "use another encoding",
            formula.header.spec,
        )
    if formula.weights and name != CNF:
        raise InputError(
            f"weights for counting, which a file of format {name} does not have",
            "write CNF",
            formula.header.spec,
        )
    if formula.xor_lines and name != CNF:
        raise InputError(
            f"xor lines, which a file of format {name} does not have",
            "leave --set xor=native out",
            formula.header.spec,
        )
    kept = any(section.sums for section in formula.sections)
    if kept and formula.keeps != load(name).KEEPS:
        raise InputError(f"sums that are not encoded, in a file of format {name}", "build it again")


def refuse_changes(name: str, place: str) -> None:
    """What is done to a formula is done to its clauses."""
    if load(name).KEEPS:
        raise InputError(
            f"{name} has sums, and only clauses can be changed",
            "leave --symmetry, --propagate, --three-cnf and --shuffle out",
            place,
        )


def ending_of(target: str) -> str:
    """The format that the name of a file tells; empty where it tells none."""
    from boardsat.base.compression import split_compression

    target, _ = split_compression(target)
    return next((name for name in names() if target.endswith(f".{name}")), "")
