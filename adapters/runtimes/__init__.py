"""Where a solver runs: in a container, as a program on PATH, or as a library in a child process.

A runtime is a file with `available(solver)`, the reason why it cannot run it or None,
`remedy(solver)` for that, `version(solver)`, and `run(solver, task)`. They are tried in the order
of PREFERRED.
"""

from __future__ import annotations

import importlib
import os
import select
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Protocol, cast

from boardsat.adapters.answer import TerminationReason, Usage
from boardsat.adapters.counters import DEFAULT_DELTA, DEFAULT_EPSILON
from boardsat.adapters.proofs import ProofFormat
from boardsat.adapters.solvers.capabilities import AUTO, RuntimeName
from boardsat.base.errors import BoardsatError, SolverError
from boardsat.base.text import suggest

# The workers below import this file, and read no solver's.
if TYPE_CHECKING:
    import subprocess

    from boardsat.adapters.runtimes.prefork import WaitingWorker
    from boardsat.adapters.solvers import Solver

PREFERRED = tuple(RuntimeName)

MAX_OUTPUT_BYTES = 2**30
"""What a solver may print."""

MAX_FILE_BYTES = 2**36
"""Bytes of a file that it may write."""

TERM_GRACE_SECONDS = 2.0
"""Seconds between asking a solver to stop and making it."""


MIN_TIME_LIMIT = 0.001
"""Seconds: what is left of a limit that is over."""


START_SECONDS = 60.0
# The start takes 0.1 s, and up to some seconds if the file system or the machine is busy.


@dataclass(frozen=True)
class Limits:
    """Seconds and bytes; None for no limit."""

    wall: float | None = None
    cpu: float | None = None
    memory: int | None = None
    start_allowance: float = START_SECONDS
    """Wall-clock and CPU time in seconds that a worker may take before its embedded solver begins,
    which the limits of time do not count. 0 if they are those of the whole process."""


@dataclass(frozen=True)
class Task:
    """What to run: on a formula, a logic program or a board, possibly with a proof to write, or to
    check."""

    file: str
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    count: bool = False
    """Whether to count models instead of finding one."""
    epsilon: float = DEFAULT_EPSILON
    delta: float = DEFAULT_DELTA
    models: int = 1
    """How many answer sets of a logic program to find."""
    samples: int = 0
    """How many models or tours to draw at random; none: another thing is asked."""
    heuristic: str | None = None
    """The search that a logic program means, where it directs it."""
    writes_proof: str | None = None
    """Where the proof shall go."""
    reads_proof: str | None = None
    proof_kind: ProofFormat | None = None
    """What the proof is written in."""
    cuts: str | None = None
    """The file that tells an incremental solver what must be connected."""
    statistics: bool = False
    """Whether the solver is to tell about its search, where that takes an option."""
    core: int | None = None
    """The processor core to run on; None for any one, of those that this process may use."""

    def words(self, file: str, proof: str | None) -> dict[str, object]:
        """What the templates of a command line may use; None for what is not given."""
        return {
            "file": file,
            "proof": proof,
            "kind": self.proof_kind,
            "seed": self.seed,
            "seconds": int(self.limits.wall or 10**6),
            "count": self.count,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "models": self.models,
            "samples": self.samples,
            "heuristic": self.heuristic,
            "cuts": self.cuts,
            "statistics": self.statistics,
        }

    def chosen_core(self) -> int:
        """Runs of different processes are likely to get different cores."""
        if self.core is not None:
            return self.core
        cores = sorted(os.sched_getaffinity(0))
        return cores[os.getpid() % len(cores)]


@dataclass
class ProgramOutput:
    """What a program prints, kept in a file up to a cap; a full cap stops the program."""

    # Without a buffer, whose last bytes would fail where nobody expects it.
    file: IO[bytes] = field(default_factory=lambda: tempfile.TemporaryFile(buffering=0))  # noqa: SIM115
    size: int = 0
    lost: OSError | None = None
    """Why something could not be kept."""

    def add(self, piece: bytes) -> bool:
        """Keep the piece; False when there is no more room."""
        left = memoryview(piece)[: max(0, MAX_OUTPUT_BYTES - self.size)]
        self.size += len(piece)
        try:
            while left:
                left = left[self.file.write(left) :]
        except OSError as error:
            self.lost = error
        return self.size <= MAX_OUTPUT_BYTES and self.lost is None

    def refuse_lost(self) -> None:
        """An output of which something is missing is none."""
        if self.lost is not None:
            raise SolverError(
                f"the output of the solver cannot be kept: {self.lost.strerror}",
                "free some space there, or set TMPDIR to another folder",
                tempfile.gettempdir(),
            )

    def cut(self, size: int) -> None:
        """Forget what comes after so many bytes."""
        self.file.truncate(size)
        self.size = size

    def pieces(self) -> Iterator[bytes]:
        self.file.seek(0)
        while piece := self.file.read(2**18):
            yield piece

    def end(self, size: int) -> str:
        """The last bytes."""
        self.file.seek(max(0, min(self.size, MAX_OUTPUT_BYTES) - size))
        return self.file.read().decode("utf-8", "replace")

    def tail(self) -> str:
        """The last lines, for an error: one line, and printable whatever it is."""
        text = "".join(c if c.isprintable() or c == "\n" else "?" for c in self.end(400))
        lines = text.split("\n")
        return " | ".join(line.strip()[:120] for line in lines[-4:] if line.strip())


