"""Solvers in containers, as programs and embedded: answers, limits, and bad manners."""

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

# Limits are kept by the runtime, and take long to reach: by default one solver stands for all.
LIMITED = [
    pytest.param(*place.values, id=place.id, marks=[*place.marks, *([pytest.mark.slow] * slow)])
    for place in SOLVER_RUNTIMES
    for slow in [place.values[1] != "native" and place.values[0] is not DECIDING[0]]
]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A formula that does not fit into little memory."""
    return instance(tmp_path_factory.mktemp("large"), "tour/unary", n=11)


# The same cases everywhere.


@pytest.mark.parametrize(("solver", "where"), SOLVER_RUNTIMES)
def test_sat_and_unsat(solver: Solver, where: str) -> None:
    require_solver(solver, where)
    found = answer(solver, where, SAT)
    assert (found.status, found.run.termination, found.run.exit_code) == (
        Status.SATISFIABLE,
        TerminationReason.FINISHED,
        10,
    )
    assert found.model is not None and first_false_clause(SAT, found.model) is None
    assert found.run.usage.wall > 0 and found.run.usage.cpu is not None
    assert (found.run.solver, found.run.runtime, found.reason) == (solver.name, where, "")
    found = answer(solver, where, UNSAT)
    assert (found.status, found.run.termination, found.run.exit_code) == (
        Status.UNSATISFIABLE,
        TerminationReason.FINISHED,
        20,
    )
    assert found.model is None


@pytest.mark.parametrize(("solver", "where"), LIMITED)
def test_wall_limit(solver: Solver, where: str) -> None:
    require_solver(solver, where)
    found = answer(solver, where, HARD, Limits(wall=0.5))
    assert (found.status, found.run.termination, found.reason) == (
        Status.UNKNOWN,
        TerminationReason.TIME,
        "time limit",
    )
    assert found.run.usage.wall >= 0.5
    assert found.model is None


@pytest.mark.parametrize(("solver", "where"), LIMITED)
def test_cpu_limit(solver: Solver, where: str) -> None:
    require_solver(solver, where)
    found = answer(solver, where, HARD, Limits(wall=100, cpu=0.4))
    assert (found.status, found.run.termination, found.reason) == (
        Status.UNKNOWN,
        TerminationReason.CPU,
        "CPU limit",
    )
    assert found.run.usage.cpu is not None and found.run.usage.cpu > 0.2
    assert found.run.usage.memory is not None and found.run.usage.memory > 2**20


@pytest.mark.parametrize(("solver", "where"), LIMITED)
def test_memory_limit(solver: Solver, where: str, large: str) -> None:
    require_solver(solver, where)
    found = answer(solver, where, large, Limits(wall=100, memory=20 * 2**20))
    assert (found.status, found.run.termination, found.reason) == (
        Status.UNKNOWN,
        TerminationReason.MEMORY,
        "memory limit",
    )


@pytest.mark.parametrize(("solver", "where"), SOLVER_RUNTIMES)
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
def test_formulas_of_nearly_nothing(
    solver: Solver, where: str, text: str, status: Status, tmp_path: Path
) -> None:
    require_solver(solver, where)
    file = tmp_path / "tiny.cnf"
    file.write_text(text)
    found = answer(solver, where, str(file))
    assert found.status is status
    if status is Status.SATISFIABLE:
        assert found.model is not None and first_false_clause(str(file), found.model) is None


@pytest.mark.parametrize(("solver", "where"), SOLVER_RUNTIMES)
@pytest.mark.slow
def test_seeds_are_accepted(solver: Solver, where: str) -> None:
    require_solver(solver, where)
    for seed in (0, 1, 10**9):
        found = run_solver(solver, where, Task(SAT, seed=seed), open_formula(SAT).variables)
        assert found.status is Status.SATISFIABLE
        assert found.model is not None and first_false_clause(SAT, found.model) is None


@pytest.mark.parametrize("where", LOCAL_RUNTIMES)
def test_a_seed_changes_the_search_and_the_same_seed_repeats_it(where: str, tmp_path: Path) -> None:
    solver = solvers.load("minisat")
    require_solver(solver, where)
    file = instance(tmp_path, "queens", n=12)

    def model(seed: int) -> bytes:
        found = run_solver(solver, where, Task(file, seed=seed), open_formula(file).variables)
        assert found.model is not None and first_false_clause(file, found.model) is None
        return found.model.tobytes()

    first, second, again = map(model, (1, 2, 1))
    assert first == again != second


@pytest.mark.parametrize("where", RUNTIMES)
def test_a_solver_with_a_fault_in_its_file_name(where: str, tmp_path: Path) -> None:
    solver = solvers.load("cadical")
    require_solver(solver, where)
    file = tmp_path / "-q; $(rm) '\" {{ x }}.cnf"
    shutil.copy(SAT, file)
    assert answer(solver, where, str(file)).status is Status.SATISFIABLE


@pytest.mark.parametrize("where", RUNTIMES)
def test_every_solver_tells_its_version_or_why_it_cannot_run(where: str) -> None:
    for solver in SOLVERS:
        reason = load_runtime(where).unavailable_reason(solver)
        assert reason or load_runtime(where).version(solver)
