"""Bytes to a file, complete or not at all: unnamed while written, then put in place.

However the program ends before that, nothing is left behind and an old file stays as it was.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from boardsat.base import written_files
from boardsat.base.compression import QUICK, Buffer, compressed, compression
from boardsat.base.errors import InputError


def write_file(
    target: str, pieces: Iterable[Buffer], least_bytes: int = 0, effort: str = QUICK
) -> int:
    """Write the pieces to the target and give its size; `-` is standard output.

    `least_bytes` is what a plain file will take: where the disk has less, nothing is begun.
    """
    if target == "-":
        return _write_to_stdout(pieces)
    path = Path(os.path.realpath(target))
    try:
        if _is_device(target):
            with Path(target).open("wb", buffering=0) as device:
                return _write_out(device.fileno(), compressed(pieces, compression(target), effort))
        _refuse_path(target, path)
        _refuse_full_disk(target, path.parent, 0 if compression(target) else least_bytes)
        return _write_beside(path, compressed(pieces, compression(target), effort))
    except OSError as error:
        raise _as_input_error(error, target) from None


def copy_file(pieces: Iterable[Buffer], target: str) -> int:
    """The same for the bytes of a file that has its form already, whatever the ending says."""
    path = Path(os.path.realpath(target))
    try:
        _refuse_path(target, path)
        return _write_beside(path, pieces)
    except OSError as error:
        raise _as_input_error(error, target) from None


def _write_to_stdout(pieces: Iterable[Buffer]) -> int:
    if sys.stdout is None:
        raise InputError("standard output is closed", "give a file by -o FILE")
    try:
        return _write_out(sys.stdout.fileno(), pieces)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(
            f"cannot write to standard output: {error.strerror}", "the output is incomplete"
        ) from None


def _is_device(target: str) -> bool:
    """A device or a pipe has no room to run out of, and cannot be replaced by a file.

    The system must follow the links: /dev/stdout leads to a pipe that no path names.
    """
    path = Path(target)
    return path.exists() and not path.is_file() and not path.is_dir()


def refuse_target(target: str) -> None:
    """Before any work: where nothing could be written in the end."""
    path = Path(os.path.realpath(target))
    try:
        if target == "-" or _is_device(target):
            return
        _refuse_path(target, path)
    except OSError as error:
        raise _as_input_error(error, target) from None
    _refuse_locked(target, path.parent)


def means_folder(target: str) -> bool:
    """Whether it is one, or is to become one."""
    # Unlike that of a path, this is no error for a name that no file can have.
    return target.endswith("/") or os.path.isdir(target)  # noqa: PTH112


def refuse_folder(target: str) -> None:
    """Before any work: a folder that gets no new file, or one that cannot be made."""
    path = Path(os.path.realpath(target))
    try:
        _refuse_no_folder(target, path)
    except OSError as error:
        raise _as_input_error(error, target) from None
    _refuse_locked(target, path if path.is_dir() else path.parent)


def _refuse_no_folder(target: str, path: Path) -> None:
    if path.is_dir():
        return
    if path.exists():
        raise InputError("the target is a file", "leave the / out, or name a folder", target)
    if not path.parent.is_dir():
        raise InputError(
            f"there is no folder {path.parent.name!r} to make it in", "create that first", target
        )


def file_in(target: str, name: str) -> str:
    """The target, or the file of this name in it: the folder is made if it is not there yet."""
    if not means_folder(target):
        return target
    try:
        Path(target).mkdir(exist_ok=True)
    except OSError as error:
        raise _as_input_error(error, target) from None
    return os.path.join(target, name)  # noqa: PTH118 (it is shown as it was given)


def _refuse_locked(target: str, folder: Path) -> None:
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(
            "no permission to write to the target's folder", "give another one", target
        )


def part_of(path: Path) -> Path:
    """The name beside a file under which it is written until it is whole."""
    # The longest name that the system allows must leave room for what is added here.
    return path.with_name(f".{path.name[:50]}.{os.getpid()}.part")


def _refuse_path(target: str, path: Path) -> None:
    if path.is_dir():
        raise InputError("the target is a folder", "give the name of a file in it", target)
    if not path.parent.is_dir():
        raise InputError("the target's folder does not exist", "create it first", target)
    if path.is_file() and not os.access(path, os.W_OK):
        raise InputError("no permission to write to the target", "give another file name", target)


def fits(target: str, wanted: int) -> bool:
    """Whether the disk of the target has room; unknown counts as yes."""
    folder = Path(os.path.realpath(target)).parent
    return not folder.is_dir() or wanted <= shutil.disk_usage(folder).free


def _refuse_full_disk(target: str, folder: Path, wanted: int) -> None:
    free = shutil.disk_usage(folder).free
    if wanted > free:
        raise InputError(
            f"the file needs {wanted:,} bytes, and the disk has {free:,} free",
            "free some space, or write to a compressed file (.zst, .xz, .gz)",
            target,
        )


def _as_input_error(error: OSError, target: str) -> InputError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        smaller = "" if compression(target) else ", or compress (.zst, .xz, .gz)"
        return InputError(
            f"no space to write the file: {error.strerror}",
            f"nothing was written: free some space{smaller}",
            target,
        )
    return InputError(
        f"cannot write: {error.strerror}", "nothing was written: check the target", target
    )


def _write_beside(path: Path, pieces: Iterable[Buffer]) -> int:
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
    beside = part_of(path)
    with _unnamed(path.parent, beside) as (descriptor, give_name):
        size = _write_out(descriptor, pieces)
        if mode is not None:
            os.fchmod(descriptor, mode)
        give_name()
        put_in_place(beside, path)
    return size


def put_in_place(whole: Path, target: Path) -> None:
    """Rename a whole file to its target on the same file system, replacing an old one."""
    whole.replace(target)
    written_files.record(str(target))


@contextmanager
def _unnamed(folder: Path, name: Path) -> Iterator[tuple[int, Callable[[], None]]]:
    """A file that gets its name only when all is well; where that cannot be, it is cleaned up."""
    unnamed_flag = getattr(os, "O_TMPFILE", 0)
    try:
        if not unnamed_flag:
            raise OSError(errno.EOPNOTSUPP, "no unnamed files")
        descriptor = os.open(folder, os.O_WRONLY | unnamed_flag, 0o666)
        unnamed = True
    except OSError as error:
        if error.errno not in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT):
            raise
        descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        unnamed = False

    def give_name() -> None:
        if unnamed:
            name.unlink(missing_ok=True)
            # Only with a directory given does Python follow the link in /proc to the file itself.
            os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=descriptor)

    try:
        yield descriptor, give_name
    finally:
        os.close(descriptor)
        name.unlink(missing_ok=True)


def _write_out(descriptor: int, pieces: Iterable[Buffer]) -> int:
    size = 0
    for piece in pieces:
        left = memoryview(piece)
        size += len(left)
        while left:
            left = left[os.write(descriptor, left) :]
    return size
