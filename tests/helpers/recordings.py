"""Recorded outputs of solvers, and what tests of dialects share."""

from __future__ import annotations

from boardsat.adapters.answer import End, Usage
from boardsat.adapters.runtimes import Outcome, Output


def outcome(output: bytes, code: int, end: End = End.FINISHED) -> Outcome:
    printed = Output()
    printed.add(output)
    return Outcome(printed, Output(), end, code, Usage(0.0), ())
