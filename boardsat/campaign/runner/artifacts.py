"""Artifacts of a run: files with a checked model or proof, complete or absent."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from boardsat.adapters.answer import Model, literals_of
from boardsat.base.compression import Buffer
from boardsat.base.files import write_file
from boardsat.campaign.runner.records import Job

MODEL, PROOF = "model", "proof"
LITERALS_PER_LINE = 16
BLOCK_BYTES = 2**20


def keep(job: Job, kind: str, pieces: Iterable[Buffer]) -> str:
    """Write an artifact into the folder that the job names; return the name of the file.

    The file is on the disk before a record refers to it.
    """
    path = Path(job.output.keep) / f".{job.key}.{kind}.part"
    write_file(str(path), pieces)
    sync(path)
    return path.name


def sync(path: Path) -> None:
    """Wait until the content of a file, and its name in the folder, are on the disk."""
    for target in (path, path.parent):
        descriptor = os.open(target, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def blocks(path: Path) -> Iterator[bytes]:
    """Yield the content of a file in blocks."""
    with path.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            yield block


def model_text(model: Model) -> Iterator[bytes]:
    """Yield a model as `s` and `v` lines, the output format of the SAT Competition."""
    yield b"s SATISFIABLE\n"
    literals = literals_of(model)
    for start in range(0, len(literals), LITERALS_PER_LINE):
        line = " ".join(map(str, literals[start : start + LITERALS_PER_LINE]))
        yield f"v {line}\n".encode()
    yield b"v 0\n"
