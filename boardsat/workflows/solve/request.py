"""Request to a solver, and its answer to a formula before any check."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import field

from boardsat.adapters import run_solver, solvers
from boardsat.adapters.answer import Answer
from boardsat.adapters.dimacs import rewrite
from boardsat.adapters.proofs import ProofFile, ProofFormat
from boardsat.adapters.runtimes import Limits, Task, check_seed, select_runtime
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.requirements import (
    InputFeature,
    OutputKind,
    SolverRequirements,
    check_requirements,
)
from boardsat.adapters.solvers.solver import (
    AUTO,
    RuntimeName,
)
from boardsat.base.dataclass import dataclass
from boardsat.instance.formula_file import PARITY_AS_CLAUSES, FormulaFile

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
    check_requirements(solver, SolverRequirements(frozenset()))
    where = select_runtime(solver, request.runtime)
    check_seed(solver, where, request.seed)
    if request.proof:
        check_requirements(solver, _proof_of(frozenset(), request), where)
        # A missing checker is an error before the work.
        select_runtime(solvers.find_checker(resolve_proof_format(solver, request)))
    return solver, where


def resolve_proof_format(solver: Solver, request: SolveRequest) -> ProofFormat:
    """Return the requested proof format, or the default one of the solver."""
    return request.proof_format or solver.proof_formats[0]


def _proof_of(features: frozenset[InputFeature], request: SolveRequest) -> SolverRequirements:
    return SolverRequirements(features, OutputKind.PROOF, request.proof_format)


def select_cnf_solver(request: SolveRequest) -> tuple[Solver, RuntimeName]:
    """Return the solver and its runtime; raise InputError if the solver does not read CNF."""
    solver, where = select_requested_solver(request)
    check_requirements(solver, SolverRequirements(frozenset([InputFeature.CLAUSES])))
    return solver, where


def solve_unchecked(problem: FormulaFile, request: SolveRequest, cuts: str | None = None) -> Answer:
    """Run a solver on the clauses of a formula, and return its answer, which is not checked.

    `cuts` is the file with the lazy constraints for an incremental solver.
    """
    solver, where = select_cnf_solver(request)
    wanted = [SolverRequirements(problem.clause_features)]
    wanted += [_proof_of(problem.clause_features, request)] if request.proof else []
    for requirements in wanted:
        check_requirements(
            solver,
            requirements,
            where,
            location="" if problem.generated_here else problem.path,
            alternative=PARITY_AS_CLAUSES,
        )
    proof = None
    if request.proof:
        proof = ProofFile(request.proof, resolve_proof_format(solver, request))
    with rewrite.plain_copy(problem.summary, problem.path, problem.trusted) as plain:
        task = Task(
            plain,
            request.limits,
            request.seed,
            proof=proof,
            cuts=cuts,
            statistics=request.statistics,
            core=request.core,
        )
        return run_solver.run_solver(solver, where, task, problem.variables, request.runtime)
