"""Run of a solver in a container: create, send files, start, watch limits, fetch, remove.

This process measures the time; at a limit the engine sends TERM to the container, and then KILL.
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

MAX_PROCESSES = 64
MAX_OPEN_FILES = 1024
MAX_USER_PROCESSES = 4096
"""Maximum number of processes in all containers: the kernel counts all processes of one user."""
TMPFS_OPTIONS = "size=64m,mode=1777"

WORK_FOLDER = "/job"
FORMULA, PROOF = f"{WORK_FOLDER}/formula.cnf", f"{WORK_FOLDER}/proof"
PROOF_LINK = "/tmp/proof"
"""Path of the proof for a solver that writes one: a symbolic link in the writable folder /tmp.

Some solvers reject a file in a folder that is not writable.
"""

USER = 10001
"""ID of the user in the container that runs the solver; it owns nothing but the file of a proof."""

MEMORY_LIMIT_SHARE = 0.98
"""Share of the memory limit above which a killed container counts as one that reached the limit."""
# The kernel counts memory in batches of pages.

_BLOCK_BYTES = 2**20

# The cgroup disappears when the container ends, so the last process inside prints the usage. It
# passes TERM to the solver, which ends the first `wait` but not the solver.
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
    """Run of a solver in a container that has been created."""

    def __init__(self, container: Any, task: Task, command: tuple[str, ...]) -> None:
        self.container, self.task, self.command = container, task, command
        self.output, self.errors = ProgramOutput(), ProgramOutput()
        self.output_ended, self.output_full = threading.Event(), threading.Event()
        self.read_error: Exception | None = None
        """Error that lost output. None if no output was lost."""
        self.sampled = Usage(0.0, 0.0, 0)
        """CPU time and peak memory so far, as last reported by the engine."""

    def outcome(self) -> Outcome:
        """Run the container to its end or to a limit, and return the outcome."""
        self._send()
        stream = query_engine(
            lambda _: self.container.attach(stream=True, stdout=True, stderr=True, demux=True)
        )
        reader = threading.Thread(target=self._read, args=(stream,), daemon=True)
        reader.start()
        change_engine(lambda _: self.container.start())
        start_time = time.monotonic()
        end = self._watch(start_time)
        wall = time.monotonic() - start_time
        code = change_engine(lambda _: int(self.container.wait()["StatusCode"]))
        reader.join(TERM_GRACE_SECONDS)
        self.output.check_complete()
        self.errors.check_complete()
        if self.read_error is not None:
            raise SolverError(f"the output was lost: {short_text(self.read_error)}", "run it again")
        if end is TerminationReason.FINISHED and self._out_of_memory():
            end = TerminationReason.MEMORY
        if 128 < code < 128 + signal.NSIG:
            code = 128 - code
            end = TerminationReason.SIGNAL if end is TerminationReason.FINISHED else end
        proof_error = self._fetch_proof(code)
        usage = self._usage(wall)
        if end is TerminationReason.SIGNAL and code == -signal.SIGKILL and self._is_at_limit(usage):
            end = TerminationReason.MEMORY
        return Outcome(self.output, self.errors, end, code, usage, self.command, proof_error)

    def _send(self) -> None:
        files = {Path(FORMULA).name: self.task.file}
        if self.task.checked_proof:
            files[Path(PROOF).name] = self.task.checked_proof
        proof_name = Path(PROOF).name if self.task.written_proof else ""
        send_files(self.container, WORK_FOLDER, files, proof_name)

    def _fetch_proof(self, code: int) -> BoardsatError | None:
        """Copy the proof of UNSATISFIABLE; return the error if it cannot be copied.

        The error is not raised, because the answer remains valid.
        """
        if code != Status.UNSATISFIABLE.value or not self.task.written_proof:
            return None
        try:
            fetch_file(self.container, PROOF, self.task.written_proof)
        except NotFound:
            return None  # the solver did not write it, as the caller sees by the missing file
        except APIError as error:
            return SolverError(short_text(error))
        except BoardsatError as error:
            Path(self.task.written_proof).unlink(missing_ok=True)
            return error
        return None

    def _read(self, stream: Any) -> None:
        """Store the output of the container until its end; runs in a thread."""
        try:
            for output_piece, error_piece in stream:
                is_stored = (not output_piece or self.output.add(output_piece)) and (
                    not error_piece or self.errors.add(error_piece)
                )
                if not is_stored:
                    # Read on: an engine whose output is not read stops doing anything else.
                    self.output_full.set()
        except Exception as error:
            self.read_error = error
        finally:
            self.output_ended.set()

    def _watch(self, start_time: float) -> TerminationReason:
        """Wait for the end of the container; stop it at a limit."""
        limits = self.task.limits
        while True:
            seconds = limits.wall - (time.monotonic() - start_time) if limits.wall else 1.0
            has_ended = self.output_ended.wait(min(0.5, max(0.0, seconds)))
            if self.output_full.is_set():
                return self._stop(TerminationReason.OUTPUT)
            if has_ended:
                return TerminationReason.FINISHED
            if limits.wall and time.monotonic() - start_time >= limits.wall:
                self._sample()
                return self._stop(TerminationReason.TIME)
            self._sample()
            if limits.cpu and (self.sampled.cpu or 0.0) >= limits.cpu:
                return self._stop(TerminationReason.CPU)

    def _sample(self) -> None:
        """Record CPU time and memory so far: a killed container does not print them."""
        cpu, memory = query_engine(self._current_usage)
        # A container that has just ended reports zeros.
        self.sampled = Usage(
            0.0, max(cpu, self.sampled.cpu or 0.0), max(memory, self.sampled.memory or 0)
        )

    def _current_usage(self, client: Any) -> tuple[float, int]:
        """Return CPU time in seconds and peak memory in bytes, as the engine reports them."""
        stats = client.api.stats(self.container.id, stream=False, one_shot=True)
        nanoseconds = stats.get("cpu_stats", {}).get("cpu_usage", {}).get("total_usage", 0)
        memory_stats = stats.get("memory_stats", {})
        memory = int(memory_stats.get("max_usage") or memory_stats.get("usage") or 0)
        return nanoseconds / 1e9, memory

    def _stop(self, end: TerminationReason) -> TerminationReason:
        """Send TERM, and KILL after a grace period; return the reason."""
        self._kill("TERM")
        if not self.output_ended.wait(TERM_GRACE_SECONDS):
            self._kill("KILL")
        return end

    def _kill(self, signal_name: str) -> None:
        """Send a signal, unless the container has ended in the meantime."""
        try:
            change_engine(lambda _: self.container.kill(signal_name))
        except APIError as error:
            # Podman reports another error for a container that has ended.
            has_ended = error.status_code in (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)
            if not has_ended and self._state()["Running"]:
                raise

    def _out_of_memory(self) -> bool:
        return bool(self._state().get("OOMKilled"))

    def _state(self) -> dict[str, Any]:
        query_engine(lambda _: self.container.reload())
        return dict(self.container.attrs["State"])

    def _is_at_limit(self, usage: Usage) -> bool:
        """Return True if the memory limit was reached: Podman does not report that as OOMKilled."""
        limit = self.task.limits.memory
        return limit is not None and (usage.memory or 0) >= MEMORY_LIMIT_SHARE * limit

    def _usage(self, wall: float) -> Usage:
        """Return the usage that the wrapper has printed, and remove it from the output."""
        offset = max(0, self.errors.size - 400)
        self.errors.file.seek(offset)
        match = _USAGE.search(self.errors.file.read())
        if match is None:
            return Usage(wall, self.sampled.cpu or None, self.sampled.memory or None)
        self.errors.cut(offset + match.start())
        user, system = (60 * int(match[k]) + float(match[k + 1]) for k in (1, 3))
        memory = int(match[5]) if match[5] else self.sampled.memory
        return Usage(wall, user + system, memory)


def send_files(container: Any, folder: str, files: dict[str, str], proof: str = "") -> None:
    """Copy files into a folder of a container.

    Parameters
    ----------
    container : docker.models.containers.Container
        Container that has been created.
    folder : str
        Folder in the container.
    files : dict of str to str
        Paths of the files, by their names in the container.
    proof : str, optional
        Name of an empty file that the solver may write; empty if it does not write a proof.

    Raises
    ------
    EngineError
        The engine does not answer, or the transfer is slower than MIN_BYTES_PER_SECOND.
    """
    size = sum(Path(file).stat().st_size for file in files.values())
    seconds = engine.CHANGE_SECONDS + size / engine.MIN_BYTES_PER_SECOND
    query_engine(lambda _: container.put_archive(folder, _archive(files, proof)), seconds)


def fetch_file(container: Any, inside: str, target: str) -> None:
    """Copy a file of a container to a path of this machine, unless it is empty.

    Parameters
    ----------
    container : docker.models.containers.Container
        Container that has ended.
    inside, target : str
        Path in the container, and path on this machine.

    Raises
    ------
    BoardsatError
        The file cannot be written, or the transfer is slower than MIN_BYTES_PER_SECOND.
    NotFound
        The container has no such file.
    """
    stream, size = query_engine(lambda _: _open_archive(container, inside))
    try:
        if not size:
            stream.close()
            return
        seconds = engine.CHANGE_SECONDS + size / engine.MIN_BYTES_PER_SECOND
        query_engine(lambda _: scratch.write(target, _content(stream)), seconds)
    except BaseException:
        # The engine does not remove a container while a connection reads from it, and the SDK
        # closes a connection only when it is garbage collected.
        with suppress(ValueError):
            stream.close()
        gc.collect()
        raise


def _open_archive(container: Any, inside: str) -> tuple[Any, int]:
    """Return the tar stream of a file in a container, and the size of the file in bytes."""
    stream, status = container.get_archive(inside)
    return stream, int(status["size"])


def _content(stream: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the content of the files of a tar stream in pieces."""
    with tarfile.open(fileobj=_Reader(stream), mode="r|") as archive:  # type: ignore[call-overload]
        for member in archive:
            content = archive.extractfile(member)
            if content is not None:
                while piece := content.read(_BLOCK_BYTES):
                    yield piece


