"""One container from its start to its end, under limits.

The clock is ours: the engine is asked to stop a solver, then made to.
"""

from __future__ import annotations

import gc
import os
import re
import signal
import tarfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any

from docker.errors import APIError, NotFound
from docker.types import LogConfig, Ulimit

from boardsat.adapters.answer import Status, TerminationReason, Usage
from boardsat.adapters.runtimes import MAX_FILE_BYTES, Outcome, Task, engine
from boardsat.adapters.runtimes.engine import (
    CONTAINER_LABEL,
    change_engine,
    query_engine,
    remove_stale_containers_once,
    short_text,
    translate_engine_errors,
)
from boardsat.adapters.runtimes.engine_socket import EngineError
from boardsat.adapters.runtimes.program_output import TERM_GRACE_SECONDS, ProgramOutput
from boardsat.adapters.solvers import Solver
from boardsat.base import scratch
from boardsat.base.errors import BoardsatError, SolverError
from boardsat.base.process_id import own_process_id

PROCESSES = 64
OPEN_FILES = 1024
ALL_PROCESSES = 4096
"""Maximum number of processes in all containers together: the kernel counts them as one user's."""
SCRATCH = "size=64m,mode=1777"

WORK = "/job"
FORMULA, PROOF = f"{WORK}/formula.cnf", f"{WORK}/proof"
PROOF_LINK = "/tmp/proof"
"""Path of a proof that a solver writes: some refuse a file whose folder they cannot write to."""

FULL = 0.98
"""Of the memory that a container may take: the kernel counts in pages, and by batches of them."""

# The cgroup is gone as soon as the container ends, so the last process inside tells what was used.
# It hands TERM on to the solver, which ends the first `wait` but not the solver.
WRAPPER = (
    f"[ ! -w {PROOF} ] || ln -s {PROOF} {PROOF_LINK}; "
    "trap 'kill -TERM $solver' TERM; "
    '"$@" & solver=$!; wait $solver; code=$?; '
    "[ $code -le 128 ] || { wait $solver; again=$?; [ $again -eq 127 ] || code=$again; }; "
    'exec >&2; echo; echo "# usage"; times; '
    "cat /sys/fs/cgroup/memory/memory.max_usage_in_bytes /sys/fs/cgroup/memory.peak 2>/dev/null; "
    "exit $code"
)
_USAGE = re.compile(rb"\n# usage\n.*\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\n(\d+)?\s*$", re.DOTALL)


