"""Formula file of a job: a file of the user, or generated from a recipe where the job runs.

Generated formulas are kept in a cache of bounded size, which all workers of a user share. A formula
is identified by the SHA-256 of its file: if a recipe generates another file here, the job fails.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from boardsat.base import files
from boardsat.base.errors import InputError
from boardsat.base.process_id import has_ended, own_process_id
from boardsat.campaign.runner.recipe import Recipe
from boardsat.campaign.runner.records import Job, Question
from boardsat.generators.formats import CNF

MAX_CACHE_BYTES = 8 * 2**30
"""Approximate maximum size of the cache; the newest formula is kept even if it is larger."""
PART_SUFFIX = ".part."
"""Separator of process id and format in the name of an unfinished file."""


def file_of(job: Job) -> str:
    """Return the path of the formula file of a job; generate the formula if it is not cached.

    Raises
    ------
    InputError
        A file of the user was changed, or the recipe gives another formula here.
    """
    recipe = job.source.recipe
    if recipe is None:
        path = Path(job.source.file)
        if not _has_hash(path, job.question.formula, *_fingerprint(path)):
            raise InputError(
                "the file was changed after the runs were planned",
                "start the campaign again",
                job.source.file,
            )
        return job.source.file
    path = files.user_cache_folder() / "formulas" / f"{job.question.formula}.{recipe.format or CNF}"
    while not (_lock(path) and _has_hash(path, job.question.formula, *_fingerprint(path))):
        _generate(path, recipe, job.question)
    return str(path)


_locked: dict[Path, int] = {}
"""File descriptor of the formula that this worker uses; its lock prevents eviction."""


def _lock(path: Path) -> bool:
    """Lock a formula until the next one is locked; return whether it is in the cache."""
    if path not in _locked:
        _unlock()
        try:
            descriptor = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            return False
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        _locked[path] = descriptor
        # The least recently used formulas are evicted first. The time is not set at every run,
        # because caches of parsed files compare it.
        with suppress(OSError):
            os.utime(path)
    # The file may have been evicted between `open` and `flock`.
    return path.exists()


def _unlock() -> None:
    while _locked:
        os.close(_locked.popitem()[1])


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _fingerprint(path: Path) -> tuple[int, int]:
    """Return inode and size of a file; if they change, its hash is computed again."""
    state = path.stat()
    return state.st_ino, state.st_size


@lru_cache(maxsize=4096)
def _has_hash(path: Path, formula: str, inode: int, size: int) -> bool:
    """Return whether a file has this SHA-256; cached by its fingerprint."""
    return sha256(path) == formula


def _generate(path: Path, recipe: Recipe, question: Question) -> None:
    """Generate a formula into the cache; raise InputError if its hash is not the planned one."""
    from boardsat.generators import write

    path.parent.mkdir(parents=True, exist_ok=True)
    # Renamed when complete, so that other workers never read an unfinished file.
    unfinished_file = path.with_name(
        f"{own_process_id()}{PART_SUFFIX}{path.suffix.removeprefix('.')}"
    )
    try:
        write(recipe.formula(), str(unfinished_file), recipe.projection)
        formula, planned = sha256(unfinished_file), question.formula
        if formula != planned:
            raise InputError(
                f"the SHA-256 of the formula must be {planned[:12]}... (got {formula[:12]}...)",
                "use the same version of boardsat for planning and on workers",
                question.instance,
            )
        unfinished_file.replace(path)
        _unlock()
    finally:
        unfinished_file.unlink(missing_ok=True)
    _evict(path.parent, path)


def _evict(folder: Path, new: Path) -> None:
    """Remove the least recently used unlocked formulas, and unfinished files of dead processes."""
    formulas = []
    for path in folder.iterdir():
        with suppress(OSError):
            name, is_part, _ = path.name.partition(PART_SUFFIX)
            if is_part and has_ended(name):
                path.unlink()
            elif path != new:
                state = path.stat()
                formulas.append((state.st_mtime, state.st_size, path))
    cache_bytes = new.stat().st_size + sum(size for _, size, _ in formulas)
    for _, size, path in sorted(formulas):
        if cache_bytes <= MAX_CACHE_BYTES:
            return
        if _remove_unlocked(path):
            cache_bytes -= size


def _remove_unlocked(path: Path) -> bool:
    """Remove a formula and return True; return False if a worker has it locked."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
    except OSError:
        return False
    return True
