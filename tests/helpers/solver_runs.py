"""What the tests of solvers share: engines that may be missing, commands, and what is left over."""

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

RUNTIMES = [pytest.param(where, marks=runtime_marks(where)) for where in RUNTIME_NAMES]
LOCAL_RUNTIMES = [place for place in RUNTIMES if place.values != ("docker",)]
"""Where a container would show nothing more."""


def _described(solver: Solver, where: str) -> object:
    """What the file of a solver says of where it can run."""
    return where in solver.runtimes


SOLVER_RUNTIMES = [
    pytest.param(solver, where, id=f"{solver.name}-{where}", marks=runtime_marks(where))
    for solver in DECIDING
    for where in RUNTIME_NAMES
    if _described(solver, where)
]
"""Every solver that decides, and where it might run."""


def with_program(solver: Solver, **changes: str) -> Solver:
    """Return the solver with changes to its program."""
    assert solver.program is not None
    return replace(solver, program=replace(solver.program, **changes))


def with_library(solver: Solver, **changes: str) -> Solver:
    """Return the solver with changes to its library."""
    assert solver.library is not None
    return replace(solver, library=replace(solver.library, **changes))


def require_solver(solver: Solver, where: str) -> None:
    """Skip, unless the solver can run there; where it is required, fail instead."""
    reason = load_runtime(where).unavailable_reason(solver)
    if reason is not None:
        program = solver.program.name if solver.program else solver.name
        skip_or_fail("docker" if where == "docker" else program, reason)


def need_checked_proofs() -> None:
    """Skip, unless something here writes proofs and something checks them."""
    for name in ("cadical", "drat-trim"):
        solver = solvers.load(name)
        if load_runtime("native").unavailable_reason(solver) is not None:
            require_solver(solver, "docker")


def custom_solver(program: str, image: str | None, command: str) -> Solver:
    """A solver that no file describes."""
    return Solver(
        name=program,
        title="for a test",
        program=SolverProgram(program, command, image=image or ""),
        output_format="competition",
        capabilities=frozenset([Capability.DECIDE]),
    )


def misbehaving_solver(how: str) -> Solver:
    """The image that does everything wrong, in one of its ways."""
    return custom_solver("misbehave", "misbehave", f"{{{{ program }}}} {how} {{{{ file }}}}")


def shell_solver(text: str) -> Solver:
    """A shell script as a native solver; the formula is $1."""
    quoted = text.replace("'", "'\\''")
    return custom_solver("sh", None, f"{{{{ program }}}} -c '{quoted}' sh {{{{ file }}}}")


@dataclass(frozen=True)
class CommandOutput:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    def one_line(self) -> str:
        """The error: one line, and nothing else."""
        assert self.out == "", self.out
        assert self.err.count("\n") == 1 and self.err.startswith("boardsat"), self.err
        return self.err


def boardsat(*words: object) -> CommandOutput:
    """A command, in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main([str(word) for word in words])
        except SystemExit as end:
            code = int(end.code or 0)
    return CommandOutput(code, out.getvalue(), err.getvalue())


def start(*words: object, **environment: str) -> subprocess.Popen[str]:
    """A command, in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "boardsat", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, **environment},
    )


def finish(process: subprocess.Popen[str]) -> CommandOutput:
    out, err = process.communicate(timeout=processes.LIMIT)
    return CommandOutput(process.returncode, out, err)


def wait_until(found: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until it is so; how long it takes is nobody's promise, but it must come."""
    deadline = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.05)


def containers(pid: int) -> list[str]:
    """The containers that a process of ours has; those of others are not our business."""
    found = engine.client().api.containers(all=True, filters={"label": engine.CONTAINER_LABEL})
    return [
        c["Id"] for c in found if c["Labels"][engine.CONTAINER_LABEL].split(".")[3:4] == [str(pid)]
    ]


def is_running(identifier: str) -> bool:
    wanted = {"id": identifier, "status": "running"}
    return bool(engine.client().api.containers(filters=wanted))


def children(pid: int) -> list[int]:
    """The living children of a process."""
    return [child for child in _kept_children(pid) or _processes() if _parent(child) == pid]


def _kept_children(pid: int) -> list[int]:
    """As the kernel keeps them, for each thread; itself at first, so that none is an answer."""
    found = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        # A thread may end meanwhile.
        with suppress(OSError):
            found += [pid, *map(int, path.read_text().split())]
    return found


def _processes() -> list[int]:
    """All that run; some kernels keep no children."""
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")]


def is_alive(pid: int) -> bool:
    return _parent(pid) is not None


def _parent(pid: int) -> int | None:
    """The parent of a living process."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return None
    return None if state == "Z" else int(parent)


@contextmanager
def no_leftovers() -> Iterator[None]:
    """After what is tested, no container and no child of ours."""
    before = set(children(os.getpid()))
    yield
    assert set(children(os.getpid())) <= before
    if engine.client() is not None:
        assert containers(os.getpid()) == []


@pytest.fixture(autouse=True)
def leaves_nothing() -> Iterator[None]:
    """For every test of a file that imports it."""
    with no_leftovers():
        yield


def instance(folder: Path, spec: str, ending: str = ".cnf", **settings: object) -> str:
    """The file of a spec of the catalogue."""
    target = folder / f"{spec.replace('/', '-')}{ending}"
    write(build(find(spec), settings), str(target))
    return str(target)


def transformed_instance(folder: Path, spec: str, **settings: object) -> str:
    """The same, shuffled and in clauses of three."""
    target = folder / f"{spec.replace('/', '-')}-transformed.cnf"
    write(transform(build(find(spec), settings), False, "auto", 7), str(target))
    return str(target)


def read_clauses(path: str) -> list[list[int]]:
    with open_cnf(path) as cnf:
        tokens = np.concatenate([*cnf.chunks()]).tolist()
    clauses: list[list[int]] = [[]]
    for token in tokens:
        if token:
            clauses[-1].append(token)
        else:
            clauses.append([])
    return clauses[:-1]
