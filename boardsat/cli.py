"""The command line: one file a command under boardsat/commands, found by its name.

Only this file prints errors and sets exit codes: 2 for bad input, 130 for an interrupt.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import pkgutil
import signal
import sys
import threading
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

from boardsat import commands
from generators.errors import InputError, choose_from, one_line

# Whoever imports NumPy first, here or in a child process: one thread is enough for what it does,
# and starting a pool costs more than a small instance.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class _Parser(argparse.ArgumentParser):
    """An argument error is one line, like every other."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"boardsat: {message}; see `{self.prog} --help`\n")


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
    _end_like_ctrl_c()
    try:
        code = _run(words)
        if sys.stdout is not None:
            sys.stdout.flush()
        # Python would look for garbage once more at its end, which takes a tenth of the time.
        gc.freeze()
        return code
    except KeyboardInterrupt as interrupt:
        kept = str(interrupt) or "no file was changed"
        print(f"boardsat: interrupted; {kept}", file=sys.stderr)
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        _discard_output()
        return 0
    except Exception as error:
        return _report(error)


def _end_like_ctrl_c() -> None:
    """Let `kill` and a closed terminal clean up too; what runs elsewhere would run on."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.default_int_handler)


def _run(words: list[str]) -> int:
    names = command_names()
    if words and words[0] in names:
        # Importing only the command that runs keeps the start of every other out of its way.
        names = words[:1]
    elif words and not words[0].startswith("-"):
        raise InputError(f"no command {words[0]!r}", choose_from(words[0], names))
    try:
        options = build_parser(names).parse_args(words)
    except SystemExit as done:
        # A help text or a complaint was printed.
        return int(done.code or 0)
    code: int = options.run(options)
    return code


def _report(error: Exception) -> int:
    from adapters.errors import AdapterError
    from adapters.text import DimacsError

    if isinstance(error, InputError | AdapterError | DimacsError):
        message = str(error)
    elif isinstance(error, MemoryError):
        message = "out of memory; use smaller parameters"
    elif isinstance(error, OSError):
        _discard_output()
        message = f"{error.filename or 'system'}: {error.strerror}; no file was changed"
    else:
        raise error
    print(f"boardsat: {one_line(message)}", file=sys.stderr)
    return error.exit_code if isinstance(error, AdapterError) else 2


def _discard_output() -> None:
    """Python's own flush at its exit must not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
