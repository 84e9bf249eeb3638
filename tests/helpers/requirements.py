"""Requirements of tests that a machine may lack: an engine, programs of solvers, a browser.

A test with such a requirement is marked `outside`, explicitly or by the runtime among its
parameters. It is skipped if the requirement is missing, unless BOARDSAT_REQUIRE names it: then it
fails. All other tests see no engine, so that they do the same on every machine.
"""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest

outside = pytest.mark.outside

SOLVER_MARKS = {"unigen": [outside]}
"""Marks of solvers that are libraries without a wheel for some supported Python (UniGen, 3.13)."""

MISSING_ENGINE = "unix:///nonexistent/docker.sock"
"""DOCKER_HOST of an engine that does not exist."""


class MissingRequirement(pytest.skip.Exception):
    """Skip of a test because this machine lacks a requirement."""


def runtime_marks(runtime: str) -> list[pytest.MarkDecorator]:
    """Return the marks of a test that runs a solver in a runtime."""
    return [] if runtime == "embedded" else [outside]


def skip_or_fail(requirement: str, reason: str) -> NoReturn:
    """Skip a test without its requirement (`docker`, `dask` or a program); fail if required."""
    if requirement in os.environ.get("BOARDSAT_REQUIRE", "").split():
        pytest.fail(f"BOARDSAT_REQUIRE has {requirement}, but: {reason}")
    raise MissingRequirement(reason)


def require_program(name: str) -> str:
    """Return the path of a program; skip the test without it."""
    path = shutil.which(name)
    return path or skip_or_fail(name, f"no program {name!r} on PATH")
