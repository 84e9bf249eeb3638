"""Solvers in containers: confined, fed and read over the engine's interface, and always removed.

Files go in and out as archives through a volume of the container's own, so that an engine on
another machine works too. The clock is ours: the engine is asked to stop a solver, then made to.
"""

from __future__ import annotations

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

from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from docker.types import LogConfig, Ulimit

from boardsat.adapters.answer import End, Status, Usage
from boardsat.adapters.errors import AdapterError
from boardsat.adapters.runtimes import GRACE, LARGEST_FILE, Outcome, Output, Task, engine, images
from boardsat.adapters.runtimes.engine import GONE, short, talking
from boardsat.adapters.runtimes.engine import client as _client
from boardsat.adapters.runtimes.scratch import is_left_over, owner
from boardsat.adapters.solvers import Solver

LABEL = "boardsat.run"
"""Whose container it is, as `scratch` writes it."""

USER = 10001
"""The user inside: nobody's, and the owner of nothing but the folder for results."""

NOT_BUILT = "image not built"
BUILD = "build the images with `boardsat images`"

WORK, RESULTS = "/job", "/job/results"
FORMULA, PROOF = f"{WORK}/formula.cnf", f"{WORK}/proof"

PROCESSES = 64
SCRATCH = "size=64m,mode=1777"

# The cgroup is gone as soon as the container ends, so the last process inside tells what was used.
# It hands TERM on to the solver, which ends the first `wait` but not the solver.
_WRAPPER = (
    "trap 'kill -TERM $solver' TERM; "
    '"$@" & solver=$!; wait $solver; code=$?; '
    "[ $code -le 128 ] || { wait $solver; again=$?; [ $again -eq 127 ] || code=$again; }; "
    'exec >&2; echo; echo "# usage"; times; '
    "cat /sys/fs/cgroup/memory/memory.max_usage_in_bytes /sys/fs/cgroup/memory.peak 2>/dev/null; "
    "exit $code"
)
_USAGE = re.compile(rb"\n# usage\n.*\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\n(\d+)?\s*$", re.DOTALL)


def image_name(solver: Solver) -> str:
    return f"boardsat/{solver.image}:latest"


def available(solver: Solver) -> str | None:
    if solver.image is None:
        return "no image"
    if _client() is None:
        return engine.lack()[0]
    try:
        _client().images.get(image_name(solver))
    except ImageNotFound:
        return NOT_BUILT
    except (DockerException, *GONE) as error:
        return f"the engine does not answer ({short(error)})"
    return None


def remedy(solver: Solver) -> str:
    if _client() is None:
        return engine.lack()[1]
    if solver.image in images.names():
        return BUILD
    return f"build or pull {image_name(solver)}: there is no folder docker/{solver.image} for it"


def version(solver: Solver) -> str:
    with talking():
        image = _client().images.get(image_name(solver))
        return str(image.labels.get("org.opencontainers.image.version", "unknown"))


def image_digest(solver: Solver) -> str:
    with talking():
        return str(_client().images.get(image_name(solver)).id)


def run(solver: Solver, task: Task) -> Outcome:
    proof = f"{RESULTS}/proof" if task.writes_proof else PROOF if task.reads_proof else None
    command = solver.command_line(**task.words(FORMULA, proof))
    container = None
    with talking():
        try:
            with _unbroken():
                container = _create(solver, command, task)
            return _Run(container, task, command).outcome()
        finally:
            # Also after Ctrl-C, and however far it had come.
            if container is not None:
                with _unbroken():
                    container.remove(force=True, v=True)


def remove_leftovers() -> int:
    """Remove what processes of this machine left when they were killed; how many containers."""
    removed = 0
    with talking():
        # Only their names: another run may remove one of its own at any time.
        for about in _client().api.containers(all=True, filters={"label": LABEL}):
            if is_left_over(about["Labels"][LABEL]):
                _remove(about["Id"])
                removed += 1
    return removed


def _remove(identifier: str) -> None:
    """Remove a container, or wait for the end of another command that is removing it."""
    try:
        _client().api.remove_container(identifier, force=True, v=True)
    except NotFound:
        return
    except APIError as error:
        if error.status_code != HTTPStatus.CONFLICT:
            raise
        with suppress(NotFound):
            _client().api.wait(identifier, timeout=60, condition="removed")


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


def _create(solver: Solver, command: tuple[str, ...], task: Task) -> Any:
    # Even without a limit, not so much that the machine begins to swap.
    memory = task.limits.memory or os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return _client().containers.create(
        image_name(solver),
        ["sh", "-c", _WRAPPER, "sh", *command],
        labels={LABEL: owner()},
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
        cpuset_cpus=str(task.chosen_core() if _is_local() else 0),
        ulimits=[
            Ulimit(name="core", soft=0, hard=0),
            Ulimit(name="fsize", soft=LARGEST_FILE, hard=LARGEST_FILE),
        ],
        log_config=LogConfig(type="none"),
        init=True,
    )


