"""Scratch folders: temporary folders with the identifier of their process in their names.

The first scratch folder that a process makes somewhere removes those that processes left there when
they were killed.
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
_MIN_FREE_BYTES = 2**16
"""A disk with less free space is full."""

_evidence_folders: set[Path] = set()
"""Scratch folders whose files are preserved if an answer to them is wrong."""

_sources: dict[str, str] = {}
"""File of the user for each decompressed copy of it."""


@contextmanager
def folder(parent: Path | None = None, is_evidence: bool = True) -> Iterator[Path]:
    """Make a scratch folder, and remove it at the end.

    `parent` is the usual folder for temporary files if it is None. With `is_evidence`, `preserve`
    copies files of the folder to one that stays.
    """
    parent = parent or Path(tempfile.gettempdir())
    _remove_stale_folders_once(parent)
    with _translate_errors(parent):
        made = tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{own_process_id()}.", dir=parent)
    with made as name:
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

    The copy is not evidence: `preserve` returns the source, which the user has.
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
    """Write a file of a scratch folder; not atomic, as only this process and its solvers see it."""
    parent = Path(path).parent
    with _translate_errors(parent):
        file = Path(path).open("wb")  # noqa: SIM115
    try:
        for piece in pieces:
            # Not around the loop: the pieces may come from a file with faults of its own.
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
    """Return a file that exists after the command: a copy, if the file is in a scratch folder.

    Copies stay until `boardsat clean`.
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
        # The message that names the file matters more than the copy.
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
    """Remove the files that ended processes preserved for wrong answers; return their number."""
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
