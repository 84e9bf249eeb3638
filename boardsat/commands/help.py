"""Show the help of a command.

Examples:
    boardsat help
    boardsat help solve
    boardsat help archive verify
"""

from __future__ import annotations

import argparse

from boardsat.terminal.exit_codes import SUCCESS

EXIT_CODES = SUCCESS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words", nargs="*", metavar="COMMAND", help="the command; default: a list of all"
    )


def run(options: argparse.Namespace) -> int:
    from boardsat.cli import parse_command

    try:
        parse_command([*options.words, "--help"])
    except SystemExit as exit_request:
        return int(exit_request.code or 0)
    return 0
