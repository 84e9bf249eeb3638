"""Python process that runs the commands and programs of a documentation page.

One process for many pages, as most of a short command is the start of Python. Every line that it
reads is JSON: the words of a command of boardsat in a list, a part of a program as a text, or the
folder in which another page begins, as an object.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import IO, Any

Names = dict[str, Any]


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    names: Names = {}
    for line in sys.stdin:
        document = json.loads(line)
        if isinstance(document, dict):
            os.chdir(document["folder"])
            names = {"__name__": "__main__"}
            continue
        print(json.dumps(printed(partial(do, document, names))), file=answers, flush=True)


def do(request: str | list[str], names: Names) -> None:
    if isinstance(request, str):
        exec(compile(request, "<page>", "exec"), names)
    else:
        from boardsat.cli import main as boardsat

        # Some errors are told by argparse, which then exits.
        with suppress(SystemExit):
            boardsat(request)


def printed(act: Callable[[], None]) -> str:
    """Capture all output, including bytes written past sys.stdout, and errors."""
    with tempfile.TemporaryFile() as file, streams_to(file):
        act()
        sys.stdout.flush()
        sys.stderr.flush()
        file.seek(0)
        return file.read().decode()


@contextmanager
def streams_to(file: IO[bytes]) -> Iterator[None]:
    saved = {number: os.dup(number) for number in (1, 2)}
    try:
        for number in saved:
            os.dup2(file.fileno(), number)
        yield
    finally:
        for number, copy in saved.items():
            os.dup2(copy, number)
            os.close(copy)


if __name__ == "__main__":
    main()
