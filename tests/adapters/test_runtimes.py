"""Solvers in containers, as programs and embedded: answers, limits, seeds and versions."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from helpers.answers import (
    HARD,
    SAT,
    UNSAT,
    answer,
)
from helpers.solver_runs import (
    DECIDING,
    LOCAL_RUNTIMES,
    RUNTIMES,
    SOLVER_RUNTIMES,
    SOLVERS,
    instance,
    leaves_nothing,  # noqa: F401
    require_solver,
)

from boardsat.adapters import solvers
from boardsat.adapters.answer import Status, TerminationReason
from boardsat.adapters.dimacs.model_check import first_false_clause
from boardsat.adapters.run_solver import run_solver
from boardsat.adapters.runtimes import Limits, Task, load_runtime
from boardsat.adapters.solvers import Solver
from boardsat.instance.formula_file import open_formula

# The runtime enforces limits, which takes long: by default only one solver is tested.
LIMITED = [
    pytest.param(*pair.values, id=pair.id, marks=[*pair.marks, *([pytest.mark.slow] * slow)])
    for pair in SOLVER_RUNTIMES
    for slow in [pair.values[1] != "native" and pair.values[0] is not DECIDING[0]]
]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a formula that exceeds a low memory limit."""
    return instance(tmp_path_factory.mktemp("large"), "tour/unary", n=11)


@pytest.mark.parametrize(("solver", "runtime"), SOLVER_RUNTIMES)
def test_solver_answers_sat_and_unsat(solver: Solver, runtime: str) -> None:
    require_solver(solver, runtime)
    reply = answer(solver, runtime, SAT)
    assert (reply.status, reply.run.termination, reply.run.exit_code) == (
        Status.SATISFIABLE,
        TerminationReason.FINISHED,
        10,
    )
    assert reply.model is not None and first_false_clause(SAT, reply.model) is None
    assert reply.run.usage.wall > 0 and reply.run.usage.cpu is not None
    assert (reply.run.solver, reply.run.runtime, reply.reason) == (solver.name, runtime, "")
    reply = answer(solver, runtime, UNSAT)
    assert (reply.status, reply.run.termination, reply.run.exit_code) == (
        Status.UNSATISFIABLE,
        TerminationReason.FINISHED,
        20,
    )
    assert reply.model is None


@pytest.mark.parametrize(("solver", "runtime"), LIMITED)
def test_solver_at_wall_limit_is_stopped(solver: Solver, runtime: str) -> None:
    require_solver(solver, runtime)
    reply = answer(solver, runtime, HARD, Limits(wall=0.5))
    assert (reply.status, reply.run.termination, reply.reason) == (
        Status.UNKNOWN,
        TerminationReason.TIME,
        "time limit",
    )
    assert reply.run.usage.wall >= 0.5
    assert reply.model is None


@pytest.mark.parametrize(("solver", "runtime"), LIMITED)
def test_solver_at_cpu_limit_is_stopped(solver: Solver, runtime: str) -> None:
    require_solver(solver, runtime)
    reply = answer(solver, runtime, HARD, Limits(wall=100, cpu=0.4))
    assert (reply.status, reply.run.termination, reply.reason) == (
        Status.UNKNOWN,
        TerminationReason.CPU,
        "CPU limit",
    )
    assert reply.run.usage.cpu is not None and reply.run.usage.cpu > 0.2
    assert reply.run.usage.memory is not None and reply.run.usage.memory > 2**20


@pytest.mark.parametrize(("solver", "runtime"), LIMITED)
def test_solver_at_memory_limit_is_stopped(solver: Solver, runtime: str, large: str) -> None:
    require_solver(solver, runtime)
    reply = answer(solver, runtime, large, Limits(wall=100, memory=20 * 2**20))
    assert (reply.status, reply.run.termination, reply.reason) == (
        Status.UNKNOWN,
        TerminationReason.MEMORY,
        "memory limit",
    )


@pytest.mark.parametrize(("solver", "runtime"), SOLVER_RUNTIMES)
@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("p cnf 0 0\n", Status.SATISFIABLE),
        ("p cnf 3 0\n", Status.SATISFIABLE),
        ("p cnf 0 1\n0\n", Status.UNSATISFIABLE),
        ("p cnf 9 1\n-2 0\n", Status.SATISFIABLE),
    ],
    ids=["empty", "free", "false", "unmentioned"],
)
@pytest.mark.slow
def test_solver_answers_formulas_without_variables_or_clauses(
    solver: Solver, runtime: str, text: str, status: Status, tmp_path: Path
) -> None:
    require_solver(solver, runtime)
    file = tmp_path / "tiny.cnf"
    file.write_text(text)
    reply = answer(solver, runtime, str(file))
    assert reply.status is status
    if status is Status.SATISFIABLE:
        assert reply.model is not None and first_false_clause(str(file), reply.model) is None


@pytest.mark.parametrize(("solver", "runtime"), SOLVER_RUNTIMES)
@pytest.mark.slow
def test_solver_accepts_seeds(solver: Solver, runtime: str) -> None:
    require_solver(solver, runtime)
    for seed in (0, 1, 10**9):
        reply = run_solver(solver, runtime, Task(SAT, seed=seed), open_formula(SAT).variables)
        assert reply.status is Status.SATISFIABLE
        assert reply.model is not None and first_false_clause(SAT, reply.model) is None


@pytest.mark.parametrize("runtime", LOCAL_RUNTIMES)
def test_seed_determines_the_model(runtime: str, tmp_path: Path) -> None:
    solver = solvers.load("minisat")
    require_solver(solver, runtime)
    file = instance(tmp_path, "queens", n=12)

    def model(seed: int) -> bytes:
        reply = run_solver(solver, runtime, Task(file, seed=seed), open_formula(file).variables)
        assert reply.model is not None and first_false_clause(file, reply.model) is None
        return reply.model.tobytes()

    first, second, repeated = map(model, (1, 2, 1))
    assert first == repeated != second


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_solver_reads_file_with_special_characters_in_its_name(
    runtime: str, tmp_path: Path
) -> None:
    solver = solvers.load("cadical")
    require_solver(solver, runtime)
    file = tmp_path / "-q; $(rm) '\" {{ x }}.cnf"
    shutil.copy(SAT, file)
    assert answer(solver, runtime, str(file)).status is Status.SATISFIABLE


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_every_solver_has_a_version_or_a_reason_why_it_cannot_run(runtime: str) -> None:
    for solver in SOLVERS:
        reason = load_runtime(runtime).unavailable_reason(solver)
        assert reason or load_runtime(runtime).version(solver)
