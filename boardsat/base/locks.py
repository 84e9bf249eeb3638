"""Locks of folders: one process at a time works in a folder.

The folder itself is locked, by the system (flock), among the processes of one machine. The lock
ends with its process, however that ends: no lock file could outlive a killed process, and no
permission to write is needed.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from boardsat.base.errors import SolverError


@contextmanager
def lock_folder(folder: Path, *, shared: bool = False, wait: bool = False) -> Iterator[None]:
    """Hold the lock of an existing folder.

    Parameters
    ----------
    folder : Path
        Folder to lock.
    shared : bool
        Share the lock with other processes that share it, to read only.
    wait : bool
        Wait while another process has the lock.

    Raises
    ------
    SolverError
        If another process has the lock and `wait` is False, or the folder cannot be opened.
    """
    descriptor = _open(folder)
    try:
        _lock(folder, descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX, wait)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def create_locked_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; create the folder and its parents before if they are missing.

    Folders that were created are removed at the end if they are empty.
    """
    with ExitStack() as closing:
        while True:
            new_folders = _make(folder)
            descriptor = _open(folder)
            closing.callback(os.close, descriptor)
            _lock(folder, descriptor, fcntl.LOCK_EX, wait=False)
            if _is_open_as(folder, descriptor):
                break
        # Before the lock is released: a waiting process notices the removal and makes it again.
        closing.callback(_remove_empty, new_folders)
        yield


def _make(folder: Path) -> list[Path]:
    """Make a folder and its parents; return the new ones, the innermost first."""
    try:
        new_folders = [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _access_error("make", folder, error) from None
    return new_folders


def _open(folder: Path) -> int:
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise _access_error("open", folder, error) from None


def _lock(folder: Path, descriptor: int, operation: int, wait: bool) -> None:
    try:
        fcntl.flock(descriptor, operation if wait else operation | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SolverError(
            "another boardsat is working in this folder",
            "wait until it has ended, or give another folder",
            str(folder),
        ) from None


def _is_open_as(folder: Path, descriptor: int) -> bool:
    """Return whether the path still names the open folder, which may have been removed."""
    try:
        return os.path.samestat(folder.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _remove_empty(folders: list[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def _access_error(action: str, folder: Path, error: OSError) -> SolverError:
    return SolverError(
        f"cannot {action} the folder: {error.strerror}", "give another name", str(folder)
    )
