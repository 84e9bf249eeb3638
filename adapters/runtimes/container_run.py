"""One container from its start to its end, under limits.

The clock is ours: the engine is asked to stop a solver, then made to.
"""

from __future__ import annotations

import re
import signal
import threading
import time
from http import HTTPStatus
from pathlib import Path
from typing import Any

from docker.errors import APIError, NotFound

from boardsat.adapters.answer import End, Status, Usage
from boardsat.adapters.runtimes import GRACE, Outcome, Output, Task
from boardsat.adapters.runtimes.engine import asked, done, short
from boardsat.adapters.runtimes.transfers import fetch, send
from boardsat.base.errors import BoardsatError, SolverError

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
        self.output, self.errors = Output(), Output()
        self.done, self.full = threading.Event(), threading.Event()
        self.lost: Exception | None = None
        self.sampled = Usage(0.0, 0.0, 0)

    def outcome(self) -> Outcome:
        self._send()
        stream = asked(
            lambda _: self.container.attach(stream=True, stdout=True, stderr=True, demux=True)
        )
        reader = threading.Thread(target=self._read, args=(stream,), daemon=True)
        reader.start()
        done(lambda _: self.container.start())
        begun = time.monotonic()
        end = self._watch(begun)
        wall = time.monotonic() - begun
        code = done(lambda _: int(self.container.wait()["StatusCode"]))
        reader.join(GRACE)
        self.output.refuse_lost()
        self.errors.refuse_lost()
        if self.lost is not None:
            raise SolverError(f"its output was lost: {short(self.lost)}", "run it again")
        if end is End.FINISHED and self._out_of_memory():
            end = End.MEMORY
        if 128 < code < 128 + signal.NSIG:
            code = 128 - code
            end = End.SIGNAL if end is End.FINISHED else end
        fault = self._fetch_proof(code)
        usage = self._usage(wall)
        if end is End.SIGNAL and code == -signal.SIGKILL and self._is_at_limit(usage):
            end = End.MEMORY
        return Outcome(self.output, self.errors, end, code, usage, self.command, fault)

    def _send(self) -> None:
        files = {Path(FORMULA).name: self.task.file}
        if self.task.reads_proof:
            files[Path(PROOF).name] = self.task.reads_proof
        send(self.container, WORK, files, Path(PROOF).name if self.task.writes_proof else "")

    def _fetch_proof(self, code: int) -> BoardsatError | None:
        """Copy the proof if there is one; return why it did not arrive: the answer is kept."""
        if code != Status.UNSATISFIABLE.value or not self.task.writes_proof:
            return None
        try:
            fetch(self.container, PROOF, self.task.writes_proof)
        except NotFound:
            return None  # the solver wrote none, as the caller sees by the missing file
        except APIError as error:
            return SolverError(short(error))
        except BoardsatError as error:
            Path(self.task.writes_proof).unlink(missing_ok=True)
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

    def _watch(self, begun: float) -> End:
        limits = self.task.limits
        while True:
            left = limits.wall - (time.monotonic() - begun) if limits.wall else 1.0
            ended = self.done.wait(min(0.5, max(0.0, left)))
            if self.full.is_set():
                return self._stop(End.OUTPUT)
            if ended:
                return End.FINISHED
            if limits.wall and time.monotonic() - begun >= limits.wall:
                self._sample()
                return self._stop(End.TIME)
            self._sample()
            if limits.cpu and (self.sampled.cpu or 0.0) >= limits.cpu:
                return self._stop(End.CPU)

    def _sample(self) -> None:
        """What was used so far, for a run that will not live to tell."""
        cpu, used = asked(self._used)
        # A container that has just ended reports nothing: keep what is known.
        self.sampled = Usage(
            0.0, max(cpu, self.sampled.cpu or 0.0), max(used, self.sampled.memory or 0)
        )

    def _used(self, client: Any) -> tuple[float, int]:
        stats = client.api.stats(self.container.id, stream=False, one_shot=True)
        memory = stats.get("memory_stats", {})
        used = int(memory.get("max_usage") or memory.get("usage") or 0)
        return stats.get("cpu_stats", {}).get("cpu_usage", {}).get("total_usage", 0) / 1e9, used

    def _stop(self, end: End) -> End:
        self._kill("TERM")
        if not self.done.wait(GRACE):
            self._kill("KILL")
        return end

    def _kill(self, signal: str) -> None:
        try:
            done(lambda _: self.container.kill(signal))
        except APIError as error:
            # It ended by itself in the meantime, which Podman calls a fault of its own.
            gone = error.status_code in (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)
            if not gone and self._state()["Running"]:
                raise

    def _out_of_memory(self) -> bool:
        return bool(self._state().get("OOMKilled"))

    def _state(self) -> dict[str, Any]:
        asked(lambda _: self.container.reload())
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