def _archive(files: dict[str, str], proof: str) -> Iterator[bytes]:
    """Yield a tar stream: files that only root may change, and an empty file for the proof.

    The solver can write the proof and the small /tmp, and nothing else: in a writable folder it
    could create any number of files, because only the size of each file is limited.
    """
    if proof:
        empty = tarfile.TarInfo(proof)
        empty.mode = 0o600
        empty.uid = empty.gid = USER
        yield empty.tobuf()
    for inside, outside in files.items():
        member = tarfile.TarInfo(inside)
        member.size, member.mode = Path(outside).stat().st_size, 0o444
        yield member.tobuf()
        with Path(outside).open("rb") as file:
            num_missing = member.size
            while num_missing and (piece := file.read(min(num_missing, _BLOCK_BYTES))):
                num_missing -= len(piece)
                yield piece
        yield b"\0" * (-member.size % tarfile.BLOCKSIZE)
    yield b"\0" * tarfile.RECORDSIZE


class _Reader:
    """File object that reads from an iterator of bytes."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces, self.buffer = iter(pieces), b""

    def read(self, size: int) -> bytes:
        while len(self.buffer) < size and (piece := next(self.pieces, b"")):
            self.buffer += piece
        content, self.buffer = self.buffer[:size], self.buffer[size:]
        return content


def run_container(solver: Solver, task: Task) -> Outcome:
    """Run a solver in a new container, and remove the container in any case.

    Raises
    ------
    EngineError
        The engine does not answer, or answers nonsense.
    SolverError
        The engine refuses a request, or output of the solver was lost.
    """
    remove_stale_containers_once()
    proof = PROOF_LINK if task.written_proof else PROOF if task.checked_proof else None
    command = solver.command_line(**task.template_variables(FORMULA, proof))
    container = None
    with translate_engine_errors():
        try:
            with _deferred_signals():
                container = change_engine(lambda client: _create(client, solver, command, task))
            return ContainerRun(container, task, command).outcome()
        finally:
            # The container is removed after Ctrl-C, too. If that fails, the answer is valid
            # nevertheless, and the next command removes the container.
            if container is not None:
                with _deferred_signals(), suppress(EngineError, APIError):
                    change_engine(lambda _: container.remove(force=True, v=True))


@contextmanager
def _deferred_signals() -> Iterator[None]:
    """Defer Ctrl-C and other signals until the end of the context."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []
    usual_handlers = {
        number: signal.signal(number, lambda number, _: received.append(number))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in usual_handlers.items():
            signal.signal(number, handler)
        for received_number in received:
            signal.raise_signal(received_number)


def _create(client: Any, solver: Solver, command: tuple[str, ...], task: Task) -> Any:
    """Create a container without network, capabilities and writable folders, under limits."""
    # Without a limit the maximum is the memory of the machine, so that it does not swap.
    memory = task.limits.memory or os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return client.containers.create(
        f"boardsat/{solver.image}:latest",
        ["sh", "-c", WRAPPER, "sh", *command],
        labels={CONTAINER_LABEL: own_process_id()},
        network_mode="none",
        read_only=True,
        tmpfs={"/tmp": TMPFS_OPTIONS},
        volumes=[WORK_FOLDER],
        working_dir="/tmp",
        user=f"{USER}:{USER}",
        cap_drop=["ALL"],
        security_opt=["no-new-privileges"],
        pids_limit=MAX_PROCESSES,
        mem_limit=memory,
        memswap_limit=memory,
        # On another machine only the first core is known to exist.
        cpuset_cpus=str(task.select_core() if _is_local(client) else 0),
        ulimits=[
            Ulimit(name="core", soft=0, hard=0),
            Ulimit(name="fsize", soft=MAX_FILE_BYTES, hard=MAX_FILE_BYTES),
            # Without these, Podman requests a million of each, and a host may allow less.
            Ulimit(name="nofile", soft=MAX_OPEN_FILES, hard=MAX_OPEN_FILES),
            Ulimit(name="nproc", soft=MAX_USER_PROCESSES, hard=MAX_USER_PROCESSES),
        ],
        log_config=LogConfig(type="none"),
        init=True,
    )


def _is_local(client: Any) -> bool:
    """Return True if the engine is on this machine: it listens at a Unix socket."""
    return str(client.api.base_url).startswith("http+docker://")
