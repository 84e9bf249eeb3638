"""Recorded outputs of solvers, and what tests of dialects share."""

from __future__ import annotations

from boardsat.adapters.answer import TerminationReason, Usage
from boardsat.adapters.runtimes import Outcome
from boardsat.adapters.runtimes.program_output import ProgramOutput


def outcome(
    output: bytes, code: int, end: TerminationReason = TerminationReason.FINISHED
) -> Outcome:
    printed = ProgramOutput()
    printed.add(output)
    return Outcome(printed, ProgramOutput(), end, code, Usage(0.0), ())