class Pipes:
    """What a program prints is kept as it comes; whoever waits here also wakes when it ends."""

    def __init__(
        self,
        process: subprocess.Popen[bytes] | WaitingWorker,
        output: ProgramOutput,
        errors: ProgramOutput,
    ) -> None:
        assert process.stdout is not None and process.stderr is not None
        streams = ((process.stdout, output), (process.stderr, errors))
        self.open = {stream.fileno(): (stream, kept) for stream, kept in streams}
        self.full = False
        self.poll = select.poll()
        self.ending: int | None = None
        for number in self.open:
            self.poll.register(number, select.POLLIN)
        # An older kernel has none: then its end is found at the next look.
        with suppress(OSError):
            self.ending = os.pidfd_open(process.pid)
            self.poll.register(self.ending, select.POLLIN)

    def __enter__(self) -> Pipes:
        return self

    def __exit__(self, *_: object) -> None:
        self._forget_ending()
        for number in tuple(self.open):
            self._close(number)

    def wait(self, seconds: float) -> bool:
        """Until something happens, for so long at the most; whether the program may have ended."""
        ended = self.ending is None
        for number, _ in self.poll.poll(1000 * max(0.0, seconds)):
            if number not in self.open:
                ended = True
                continue
            piece = os.read(number, 2**16)
            if not piece:
                self._close(number)
            elif not self.open[number][1].add(piece):
                self.full = True
                self._close(number)
        return ended

    def drain(self) -> None:
        """What is left after its end."""
        self._forget_ending()
        deadline = time.monotonic() + TERM_GRACE_SECONDS
        while self.open and (left := deadline - time.monotonic()) > 0:
            self.wait(left)

    def _close(self, number: int) -> None:
        self.poll.unregister(number)
        self.open.pop(number)[0].close()

    def _forget_ending(self) -> None:
        if self.ending is not None:
            self.poll.unregister(self.ending)
            os.close(self.ending)
            self.ending = None


@dataclass(frozen=True)
class Outcome:
    output: ProgramOutput
    errors: ProgramOutput
    termination: TerminationReason
    exit_code: int
    usage: Usage
    command: tuple[str, ...]
    proof_error: BoardsatError | None = None
    """Error by which a proof that the solver wrote did not arrive. None if it did."""


class Runtime(Protocol):
    """What each file of this folder offers."""

    def available(self, solver: Solver) -> str | None: ...

    def remedy(self, solver: Solver) -> str: ...

    def version(self, solver: Solver) -> str: ...

    def run(self, solver: Solver, task: Task) -> Outcome: ...


def runtime(name: str) -> Runtime:
    if name not in PREFERRED:
        raise SolverError(f"no runtime {name!r}", suggest(name, PREFERRED))
    # Not docker.py, as a module called docker would hide the SDK.
    module = "container" if name == RuntimeName.DOCKER else name
    return cast(Runtime, importlib.import_module(f"{__name__}.{module}"))


def choose(solver: Solver, wanted: str = AUTO) -> RuntimeName:
    """The first runtime that can run the solver, or the wanted one if it can."""
    reasons, remedies = [], []
    for name in PREFERRED if wanted == AUTO else (wanted,):
        reason = runtime(name).available(solver)
        if reason is None:
            return RuntimeName(name)
        reasons.append(f"{name}: {reason}")
        remedies += [runtime(name).remedy(solver)] if name in solver.runtimes else []
    raise SolverError(
        f"{solver.name} cannot run here ({', '.join(reasons)})",
        "; or ".join(remedies) or f"leave --runtime out: it runs {' or '.join(solver.runtimes)}",
    )


def check_seed(solver: Solver, chosen: str, seed: int | None) -> None:
    """A seed for a solver that takes none would change nothing, while it seems to."""
    if seed is not None and not solver.takes_seed(chosen):
        raise SolverError(f"{solver.name} ({chosen}) takes no seed", "leave the seed out")


def skipped_runtimes(solver: Solver, chosen: str, wanted: str) -> dict[str, str]:
    """Why the solver does not run where it would rather: another runtime is another version."""
    before = PREFERRED[: PREFERRED.index(RuntimeName(chosen))] if wanted == AUTO else ()
    reasons = {name: runtime(name).available(solver) for name in before if name in solver.runtimes}
    return {name: reason for name, reason in reasons.items() if reason}
