"""Scratch folders: temporary folders with the identifier of their process in their names.

When a process makes its first scratch folder in a folder, it removes those of killed processes.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from boardsat.base.errors import SolverError
from boardsat.base.files import free_bytes
from boardsat.base.process_id import has_ended, own_process_id

_PREFIX = "boardsat."
_EVIDENCE_PREFIX = "boardsat-kept."
_MIN_FREE_BYTES = 2**16  # a disk with less free space is full

_evidence_folders: set[Path] = set()
"""Scratch folders with files that `preserve` copies."""

_sources: dict[str, str] = {}
"""Original file of each decompressed copy."""


@contextmanager
def folder(parent: Path | None = None, is_evidence: bool = True) -> Iterator[Path]:
    """Make a scratch folder, and remove it at the end.

    Parameters
    ----------
    parent : Path, optional
        Folder in which it is made. None: the default folder for temporary files.
    is_evidence : bool
        True if `preserve` must copy files of the folder to a permanent one.
    """
    parent = parent or Path(tempfile.gettempdir())
    _remove_stale_folders_once(parent)
    with _translate_errors(parent):
        directory = tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{own_process_id()}.", dir=parent)
    with directory as name:
        path = Path(name)
        if is_evidence:
            _evidence_folders.add(path)
        try:
            yield path
        finally:
            _evidence_folders.discard(path)


@contextmanager
def decompressed_copy(source: str, pieces: Iterable[bytes]) -> Iterator[Path]:
    """Write the content of a compressed file to a scratch folder, and remove it at the end.

    `preserve` returns the source instead of the copy.
    """
    with folder(is_evidence=False) as parent:
        copy = parent / "unpacked"
        write(copy, pieces)
        _sources[str(copy)] = source
        try:
            yield copy
        finally:
            del _sources[str(copy)]


def write(path: Path | str, pieces: Iterable[bytes]) -> None:
    """Write a file in a scratch folder; not atomic, as other programs do not read it."""
    parent = Path(path).parent
    with _translate_errors(parent):
        file = Path(path).open("wb")  # noqa: SIM115
    try:
        for piece in pieces:
            # Not around the loop, as the iterator may raise errors of another file.
            with _translate_errors(parent):
                file.write(piece)
    finally:
        with _translate_errors(parent):
            file.close()


@contextmanager
def _translate_errors(parent: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SolverError(
            f"cannot write temporary files: {error.strerror}",
            "free some space there, or set TMPDIR to another folder",
            str(parent),
        ) from None


def preserve(path: str) -> str:
    """Return the path of a file, or of a permanent copy if it is in a scratch folder.

    `boardsat clean` removes the copies.
    """
    path = _sources.get(path, path)
    source = Path(path)
    if source.parent not in _evidence_folders or not source.is_file():
        return path
    import shutil

    try:
        prefix = f"{_EVIDENCE_PREFIX}{own_process_id()}."
        return shutil.copy(source, tempfile.mkdtemp(prefix=prefix))
    except OSError:
        # The error that mentions the file is more important than the copy.
        return path


def is_full(parent: Path) -> bool:
    """Return whether the disk of a folder has no space left."""
    return free_bytes(parent) < _MIN_FREE_BYTES


@cache
def _remove_stale_folders_once(parent: Path) -> None:
    remove_stale_folders(parent)


def remove_stale_folders(parent: Path | None = None) -> int:
    """Remove the user's scratch folders of ended processes; return their number."""
    return _remove_folders(_PREFIX, parent or Path(tempfile.gettempdir()))


def remove_evidence() -> int:
    """Remove the folders that ended processes preserved for wrong answers; return their number."""
    return _remove_folders(_EVIDENCE_PREFIX, Path(tempfile.gettempdir()))


def _remove_folders(prefix: str, parent: Path) -> int:
    """Remove the user's folders of ended processes with this prefix; return their number."""
    try:
        names = [path.name for path in parent.glob(f"{prefix}*")]
    except OSError:
        return 0
    removed = 0
    for name in names:
        process_id = name.removeprefix(prefix).rpartition(".")[0]
        path = parent / name
        if has_ended(process_id) and _is_own_folder(path):
            import shutil

            shutil.rmtree(path, ignore_errors=True)
            removed += 1
    return removed


def _is_own_folder(path: Path) -> bool:
    try:
        return path.is_dir() and path.lstat().st_uid == os.getuid()
    except OSError:
        return False
