"""What a machine may lack: an engine, the programs of solvers, a browser; and tests that need them.

A test that does is marked `outside`: by hand, or by the runtime among its parameters. It is skipped
where they are missing, unless BOARDSAT_REQUIRE names them. All other tests see no engine, so that
they do the same on every machine.
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
"""An engine that is not there."""


class MissingRequirement(pytest.skip.Exception):
    """A test is skipped for what this machine lacks."""


def runtime_marks(where: str) -> list[pytest.MarkDecorator]:
    """The marks of a test that runs a solver there."""
    return [] if where == "embedded" else [outside]


def skip_or_fail(what: str, reason: str) -> NoReturn:
    """Skip for want of an engine (`docker`), of `dask` or a program; fail if it is required."""
    if what in os.environ.get("BOARDSAT_REQUIRE", "").split():
        pytest.fail(f"BOARDSAT_REQUIRE has {what}, but: {reason}")
    raise MissingRequirement(reason)


def require_program(name: str) -> str:
    """Where a program is."""
    found = shutil.which(name)
    return found or skip_or_fail(name, f"no program {name!r} on PATH")
