"""Reading an answer that some solver printed; shared by commands."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

from boardsat.commands import _running

if TYPE_CHECKING:
    from adapters.answer import Model
    from adapters.dialects import Competition


def add_arguments(parser: argparse.ArgumentParser, answer_needed: bool) -> None:
    parser.add_argument("file", metavar="FILE.cnf", help="the formula")
    parser.add_argument(
        "answer",
        metavar="ANSWER",
        nargs=None if answer_needed else "?",
        default="-",
        help="what the solver printed; -: standard input",
    )
    _running.add_lenient_argument(parser)


def read(options: argparse.Namespace, variables: int, dialect: str = "any") -> Competition:
    """The answer, in whichever dialect it is, unless that is known."""
    from adapters.dialects import DIALECTS, lines_of
    from adapters.errors import AdapterError

    said = DIALECTS[dialect](variables)
    try:
        with _opened(options.answer) as stream:
            for line in lines_of(iter(lambda: stream.read(2**16), b"")):
                said.feed(line)
    except OSError as error:
        raise AdapterError(
            f"cannot read the answer: {error.strerror}", "give a readable file", options.answer
        ) from None
    return said


def _opened(answer: str) -> IO[bytes]:
    return sys.stdin.buffer if answer == "-" else Path(answer).open("rb")


def model_of(said: Competition, options: argparse.Namespace) -> Model:
    from adapters.errors import AdapterError

    model = said.model()
    if model is None:
        word = said.status.name if said.status else "nothing"
        raise AdapterError(
            f"the answer has no model: it says {word}", "give the `v` lines too", options.answer
        )
    return model


def model_from(options: argparse.Namespace, variables: int) -> Model:
    return model_of(read(options, variables), options)
