"""Versions of programs: printed by the program or looked up in package managers, and cached.

The label of an image has the version of a package, which is not always that of the program: CaDiCaL
1.7.4 of Debian calls itself 1.7.3.
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
from boardsat.base import files
from boardsat.base.errors import BoardsatError, SolverError

MAX_VERSION_LENGTH = 100

UNKNOWN = "unknown"
"""Version of a program that cannot be determined."""

TIMEOUT_SECONDS = 10
"""Time limit of a program that prints its version."""


def cached_version(source: str, query: Sequence[str], find_version: Callable[[], str]) -> str:
    """Return a version from the cache, or find it and store it in the cache.

    Parameters
    ----------
    source : str
        Digest of an image, or identity of a program file.
    query : sequence of str
        Command line that prints the version, or names of packages.
    find_version : callable
        Function that returns the version. It raises BoardsatError if the version cannot be
        determined now.

    Returns
    -------
    str
        Version of at most MAX_VERSION_LENGTH characters; empty if unknown.
    """
    digest = hashlib.sha256(" ".join((source, *query)).encode()).hexdigest()[:32]
    name = f"version-{digest}"
    cached = files.read_cached(name)[:MAX_VERSION_LENGTH].decode("utf-8", "replace")
    if cached.endswith("\n") and cached[:-1].isprintable():
        return cached[:-1]
    try:
        version = find_version()[: MAX_VERSION_LENGTH - 1]
    except BoardsatError:
        return ""
    files.store_cached(name, f"{version}\n".encode())
    return version


class PackageManager(NamedTuple):
    """Commands that query a package manager; each takes a name as its last argument."""

    owner: tuple[str, ...]
    """Command that prints the package of a file, alone or before a colon and the file."""
    changed: tuple[str, ...]
    """Command that prints a line for each modified file of a package."""
    version: tuple[str, ...]
    """Command that prints the version of a package."""


PACKAGE_MANAGERS = (
    PackageManager(
        ("dpkg-query", "-S"), ("dpkg", "--verify"), ("dpkg-query", "-W", "-f", "${Version}")
    ),
    PackageManager(
        ("rpm", "-qf", "--qf", "%{NAME}"), ("rpm", "-V"), ("rpm", "-q", "--qf", "%{VERSION}")
    ),
)


# Starting a program takes as long as a small solve, and every record of a run has the version.
@lru_cache(maxsize=128)
def program_version(
    line: Sequence[str] | None, program: str, packages: Sequence[str], inode: int, modified: int
) -> str:
    """Return the version of a program; it is cached as long as the file is not modified.

    Parameters
    ----------
    line : sequence of str or None
        Command line that prints the version; None if no command prints it.
    program : str
        Path of the program.
    packages : sequence of str
        Names of the packages that the program may belong to.
    inode, modified : int
        Inode of the program, and time of its last modification in nanoseconds.
    """
    printed = _printed_version(line) if line else UNKNOWN
    if is_version(printed):
        return printed
    path = Path(program).resolve()
    file = f"{path} {inode} {modified}"
    return cached_version(file, packages, lambda: _package_version(str(path), packages)) or printed


def is_version(text: str) -> bool:
    """Return True if a text begins like a version."""
    return re.match(r"v?\d", text) is not None


def first_version(text: str) -> str:
    """Return the first token that looks like a version, or the only token of the text."""
    tokens = text.replace(",", " ").split()
    for token in tokens:
        if token[:1].isdigit() and "." in token:
            return token
    return tokens[0] if len(tokens) == 1 else UNKNOWN


def _printed_version(line: Sequence[str]) -> str:
    """Return the version that a command line prints; UNKNOWN if it cannot be run."""
    try:
        process = _run(line, child_python.program_environment())
    except (OSError, subprocess.TimeoutExpired):
        return UNKNOWN
    return first_version(process.stdout + process.stderr)


def _package_version(path: str, packages: Collection[str]) -> str:
    """Return the version of the package of a file; empty for other packages or a modified file.

    Raise BoardsatError if a package manager does not answer.
    """
    for manager in PACKAGE_MANAGERS:
        # Most machines have one of them.
        with suppress(FileNotFoundError):
            package = _query(manager.owner, path).removesuffix(f": {path}")
            if package in packages and path not in _query(manager.changed, package).split():
                # 1:2.2.1-5+b3 has an epoch before the version and a revision after it.
                return re.sub(r"^\d+:|-[^-]+$", "", _query(manager.version, package))
    return ""


def _query(command: Sequence[str], name: str) -> str:
    """Return the output of a package manager; raise FileNotFoundError if it is not installed."""
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
