"""The identity of a formula: its sizes and hashes, read back from the file on disk."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from boardsat.adapters.dimacs.gbd_hash import gbd_hash
from boardsat.archive import files
from boardsat.archive.record import Identity
from boardsat.problem import Problem


def measure(path: Path, problem: Problem) -> Identity:
    summary = problem.summary
    return Identity(
        variables=summary.variables,
        clauses=summary.clauses,
        literals=summary.literals,
        bytes=summary.bytes,
        sha256=files.plain_sha256(path),
        compressed_bytes=path.stat().st_size,
        compressed_sha256=files.sha256(path),
        gbd_hash=gbd_hash(str(path)),
        iso_hash=iso_hash(path),
    )


def iso_hash(path: Path) -> str | None:
    """The isomorphism hash of the field's own tool; None where that is not installed."""
    if importlib.util.find_spec("gbdc") is None:
        return None
    import gbdc

    return str(gbdc.isohash(str(path)))
