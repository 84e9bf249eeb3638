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

from boardsat.adapters.errors import AdapterError
from boardsat.adapters.processes.owner import has_ended, own_name

_PREFIX = "boardsat."
_FULL = 2**16
"""Bytes: a disk with fewer free is full."""

_watched: set[Path] = set()
"""Folders of ours whose files are kept if an answer to them is wrong."""


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
        raise AdapterError(
            f"cannot write temporary files: {error.strerror}",
            "free some space there, or set TMPDIR to another folder",
            str(place),
        ) from None


def kept(path: str) -> str:
    """A file to be looked at later: one of a folder that goes is copied to one that stays."""
    source = Path(path)
    if source.parent not in _watched or not source.is_file():
        return path
    try:
        return shutil.copy(source, tempfile.mkdtemp(prefix="boardsat-kept-"))
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
    removed = 0
    place = place or Path(tempfile.gettempdir())
    try:
        names = [path.name for path in place.glob(f"{_PREFIX}*")]
    except OSError:
        return 0
    for name in names:
        owner = name.removeprefix(_PREFIX).rpartition(".")[0]
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
