"""File formats, one module each: its name is the value of `--format` and the suffix of files.

docs/formats.md describes the interface of a format. Commands read its constants without writing a
file, so a format imports the writer of DIMACS only where it writes.
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


def check_format(formula: Formula, name: str) -> None:
    """Raise InputError if the format cannot express the formula."""
    lacking = f"which a file of format {name} does not have"
    no_cuts = f"lazy: its cuts are found while solving, so it has no file of format {name}"
    cnf_only = (
        (formula.header.lazy, no_cuts, "use another encoding"),
        (formula.weights, f"weights for counting, {lacking}", "write CNF"),
        (formula.xor_lines, f"xor lines, {lacking}", "leave --set xor=native out"),
    )
    for is_used, fault, remedy in cnf_only:
        if is_used and name != CNF:
            raise InputError(fault, remedy, formula.header.spec)
    has_linear = any(section.sums for section in formula.sections)
    if has_linear and formula.native_constraints != load(name).NATIVE_CONSTRAINTS:
        raise InputError(f"sums that are not encoded, in a file of format {name}", "build it again")


def check_transformable(name: str, place: str) -> None:
    """Raise InputError for a format whose linear constraints transforms cannot change."""
    if load(name).NATIVE_CONSTRAINTS:
        raise InputError(
            f"{name} has sums, and only clauses can be changed",
            "leave --break-symmetry, --propagate, --three-cnf and --shuffle out",
            place,
        )


def ending_of(target: str) -> str:
    """Return the format that the suffix of a file name means; '' if it means none."""
    from boardsat.base.compression import split_compression

    target, _ = split_compression(target)
    return next((name for name in names() if target.endswith(f".{name}")), "")
