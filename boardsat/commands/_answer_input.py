"""Arguments of commands that read a file and an answer to it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from boardsat.base.errors import InputError
from boardsat.commands import _run_options

if TYPE_CHECKING:
    from boardsat.workflows.solve.external_answers import ExternalAnswer


def add_arguments(parser: argparse.ArgumentParser, is_required: bool) -> None:
    parser.add_argument("file", metavar="FILE.cnf", help="the formula")
    parser.add_argument(
        "answer",
        metavar="ANSWER",
        nargs=None if is_required else "?",
        default="-",
        help="the output of the solver, or of `boardsat solve --json`; -: standard input",
    )
    _run_options.add_lenient_argument(parser)


def answer_from(options: argparse.Namespace) -> ExternalAnswer:
    from boardsat.base.files import read_pieces
    from boardsat.workflows.solve.external_answers import ExternalAnswer

    if options.answer == options.file == "-":
        raise InputError(
            "standard input cannot be both the formula and the answer",
            "give one of them as a file",
            "-",
        )
    pieces = _standard_input() if options.answer == "-" else read_pieces(Path(options.answer))
    return ExternalAnswer(pieces, options.answer)


def _standard_input() -> Iterator[bytes]:
    if sys.stdin.isatty():
        print("boardsat: reading the answer from standard input", file=sys.stderr, flush=True)
    # A terminal gives one line a read; a read for a full buffer would need Ctrl-D twice.
    yield from iter(lambda: os.read(sys.stdin.fileno(), 2**16), b"")
