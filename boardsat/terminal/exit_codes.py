"""Exit codes: those that all commands share, and their text in the help."""

from __future__ import annotations

import signal
from collections.abc import Mapping

BAD_INPUT = 2
INTERNAL = 70
"""EX_SOFTWARE of sysexits.h."""
INTERRUPTED = 128 + signal.SIGINT
UNREAD = 128 + signal.SIGPIPE
"""As a shell tells it of every program whose reader has gone, such as `head`."""

DONE = {0: "done"}
"""For a command that can only do its work, or fail."""

SHARED = {
    BAD_INPUT: "bad input, or something required is missing: one line says what",
    INTERNAL: "an internal error: one line says where the traceback was saved",
    INTERRUPTED: "interrupted",
    UNREAD: "the reader of the output has gone",
}


def listed(own: Mapping[int, str]) -> str:
    """The end of a help text."""
    lines = [f"  {code:>3}  {meaning}" for code, meaning in {**own, **SHARED}.items()]
    return "\n".join(["exit codes:", *lines])
