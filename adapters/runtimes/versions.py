"""Versions of programs: asked once, and kept with the identity of the image or the file.

The label of an image has the version of a package, and programs know better: CaDiCaL 1.7.4 of
Debian calls itself 1.7.3.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from boardsat.adapters.runtimes import child_python
from boardsat.base import user_cache
from boardsat.base.errors import BoardsatError, SolverError

_LONGEST = 100


def cached_version(image: str, line: Sequence[str], ask: Callable[[], str]) -> str:
    """What the program of an image answers to this command line; empty where it says nothing.

    For a program on PATH it is the file instead of the image, and its packages.
    """
    asked = hashlib.sha256(" ".join((image, *line)).encode()).hexdigest()[:32]
    name = f"version-{asked}"
    known = user_cache.content(name)[:_LONGEST].decode("utf-8", "replace")
    if known.endswith("\n") and known[:-1].isprintable():
        return known[:-1]
    try:
        version = ask()[: _LONGEST - 1]
    except BoardsatError:
        return ""
    user_cache.keep(name, f"{version}\n".encode())
    return version


UNKNOWN = "unknown"
"""The version of a program that tells none."""

TIMEOUT_SECONDS = 10


class PackageManager(NamedTuple):
    """Queries of a package manager; each takes a name as its last argument."""

    owner: tuple[str, ...]
    """Prints the package that a file belongs to, alone or before a colon and the file."""
    changed: tuple[str, ...]
    """Prints a line for each file of a package that is not as the package has it."""
    version: tuple[str, ...]


PACKAGE_MANAGERS = (
    PackageManager(
        ("dpkg-query", "-S"), ("dpkg", "--verify"), ("dpkg-query", "-W", "-f", "${Version}")
    ),
    PackageManager(
        ("rpm", "-qf", "--qf", "%{NAME}"), ("rpm", "-V"), ("rpm", "-q", "--qf", "%{VERSION}")
    ),
)


# To ask takes as long as to solve a small formula, and every run has it in its record.
@lru_cache(maxsize=128)
def program_version(
    line: Sequence[str] | None, program: str, packages: Sequence[str], inode: int, modified: int
) -> str:
    """Return the version of a program, which remains valid while it is the same file.

    `line` is the command that prints it, None if there is none. `packages` are the names of the
    package that the program may belong to.
    """
    printed = _printed_version(line) if line else UNKNOWN
    if is_version(printed):
        return printed
    path = Path(program).resolve()
    file = f"{path} {inode} {modified}"
    return cached_version(file, packages, lambda: _package_version(str(path), packages)) or printed


def is_version(word: str) -> bool:
    return re.match(r"v?\d", word) is not None


def first_version(text: str) -> str:
    """The first word in the text that looks like a version, or the only one there is."""
    words = text.replace(",", " ").split()
    for word in words:
        if word[:1].isdigit() and "." in word:
            return word
    return words[0] if len(words) == 1 else UNKNOWN


def _printed_version(line: Sequence[str]) -> str:
    """Return the version that a program prints when it is started by this command line."""
    try:
        done = _run(line, child_python.program_environment())
    except (OSError, subprocess.TimeoutExpired):
        return UNKNOWN
    return first_version(done.stdout + done.stderr)


def _package_version(path: str, packages: Collection[str]) -> str:
    """Return the version of the package that a file belongs to; empty if it is none of these.

    Raise BoardsatError if a package manager does not answer.
    """
    for manager in PACKAGE_MANAGERS:
        # Most machines have one of them.
        with suppress(FileNotFoundError):
            package = _query(manager.owner, path).removesuffix(f": {path}")
            if package in packages and path not in _query(manager.changed, package).split():
                # In 1:2.2.1-5+b3, between the epoch and the revision of the package.
                return re.sub(r"^\d+:|-[^-]+$", "", _query(manager.version, package))
    return ""


def _query(command: Sequence[str], name: str) -> str:
    try:
        return _run((*command, name)).stdout.strip()
    except FileNotFoundError:
        raise
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SolverError(f"{command[0]} does not answer: {error}") from None


def _run(
    line: Sequence[str], environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        line,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=TIMEOUT_SECONDS,
        check=False,
        env=environment,
    )
