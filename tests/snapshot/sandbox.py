"""Run the command line in forked children, in a scratch folder, without an engine."""

from __future__ import annotations

import os
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from subprocess import run
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

# Durations, sizes of processes, and folders differ between two runs of the same code.
MASKS = (
    (re.compile(r'("\w*(?:wall|cpu|memory|seconds|load|share|limit)": )[-0-9.e]+'), r"\1N"),
    (re.compile(r"\d+(?:\.\d+)? (s|ms|MB|min)\b"), r"N \1"),
    (re.compile(r"\d+(?:\.\d+)?(?=,? seconds?\b)"), "N"),
    (re.compile(r"/\S*/boardsat[.-][\w.-]+"), "SCRATCH"),
    (re.compile(r"(?<= )\d+\.\d\d(?=$|  )", re.M), "N"),
    (re.compile(r"\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d[\w:.+-]*"), "DATE"),
)

Entry = dict[str, Any]


def mask(text: str, folder: str) -> str:
    """Replace figures and paths that depend on the machine."""
    text = text.replace(folder, "FOLDER").replace(str(ROOT), "ROOT")
    for pattern, replacement in MASKS:
        text = pattern.sub(replacement, text)
    return text


@contextmanager
def scratch_folder() -> Iterator[str]:
    """Enter an empty folder that has `tests` and `docs` of the repository as links."""
    folder_before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="snapshot-") as folder:
        for name in ("tests", "docs", "examples"):
            Path(folder, name).symlink_to(ROOT / name)
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(folder_before)


def environment() -> dict[str, str]:
    """Return an environment in which neither an engine nor a solver program is found."""
    inherited = {
        key: os.environ[key]
        for key in ("HOME", "LANG", "TMPDIR", "PYTHONPATH")
        if key in os.environ
    }
    return inherited | {
        "PATH": "/usr/sbin:/nonexistent",
        "DOCKER_HOST": "unix:///nonexistent/docker.sock",
        "NO_COLOR": "1",
        "COLUMNS": "80",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def in_fork(arguments: Sequence[str]) -> int:
    """Run the command line in a child with standard output in `out` and error in `err`."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 99
    try:
        for number, name in ((0, os.devnull), (1, "out"), (2, "err")):
            flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            os.dup2(os.open(name, flags, 0o600), number)
        from boardsat.cli import main

        sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
        code = main(list(arguments))
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def by_program(program: str) -> Callable[[Sequence[str]], int]:
    """Return a runner like `in_fork` that starts an installed `boardsat`."""

    def start(arguments: Sequence[str]) -> int:
        with Path("out").open("wb") as out, Path("err").open("wb") as err:
            outcome = run(
                [program, *arguments], stdout=out, stderr=err, env=environment(), check=False
            )
            return outcome.returncode

    return start


def outcome(line: str, folder: str, start: Callable[[Sequence[str]], int]) -> Entry:
    """Run one command line and return what it printed, masked, with its exit code."""
    code = start(shlex.split(line))
    texts = {name: Path(name).read_bytes().decode("utf-8", "replace") for name in ("out", "err")}
    return {"code": code} | {name: mask(text, folder) for name, text in texts.items()}
