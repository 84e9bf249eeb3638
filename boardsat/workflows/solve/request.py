"""Request to a solver, and its answer to a formula before any check."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from boardsat.adapters import run_solver, solvers
from boardsat.adapters.answer import Answer
from boardsat.adapters.dimacs import rewrite
from boardsat.adapters.proofs import ProofFormat
from boardsat.adapters.runtimes import Limits, Task, check_seed, choose
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.capabilities import (
    AUTO,
    Capability,
    InputFormat,
    RuntimeName,
)
from boardsat.base.errors import InputError
from boardsat.instance.formula_file import FormulaFile

Progress = Callable[[str], AbstractContextManager[object]]
"""Function that returns a context manager, which displays the current step."""


@dataclass(frozen=True)
class SolveRequest:
    """Options of a solver run: solver, runtime, limits, seed, proof and output."""

    solver: str
    """Name of the solver, or path of its YAML file."""
    runtime: str = AUTO
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    proof: str | None = None
    """Path of the proof of an UNSATISFIABLE answer, which is then checked. None: no proof."""
    core: int | None = None
    """Processor core to run on. None: any."""
    statistics: bool = False
    """Whether the solver prints statistics of its search."""
    output: str | None = None
    """Path for the formula that was decided in the end. None: it is not written."""
    proof_format: ProofFormat | None = None
    """Format of the proof. None: the default of the solver."""
    keep_proof: bool = False
    """Whether the user keeps the proof, so that its formula is kept too."""


def select_requested_solver(request: SolveRequest) -> tuple[Solver, RuntimeName]:
    """Return the solver and its runtime; raise InputError if they cannot do what is requested."""
    solver = solvers.load(request.solver)
    if Capability.DECIDE not in solver.capabilities:
        raise InputError(f"{solver.name} does not decide formulas", "choose another solver")
    where = choose(solver, request.runtime)
    check_seed(solver, where, request.seed)
    if request.proof:
        if Capability.PROVE not in solver.capabilities or where is RuntimeName.EMBEDDED:
            raise InputError(
                f"{solver.name} ({where}) writes no proofs",
                "cadical and kissat do, as programs or images: see `boardsat solvers`",
            )
        # A missing checker is an error before the work.
        choose(solvers.checker_of(resolve_proof_format(solver, request)))
    return solver, where


def resolve_proof_format(solver: Solver, request: SolveRequest) -> ProofFormat:
    """Return the requested or default proof format; raise InputError if it is not supported."""
    kind = request.proof_format or solver.proof_formats[0]
    if kind not in solver.proof_formats:
        raise InputError(
            f"{solver.name} writes no proofs in {kind.label}",
            f"it writes: {', '.join(solver.proof_formats)}",
        )
    return kind


def select_cnf_solver(request: SolveRequest) -> tuple[Solver, RuntimeName]:
    """Return the solver and its runtime; raise InputError if the solver does not read CNF."""
    solver, where = select_requested_solver(request)
    if solver.input_format is not InputFormat.CNF:
        raise InputError(f"{solver.name} reads no formulas", "choose another solver")
    return solver, where


def solve_unchecked(problem: FormulaFile, request: SolveRequest, cuts: str | None = None) -> Answer:
    """Run a solver on the clauses of a formula, and return its answer, which is not checked.

    `cuts` is the file with the lazy constraints for an incremental solver.
    """
    solver, where = select_cnf_solver(request)
    if Capability.XOR not in solver.capabilities:
        problem.require_no_xor_lines(f"{solver.name} does not read", decides=True)
    if request.proof:
        problem.require_no_xor_lines("proofs are not about")
    with rewrite.plain_copy(problem.summary, problem.path, problem.trusted) as plain:
        task = Task(
            plain,
            request.limits,
            request.seed,
            writes_proof=request.proof,
            proof_kind=resolve_proof_format(solver, request) if request.proof else None,
            cuts=cuts,
            statistics=request.statistics,
            core=request.core,
        )
        return run_solver.run_solver(solver, where, task, problem.variables, request.runtime)
