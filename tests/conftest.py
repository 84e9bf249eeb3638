"""What any test may ask for: the command line, run in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from boardsat.cli import main


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
