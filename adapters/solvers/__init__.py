"""Solvers: each is data in one YAML file of this folder, found by its name, or a file anywhere."""

from __future__ import annotations

from pathlib import Path

from boardsat.adapters.proofs import ProofFormat
from boardsat.adapters.solvers.solver import Capability, Solver
from boardsat.base.errors import InputError

__all__ = ["Solver", "checker_of", "load", "names"]

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Return the names of all solvers of the folder."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def load(name: str) -> Solver:
    """Return a solver by its name, or by the path of a YAML file; raise InputError if invalid."""
    from boardsat.adapters.solvers.solver_file import read_solver

    if name.endswith(".yaml"):
        return read_solver(Path(name), name)
    # Not by the list of all: a campaign loads the solver of each of its runs.
    path = FOLDER / f"{name}.yaml"
    if path.parent != FOLDER or "\0" in name or not path.is_file():
        from boardsat.base.text import suggest

        raise InputError(f"no solver {name!r}", suggest(name, names()))
    return read_solver(path, f"adapters/solvers/{name}.yaml")


def checker_of(proof_format: ProofFormat) -> Solver:
    """Return the proof checker of a format: the first whose file names the format."""
    for name in names():
        solver = load(name)
        if Capability.CHECK in solver.capabilities and proof_format in solver.proof_formats:
            return solver
    raise InputError(f"nothing here checks {proof_format.label}", "write another kind of proof")