class ContainerRun:
    def __init__(self, container: Any, task: Task, command: tuple[str, ...]) -> None:
        self.container, self.task, self.command = container, task, command
        self.output, self.errors = ProgramOutput(), ProgramOutput()
        self.done, self.full = threading.Event(), threading.Event()
        self.lost: Exception | None = None
        self.sampled = Usage(0.0, 0.0, 0)

    def outcome(self) -> Outcome:
        self._send()
        stream = query_engine(
            lambda _: self.container.attach(stream=True, stdout=True, stderr=True, demux=True)
        )
        reader = threading.Thread(target=self._read, args=(stream,), daemon=True)
        reader.start()
        change_engine(lambda _: self.container.start())
        begun = time.monotonic()
        end = self._watch(begun)
        wall = time.monotonic() - begun
        code = change_engine(lambda _: int(self.container.wait()["StatusCode"]))
        reader.join(TERM_GRACE_SECONDS)
        self.output.check_complete()
        self.errors.check_complete()
        if self.lost is not None:
            raise SolverError(f"its output was lost: {short_text(self.lost)}", "run it again")
        if end is TerminationReason.FINISHED and self._out_of_memory():
            end = TerminationReason.MEMORY
        if 128 < code < 128 + signal.NSIG:
            code = 128 - code
            end = TerminationReason.SIGNAL if end is TerminationReason.FINISHED else end
        fault = self._fetch_proof(code)
        usage = self._usage(wall)
        if end is TerminationReason.SIGNAL and code == -signal.SIGKILL and self._is_at_limit(usage):
            end = TerminationReason.MEMORY
        return Outcome(self.output, self.errors, end, code, usage, self.command, fault)

    def _send(self) -> None:
        files = {Path(FORMULA).name: self.task.file}
        if self.task.checked_proof:
            files[Path(PROOF).name] = self.task.checked_proof
        send_files(self.container, WORK, files, Path(PROOF).name if self.task.written_proof else "")

    def _fetch_proof(self, code: int) -> BoardsatError | None:
        """Copy the proof if there is one; return why it did not arrive: the answer is kept."""
        if code != Status.UNSATISFIABLE.value or not self.task.written_proof:
            return None
        try:
            fetch_file(self.container, PROOF, self.task.written_proof)
        except NotFound:
            return None  # the solver wrote none, as the caller sees by the missing file
        except APIError as error:
            return SolverError(short_text(error))
        except BoardsatError as error:
            Path(self.task.written_proof).unlink(missing_ok=True)
            return error
        return None

    def _read(self, stream: Any) -> None:
        try:
            for printed, complained in stream:
                room = (not printed or self.output.add(printed)) and (
                    not complained or self.errors.add(complained)
                )
                if not room:
                    # Read on: an engine that cannot get rid of output does nothing else either.
                    self.full.set()
        except Exception as error:
            self.lost = error
        finally:
            self.done.set()

    def _watch(self, begun: float) -> TerminationReason:
        limits = self.task.limits
        while True:
            left = limits.wall - (time.monotonic() - begun) if limits.wall else 1.0
            ended = self.done.wait(min(0.5, max(0.0, left)))
            if self.full.is_set():
                return self._stop(TerminationReason.OUTPUT)
            if ended:
                return TerminationReason.FINISHED
            if limits.wall and time.monotonic() - begun >= limits.wall:
                self._sample()
                return self._stop(TerminationReason.TIME)
            self._sample()
            if limits.cpu and (self.sampled.cpu or 0.0) >= limits.cpu:
                return self._stop(TerminationReason.CPU)

    def _sample(self) -> None:
        """What was used so far, for a run that will not live to tell."""
        cpu, used = query_engine(self._used)
        # A container that has just ended reports nothing: keep what is known.
        self.sampled = Usage(
            0.0, max(cpu, self.sampled.cpu or 0.0), max(used, self.sampled.memory or 0)
        )

    def _used(self, client: Any) -> tuple[float, int]:
        stats = client.api.stats(self.container.id, stream=False, one_shot=True)
        memory = stats.get("memory_stats", {})
        used = int(memory.get("max_usage") or memory.get("usage") or 0)
        return stats.get("cpu_stats", {}).get("cpu_usage", {}).get("total_usage", 0) / 1e9, used

    def _stop(self, end: TerminationReason) -> TerminationReason:
        self._kill("TERM")
        if not self.done.wait(TERM_GRACE_SECONDS):
            self._kill("KILL")
        return end

    def _kill(self, signal: str) -> None:
        try:
            change_engine(lambda _: self.container.kill(signal))
        except APIError as error:
            # It ended by itself in the meantime, which Podman calls a fault of its own.
            gone = error.status_code in (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)
            if not gone and self._state()["Running"]:
                raise

    def _out_of_memory(self) -> bool:
        return bool(self._state().get("OOMKilled"))

    def _state(self) -> dict[str, Any]:
        query_engine(lambda _: self.container.reload())
        return dict(self.container.attrs["State"])

    def _is_at_limit(self, usage: Usage) -> bool:
        """Whether all memory was taken: Podman does not tell that this was why it was killed."""
        limit = self.task.limits.memory
        return limit is not None and (usage.memory or 0) >= FULL * limit

    def _usage(self, wall: float) -> Usage:
        begin = max(0, self.errors.size - 400)
        self.errors.file.seek(begin)
        found = _USAGE.search(self.errors.file.read())
        if found is None:
            return Usage(wall, self.sampled.cpu or None, self.sampled.memory or None)
        self.errors.cut(begin + found.start())
        user, system = (60 * int(found[k]) + float(found[k + 1]) for k in (1, 3))
        memory = int(found[5]) if found[5] else self.sampled.memory
        return Usage(wall, user + system, memory)


USER = 10001
"""The user inside: nobody's, and the owner of nothing but the file for a proof."""

_BLOCK = 2**20


def send_files(container: Any, folder: str, files: dict[str, str], proof: str = "") -> None:
    """Put files, by their names inside, into a folder of a container.

    `proof` is the name of an empty file that the solver may write; empty if it writes none.
    """
    size = sum(Path(file).stat().st_size for file in files.values())
    seconds = engine.CHANGE_SECONDS + size / engine.MIN_BYTES_PER_SECOND
    query_engine(lambda _: container.put_archive(folder, _archive(files, proof)), seconds)


def fetch_file(container: Any, inside: str, target: str) -> None:
    """A file of the container, whole, to a path of ours; BoardsatError where that has no room.

    An empty file was never written, and there will be none here either.
    """
    stream, size = query_engine(lambda _: _sized(container.get_archive(inside)))
    try:
        if not size:
            stream.close()
            return
        seconds = engine.CHANGE_SECONDS + size / engine.MIN_BYTES_PER_SECOND
        query_engine(lambda _: scratch.write(target, _content(stream)), seconds)
    except BaseException:
        # The engine removes no container that somebody may still read from, and the connection is
        # closed only when nothing knows it any more.
        with suppress(ValueError):
            stream.close()
        gc.collect()
        raise


