"""Exit codes that all commands share, and the text about exit codes in the help of a command."""

from __future__ import annotations

import signal
from collections.abc import Mapping

BAD_INPUT = 2
INTERNAL_ERROR = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = 128 + signal.SIGINT
BROKEN_PIPE = 128 + signal.SIGPIPE  # as a shell reports a program that SIGPIPE killed

SUCCESS = {0: "done"}
"""Exit codes of a command that either does its work or fails."""

SHARED_EXIT_CODES = {
    BAD_INPUT: "bad input, or something required is missing: one line says what",
    INTERNAL_ERROR: "an internal error: one line says where the traceback was saved",
    INTERRUPTED: "interrupted",
    BROKEN_PIPE: "broken pipe: the reader of the output has ended",
}


def format_exit_codes(command_codes: Mapping[int, str]) -> str:
    """Return the end of a help text: the exit codes of a command, then the shared ones."""
    exit_codes = {**command_codes, **SHARED_EXIT_CODES}
    lines = [f"  {code:>3}  {meaning}" for code, meaning in exit_codes.items()]
    return "\n".join(["exit codes:", *lines])
