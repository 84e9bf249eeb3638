"""Solvers: YAML files of this folder, found by their names, or solver files of the user."""

from __future__ import annotations

from pathlib import Path

from boardsat.adapters.proofs import ProofFormat
from boardsat.adapters.solvers.solver import Capability, Solver
from boardsat.base.errors import InputError

__all__ = ["Solver", "find_checker", "load", "names"]

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Return the names of all solvers of the folder."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def load(name: str) -> Solver:
    """Return a solver.

    Parameters
    ----------
    name : str
        Name of a file of this folder without its extension, or path of a solver file (.yaml).

    Raises
    ------
    InputError
        There is no solver of this name, or the file is invalid.
    """
    from boardsat.adapters.solvers.solver_file import read_solver

    if name.endswith(".yaml"):
        return read_solver(Path(name), name)
    # Without listing the folder: a campaign loads the solver of each of its runs.
    path = FOLDER / f"{name}.yaml"
    if path.parent != FOLDER or "\0" in name or not path.is_file():
        from boardsat.base.text import suggest

        raise InputError(f"no solver {name!r}", suggest(name, names()))
    return read_solver(path, f"adapters/solvers/{name}.yaml", check=False)


def find_checker(proof_format: ProofFormat) -> Solver:
    """Return the first proof checker of a format; raise InputError if no solver checks it."""
    for name in names():
        solver = load(name)
        if Capability.CHECK in solver.capabilities and proof_format in solver.proof_formats:
            return solver
    raise InputError(f"there is no proof checker for {proof_format.label}")
