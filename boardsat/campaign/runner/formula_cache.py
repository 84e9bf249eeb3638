"""Formula of a job on the machine where it runs: a file, or generated there from its recipe.

Generated formulas are kept in a cache of bounded size, which all workers of a user share. A formula
is identified by the SHA-256 of its file, so a recipe that gives another one is never solved.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from boardsat.base import user_cache
from boardsat.base.errors import InputError
from boardsat.base.process_id import has_ended, own_process_id
from boardsat.campaign.runner.recipe import Recipe
from boardsat.campaign.runner.records import Job, Question
from boardsat.generators.formats import CNF

MAX_CACHE_BYTES = 8 * 2**30
"""Of the cache, about; the formula that is needed next is always kept."""
PART_SUFFIX = ".part."
"""Before the format of a file that is being made."""


def file_of(job: Job) -> str:
    """The formula as a file, which is the one that the job means."""
    recipe = job.source.recipe
    if recipe is None:
        path = Path(job.source.file)
        if not _is_intact(path, job.question.formula, *_state(path)):
            raise InputError(
                "not the file that was planned", "plan the runs again", job.source.file
            )
        return job.source.file
    path = user_cache.folder() / "formulas" / f"{job.question.formula}.{recipe.format or CNF}"
    while not (_hold(path) and _is_intact(path, job.question.formula, *_state(path))):
        _make(path, recipe, job.question)
    return str(path)


_held: dict[Path, int] = {}
"""The formula that this worker uses, open and locked, so that nobody makes room by it."""


def _hold(path: Path) -> bool:
    """Whether it is there, and will be until the next one is held."""
    if path not in _held:
        _release()
        try:
            descriptor = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            return False
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        _held[path] = descriptor
        # The oldest go first, so this one is younger now. Not at every run: whoever keeps what is
        # in a file would read it again.
        with suppress(OSError):
            os.utime(path)
    # It may have been removed between the two.
    return path.exists()


def _release() -> None:
    while _held:
        os.close(_held.popitem()[1])


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _state(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_ino, found.st_size


@lru_cache(maxsize=4096)
def _is_intact(path: Path, formula: str, inode: int, size: int) -> bool:
    """Whether a file is the one of this hash; a worker looks once."""
    return sha256(path) == formula


def _make(path: Path, recipe: Recipe, question: Question) -> None:
    from boardsat.generators import write

    path.parent.mkdir(parents=True, exist_ok=True)
    # Named by the process, then renamed: others never see half a file.
    part = path.with_name(f"{own_process_id()}{PART_SUFFIX}{path.suffix.removeprefix('.')}")
    try:
        write(recipe.formula(), str(part), recipe.projection)
        formula, planned = sha256(part), question.formula
        if formula != planned:
            raise InputError(
                f"its recipe gives another formula here ({formula[:12]}, not {planned[:12]})",
                "use the boardsat that planned it",
                question.instance,
            )
        part.replace(path)
        _release()
    finally:
        part.unlink(missing_ok=True)
    _make_room(path.parent, path)


def _make_room(folder: Path, new: Path) -> None:
    """Remove those that were not used for longest and that nobody holds."""
    known = []
    for path in folder.iterdir():
        with suppress(OSError):
            name, is_part, _ = path.name.partition(PART_SUFFIX)
            if is_part and has_ended(name):
                path.unlink()
            elif path != new:
                state = path.stat()
                known.append((state.st_mtime, state.st_size, path))
    used = new.stat().st_size + sum(size for _, size, _ in known)
    for _, size, path in sorted(known):
        if used <= MAX_CACHE_BYTES:
            return
        if _is_removed(path):
            used -= size


def _is_removed(path: Path) -> bool:
    """Whether it could go: a worker that uses it has it locked."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
    except OSError:
        return False
    return True
