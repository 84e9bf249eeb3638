"""Pages that show commands and programs with their output: run them, and write it anew.

A block of `console` holds commands after `$ ` and what each prints; a block with a title is a file.
Blocks of `python` are one program, in parts; the block of `text` after a part is what that prints.
A page is one sitting, from top to bottom in one folder; `make` is called in the clone.
`PYTHONPATH=tests python -m helpers.documents README.md docs/tutorial.md` runs them and puts in what
is printed now, and the pictures that they make and show.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

from helpers import processes
from helpers.requirements import MISSING_ENGINE

BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.S | re.M)
PICTURE = re.compile(r"(?:\]\(|<img src=\")((?:docs/)?images/[\w-]+\.svg)[)\"]")
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Command:
    """Command line typed by a reader, and the output on the page."""

    line: str
    output: str


@dataclass(frozen=True)
class Part:
    """Part of a Python program, and the output on the page."""

    line: str
    output: str


@dataclass(frozen=True)
class Source:
    """A file that a reader writes."""

    name: str
    text: str


def steps(page: str) -> Iterator[Command | Part | Source]:
    """Yield the steps that a reader of the page performs, in order."""
    blocks = BLOCK.findall(page)
    follow = [*blocks[1:], ("", "", "")]
    for (kind, attributes, text), (follower, _, output) in zip(blocks, follow, strict=True):
        title = re.search(r'title="([^"]+)"', attributes)
        if kind == "console":
            yield from commands(text)
        elif title:
            yield Source(title[1], text)
        elif kind == "python":
            yield Part(text, output if follower == "text" else "")


def commands(block: str) -> Iterator[Command]:
    for entry in re.split(r"^\$ ", block, flags=re.M)[1:]:
        line, _, output = entry.partition("\n")
        yield Command(line, output)


def environment(bare: bool) -> dict[str, str]:
    """Return an environment that begins PATH with its programs; bare: without engine or solvers."""
    # A make that calls the tests would have the one that they call say where it is.
    variables = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}
    program_folder = str(Path(sys.executable).parent)
    if bare:
        return {**variables, "PATH": program_folder, "DOCKER_HOST": MISSING_ENGINE}
    return {**variables, "PATH": f"{program_folder}:{variables['PATH']}"}


def printed(line: str, folder: Path, variables: dict[str, str]) -> str:
    """Return the output of a command line; its standard error is that of the tests."""
    outcome = processes.run(
        line,
        shell=True,
        cwd=folder,
        env=variables,
        stdout=subprocess.PIPE,
        text=True,
    )
    refuse_missing(line, outcome.returncode, outcome.stdout)
    return outcome.stdout


def refuse_missing(line: str, code: int, output: str) -> None:
    """Fail if a page uses a program that is missing on a bare machine."""
    missing = code == NO_PROGRAM or MISSING.search(output)
    assert not missing, f"a program of `{line}` is not on a bare machine: {output}"


NO_PROGRAM = 127
"""Exit code of a shell for a missing program; if it is lost, MISSING matches the message."""

MISSING = re.compile(r"^\S*sh: .*not found$", re.M)


PLAIN = re.compile(r"boardsat [\w ./=,:@+-]+")
"""A command in which a shell would find nothing to do."""


Say = Callable[[str | list[str] | Path], str]
"""Does a part of a program or a command, and tells what it prints; a folder begins a page."""


@contextmanager
def session() -> Iterator[Say]:
    """Run a Python process whose names persist between parts of a page."""
    with subprocess.Popen(
        [sys.executable, Path(__file__).with_name("page_session.py")],
        env=environment(bare=True),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as python:
        assert python.stdin and python.stdout
        requests, replies = python.stdin, python.stdout

        def say(request: str | list[str] | Path) -> str:
            page = isinstance(request, Path)
            requests.write(json.dumps({"folder": str(request)} if page else request) + "\n")
            requests.flush()
            line = '""' if page else answered()
            assert line, f"this part of the page failed:\n{request}"
            text: str = json.loads(line)
            return text

        def answered() -> str:
            # A part that hangs would have us wait for its line for ever.
            limit = Timer(processes.LIMIT, python.kill)
            limit.start()
            try:
                return replies.readline()
            finally:
                limit.cancel()

        try:
            yield say
        finally:
            requests.close()


def run(page: str, folder: Path, say: Say) -> Iterator[tuple[Command | Part, str]]:
    """Yield every step of the page with its output, on a machine without other solvers."""
    say(folder)
    for step in steps(page):
        if isinstance(step, Source):
            (folder / step.name).write_text(step.text)
        elif isinstance(step, Part) or PLAIN.fullmatch(step.line):
            is_part = isinstance(step, Part)
            yield step, say(step.line if is_part else step.line.split()[1:])
        elif step.line.startswith("make "):
            yield step, printed(step.line, ROOT, environment(bare=False))
        else:
            # A page may show errors too.
            yield step, printed(f"({step.line}) 2>&1", folder, environment(bare=True))


def timeless(text: str) -> str:
    """Return the text without parts that differ between runs."""
    return re.sub(r"\d+\.\d+ s\b", "TIME", re.sub(r"\b\d+ MB\b", "MEMORY", text.rstrip()))


def pictures(page: str) -> list[str]:
    return PICTURE.findall(page)


def renewed(path: Path) -> None:
    """Return the page with current outputs; times are preserved if nothing else changes."""
    page = path.read_text()
    with tempfile.TemporaryDirectory() as name, session() as say:
        folder = Path(name)
        path.write_text(BLOCK.sub(_Renewed(run(page, folder, say)), page))
        for picture in pictures(page):
            if (folder / Path(picture).name).exists():
                (path.parent / picture).write_bytes((folder / Path(picture).name).read_bytes())


class _Renewed:
    """Substitution of blocks by their current outputs."""

    def __init__(self, steps: Iterator[tuple[Command | Part, str]]) -> None:
        self.done = steps
        self.of_part: str | None = None

    def __call__(self, block: re.Match[str]) -> str:
        kind, attributes, text = block.groups()
        output, self.of_part = self.of_part, None
        if kind == "console":
            return "".join([f"```console{attributes}\n", *map(self._again, commands(text)), "```"])
        if kind == "python" and "title=" not in attributes:
            self.of_part = next(self.done)[1]
        elif kind == "text" and output is not None:
            return f"```text{attributes}\n{_kept(text, output)}```"
        return block[0]

    def _again(self, command: Command) -> str:
        return f"$ {command.line}\n{_kept(command.output, next(self.done)[1])}"


def _kept(documented: str, now: str) -> str:
    return documented if timeless(now) == timeless(documented) else now


if __name__ == "__main__":
    for token in sys.argv[1:]:
        renewed(Path(token))
