"""Worker process for archives: runs solvers, and writes compressed formulas that it reads back.

Compressing a large formula takes as long as many a run of a solver, so it is a job as well.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

from boardsat.archive import storage
from boardsat.archive.identity import read_back
from boardsat.base.errors import BoardsatError
from boardsat.campaign.parser import read_metadata
from boardsat.campaign.runner import artifacts, formula_cache, worker
from boardsat.campaign.runner.records import Job, RunRecord, RunTask

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
        storage.write(target, artifacts.blocks(Path(formula_cache.file_of(job))), effort)
        identity = read_back(target, generated_here=True)[1]
        text = json.dumps(asdict(identity)).encode()
        return worker.finished_record(job, (artifacts.keep(job, IDENTITY, [text]),))
    except (BoardsatError, OSError) as error:
        return worker.failed_record(job, error)


if __name__ == "__main__":
    sys.exit(worker.main(perform))
