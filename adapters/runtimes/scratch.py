"""Folders and containers of a run have its name, so that those of a killed run can be removed."""

from __future__ import annotations

import os
import re
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def owner() -> str:
    """This process: its machine, its number, and when it began, for numbers are used again."""
    return f"{socket.gethostname()} {os.getpid()} {_began(os.getpid())}"


def is_left_over(owner: str) -> bool:
    """Whether that was a process of this machine, and has ended."""
    # A machine that we do not know may have processes that we do not see.
    machine, _, process = owner.partition(" ")
    pid, _, began = process.partition(" ")
    return machine == socket.gethostname() and _began(pid) != began


def _began(pid: int | str) -> str | None:
    """When a process began, in ticks of the kernel's clock; None if there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return None


def _prefix() -> str:
    """What the names of our folders begin with."""
    return f"boardsat {owner()} ".replace(" ", ".")


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix=_prefix()) as path:
        yield Path(path)


def kept(path: str) -> str:
    """A file to be looked at later: one of a folder that goes is copied to one that stays."""
    source = Path(path)
    if not source.parent.name.startswith(_prefix()) or not source.is_file():
        return path
    folder = tempfile.mkdtemp(prefix="boardsat-kept-")
    return shutil.copy(source, folder)


def remove_left_folders() -> int:
    """Remove the folders of our user that processes left when they were killed; how many."""
    name = re.compile(rf"boardsat\.{re.escape(socket.gethostname())}\.(\d+)\.(\d+)\.\w+")
    removed = 0
    for path in Path(tempfile.gettempdir()).iterdir():
        found = name.fullmatch(path.name)
        if found and _began(found[1]) != found[2] and path.lstat().st_uid == os.getuid():
            shutil.rmtree(path, ignore_errors=True)
            removed += 1
    return removed
