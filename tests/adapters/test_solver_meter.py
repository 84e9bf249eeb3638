"""Embedded solvers are measured and limited without the start of their Python process."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
from helpers.answers import HARD, SAT, answer
from helpers.counts import need_some
from helpers.requirements import SOLVER_MARKS
from helpers.solver_runs import SOLVERS

import boardsat
from boardsat.adapters import solvers
from boardsat.adapters.answer import Status, TerminationReason, Usage
from boardsat.adapters.command_clock import limited_command
from boardsat.adapters.runtimes import Limits, Outcome, Task, native
from boardsat.adapters.solver_meter import SolverMeter
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.solver import Capability, InputFormat
from boardsat.workflows.solve.lazy_formulas import reached_limit, remaining_limits, total_usage

METER = "from boardsat.adapters.solver_meter import mark_solver_start, run_measured\n"


def run(text: str, limits: Limits) -> Outcome:
    """Run Python text as a worker under limits."""
    with SolverMeter() as meter:
        command = (sys.executable, "-c", f"import sys, time\n{METER}{text}")
        return native.run_command(command, Task(SAT, limits), meter=meter)


def test_usage_of_embedded_solver_excludes_start_of_python() -> None:
    usage = answer(solvers.load("cadical"), "embedded", SAT).run.usage
    assert usage.cpu is not None and usage.solver_cpu is not None
    assert usage.solver_cpu < 0.02 and usage.cpu > usage.solver_cpu + 0.005
    assert usage.solver_wall is not None and 0 < usage.solver_wall < usage.wall
    assert usage.memory is not None and usage.solver_memory is not None
    assert usage.solver_memory < 2**23 < usage.memory
    scored = (usage.scored_wall, usage.scored_cpu, usage.scored_memory)
    assert scored == (usage.solver_wall, usage.solver_cpu, usage.solver_memory)


def test_usage_of_program_is_that_of_its_process() -> None:
    usage = native.run_command(("true",), Task(SAT)).usage
    assert (usage.solver_wall, usage.solver_cpu, usage.solver_memory) == (None, None, None)
    scored = (usage.scored_wall, usage.scored_cpu, usage.scored_memory)
    assert scored == (usage.wall, usage.cpu, usage.memory)


def test_usage_of_solver_killed_at_cpu_limit_is_reported() -> None:
    killed = answer(solvers.load("cadical"), "embedded", HARD, Limits(wall=100, cpu=0.3))
    usage = killed.run.usage
    assert (killed.status, killed.run.termination) == (Status.UNKNOWN, TerminationReason.CPU)
    assert usage.cpu is not None and usage.solver_cpu is not None
    # An interpreter takes more than 5 ms to start, which are not the solver's.
    assert 0.28 < usage.solver_cpu < usage.cpu - 0.005
    assert usage.solver_wall is not None and usage.solver_wall > 0.28


BUSY = "until = time.process_time() + {}\nwhile time.process_time() < until: pass\n"
SLEEP = "time.sleep({})\n"
SOLVER = "sys.exit(run_measured(lambda: 10))"


@pytest.mark.parametrize(
    ("start", "limits", "end"),
    [
        (SLEEP, Limits(wall=0.2), TerminationReason.TIME),
        (BUSY, Limits(cpu=0.2), TerminationReason.CPU),
    ],
)
def test_limits_count_from_begin_of_solver(
    start: str, limits: Limits, end: TerminationReason
) -> None:
    outcome = run(start.format(0.4) + SOLVER, limits)
    assert (outcome.termination, outcome.exit_code) == (TerminationReason.FINISHED, 10)
    total_limits = Limits(limits.wall, limits.cpu, start_allowance=0)
    assert run(start.format(20) + SOLVER, total_limits).termination is end


@pytest.mark.parametrize(
    ("work", "limits", "end"),
    [
        (SLEEP, Limits(wall=0.2), TerminationReason.TIME),
        (BUSY, Limits(cpu=0.2), TerminationReason.CPU),
    ],
)
def test_limits_end_solver_that_has_begun(
    work: str, limits: Limits, end: TerminationReason
) -> None:
    outcome = run(f"mark_solver_start()\n{work.format(20)}", limits)
    assert outcome.termination is end and outcome.usage.wall < 10
    usage = outcome.usage
    measured = usage.solver_wall if end is TerminationReason.TIME else usage.solver_cpu
    assert measured is not None and measured >= 0.19


def test_worker_that_hangs_before_solver_begins_is_ended() -> None:
    outcome = run(SLEEP.format(20), Limits(wall=0.1, start_allowance=0.3))
    assert outcome.termination is TerminationReason.TIME and 0.4 <= outcome.usage.wall < 10
    usage = outcome.usage
    assert (usage.solver_wall, usage.solver_cpu, usage.solver_memory) == (0.0, 0.0, 0)


def test_last_begin_is_the_valid_one() -> None:
    outcome = run(f"mark_solver_start()\n{BUSY.format(0.3)}{SOLVER}", Limits())
    assert outcome.usage.solver_cpu is not None and outcome.usage.solver_cpu < 0.2
    assert outcome.usage.cpu is not None and outcome.usage.cpu > 0.3


def test_memory_of_solver_is_what_it_adds() -> None:
    text = "x = b'1' * 30_000_000\nsys.exit(run_measured(lambda: len(b'1' * 50_000_000) & 1))"
    usage = run(text, Limits()).usage
    assert usage.memory is not None and usage.solver_memory is not None
    assert 45_000_000 < usage.solver_memory < 60_000_000
    assert usage.memory > usage.solver_memory + 30_000_000


# Each runs in place of a worker: it runs the worker, and fails if that imports a module meanwhile.
IMPORTS = """
import runpy, sys
from boardsat.adapters import solver_meter
modules = {}
solver_meter._write_mark = lambda event, field: modules.update({event: set(sys.modules)})
sys.argv[:] = sys.argv[1:]
try:
    runpy.run_module(sys.argv[0], run_name="__main__")
