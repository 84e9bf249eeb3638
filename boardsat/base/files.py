"""Files: atomic writing, and bounded reading of files that another file names.

A file is written complete or not at all, and never over another one by accident.

A file has no name while it is written (O_TMPFILE), or a hidden name beside the target where the
file system has no unnamed files; then it is renamed to its target. However the program ends before
that, nothing is left behind, and an old file stays as it was.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from boardsat.base.compression import QUICK, Buffer, compress, compression_suffix
from boardsat.base.errors import InputError

_written: deque[str] = deque(maxlen=10_000)
"""Paths of the latest files that this process wrote; bounded, as a library may write any number."""


def forget_written_files() -> None:
    """Clear the record of written files: a new command begins."""
    _written.clear()


def existing_written_files() -> list[str]:
    """Return the written files that still exist; files in scratch folders are removed."""
    return [path for path in dict.fromkeys(_written) if os.path.exists(path)]  # noqa: PTH110


def read_pieces(path: Path) -> Iterator[bytes]:
    """Yield the content of a file, which is opened when the first piece is read."""
    with path.open("rb") as stream:
        yield from iter(lambda: stream.read(2**16), b"")


def write_file(
    target: str, pieces: Iterable[Buffer], min_bytes: int = 0, effort: str = QUICK
) -> int:
    """Write the pieces to a file, a device or standard output, and return the number of bytes.

    Parameters
    ----------
    target : str
        Path of the file, compressed by its suffix; `-` is standard output.
    pieces : iterable of bytes or memoryview
        Content. The file appears when all of them are written.
    min_bytes : int
        Minimum size of an uncompressed file, for an error before writing if the disk is full.
    effort : {"quick", "smallest"}
        Effort of the compressor.

    Raises
    ------
    InputError
        If the target cannot be written; an old file is unchanged.
    """
    if target == "-":
        return _write_to_stdout(pieces)
    path = Path(os.path.realpath(target))
    suffix = compression_suffix(target)
    try:
        if _is_device(target):
            with Path(target).open("wb", buffering=0) as device:
                return _write_all(device.fileno(), compress(pieces, suffix, effort))
        _check_path(target, path)
        _check_disk_space(target, path.parent, 0 if suffix else min_bytes)
        size = replace_file(path, compress(pieces, suffix, effort))
    except OSError as error:
        raise _as_input_error(error, target) from None
    _written.append(str(path))
    return size


def write_verbatim(pieces: Iterable[Buffer], target: str) -> int:
    """Write pieces that are compressed already to a file, and return the number of bytes."""
    path = Path(os.path.realpath(target))
    try:
        _check_path(target, path)
        size = replace_file(path, pieces)
    except OSError as error:
        raise _as_input_error(error, target) from None
    _written.append(str(path))
    return size


def replace_file(path: Path, pieces: Iterable[Buffer]) -> int:
    """Write the pieces to a file atomically, and return the number of bytes; raises OSError.

    A file that exists is replaced by one with the same permissions.
    """
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
    # Shortened, as the name of the target may have the maximum length.
    temporary = path.with_name(f".{path.name[:50]}.{os.getpid()}.part")
    with _unnamed_file(path.parent, temporary) as (descriptor, give_name):
        size = _write_all(descriptor, pieces)
        if mode is not None:
            os.fchmod(descriptor, mode)
        give_name()
        temporary.replace(path)
    return size


def rename_into_place(complete: Path, target: Path) -> None:
    """Rename a complete file to its target on the same file system, replacing an old one."""
    complete.replace(target)
    _written.append(str(target))


def _write_to_stdout(pieces: Iterable[Buffer]) -> int:
    if sys.stdout is None:
        raise InputError("standard output is closed", "give a file by -o FILE")
    try:
        return _write_all(sys.stdout.fileno(), pieces)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(
            f"cannot write to standard output: {error.strerror}", "the output is incomplete"
        ) from None


def _is_device(target: str) -> bool:
    """Return whether the target is a device or a pipe, which cannot be replaced by a file.

    The system must follow the links: /dev/stdout is a link to a pipe without a path.
    """
    path = Path(target)
    return path.exists() and not path.is_file() and not path.is_dir()


def check_target(target: str) -> None:
    """Raise InputError if a file cannot be written; to be called before its content is computed."""
    path = Path(os.path.realpath(target))
    try:
        if target == "-" or _is_device(target):
            return
        _check_path(target, path)
    except OSError as error:
        raise _as_input_error(error, target) from None
    _check_permission(target, path.parent)


def is_folder_target(target: str) -> bool:
    """Return whether the target is a folder, or ends with a slash."""
    # Unlike Path.is_dir, os.path.isdir does not raise for a name that no file can have.
    return target.endswith("/") or os.path.isdir(target)  # noqa: PTH112


def check_folder(target: str) -> None:
    """Raise InputError if a folder cannot be made, or no file can be written to it."""
    path = Path(os.path.realpath(target))
    try:
        if not path.is_dir():
            _check_new_folder(target, path)
    except OSError as error:
        raise _as_input_error(error, target) from None
    _check_permission(target, path if path.is_dir() else path.parent)


def _check_new_folder(target: str, path: Path) -> None:
    if path.exists():
        raise InputError("the target is a file", "remove the /, or name a folder", target)
    if not path.parent.is_dir():
        raise InputError(
            f"its parent folder {path.parent.name!r} does not exist", "create it first", target
        )


def file_in_folder(target: str, name: str) -> str:
    """Return the target, or the path of a file in it if it is a folder; create a missing folder."""
    if not is_folder_target(target):
        return target
    try:
        Path(target).mkdir(exist_ok=True)
    except OSError as error:
        raise _as_input_error(error, target) from None
    return os.path.join(target, name)  # noqa: PTH118 (a Path would normalize it)


def fits_on_disk(target: str, num_bytes: int) -> bool:
    """Return whether a target's disk has this many free bytes; True if its folder is missing."""
    folder = Path(os.path.realpath(target)).parent
    return not folder.is_dir() or num_bytes <= free_bytes(folder)


