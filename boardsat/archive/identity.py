"""Identity of a formula: sizes and hashes from one read of the file, and duplicates by them."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path

from boardsat.adapters import formats
from boardsat.adapters.dimacs.gbd_hash import GbdHash
from boardsat.adapters.dimacs.reader import open_cnf
from boardsat.adapters.dimacs.text import DimacsError, open_blocks
from boardsat.archive.instance_record import Identity, InstanceRecord
from boardsat.instance.formula_file import FormulaFile, open_formula, read_formula


def read_back(path: Path, own: bool = False) -> tuple[FormulaFile, Identity]:
    """The formula, and what its file is; DimacsError where that is no strict DIMACS.

    `own` is a file that this process has written, and nobody else since.
    """
    packed, plain, clauses = hashlib.sha256(), hashlib.sha256(), GbdHash()
    if formats.format_from_name(str(path)):
        problem = open_formula(str(path), own)
        with open_blocks(path, raw=packed) as blocks:
            for block in blocks:
                plain.update(block)
        # No hash of the field is defined for it.
        hashes: tuple[str | None, str | None] = (None, None)
    else:
        with open_cnf(path, raw=packed, text=(plain, clauses)) as cnf:
            problem = read_formula(cnf, str(path), own)
        # The field's own tool reads clauses alone.
        hashes = clauses.hexdigest(), None if problem.summary.xor_lines else iso_hash(path)
    summary = problem.summary
    return problem, Identity(
        variables=summary.variables,
        clauses=summary.clauses,
        literals=summary.literals,
        bytes=summary.bytes,
        sha256=plain.hexdigest(),
        compressed_bytes=path.stat().st_size,
        compressed_sha256=packed.hexdigest(),
        gbd_hash=hashes[0],
        iso_hash=hashes[1],
    )


def iso_hash(path: Path) -> str | None:
    """The isomorphism hash of the field's own tool; None where that is not installed."""
    if importlib.util.find_spec("gbdc") is None:
        return None
    import gbdc

    try:
        return str(gbdc.isohash(str(path)))
    except RuntimeError as error:
        raise DimacsError(f"gbdc cannot read it: {error}", place=path.name) from None


def same(records: Sequence[InstanceRecord]) -> dict[str, str]:
    """For an instance with the clauses of an earlier one, that one's name."""
    return _firsts(records, lambda record: record.identity.gbd_hash)


def alike(records: Sequence[InstanceRecord]) -> dict[str, str]:
    """The same for the isomorphism hash; equal hashes are a strong hint, and no proof."""
    return _firsts(records, lambda record: record.identity.iso_hash)


def _firsts(
    records: Sequence[InstanceRecord], key: Callable[[InstanceRecord], str | None]
) -> dict[str, str]:
    first: dict[str, str] = {}
    found: dict[str, str] = {}
    for record in records:
        value = key(record)
        if value is None:
            continue
        if value in first:
            found[record.name] = first[value]
        else:
            first[value] = record.name
    return found


def report(records: Sequence[InstanceRecord]) -> list[str]:
    """Lines for people; an instance that is the same need not be told to be alike."""
    identical = same(records)
    lines = [f"duplicate: {name} has the clauses of {other}" for name, other in identical.items()]
    return lines + [
        f"duplicate: {name} may be isomorphic to {other}"
        for name, other in alike(records).items()
        if name not in identical
    ]
