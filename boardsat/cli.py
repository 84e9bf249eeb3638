"""The command line: one file a command under boardsat/commands, found by its name.

Only this file prints errors and sets exit codes: 2 for bad input, 130 for an interrupt.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import signal
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

from boardsat import commands


class _Parser(argparse.ArgumentParser):
    """An argument error is one line, like every other."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def command_names() -> list[str]:
    return [
        module.name
        for module in pkgutil.iter_modules(commands.__path__)
        if not module.name.startswith("_")
    ]


def command(name: str) -> ModuleType:
    return importlib.import_module(f"{commands.__name__}.{name}")


def build_parser(names: Sequence[str]) -> argparse.ArgumentParser:
    """The parser with these commands: the one that is called, or all of them for `--help`."""
    parser = _Parser(
        prog="boardsat",
        description="Boards to CNF and back: YAML specs to standard DIMACS files.",
        epilog="`boardsat COMMAND --help` tells the options of a command.",
    )
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in names:
        module = command(name)
        summary = (module.__doc__ or "").splitlines()[0]
        sub = subparsers.add_parser(
            name,
            help=summary,
            description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    # Importing only the command that runs keeps the start of every other out of its way.
    names = [words[0]] if words and words[0] in command_names() else command_names()
    options = build_parser(names).parse_args(words)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print("boardsat: interrupted; nothing was written", file=sys.stderr)
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # Whoever read our output has seen enough. Python's own flush at exit must not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except Exception as error:
        return _report(error)


def _report(error: Exception) -> int:
    from generators.errors import InputError

    if isinstance(error, InputError):
        print(f"boardsat: {error}", file=sys.stderr)
        return 2
    if isinstance(error, MemoryError):
        print("boardsat: out of memory; use smaller parameters", file=sys.stderr)
        return 2
    if isinstance(error, OSError):
        print(
            f"boardsat: {error.filename or 'system'}: {error.strerror}; nothing was written",
            file=sys.stderr,
        )
        return 2
    raise error
