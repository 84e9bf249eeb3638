"""Files and streams, told from the names of problems."""

from __future__ import annotations

import os
import stat

from boardsat.adapters import formats
from boardsat.base.compression import SUFFIXES

FILES = (".cnf", *(f".cnf{suffix}" for suffix in SUFFIXES), ".dimacs")
"""Of CNF; other formats have their own names."""
PROGRAM = ".lp"
STDIN = "-"


def is_stream(name: str) -> bool:
    """Standard input, a pipe or a device: it may never end, and is gone when it was read."""
    if name == STDIN:
        return True
    try:
        mode = os.stat(name).st_mode  # noqa: PTH116 (a Path takes no zero byte either)
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def is_formula(name: str) -> bool:
    """A file by its ending; what comes through a stream has no name, and can be nothing else."""
    return (
        name.endswith(FILES)
        or bool(formats.ending_of(name))
        or (not name.endswith(PROGRAM) and is_stream(name))
    )
