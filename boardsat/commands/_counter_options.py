"""Options of a count that a counter could only ignore are refused, before anything is counted."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from boardsat.commands import _instance
from generators.errors import InputError

if TYPE_CHECKING:
    from adapters.solver_files import Solver


def refuse(options: argparse.Namespace) -> None:
    """Where a counter is named: an option that is not given is None."""
    from boardsat.counting import counter

    if options.counter is None:
        return
    solver = counter(options.counter)
    if "count" in solver.can and not _is_estimate(options.referee):
        for name in ("epsilon", "delta"):
            if getattr(options, name) is not None:
                raise InputError(f"{solver.name} counts exactly", "leave it out", f"--{name}")
    if options.seed is not None and not _takes_seed(solver, options.runtime):
        raise InputError(f"{solver.name} takes no seed", "leave it out", "--seed")
    if (options.repeat or 1) > 1 and not _takes_seed(solver, options.runtime):
        raise InputError(
            f"{solver.name} takes no seed, and would count the same again",
            "leave it out",
            "--repeat",
        )
    if solver.reads == "board":
        named = argparse.Namespace(**{**vars(options), "solver": solver.name})
        _instance.refuse_formula_options(named)
        if options.any_projection:
            raise InputError(f"{solver.name} reads no formula", "leave it out", "--any-projection")


def _is_estimate(referee: str | None) -> bool:
    from adapters import solver_files

    return referee in solver_files.names() and "estimate" in solver_files.load(referee).can


def _takes_seed(solver: Solver, runtime: str) -> bool:
    from adapters.runtimes import choose

    return solver.takes_seed(choose(solver, runtime))
