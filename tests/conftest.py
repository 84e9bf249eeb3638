"""What any test may ask for: the command line, run in this process."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from boardsat.cli import main

# A shell has what it runs in the background ignore it, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it printed."""

    code: int
    out: bytes
    err: str


@pytest.fixture
def boardsat(capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Done]:
    def run(*words: object) -> Done:
        capfdbinary.readouterr()
        code = main([str(word) for word in words])
        out, err = capfdbinary.readouterr()
        return Done(code, out, err.decode())

    return run
