"""Helpers of tests that run solvers: requirements, commands, processes, and leftovers."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from boardsat.adapters import solvers
from boardsat.adapters.dimacs.reader import open_cnf
from boardsat.adapters.runtimes import RUNTIME_NAMES, engine, load_runtime
from boardsat.adapters.solvers import Solver
from boardsat.adapters.solvers.solver import Capability, SolverProgram
from boardsat.cli import main
from boardsat.generators import build, find, transform, write
from helpers import processes
from helpers.requirements import runtime_marks, skip_or_fail

SOLVERS = [solvers.load(name) for name in solvers.names()]
DECIDING = [s for s in SOLVERS if "decide" in s.capabilities and s.input_format == "formula"]

RUNTIMES = [pytest.param(name, marks=runtime_marks(name)) for name in RUNTIME_NAMES]
LOCAL_RUNTIMES = [runtime for runtime in RUNTIMES if runtime.values != ("docker",)]
"""Runtimes without containers, for tests to which containers add nothing."""


SOLVER_RUNTIMES = [
    pytest.param(solver, runtime, id=f"{solver.name}-{runtime}", marks=runtime_marks(runtime))
    for solver in DECIDING
    for runtime in RUNTIME_NAMES
    if runtime in solver.runtimes
]
"""Solvers that decide, with each runtime that their files provide for."""


def with_program(solver: Solver, **changes: str) -> Solver:
    """Return the solver with changes to its program."""
    assert solver.program is not None
    return replace(solver, program=replace(solver.program, **changes))


def with_library(solver: Solver, **changes: str) -> Solver:
    """Return the solver with changes to its library."""
    assert solver.library is not None
    return replace(solver, library=replace(solver.library, **changes))


def require_solver(solver: Solver, runtime: str) -> None:
    """Skip a test if the solver cannot run in the runtime; fail if it is required."""
    reason = load_runtime(runtime).unavailable_reason(solver)
    if reason is not None:
        program = solver.program.name if solver.program else solver.name
        skip_or_fail("docker" if runtime == "docker" else program, reason)


def need_checked_proofs() -> None:
    """Skip a test without a solver that writes proofs and a checker."""
    for name in ("cadical", "drat-trim"):
        solver = solvers.load(name)
        if load_runtime("native").unavailable_reason(solver) is not None:
            require_solver(solver, "docker")


def custom_solver(program: str, image: str | None, command: str) -> Solver:
    """Return a solver that no solver file describes."""
    return Solver(
        name=program,
        title="for a test",
        program=SolverProgram(program, command, image=image or ""),
        output_format="competition",
        capabilities=frozenset([Capability.DECIDE]),
    )


def misbehaving_solver(fault: str) -> Solver:
    """Return the solver of the image `misbehave` with one of its faults."""
    return custom_solver("misbehave", "misbehave", f"{{{{ program }}}} {fault} {{{{ file }}}}")


def shell_solver(text: str) -> Solver:
    """Return a shell script as a native solver; the formula is $1."""
    quoted = text.replace("'", "'\\''")
    return custom_solver("sh", None, f"{{{{ program }}}} -c '{quoted}' sh {{{{ file }}}}")


@dataclass(frozen=True)
class CommandOutput:
    """Output of a command, and its exit code."""

    code: int
    out: str
    err: str

    def one_line(self) -> str:
        """Return the error; fail unless it is one line, without other output."""
        assert self.out == "", self.out
        assert self.err.count("\n") == 1 and self.err.startswith("boardsat"), self.err
        return self.err


def boardsat(*arguments: object) -> CommandOutput:
    """Run a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main([str(token) for token in arguments])
        except SystemExit as request:
            code = int(request.code or 0)
    return CommandOutput(code, out.getvalue(), err.getvalue())


def start(*arguments: object, **environment: str) -> subprocess.Popen[str]:
    """Start a command in a new process."""
    return subprocess.Popen(
        [sys.executable, "-m", "boardsat", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, **environment},
    )


def finish(process: subprocess.Popen[str]) -> CommandOutput:
    """Wait for the end of a command, and return its output."""
    out, err = process.communicate(timeout=processes.LIMIT)
    return CommandOutput(process.returncode, out, err)


def wait_until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until a condition holds; fail after some seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"it did not hold within {seconds} s"
        time.sleep(0.05)


def containers(pid: int) -> list[str]:
    """Return the containers of a process."""
    label = engine.CONTAINER_LABEL
    descriptions = engine.client().api.containers(all=True, filters={"label": label})
    return [
        c["Id"]
        for c in descriptions
        if c["Labels"][engine.CONTAINER_LABEL].split(".")[3:4] == [str(pid)]
    ]


def is_running(identifier: str) -> bool:
    """Return True if a container is running."""
    filters = {"id": identifier, "status": "running"}
    return bool(engine.client().api.containers(filters=filters))


def children(pid: int) -> list[int]:
    """Return the living children of a process."""
    return [child for child in _listed_children(pid) or _processes() if _parent(child) == pid]


def _listed_children(pid: int) -> list[int]:
    """Return the children that the kernel lists for each thread, and the process itself.

    Empty if the kernel does not list children.
    """
    pids: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        # A thread may end meanwhile.
        with suppress(OSError):
            pids += [pid, *map(int, path.read_text().split())]
    return pids


def _processes() -> list[int]:
    """Return all processes; some kernels do not list children."""
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")]


def is_alive(pid: int) -> bool:
    return _parent(pid) is not None


def _parent(pid: int) -> int | None:
    """Return the parent of a process. None if the process has ended."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return None
    return None if state == "Z" else int(parent)


@contextmanager
def no_leftovers() -> Iterator[None]:
    """Fail if the context leaves a container or a child process."""
    existing = set(children(os.getpid()))
    yield
    assert set(children(os.getpid())) <= existing
    if engine.client() is not None:
        assert containers(os.getpid()) == []


@pytest.fixture(autouse=True)
def leaves_nothing() -> Iterator[None]:
    """Fail if a test leaves a container or a child process; for modules that import this."""
    with no_leftovers():
        yield


def instance(folder: Path, spec: str, extension: str = ".cnf", **settings: object) -> str:
    """Write the formula file of a spec, and return its path."""
    target = folder / f"{spec.replace('/', '-')}{extension}"
    write(build(find(spec), settings), str(target))
    return str(target)


def transformed_instance(folder: Path, spec: str, **settings: object) -> str:
    """Write the formula file of a spec, shuffled and in 3-CNF, and return its path."""
    target = folder / f"{spec.replace('/', '-')}-transformed.cnf"
    write(transform(build(find(spec), settings), False, "auto", 7), str(target))
    return str(target)


def read_clauses(path: str) -> list[list[int]]:
    """Return the clauses of a file."""
    with open_cnf(path) as cnf:
        tokens = np.concatenate([*cnf.chunks()]).tolist()
    clauses: list[list[int]] = [[]]
    for token in tokens:
        if token:
            clauses[-1].append(token)
        else:
            clauses.append([])
    return clauses[:-1]