def free_bytes(folder: Path) -> int:
    """Return the free space on the disk of an existing folder, in bytes."""
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize


def _check_permission(target: str, folder: Path) -> None:
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(
            "no permission to write to the target's folder", "give another folder", target
        )


def _check_path(target: str, path: Path) -> None:
    if path.is_dir():
        raise InputError("the target is a folder", "give the name of a file in it", target)
    if not path.parent.is_dir():
        raise InputError("the target's folder does not exist", "create it first", target)
    if path.is_file() and not os.access(path, os.W_OK):
        raise InputError("no permission to write to the target", "give another file name", target)


def _check_disk_space(target: str, folder: Path, min_bytes: int) -> None:
    free = free_bytes(folder)
    if min_bytes > free:
        raise InputError(
            f"the file needs {min_bytes:,} bytes, but the disk has {free:,} free",
            "free some space, or write to a compressed file (.zst, .xz, .gz)",
            target,
        )


def _as_input_error(error: OSError, target: str) -> InputError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        smaller = "" if compression_suffix(target) else ", or compress (.zst, .xz, .gz)"
        return InputError(
            f"no space to write the file: {error.strerror}",
            f"nothing was written: free some space{smaller}",
            target,
        )
    return InputError(
        f"cannot write: {error.strerror}", "nothing was written: check the target", target
    )


@contextmanager
def _unnamed_file(folder: Path, name: Path) -> Iterator[tuple[int, Callable[[], None]]]:
    """Open a file without a name, and yield its descriptor and a function that names it.

    The file is removed unless it is named and then renamed.
    """
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
            # Python follows the link in /proc to the file only if a directory is given.
            os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=descriptor)

    try:
        yield descriptor, give_name
    finally:
        os.close(descriptor)
        name.unlink(missing_ok=True)


def _write_all(descriptor: int, pieces: Iterable[Buffer]) -> int:
    size = 0
    for piece in pieces:
        unwritten = memoryview(piece)
        size += len(unwritten)
        while unwritten:
            unwritten = unwritten[os.write(descriptor, unwritten) :]
    return size


def resolve_inside(folder: Path, name: str, noun: str, owner: str = "campaign") -> Path:
    """Return the path of a file in or below the folder; raise InputError for any other path.

    A campaign may be from a stranger and its archive published, so it must not be able to copy
    other files of the user. `noun` and `owner` name the file and the referring file in errors.
    """
    path = folder / name
    try:
        target = Path(os.path.realpath(path))
        inside = target.is_relative_to(os.path.realpath(folder))
        fault = "" if not inside or target.is_file() else "no such file"
    except (OSError, ValueError):
        inside, fault = True, "not the name of a file"
    if not inside:
        raise InputError(
            f"the {noun} is outside the folder of the {owner}", "copy it into the folder", str(path)
        )
    if fault:
        raise InputError(f"cannot read the {noun}: {fault}", "give a readable file", str(path))
    return path


def read_text(
    path: Path, noun: str, max_bytes: int, place: str = "", encoding: str = "utf-8"
) -> str:
    """Return the text of a file of at most max_bytes; raise InputError if it cannot be read.

    `place` names the file in errors, if it is not to be named by its path.
    """
    place = place or str(path)
    try:
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
        text = data.decode(encoding)
    except (OSError, UnicodeDecodeError) as error:
        fault = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise InputError(
            f"cannot read the {noun}: {fault}", "give a readable file", place
        ) from None
    if len(data) > max_bytes:
        raise InputError(
            f"the {noun} has too many bytes", f"give at most {max_bytes:,} bytes", place
        )
    return text


def user_cache_folder() -> Path:
    """Return the folder of small files that are stored between commands; it need not exist."""
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "boardsat"


def read_cached(name: str) -> bytes:
    """Return the content of a cached file; empty if it does not exist."""
    try:
        return (user_cache_folder() / name).read_bytes()
    except OSError:
        return b""


def store_cached(name: str, content: bytes) -> None:
    """Store a file if possible: errors are ignored, as the content can be obtained again."""
    file = user_cache_folder() / name
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, [content])
