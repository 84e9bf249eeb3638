"""A folder for one process at a time: a lock that ends with its process, however that ends.

The folder itself is locked, by the system (flock). No file is left behind that could outlive a
killed process, and no permission to write is needed. It holds among the processes of one machine.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from boardsat.base.errors import BoardsatError, SolverError


@contextmanager
def locked(folder: Path, *, shared: bool = False, wait: bool = False) -> Iterator[None]:
    """Hold a folder that exists; those who only read may share it.

    Where another process has it: wait for that one, or an BoardsatError.
    """
    descriptor = _open(folder)
    try:
        _lock(folder, descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX, wait)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def own_folder(folder: Path, *, wait: bool = False) -> Iterator[None]:
    """The same for a folder that is made if need be; one that stays empty is removed again."""
    with ExitStack() as closing:
        while True:
            made = _make(folder)
            descriptor = _open(folder)
            closing.callback(os.close, descriptor)
            _lock(folder, descriptor, fcntl.LOCK_EX, wait)
            if _is(folder, descriptor):
                break
        # Before others may have it: they see that it is gone, and make it again.
        closing.callback(_remove_empty, made)
        yield


def _make(folder: Path) -> list[Path]:
    """Make a folder and those above it; what was not there before, the innermost first."""
    try:
        made = [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot("make", folder, error) from None
    return made


def _open(folder: Path) -> int:
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise _cannot("open", folder, error) from None


def _lock(folder: Path, descriptor: int, how: int, wait: bool) -> None:
    try:
        fcntl.flock(descriptor, how if wait else how | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SolverError(
            "another boardsat is working in this folder",
            "wait until it has ended, or give another folder",
            str(folder),
        ) from None


def _is(folder: Path, descriptor: int) -> bool:
    """Whether the name still means what is open: whoever had it before may have removed it."""
    try:
        return os.path.samestat(folder.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _remove_empty(folders: list[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def _cannot(what: str, folder: Path, error: OSError) -> BoardsatError:
    return SolverError(
        f"cannot {what} the folder: {error.strerror}", "give another name", str(folder)
    )
