"""Set-up of every test: its environment, and the command line in this process."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Generator
from dataclasses import dataclass

import pytest
from helpers.requirements import MISSING_ENGINE, MissingRequirement

from boardsat.adapters.runtimes import engine
from boardsat.cli import main

# Colours are for terminals, which no test has unless it says so.
for name in ("FORCE_COLOR", "NO_COLOR"):
    os.environ.pop(name, None)

# Tests start hundreds of processes: each would compile everything again where nothing is kept.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Nothing multiplies matrices here: to start threads for that is a fifth of the start of numpy.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

# Nothing that is imported and collected is garbage: to look for it is a sixth of that time.
gc.disable()

# A shell has what it runs in the background ignore it, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


pytest_plugins = ["helpers.fixtures"]

ENGINE = os.environ.get("DOCKER_HOST")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Exclude the thousands of collected tests from garbage collection."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """An engine is there for those that ask for what is outside, and hidden from all others."""
    seen = ENGINE if item.get_closest_marker("outside") else MISSING_ENGINE
    if seen == os.environ.get("DOCKER_HOST"):
        return
    if seen is None:
        del os.environ["DOCKER_HOST"]
    else:
        os.environ["DOCKER_HOST"] = seen
    engine._connection.cache_clear()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that is skipped for a missing program without the mark: CI would never run it."""
    report = yield
    lacks = call.excinfo is not None and isinstance(call.excinfo.value, MissingRequirement)
    if lacks and not item.get_closest_marker("outside"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} needs what a machine may lack: mark it `outside`"
    return report


@dataclass(frozen=True)
class Done:
    """Exit code and output of a command."""

    code: int
    out: bytes
    err: str


@pytest.fixture
def boardsat(capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Done]:
    def run(*arguments: object) -> Done:
        capfdbinary.readouterr()
        code = main([str(token) for token in arguments])
        out, err = capfdbinary.readouterr()
        return Done(code, out, err.decode())

    return run
