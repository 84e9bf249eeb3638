"""Container runtime: solvers in containers of an engine such as Docker or Podman.

Files are copied in and out as archives through an anonymous volume, so an engine on another machine
works too. The Docker SDK is imported only if an engine is used.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from boardsat.adapters.answer import TerminationReason
from boardsat.adapters.runtimes import Limits, Outcome, Task
from boardsat.adapters.runtimes.engine_socket import (
    NO_ENGINE,
    START_REMEDY,
    EngineError,
    has_image,
    is_engine_missing,
)
from boardsat.adapters.solvers import Solver
from boardsat.base.errors import SolverError

NOT_BUILT = "image not built"
BUILD = "build the images with `boardsat images`"

IMAGE_FOLDER = (Path(__file__).parent.parent.parent / "docker").resolve()
"""Folder with the sources of images: docker/ of a checkout, or its copy in an installed package."""


def image_names() -> list[str]:
    """Return the names of the images that can be built."""
    return sorted(file.parent.name for file in IMAGE_FOLDER.glob("*/Dockerfile"))


def image_name(solver: Solver) -> str:
    """Return the name of the image of a solver."""
    return f"boardsat/{solver.image}:latest"


def unavailable_reason(solver: Solver) -> str | None:
    """Return the reason why a solver cannot run in a container. None if it can."""
    return _fault(solver)[0] or None


def remedy(solver: Solver) -> str:
    """Return what the user can do so that a solver can run in a container."""
    return _fault(solver)[1]


def _fault(solver: Solver) -> tuple[str, str]:
    """Return the reason why a solver cannot run, and its remedy; both empty if it can run."""
    if not solver.image:
        return "no image", "add the key `image` to the solver file"
    if is_engine_missing():
        return NO_ENGINE, START_REMEDY
    try:
        exists = has_image(image_name(solver))
        if exists is None:
            from boardsat.adapters.runtimes import engine

            fault, remedy = engine.image_fault(image_name(solver))
            if fault:
                return fault, remedy
            exists = not remedy
    except EngineError as error:
        return error.fault, error.remedy
    return ("", "") if exists else (NOT_BUILT, _build_remedy(solver))


def _build_remedy(solver: Solver) -> str:
    if solver.image in image_names():
        return BUILD
    reason = f"there is no folder docker/{solver.image} for it"
    return f"build or pull {image_name(solver)}: {reason}"


def version(solver: Solver) -> str:
    """Return the version that a solver prints in its image, or that on the label of the image."""
    from boardsat.adapters.runtimes import engine, versions

    _require_engine()
    digest, label = engine.image_label(image_name(solver))
    line = solver.version_line()
    printed = ""
    if line:
        printed = versions.cached_version(digest, line, lambda: _printed_version(solver))
    is_better = versions.is_version(printed) or (label == versions.UNKNOWN and printed)
    return printed if is_better else label


def _printed_version(solver: Solver) -> str:
    """Return the version that the program prints in its image; empty if it prints no version."""
    from boardsat.adapters.runtimes.versions import UNKNOWN, first_version

    assert solver.program is not None
    program = replace(solver.program, command=solver.program.version_command)
    outcome = run(replace(solver, program=program), Task(os.devnull, Limits(wall=10.0)))
    if outcome.termination is not TerminationReason.FINISHED:
        raise SolverError(f"{solver.name} did not print its version: {outcome.termination.value}")
    version = first_version(outcome.output.end(2000) + outcome.errors.end(2000))
    return "" if version == UNKNOWN else version


def image_digest(solver: Solver) -> str:
    """Return the digest of the image of a solver."""
    from boardsat.adapters.runtimes import engine

    return engine.image_label(image_name(solver))[0]


def run(solver: Solver, task: Task) -> Outcome:
    """Run a solver in a container."""
    _require_engine()
    from boardsat.adapters.runtimes.container_run import run_container

    return run_container(solver, task)


def _require_engine() -> None:
    if is_engine_missing():
        raise EngineError(NO_ENGINE, START_REMEDY)
