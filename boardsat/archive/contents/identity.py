"""The identity of a formula: its sizes and hashes, from one read of the file on disk."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

from boardsat.adapters import formats
from boardsat.adapters.dimacs.gbd_hash import GbdHash
from boardsat.adapters.dimacs.reader import open_cnf
from boardsat.adapters.dimacs.text import DimacsError, opened
from boardsat.archive.contents import files
from boardsat.archive.contents.record import Identity
from boardsat.problem import Problem, open_problem, read_problem


def read_back(path: Path, own: bool = False) -> tuple[Problem, Identity]:
    """The formula, and what its file is; DimacsError where that is no strict DIMACS.

    `own` is a file that this process has written, and nobody else since.
    """
    if formats.ending_of(str(path)):
        return _read_back_linear(path, own)
    packed, plain, clauses = hashlib.sha256(), hashlib.sha256(), GbdHash()
    with open_cnf(path, raw=packed, text=(plain, clauses)) as cnf:
        problem = read_problem(cnf, str(path), own)
    summary = problem.summary
    return problem, Identity(
        variables=summary.variables,
        clauses=summary.clauses,
        literals=summary.literals,
        bytes=summary.bytes,
        sha256=plain.hexdigest(),
        compressed_bytes=path.stat().st_size,
        compressed_sha256=packed.hexdigest(),
        gbd_hash=clauses.hexdigest(),
        # The field's own tool reads clauses alone.
        iso_hash=None if summary.xor_lines else iso_hash(path),
    )


def _read_back_linear(path: Path, own: bool) -> tuple[Problem, Identity]:
    """The same of a file in another format, which no hash of the field is defined for."""
    problem, plain = open_problem(str(path), own), hashlib.sha256()
    with opened(path) as blocks:
        for block in blocks:
            plain.update(block)
    summary = problem.summary
    return problem, Identity(
        variables=summary.variables,
        clauses=summary.clauses,
        literals=summary.literals,
        bytes=summary.bytes,
        sha256=plain.hexdigest(),
        compressed_bytes=path.stat().st_size,
        compressed_sha256=files.sha256(path),
        gbd_hash=None,
        iso_hash=None,
    )


def iso_hash(path: Path) -> str | None:
    """The isomorphism hash of the field's own tool; None where that is not installed."""
    if importlib.util.find_spec("gbdc") is None:
        return None
    import gbdc

    try:
        return str(gbdc.isohash(str(path)))
    except RuntimeError as error:
        raise DimacsError(f"{path.name}: gbdc cannot read it: {error}") from None
