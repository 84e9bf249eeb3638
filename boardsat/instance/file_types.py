"""File types by suffix, and streams: standard input, pipes and devices."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from boardsat.adapters import formats
from boardsat.base.compression import SUFFIXES
from boardsat.base.errors import InputError

CNF_SUFFIXES = (".cnf", *(f".cnf{suffix}" for suffix in SUFFIXES), ".dimacs")
"""Suffixes of CNF files; files of other formats have the suffixes of their formats."""
PROGRAM_SUFFIX = ".lp"
"""Suffix of logic programs."""
SPEC_SUFFIXES = (".yaml", ".yml")
"""Suffixes of specs, and of instances: problems with their settings."""
STDIN = "-"

MAX_PIPE_BYTES = 2**30  # a stream is copied to the folder for temporary files


def is_stream(name: str) -> bool:
    """Return whether the name is standard input, a pipe or a device, which is read only once."""
    if name == STDIN:
        return True
    try:
        mode = os.stat(name).st_mode  # noqa: PTH116 (a Path takes no zero byte either)
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def is_formula_file_name(name: str) -> bool:
    """Return whether the suffix is that of a formula file, or the name is a stream."""
    return (
        name.endswith(CNF_SUFFIXES)
        or bool(formats.format_from_name(name))
        or (not name.endswith(PROGRAM_SUFFIX) and is_stream(name))
    )


@contextmanager
def as_regular_file(name: str) -> Iterator[str]:
    """Yield the path of a file, or of a temporary copy of a stream with the same suffixes."""
    from boardsat.base import scratch

    if not is_stream(name):
        yield name
        return
    with scratch.folder() as folder:
        copy = folder / f"stream{''.join(Path(name).suffixes[-2:])}"
        try:
            scratch.write(copy, _stream_pieces(name))
        except OSError as error:
            fault = f"cannot read the stream: {error.strerror}"
            raise InputError(fault, "give a file", name) from None
        yield str(copy)


def _stream_pieces(name: str) -> Iterator[bytes]:
    """Yield the content of a stream; raise InputError if it is too long."""
    size = 0
    with (
        os.fdopen(os.dup(sys.stdin.fileno()), "rb") if name == STDIN else Path(name).open("rb") as f
    ):
        while piece := f.read(2**20):
            size += len(piece)
            if size > MAX_PIPE_BYTES:
                fault = f"a stream must have at most {MAX_PIPE_BYTES >> 30} GB"
                raise InputError(fault, "write it to a file first", name)
            yield piece