finally:
    late = {name for name in modules["end"] - modules["begin"] if "encodings" not in name}
    if late:
        raise SystemExit(f"imported while the solver is measured: {sorted(late)}")
"""


def run_solver(solver: Solver, seed: int | None) -> Any:
    """Run a solver embedded on a small instance of a kind that it reads."""
    options: dict[str, Any] = {"runtime": "embedded", "seed": seed}
    if solver.is_sampler and not solver.is_counter:
        return boardsat.sample("queens", n=4, k=2, sampler=solver.name, **options)
    problem = (
        "tour" if solver.input_format in (InputFormat.BOARD, InputFormat.PROGRAM) else "queens"
    )
    if solver.is_counter:
        return boardsat.count(problem, n=6, counter=solver.name, **options)
    if Capability.OPTIMISE in solver.capabilities:
        problem = "fewest_queens"
    return boardsat.solve(problem, n=6, solver=solver.name, **options)


def worker(solver: Solver) -> str:
    """Return the name of the module that runs a solver, from its file."""
    library = solver.library
    return (library.command or library.sampling_command).partition(" ")[0] if library else ""


EMBEDDED = [solver for solver in SOLVERS if solver.package]
FIRST = {worker(solver): solver for solver in reversed(EMBEDDED)}
"""One solver of each worker."""

CASES = [
    pytest.param(
        solver,
        seed,
        id=f"{solver.name}-{seed}",
        marks=SOLVER_MARKS.get(solver.name, [])
        + ([] if solver is FIRST[worker(solver)] else [pytest.mark.slow]),
    )
    for solver in EMBEDDED
    for seed in ((None, 1) if worker(solver) in ("pysat", "preprocessed") else (None,))
]


@pytest.mark.parametrize(("solver", "seed"), CASES)
def test_worker_imports_nothing_while_solver_is_measured(
    solver: Solver, seed: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_some(solver.name)
    outcomes = watch_imports(monkeypatch)
    run_solver(solver, seed)
    assert {outcome.errors.end(2000) for outcome in outcomes} == {""}


def watch_imports(monkeypatch: pytest.MonkeyPatch) -> list[Outcome]:
    """Let workers fail that import modules while they are measured; list their outcomes."""
    run_command: Callable[..., Outcome] = native.run_command
    outcomes: list[Outcome] = []

    def run_watched(command: tuple[str, ...], *arguments: Any) -> Outcome:
        if "-m" not in command:
            return run_command(command, *arguments)
        at = command.index("-m")
        outcomes.append(run_command((*command[:at], "-c", IMPORTS, *command[at + 1 :]), *arguments))
        return outcomes[-1]

    monkeypatch.setattr(native, "run_command", run_watched)
    return outcomes


@pytest.mark.parametrize("count", ["enumeration", "ganak"])
def test_weighted_counter_imports_nothing_while_measured(
    count: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes = watch_imports(monkeypatch)
    graph = {"graph": "cycle 5", "percent": 90}
    boardsat.count("reliability", counter=count, runtime="embedded", **graph)
    assert {outcome.errors.end(2000) for outcome in outcomes} == {""}


@pytest.mark.parametrize("seed", [None, 1])
def test_incremental_solver_imports_nothing_while_measured(
    seed: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes = watch_imports(monkeypatch)
    boardsat.solve("tour/cuts", n=6, solver="cadical", runtime="embedded", seed=seed)
    assert {outcome.errors.end(2000) for outcome in outcomes} == {""}


def test_usage_of_rounds_is_added_up() -> None:
    rounds = [Usage(1.0, 0.5, 100, 0.5, 0.25, 10), Usage(2.0, 1.5, 90, 1.0, 0.75, 20)]
    assert total_usage(rounds) == Usage(3.0, 2.0, 100, 1.5, 1.0, 20)
    assert total_usage([Usage(1.0, 0.5, 100), Usage(2.0, None, 90)]) == Usage(3.0, None, 100)
    assert total_usage([rounds[0], Usage(2.0, 1.0, 90)]).solver_wall == 2.5


def test_rounds_of_cuts_share_the_limits_of_the_solver() -> None:
    rounds = [Usage(1.0, 0.5, 100, 0.5, 0.25, 10)]
    remaining = remaining_limits(Limits(2.0, 1.0), rounds)
    assert (remaining.wall, remaining.cpu) == (1.5, 0.75)
    assert reached_limit(Limits(0.75), rounds) is None
    assert reached_limit(Limits(0.5), rounds) is TerminationReason.TIME


def test_limits_of_a_command_include_the_start_of_a_worker() -> None:
    with limited_command(Limits(wall=10.0)) as clock:
        assert clock.remaining(Limits()).start_allowance == 0
        assert 0 <= clock.remaining(Limits(wall=10.0)).start_allowance <= 0
        spare = clock.remaining(Limits(wall=4.0)).start_allowance
        assert math.isclose(spare, 6.0, abs_tol=0.5)
    with limited_command(Limits()) as clock:
        assert clock.remaining(Limits(wall=4.0)) == Limits(wall=4.0)


def test_command_ends_in_time_though_its_worker_is_slow_to_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run_command: Callable[..., Outcome] = native.run_command
    slow = (sys.executable, "-c", f"import time\n{SLEEP.format(20)}")
    monkeypatch.setattr(native, "run_command", lambda _, *arguments: run_command(slow, *arguments))
    begun = time.monotonic()
    solution = boardsat.solve("queens", n=4, runtime="embedded", timeout=0.5)
    assert (
        solution.answer.run.termination is TerminationReason.TIME and time.monotonic() - begun < 10
    )


def test_usage_in_words_names_the_solver_if_it_is_not_the_process() -> None:
    assert str(Usage(0.1, 0.07, 15 * 2**20)) == "0.10 s, 0.07 s CPU, 15 MB"
    usage = Usage(0.1, 0.07, 15 * 2**20, 0.01, 0.01, 2**20)
    assert str(usage) == "0.10 s, 0.07 s CPU, 15 MB (solver 0.01 s CPU)"
