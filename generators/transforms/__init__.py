"""Transforms of formulas: symmetry breaking, propagation, splitting to 3-CNF and shuffling.

They are always applied in this order. Symmetries are found in the clauses as the spec generates
them, so symmetry breaking comes first. Propagation shortens clauses, so it comes before splitting.
Shuffling comes last, so that variables and clauses of the others are shuffled too.
"""

from __future__ import annotations

import importlib
from typing import Any

from boardsat.generators.blocks import xor_lines_error
from boardsat.generators.formula import Formula


def apply(
    formula: Formula,
    propagate: bool = False,
    three_cnf: str | None = None,
    shuffle: int | None = None,
    symmetry: bool = False,
) -> Formula:
    """Return the formula after the requested transforms; only their modules are imported."""
    requested: dict[str, tuple[Any, ...] | None] = {
        "symmetry": () if symmetry else None,
        "propagate": () if propagate else None,
        "three_cnf": None if three_cnf is None else (three_cnf,),
        "shuffle": None if shuffle is None else (shuffle,),
    }
    for name, arguments in requested.items():
        if arguments is not None:
            if formula.xor_lines:
                raise xor_lines_error("transforms change clauses alone")
            module = importlib.import_module(f"{__name__}.{name}")
            formula = module.transform(formula, *arguments)
    return formula


def name_suffix(
    propagate: bool = False,
    three_cnf: str | None = None,
    shuffle: int | None = None,
    symmetry: bool = False,
    projection: str | None = None,
) -> str:
    """Return the end of a file's stem that distinguishes transformed files of one instance.

    Each transform adds a part, in the order of `apply`, and so does a projection that is set by the
    user: `-three-auto-shuffle7`. Empty if the formula is written as the spec defines it.
    """
    suffixes = [
        "symmetry" if symmetry else "",
        "propagated" if propagate else "",
        f"three-{three_cnf}" if three_cnf is not None else "",
        f"shuffle{shuffle}" if shuffle is not None else "",
        f"projection_{projection}" if projection is not None else "",
    ]
    return "".join(f"-{suffix}" for suffix in suffixes if suffix)