def _sized(given: tuple[Any, Any]) -> tuple[Any, int]:
    stream, about = given
    return stream, int(about["size"])


def _content(stream: Iterator[bytes]) -> Iterator[bytes]:
    with tarfile.open(fileobj=_Reader(stream), mode="r|") as archive:  # type: ignore[call-overload]
        for member in archive:
            content = archive.extractfile(member)
            if content is not None:
                while piece := content.read(_BLOCK):
                    yield piece


def _archive(files: dict[str, str], proof: str) -> Iterator[bytes]:
    """Yield a tar stream: the files, which only root may change, and an empty one for the proof.

    The solver can write that file, the small /tmp, and nothing else: in a folder of its own it
    could make any number of files, and the limit is one on the size of each.
    """
    if proof:
        empty = tarfile.TarInfo(proof)
        empty.mode = 0o600
        empty.uid = empty.gid = USER
        yield empty.tobuf()
    for inside, outside in files.items():
        info = tarfile.TarInfo(inside)
        info.size, info.mode = Path(outside).stat().st_size, 0o444
        yield info.tobuf()
        with Path(outside).open("rb") as file:
            left = info.size
            while left and (piece := file.read(min(left, _BLOCK))):
                left -= len(piece)
                yield piece
        yield b"\0" * (-info.size % tarfile.BLOCKSIZE)
    yield b"\0" * tarfile.RECORDSIZE


class _Reader:
    """A file object over the pieces of a stream."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces, self.rest = iter(pieces), b""

    def read(self, size: int) -> bytes:
        while len(self.rest) < size and (piece := next(self.pieces, b"")):
            self.rest += piece
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken


def run_container(solver: Solver, task: Task) -> Outcome:
    """Run a solver in a new container, which is removed whatever happens."""
    remove_stale_containers_once()
    proof = PROOF_LINK if task.written_proof else PROOF if task.checked_proof else None
    command = solver.command_line(**task.template_variables(FORMULA, proof))
    container = None
    with translate_engine_errors():
        try:
            with _unbroken():
                container = change_engine(lambda client: _create(client, solver, command, task))
            return ContainerRun(container, task, command).outcome()
        finally:
            # Also after Ctrl-C, and however far it had come. If it cannot be removed now, the
            # answer counts nevertheless, and the next command removes it.
            if container is not None:
                with _unbroken(), suppress(EngineError, APIError):
                    change_engine(lambda _: container.remove(force=True, v=True))


@contextmanager
def _unbroken() -> Iterator[None]:
    """Put Ctrl-C off for what must not be left half done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    usual = {
        each: signal.signal(each, lambda number, _: came.append(number))
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for each, handler in usual.items():
            signal.signal(each, handler)
        for number in came:
            signal.raise_signal(number)


def _create(client: Any, solver: Solver, command: tuple[str, ...], task: Task) -> Any:
    # Even without a limit, not so much that the machine begins to swap.
    memory = task.limits.memory or os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return client.containers.create(
        f"boardsat/{solver.image}:latest",
        ["sh", "-c", WRAPPER, "sh", *command],
        labels={CONTAINER_LABEL: own_process_id()},
        network_mode="none",
        read_only=True,
        tmpfs={"/tmp": SCRATCH},
        volumes=[WORK],
        working_dir="/tmp",
        user=f"{USER}:{USER}",
        cap_drop=["ALL"],
        security_opt=["no-new-privileges"],
        pids_limit=PROCESSES,
        mem_limit=memory,
        memswap_limit=memory,
        # Of another machine it is only known that it has a first core.
        cpuset_cpus=str(task.chosen_core() if _is_local(client) else 0),
        ulimits=[
            Ulimit(name="core", soft=0, hard=0),
            Ulimit(name="fsize", soft=MAX_FILE_BYTES, hard=MAX_FILE_BYTES),
            # Podman asks for a million of each where it is told none, and a host may allow less.
            Ulimit(name="nofile", soft=OPEN_FILES, hard=OPEN_FILES),
            Ulimit(name="nproc", soft=ALL_PROCESSES, hard=ALL_PROCESSES),
        ],
        log_config=LogConfig(type="none"),
        init=True,
    )


def _is_local(client: Any) -> bool:
    """Whether the engine is on this machine: it listens at a socket, not at an address."""
    return str(client.api.base_url).startswith("http+docker://")
