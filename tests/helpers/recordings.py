"""Outcomes of runs, from recorded or invented outputs."""

from __future__ import annotations

from boardsat.adapters.answer import TerminationReason, Usage
from boardsat.adapters.runtimes import Outcome
from boardsat.adapters.runtimes.program_output import ProgramOutput


def outcome(
    output: bytes, code: int, end: TerminationReason = TerminationReason.FINISHED
) -> Outcome:
    """Return the outcome of a run with this output, exit code and end."""
    program_output = ProgramOutput()
    program_output.add(output)
    return Outcome(program_output, ProgramOutput(), end, code, Usage(0.0), ())