def _is_local() -> bool:
    """Whether the engine is on this machine: it listens at a socket, not at an address."""
    return str(_client().api.base_url).startswith("http+docker://")


class _Run:
    """One container from its start to its end."""

    def __init__(self, container: Any, task: Task, command: tuple[str, ...]) -> None:
        self.container, self.task, self.command = container, task, command
        self.output, self.errors = Output(), Output()
        self.done, self.full = threading.Event(), threading.Event()
        self.lost: Exception | None = None
        self.sampled = Usage(0.0, 0.0, 0)

    def outcome(self) -> Outcome:
        self._send()
        stream = self.container.attach(stream=True, stdout=True, stderr=True, demux=True)
        reader = threading.Thread(target=self._read, args=(stream,), daemon=True)
        reader.start()
        self.container.start()
        begun = time.monotonic()
        end = self._watch(begun)
        wall = time.monotonic() - begun
        code = int(self.container.wait(timeout=60)["StatusCode"])
        reader.join(GRACE)
        if self.lost is not None:
            raise AdapterError(f"its output was lost: {short(self.lost)}", "run it again")
        if end is End.FINISHED and self._out_of_memory():
            end = End.MEMORY
        if 128 < code < 128 + signal.NSIG:
            code = 128 - code
            end = End.SIGNAL if end is End.FINISHED else end
        if code == Status.UNSATISFIABLE.value and self.task.writes_proof:
            self._fetch(f"{RESULTS}/proof", self.task.writes_proof)
        return Outcome(self.output, self.errors, end, code, self._usage(wall), self.command)

    def _send(self) -> None:
        files = {FORMULA: self.task.file}
        if self.task.reads_proof:
            files[PROOF] = self.task.reads_proof
        self.container.put_archive(WORK, _archive(files, bool(self.task.writes_proof)))

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

    def _watch(self, begun: float) -> End:
        limits = self.task.limits
        while True:
            left = limits.wall - (time.monotonic() - begun) if limits.wall else 1.0
            done = self.done.wait(min(0.5, max(0.0, left)))
            if self.full.is_set():
                return self._stop(End.OUTPUT)
            if done:
                return End.FINISHED
            if limits.wall and time.monotonic() - begun >= limits.wall:
                self._sample()
                return self._stop(End.TIME)
            self._sample()
            if limits.cpu and (self.sampled.cpu or 0.0) >= limits.cpu:
                return self._stop(End.CPU)

    def _sample(self) -> None:
        """What was used so far, for a run that will not live to tell."""
        stats = self.container.client.api.stats(self.container.id, stream=False, one_shot=True)
        memory = stats.get("memory_stats", {})
        used = int(memory.get("max_usage") or memory.get("usage") or 0)
        cpu = stats.get("cpu_stats", {}).get("cpu_usage", {}).get("total_usage", 0) / 1e9
        # A container that has just ended reports nothing: keep what is known.
        self.sampled = Usage(
            0.0, max(cpu, self.sampled.cpu or 0.0), max(used, self.sampled.memory or 0)
        )

    def _stop(self, end: End) -> End:
        self._kill("TERM")
        if not self.done.wait(GRACE):
            self._kill("KILL")
        return end

    def _kill(self, signal: str) -> None:
        try:
            self.container.kill(signal)
        except APIError as error:
            # It ended by itself in the meantime.
            if error.status_code not in (404, 409):
                raise

    def _out_of_memory(self) -> bool:
        self.container.reload()
        return bool(self.container.attrs["State"].get("OOMKilled"))

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

    def _fetch(self, inside: str, target: str) -> None:
        """A file of the container, whole, to a path of ours."""
        stream, _ = self.container.get_archive(inside)
        with tarfile.open(fileobj=_Reader(stream), mode="r|") as archive:  # type: ignore[call-overload]
            for member in archive:
                content = archive.extractfile(member)
                if content is not None:
                    with Path(target).open("wb") as file:
                        while piece := content.read(2**20):
                            file.write(piece)


def _archive(files: dict[str, str], results: bool) -> Iterator[bytes]:
    """A tar stream: the files, which only root may change, and where needed a folder for results.

    Without it the solver can write nowhere but to the small /tmp.
    """
    if results:
        folder = tarfile.TarInfo(Path(RESULTS).name)
        folder.type, folder.mode = tarfile.DIRTYPE, 0o700
        folder.uid = folder.gid = USER
        yield folder.tobuf()
    for inside, outside in files.items():
        info = tarfile.TarInfo(Path(inside).name)
        info.size, info.mode = Path(outside).stat().st_size, 0o444
        yield info.tobuf()
        with Path(outside).open("rb") as file:
            left = info.size
            while left and (piece := file.read(min(left, 2**20))):
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
