"""Worker process for archives: runs solvers, and writes formula files with their sizes and hashes.

Compressing a large formula can take as long as a run of a solver, so it is a job as well. The
compressed file is read back, and identified by its hashes.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import sys
from dataclasses import asdict
from pathlib import Path

from boardsat.adapters import formats
from boardsat.adapters.dimacs.gbd_hash import GbdHash
from boardsat.adapters.dimacs.reader import open_cnf
from boardsat.adapters.dimacs.text import DimacsError, open_blocks
from boardsat.archive import storage
from boardsat.archive.instance_record import Identity
from boardsat.base.errors import BoardsatError
from boardsat.base.files import read_pieces
from boardsat.campaign.parser import read_metadata
from boardsat.campaign.runner import formula_cache, worker
from boardsat.campaign.runner.records import Artifacts, Job, RunRecord, RunTask
from boardsat.campaign.runner.store import save_artifact
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


IDENTITY = "identity"


def perform(job: Job) -> RunRecord:
    """Return the record of a run, or of the preparation of a formula file."""
    return _prepare(job) if job.question.task is RunTask.PREPARE else worker.perform(job)


def _prepare(job: Job) -> RunRecord:
    """Write the formula file of an instance, and its identity as an artifact."""
    format_name = job.source.recipe.format if job.source.recipe else None
    target = Path(job.output.keep) / storage.formula_name(job.question.instance, format_name)
    try:
        effort = read_metadata(target.with_name(storage.CAMPAIGN))[0].compression
        storage.write(target, read_pieces(Path(formula_cache.file_of(job))), effort)
        identity = read_back(target, generated_here=True)[1]
        text = json.dumps(asdict(identity)).encode()
        artifacts = Artifacts(kept=(save_artifact(job, IDENTITY, [text]),))
        return worker.new_record(job, artifacts=artifacts)
    except (BoardsatError, OSError) as error:
        return worker.new_record(job, reason=str(error), finished=False)


if __name__ == "__main__":
    sys.exit(worker.main(perform))
