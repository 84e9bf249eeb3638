"""File formats, one module each: its name is the value of `--format` and the suffix of files.

docs/adding-a-format.md describes the interface of a format. Some commands read only the constants
of a format, so its module imports the DIMACS writer inside the function that writes a file.
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
    cnf_only = (
        (formula.header.lazy, "lazy constraints", "use an encoding without `lazy`"),
        (formula.weights, "literal weights", "write CNF"),
        (formula.xor_lines, "XOR lines", "encode parity by clauses, with --set xor=chain"),
    )
    for is_used, feature, remedy in cnf_only:
        if is_used and name != CNF:
            fault = f"the format {name} does not support {feature}"
            raise InputError(fault, remedy, formula.header.spec)
    has_linear = any(section.linear for section in formula.sections)
    if has_linear and formula.native_constraints != load(name).NATIVE_CONSTRAINTS:
        raise InputError(
            f"the format {name} does not support the linear constraints of this formula",
            f"build the formula for the format {name}",
        )


def check_transformable(name: str, location: str) -> None:
    """Raise InputError for a format with native linear constraints, which transforms reject."""
    if load(name).NATIVE_CONSTRAINTS:
        raise InputError(
            f"{name} files have linear constraints, and transforms change clauses only",
            "omit --break-symmetry, --propagate, --three-cnf and --shuffle",
            location,
        )


def format_from_name(filename: str) -> str:
    """Return the format of a file by its suffix, compression aside; '' if unknown."""
    from boardsat.base.compression import split_compression

    stem, _ = split_compression(filename)
    return next((name for name in names() if stem.endswith(f".{name}")), "")
