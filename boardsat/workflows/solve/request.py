"""Request to a solver, and its unchecked answer to a formula."""

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
from boardsat.adapters.solvers.solver import AUTO, RuntimeName
from boardsat.base.dataclass import dataclass
from boardsat.instance.formula_file import PARITY_AS_CLAUSES, FormulaFile

Progress = Callable[[str], AbstractContextManager[object]]
"""Function from a description of the current step to a context manager that displays it."""


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
    """True to have the solver print statistics of its search."""
    output: str | None = None
    """Path to write the solved formula to, with its cuts. None: it is not written."""
    proof_format: ProofFormat | None = None
    """Format of the proof. None: the default of the solver."""
    keep_proof: bool = False
    """True if the user named the path of the proof, so that the refuted formula is stored too."""
    max_boards: int = 1
    """Maximum number of different boards to find."""
    method: str | None = None
    """Method of the generated logic program. None: the default."""


def select_requested_solver(request: SolveRequest) -> tuple[Solver, RuntimeName]:
    """Return the solver and its runtime; raise InputError if they cannot do what is requested."""
    solver = solvers.load(request.solver)
    check_requirements(solver, SolverRequirements(frozenset()))
    runtime = select_runtime(solver, request.runtime)
    check_seed(solver, runtime, request.seed)
    if request.proof:
        check_requirements(solver, _proof_of(frozenset(), request), runtime)
        # A missing checker is an error before the solver runs.
        select_runtime(solvers.find_checker(resolve_proof_format(solver, request)))
    return solver, runtime


def resolve_proof_format(solver: Solver, request: SolveRequest) -> ProofFormat:
    """Return the requested proof format, or the default of the solver."""
    return request.proof_format or solver.proof_formats[0]


def _proof_of(features: frozenset[InputFeature], request: SolveRequest) -> SolverRequirements:
    return SolverRequirements(features, OutputKind.PROOF, request.proof_format)


def select_cnf_solver(request: SolveRequest) -> tuple[Solver, RuntimeName]:
    """Return the solver and its runtime; raise InputError if the solver does not read CNF."""
    solver, runtime = select_requested_solver(request)
    check_requirements(solver, SolverRequirements(frozenset([InputFeature.CLAUSES])))
    return solver, runtime


def solve_unchecked(formula: FormulaFile, request: SolveRequest, cuts: str | None = None) -> Answer:
    """Run a solver on the clauses of a formula and return its unchecked answer.

    Parameters
    ----------
    formula : FormulaFile
        Formula; of a lazy one, only the clauses are read.
    request : SolveRequest
        Solver, runtime, limits, seed and the path of the proof.
    cuts : str, optional
        Path of a file with the lazy constraints, for an incremental solver.

    Raises
    ------
    InputError
        The solver does not support the formula, or cannot write the proof.
    SolverError
        The output of the solver cannot be parsed.
    """
    solver, runtime = select_cnf_solver(request)
    requirements = [SolverRequirements(formula.clause_features)]
    requirements += [_proof_of(formula.clause_features, request)] if request.proof else []
    for requirement in requirements:
        check_requirements(
            solver,
            requirement,
            runtime,
            location="" if formula.generated_here else formula.path,
            alternative=PARITY_AS_CLAUSES,
        )
    proof = None
    if request.proof:
        proof = ProofFile(request.proof, resolve_proof_format(solver, request))
    with rewrite.plain_copy(formula.summary, formula.path, formula.trusted) as path:
        task = Task(
            path,
            request.limits,
            request.seed,
            proof=proof,
            cuts=cuts,
            statistics=request.statistics,
            core=request.core,
        )
        return run_solver.run_solver(solver, runtime, task, formula.variables, request.runtime)
