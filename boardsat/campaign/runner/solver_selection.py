"""Select the solvers to run: each with its runtime, its version and a hash of its configuration."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from boardsat.adapters import solvers
from boardsat.adapters.runtimes import load_runtime, select_runtime
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.requirements import OutputKind, supported_outputs
from boardsat.adapters.solvers.solver import AUTO, Capability, RuntimeName
from boardsat.base.errors import BoardsatError, InputError
from boardsat.campaign.runner.records import SolverIdentity
from boardsat.generators.option_values import split

ALL = "all"


@dataclass(frozen=True)
class SolverConfig:
    """Solver on the runtime where it runs."""

    identity: SolverIdentity
    solver: Solver
    proves: bool
    """True if the solver can write proofs, and a checker of proofs can run here."""

    def seed(self, seed: int | None) -> int | None:
        """Return the seed if the solver takes one. None otherwise."""
        return seed if self.solver.takes_seed(RuntimeName(self.identity.runtime)) else None


@dataclass(frozen=True)
class Skipped:
    """Solver that cannot run here, and the reason."""

    name: str
    reason: str


def select_solvers(
    names: str, runtime_name: str = AUTO
) -> tuple[list[SolverConfig], list[Skipped]]:
    """Select solvers and their runtimes.

    Parameters
    ----------
    names : str
        Names of solvers, separated by commas, or `all`.
    runtime_name : str
        Runtime for all solvers. Default: the first available one of each.

    Returns
    -------
    configs : list of SolverConfig
        Selected solvers.
    skipped : list of Skipped
        Solvers that cannot run here. Empty unless `names` is `all`.

    Raises
    ------
    BoardsatError
        A named solver cannot run here, or no solver can.
    """
    checker = can_check_proofs()
    configs: list[SolverConfig] = []
    skipped: list[Skipped] = []
    for name in solvers.names() if names == ALL else split(names, "--solvers"):
        solver = solvers.load(name)
        if not solver.capabilities & {Capability.DECIDE, Capability.COUNT, Capability.ESTIMATE}:
            if names != ALL:
                fault = f"a solver must decide or count (got {name})"
                raise InputError(fault, "`boardsat solvers` lists others", "--solvers")
            continue
        try:
            configs.append(select_solver(name, runtime_name, checker))
        except BoardsatError as error:
            if names != ALL:
                raise
            skipped.append(Skipped(name, str(error)))
    if not configs:
        raise InputError("no solver can run here", "build the images with `boardsat images`")
    return configs, skipped


def can_check_proofs() -> bool:
    """Return whether the proof checker can run here."""
    try:
        return bool(select_runtime(solvers.load("drat-trim")))
    except BoardsatError:
        return False


def select_solver(name: str, requested_runtime: str, checker: bool) -> SolverConfig:
    """Select a solver on the requested runtime; `checker` is True if a proof checker can run."""
    solver = solvers.load(name)
    runtime_name = select_runtime(solver, requested_runtime)
    image = None
    if runtime_name is RuntimeName.DOCKER:
        from boardsat.adapters.runtimes.container import image_digest

        image = image_digest(solver)
    text = repr(replace(solver, capabilities=frozenset(), problems=frozenset()))
    setup = hashlib.sha256(f"{text} {image or ''}".strip().encode()).hexdigest()
    proves = checker and OutputKind.PROOF in supported_outputs(solver, runtime_name)
    version = load_runtime(runtime_name).version(solver)
    return SolverConfig(SolverIdentity(name, runtime_name, version, setup, image), solver, proves)
