"""One run of one solver on a formula, and its answer before any check."""

from __future__ import annotations

from dataclasses import dataclass, field

from boardsat import clock
from boardsat.adapters import solvers
from boardsat.adapters.answer import Answer
from boardsat.adapters.dimacs import copies
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


@dataclass(frozen=True)
class SolveRequest:
    """How to solve."""

    solver: str
    runtime: str = AUTO
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    proof: str | None = None
    """Where to write the proof of an UNSAT answer, which is then checked."""
    core: int | None = None
    """The processor core to run on; None for any one."""
    statistics: bool = False
    """Whether the solver is to tell about its search."""
    output: str | None = None
    """Where to write the formula that was decided in the end."""
    proof_format: ProofFormat | None = None
    """The kind of proof; None for the one that the solver usually writes."""
    keep_proof: bool = False
    """Whether the proof is kept, and so the formula that it proves."""


def select_requested_solver(request: SolveRequest) -> tuple[Solver, RuntimeName]:
    """The solver and its runtime, if they can do what is asked."""
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
        # Who checks it must be here before the work, not only after it.
        choose(solvers.checker_of(resolve_proof_format(solver, request)))
    return solver, where


def resolve_proof_format(solver: Solver, request: SolveRequest) -> ProofFormat:
    """The kind that is asked for, if the solver writes it."""
    kind = request.proof_format or solver.proof_formats[0]
    if kind not in solver.proof_formats:
        raise InputError(
            f"{solver.name} writes no proofs in {kind.label}",
            f"it writes: {', '.join(solver.proof_formats)}",
        )
    return kind


def select_cnf_solver(request: SolveRequest) -> tuple[Solver, RuntimeName]:
    """The same of one that reads formulas."""
    solver, where = select_requested_solver(request)
    if solver.input_format is not InputFormat.CNF:
        raise InputError(f"{solver.name} reads no formulas", "choose another solver")
    return solver, where


def solve_unchecked(problem: FormulaFile, request: SolveRequest, cuts: str | None = None) -> Answer:
    """One answer to the clauses of the formula, as the solver gave it."""
    solver, where = select_cnf_solver(request)
    if Capability.XOR not in solver.capabilities:
        problem.require_no_xor_lines(f"{solver.name} does not read", decides=True)
    if request.proof:
        problem.require_no_xor_lines("proofs are not about")
    with copies.plain(problem.summary, problem.path, problem.trusted) as plain:
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
        return clock.solve(solver, where, task, problem.variables, request.runtime)
