"""Temporary folders and their files; each has the name of its process, so that a killed run's go.

Whoever makes the first one in a place removes what processes left there when they were killed.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from boardsat.base.errors import SolverError
from boardsat.base.process_id import has_ended, own_name

_PREFIX = "boardsat."
_EVIDENCE_PREFIX = "boardsat-kept."
_FULL = 2**16
"""Bytes: a disk with fewer free is full."""

_watched: set[Path] = set()
"""Folders of ours whose files are kept if an answer to them is wrong."""

_sources: dict[str, str] = {}
"""File of the user for each unpacked copy of it."""


@contextmanager
def folder(beside: Path | None = None, worth_keeping: bool = True) -> Iterator[Path]:
    """A folder for as long as it is needed: in the usual place, or in another folder."""
    place = beside or Path(tempfile.gettempdir())
    _tidy(place)
    with _told(place):
        made = tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{own_name()}.", dir=place)
    with made as name:
        path = Path(name)
        if worth_keeping:
            _watched.add(path)
        try:
            yield path
        finally:
            _watched.discard(path)


@contextmanager
def unpacked(source: str, pieces: Iterable[bytes]) -> Iterator[Path]:
    """Write the content of a compressed file to a scratch folder, and remove it at the end.

    The copy is not evidence: `kept` returns the source, which the user has.
    """
    with folder(worth_keeping=False) as place:
        copy = place / "unpacked"
        put(copy, pieces)
        _sources[str(copy)] = source
        try:
            yield copy
        finally:
            del _sources[str(copy)]


def put(path: Path | str, pieces: Iterable[bytes]) -> None:
    """A file in such a folder; nobody but us and our solvers sees it while it is written."""
    place = Path(path).parent
    with _told(place):
        file = Path(path).open("wb")  # noqa: SIM115
    try:
        for piece in pieces:
            # Not around the loop: the pieces may come from a file with faults of its own.
            with _told(place):
                file.write(piece)
    finally:
        with _told(place):
            file.close()


@contextmanager
def _told(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SolverError(
            f"cannot write temporary files: {error.strerror}",
            "free some space there, or set TMPDIR to another folder",
            str(place),
        ) from None


def kept(path: str) -> str:
    """A file to be looked at later: one of a folder that goes is copied to one that stays.

    It stays until `boardsat clean`.
    """
    path = _sources.get(path, path)
    source = Path(path)
    if source.parent not in _watched or not source.is_file():
        return path
    try:
        prefix = f"{_EVIDENCE_PREFIX}{own_name()}."
        return shutil.copy(source, tempfile.mkdtemp(prefix=prefix))
    except OSError:
        # What it is kept for must be told, with or without it.
        return path


def is_full(place: Path) -> bool:
    """Whether the disk of a folder has no room left."""
    return shutil.disk_usage(place).free < _FULL


@cache
def _tidy(place: Path) -> None:
    remove_left_folders(place)


def remove_left_folders(place: Path | None = None) -> int:
    """Remove the folders of our user that processes left when they were killed; how many."""
    return _remove_folders(_PREFIX, place or Path(tempfile.gettempdir()))


def remove_evidence() -> int:
    """Remove the files that ended processes kept for wrong answers; return their number."""
    return _remove_folders(_EVIDENCE_PREFIX, Path(tempfile.gettempdir()))


def _remove_folders(prefix: str, place: Path) -> int:
    """Remove the user's folders of ended processes whose names begin so; return their number."""
    removed = 0
    try:
        names = [path.name for path in place.glob(f"{prefix}*")]
    except OSError:
        return 0
    for name in names:
        owner = name.removeprefix(prefix).rpartition(".")[0]
        path = place / name
        if has_ended(owner) and _is_own_folder(path):
            shutil.rmtree(path, ignore_errors=True)
            removed += 1
    return removed


def _is_own_folder(path: Path) -> bool:
    try:
        return path.is_dir() and path.lstat().st_uid == os.getuid()
    except OSError:
        return False
