"""Share of the write bandwidth that generating a file reaches."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import jinja2  # noqa: F401  Imported here, so that no measurement has to.

from bench._measure import Row, best_of, scratch
from boardsat.generators import build, find, write

PIECE = 2**18
REPETITIONS = 9


def shares(encoding: str, n: int, target: float) -> list[Row]:
    """From the names of the spec to the file, in a process that has everything imported.

    Every run makes a new file, as the program does, and so does the writing it is compared with:
    most of a write's time is the kernel's for new pages. The second row is without that, both sides
    writing over the pages of one file.
    """
    with scratch() as folder:
        path = folder / "ours.cnf"
        write(build(find("tour", encoding), {"n": n}), str(path))
        data = memoryview(path.read_bytes())
        pieces = [data[at : at + PIECE] for at in range(0, len(data), PIECE)]
        copy = folder / "theirs.cnf"
        new = best_of(
            REPETITIONS,
            lambda: write(build(find("tour", encoding), {"n": n}), str(path)),
            lambda: _write(copy, pieces, os.O_CREAT | os.O_TRUNC),
        )
        with _standard_output_to(path) as rewind:
            over = best_of(
                REPETITIONS,
                lambda: rewind(write(build(find("tour", encoding), {"n": n}), "-")),
                lambda: _write(copy, pieces, 0),
            )
        if path.read_bytes() != data or copy.read_bytes() != data:
            raise RuntimeError("the two sides wrote different files")
    name = f"{encoding} {n}x{n}, share of plain writing"
    return [
        _row(f"{name}, new files", len(data), new, target),
        _row(f"{name}, old pages", len(data), over, None),
    ]


def _row(name: str, size: int, seconds: list[float], target: float | None) -> Row:
    ours, theirs = seconds
    share = theirs / ours
    return Row(
        name,
        f"{size / ours / 1e6:,.0f} MB/s",
        f"{size / theirs / 1e6:,.0f} MB/s",
        f"{share:.0%}",
        "-" if target is None else f"at least {target:.0%}",
        None if target is None else share >= target,
    )


def _write(path: Path, pieces: list[memoryview], flags: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | flags)
    for piece in pieces:
        os.write(descriptor, piece)
    os.close(descriptor)


@contextmanager
def _standard_output_to(path: Path) -> Iterator[Callable[[int], int]]:
    """Redirect standard output to a file, and yield a function that rewinds it."""
    sys.stdout.flush()
    stdout_descriptor = sys.stdout.fileno()
    saved, descriptor = os.dup(stdout_descriptor), os.open(path, os.O_WRONLY)
    os.dup2(descriptor, stdout_descriptor)
    try:
        yield lambda written: os.lseek(stdout_descriptor, 0, os.SEEK_SET)
    finally:
        os.dup2(saved, stdout_descriptor)
        os.close(saved)
        os.close(descriptor)
