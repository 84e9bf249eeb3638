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
_PER_LINE = 16
_BLOCK = 2**20


def keep(job: Job, what: str, pieces: Iterable[Buffer]) -> str:
    """Put it in the folder that the job names, on disk before any record tells of it; its name."""
    path = Path(job.output.keep) / f".{job.key}.{what}.part"
    write_file(str(path), pieces)
    sync(path)
    return path.name


def sync(path: Path) -> None:
    """Wait until the disk has the file, and its name in the folder."""
    for place in (path, path.parent):
        descriptor = os.open(place, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


def model_text(model: Model) -> Iterator[bytes]:
    """A model as competitions want it: `boardsat check` reads it, and so does everybody."""
    yield b"s SATISFIABLE\n"
    literals = literals_of(model)
    for start in range(0, len(literals), _PER_LINE):
        words = " ".join(map(str, literals[start : start + _PER_LINE]))
        yield f"v {words}\n".encode()
    yield b"v 0\n"
