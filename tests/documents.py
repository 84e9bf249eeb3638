"""Pages that show commands with their output: run them, and write anew what they print.

A block of `console` holds commands after `$ ` and what each prints; a block with a title is a file.
A page is one sitting, from top to bottom in one folder.
`python tests/documents.py docs/tutorial.md` runs it and puts in what is printed now, and the
pictures that it makes and shows.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from outside import NOWHERE

BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.S | re.M)
PICTURE = re.compile(r"!\[[^\]]*\]\((images/[\w-]+\.svg)\)")


@dataclass(frozen=True)
class Command:
    """A line that a reader types, and what the page shows after it."""

    words: str
    shown: str


@dataclass(frozen=True)
class Source:
    """A file that a reader writes."""

    name: str
    text: str


def steps(page: str) -> Iterator[Command | Source]:
    """What a reader of the page does, in order."""
    for kind, about, text in BLOCK.findall(page):
        title = re.search(r'title="([^"]+)"', about)
        if kind == "console":
            yield from commands(text)
        elif title:
            yield Source(title[1], text)


def commands(block: str) -> Iterator[Command]:
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        words, _, shown = part.partition("\n")
        yield Command(words, shown)


def environment(bare: bool) -> dict[str, str]:
    """The programs of this environment first; a bare one has no engine and no other solver."""
    # A make that calls the tests would have the one that they call say where it is.
    found = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}
    here = str(Path(sys.executable).parent)
    if bare:
        return {**found, "PATH": here, "DOCKER_HOST": NOWHERE}
    return {**found, "PATH": f"{here}:{found['PATH']}"}


def printed(words: str, folder: Path, variables: dict[str, str]) -> str:
    """What a command line prints; its errors are shown with those of the tests."""
    done = subprocess.run(
        words,
        shell=True,
        cwd=folder,
        env=variables,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        timeout=120,
    )
    return done.stdout


def run(page: str, folder: Path) -> Iterator[tuple[Command, str]]:
    """Every command of the page with what it prints, on a machine without solvers of its own."""
    for step in steps(page):
        if isinstance(step, Source):
            (folder / step.name).write_text(step.text)
        else:
            # A page may show errors too.
            yield step, printed(f"({step.words}) 2>&1", folder, environment(bare=True))


def timeless(text: str) -> str:
    """Without what differs from one run to the next."""
    return re.sub(r"\d+\.\d+ s\b", "TIME", re.sub(r"\b\d+ MB\b", "MEMORY", text.rstrip()))


def pictures(page: str) -> list[str]:
    return PICTURE.findall(page)


def renewed(path: Path) -> None:
    """The page as it should be; times stay as they are where nothing else changes."""
    page = path.read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        outputs = (text for _, text in run(page, folder))
        path.write_text(BLOCK.sub(lambda block: _renewed_block(block, outputs), page))
        for picture in pictures(page):
            if (folder / Path(picture).name).exists():
                (path.parent / picture).write_bytes((folder / Path(picture).name).read_bytes())


def _renewed_block(block: re.Match[str], outputs: Iterator[str]) -> str:
    if block[1] != "console":
        return block[0]
    lines = [f"```console{block[2]}\n"]
    for command in commands(block[3]):
        now = next(outputs)
        same = timeless(now) == timeless(command.shown)
        lines.append(f"$ {command.words}\n{command.shown if same else now}")
    return "".join([*lines, "```"])


if __name__ == "__main__":
    for word in sys.argv[1:]:
        renewed(Path(word))
