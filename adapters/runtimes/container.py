"""Solvers in containers: confined, fed and read over the engine's interface, and always removed.

Files go in and out as archives through a volume of the container's own, so that an engine on
another machine works too.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from docker.errors import APIError, ImageNotFound
from docker.types import LogConfig, Ulimit

from boardsat.adapters.answer import TerminationReason
from boardsat.adapters.runtimes import (
    MAX_FILE_BYTES,
    Limits,
    Outcome,
    Task,
    engine,
    images,
    no_engine,
    versions,
)
from boardsat.adapters.runtimes.container_run import (
    FORMULA,
    PROOF,
    PROOF_LINK,
    USER,
    WORK,
    WRAPPER,
    ContainerRun,
)
from boardsat.adapters.runtimes.engine import (
    CONTAINER_LABEL,
    EngineError,
    change_engine,
    query_engine,
    short_text,
    translate_engine_errors,
)
from boardsat.adapters.runtimes.versions import UNKNOWN, first_version, is_version
from boardsat.adapters.solvers import Solver
from boardsat.base.errors import SolverError
from boardsat.base.process_id import own_process_id

NOT_BUILT = "image not built"
BUILD = "build the images with `boardsat images`"

PROCESSES = 64
OPEN_FILES = 1024
ALL_PROCESSES = 4096
"""Of the user in all containers together, whom the kernel counts as one."""
SCRATCH = "size=64m,mode=1777"


def image_name(solver: Solver) -> str:
    return f"boardsat/{solver.image}:latest"


def available(solver: Solver) -> str | None:
    return _fault(solver)[0] or None


def remedy(solver: Solver) -> str:
    return _fault(solver)[1]


def _fault(solver: Solver) -> tuple[str, str]:
    """What keeps the solver from a container, and what to do about it; empty if it can run."""
    if not solver.image:
        return no_engine.NO_IMAGE
    engine.remove_stale_containers_once()
    try:
        query_engine(lambda client: _about(client.images.get(image_name(solver))))
    except ImageNotFound:
        lacks = f"there is no folder docker/{solver.image} for it"
        pull = f"build or pull {image_name(solver)}: {lacks}"
        return NOT_BUILT, BUILD if solver.image in images.names() else pull
    except APIError as error:
        return f"the engine refuses ({short_text(error)})", "see its log"
    except EngineError as error:
        return error.fault, error.remedy
    return "", ""


def version(solver: Solver) -> str:
    with translate_engine_errors():
        image, label = query_engine(lambda client: _about(client.images.get(image_name(solver))))
    line = solver.version_line()
    told = versions.cached_version(image, line, lambda: _told_version(solver)) if line else ""
    # A word that is not a version is better than none.
    return told if is_version(told) or (label == UNKNOWN and told) else label


def _told_version(solver: Solver) -> str:
    assert solver.program is not None
    program = replace(solver.program, command=solver.program.version_command)
    outcome = run(replace(solver, program=program), Task(os.devnull, Limits(wall=10.0)))
    if outcome.termination is not TerminationReason.FINISHED:
        raise SolverError(f"no version: {outcome.termination.value}")
    found = first_version(outcome.output.end(2000) + outcome.errors.end(2000))
    return "" if found == UNKNOWN else found


def _about(image: Any) -> tuple[str, str]:
    """Its identity, and the version on its label."""
    return str(image.id), str(image.labels.get(images.VERSION_LABEL, UNKNOWN))


def image_digest(solver: Solver) -> str:
    with translate_engine_errors():
        return query_engine(lambda client: str(client.images.get(image_name(solver)).id))


def run(solver: Solver, task: Task) -> Outcome:
    proof = PROOF_LINK if task.writes_proof else PROOF if task.reads_proof else None
    command = solver.command_line(**task.words(FORMULA, proof))
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
        image_name(solver),
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
