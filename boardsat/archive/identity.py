"""Identity of a formula file: sizes and hashes from one read, and duplicates found by hashes."""

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


def read_back(path: Path, generated_here: bool = False) -> tuple[FormulaFile, Identity]:
    """Read a compressed formula file and compute its sizes and hashes.

    Parameters
    ----------
    path : Path
        Compressed formula file.
    generated_here : bool
        This process has just written the file, so its header is trusted.

    Raises
    ------
    DimacsError
        The file is not strict DIMACS.
    """
    compressed_hash, text_hash, gbd_hash = hashlib.sha256(), hashlib.sha256(), GbdHash()
    if formats.format_from_name(str(path)):
        formula = open_formula(str(path), generated_here)
        with open_blocks(path, raw=compressed_hash) as blocks:
            for block in blocks:
                text_hash.update(block)
        # The hashes of the benchmark community are defined for CNF only.
        cnf_hashes: tuple[str | None, str | None] = (None, None)
    else:
        with open_cnf(path, raw=compressed_hash, text=(text_hash, gbd_hash)) as cnf:
            formula = read_formula(cnf, str(path), generated_here)
        # gbdc cannot read native XOR lines.
        isomorphism_hash = None if formula.summary.xor_lines else iso_hash(path)
        cnf_hashes = gbd_hash.hexdigest(), isomorphism_hash
    summary = formula.summary
    return formula, Identity(
        variables=summary.variables,
        clauses=summary.clauses,
        literals=summary.literals,
        bytes=summary.bytes,
        sha256=text_hash.hexdigest(),
        compressed_bytes=path.stat().st_size,
        compressed_sha256=compressed_hash.hexdigest(),
        gbd_hash=cnf_hashes[0],
        iso_hash=cnf_hashes[1],
    )


def iso_hash(path: Path) -> str | None:
    """Return the isomorphism hash of GBD. None if the package gbdc is not installed."""
    if importlib.util.find_spec("gbdc") is None:
        return None
    import gbdc

    try:
        return str(gbdc.isohash(str(path)))
    except RuntimeError as error:
        raise DimacsError(f"gbdc cannot read it: {error}", location=path.name) from None


def duplicates(records: Sequence[InstanceRecord]) -> dict[str, str]:
    """Map each instance with the clauses of an earlier one to the name of the earlier one."""
    return _earlier_instances(records, lambda record: record.identity.gbd_hash)


def isomorphic_candidates(records: Sequence[InstanceRecord]) -> dict[str, str]:
    """Map each instance with the isomorphism hash of an earlier one to the name of the earlier one.

    Equal hashes are a strong hint at isomorphism, but not a proof.
    """
    return _earlier_instances(records, lambda record: record.identity.iso_hash)


def _earlier_instances(
    records: Sequence[InstanceRecord], key: Callable[[InstanceRecord], str | None]
) -> dict[str, str]:
    """Map each instance whose key occurred before to the first instance with that key."""
    first_names: dict[str, str] = {}
    earlier_names: dict[str, str] = {}
    for record in records:
        if (digest := key(record)) is None:
            continue
        first_name = first_names.setdefault(digest, record.name)
        if first_name != record.name:
            earlier_names[record.name] = first_name
    return earlier_names


def duplicate_lines(records: Sequence[InstanceRecord]) -> list[str]:
    """Return a line for each duplicate, and for each instance that may be isomorphic to another."""
    identical = duplicates(records)
    lines = [f"duplicate: {name} has the clauses of {first}" for name, first in identical.items()]
    return lines + [
        f"duplicate: {name} may be isomorphic to {first}"
        for name, first in isomorphic_candidates(records).items()
        if name not in identical
    ]
