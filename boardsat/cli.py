"""Command line: one module for each command in boardsat/commands, found by its name.

Only this module prints errors and sets exit codes; exit_codes.py describes them.
"""

from __future__ import annotations

import _thread
import argparse
import errno
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from boardsat import commands
from boardsat.base import files
from boardsat.base.errors import BoardsatError, InputError
from boardsat.base.text import one_line
from boardsat.generators.build_limits import build_limit, outside_input
from boardsat.terminal import exit_codes, streams
from boardsat.terminal.argument_parser import Parser, complete, locate_error

# One thread is enough for what NumPy does here and in child processes; starting a pool of threads
# costs more than a small instance.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


MIN_OPEN_FILES = 64
"""Minimum of the limit of open files (RLIMIT_NOFILE) for a command without workers."""

_REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "free some space"),
    **dict.fromkeys((errno.EMFILE, errno.ENFILE), "raise the limit of open files (ulimit -n)"),
}
"""Remedies by the error number of an OSError."""


class _Version(argparse.Action):
    """Action of --version, which reads the version only when used."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from boardsat.version import version

        print(f"boardsat {version()}")
        parser.exit()


def build_parser(names: Sequence[str]) -> argparse.ArgumentParser:
    """Return a parser with these commands: the one that is called, or all for `--help`."""
    parser = Parser(
        prog="boardsat",
        description="Board and graph problems as SAT formulas: YAML specs to DIMACS files, "
        "solvers, and answers that are checked and decoded to boards.",
        epilog="`boardsat COMMAND --help` shows the options and exit codes of a command.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version, and exit")
    # A missing command is found after an unknown option, of which it may be the result.
    subparsers = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=False, prog=parser.prog
    )
    for name in names:
        module = commands.load(name)
        summary = (module.__doc__ or "").splitlines()[0]
        sub = subparsers.add_parser(
            name,
            aliases=[alias for alias, command in commands.ALIASES.items() if command == name],
            help=summary,
            description=module.__doc__,
            epilog=exit_codes.format_exit_codes(module.EXIT_CODES),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command of the arguments (sys.argv if None), and return its exit code."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    streams.open_closed_streams()
    # Imports make tens of thousands of objects, none of them garbage: to examine them takes a tenth
    # of the time of a small command.
    gc.set_threshold(200_000, 20, 100)
    if "_ARGCOMPLETE" in os.environ:
        _complete()
    _handle_signals()
    with streams.ignored_stderr_errors(), streams.escaping_streams():
        return _exit_code(argv)


def _exit_code(argv: list[str]) -> int:
    """Run a command, report its error if it raises one, and return its exit code."""
    files.forget_written_files()
    try:
        _check_open_files()
        try:
            options = parse_command(argv)
        except SystemExit as exit_request:
            # A help text or a usage error was printed.
            code = int(exit_request.code or 0)
        else:
            with _command_context(options):
                code = options.run(options)
        if sys.stdout is not None:
            sys.stdout.flush()
        # Python would collect garbage once more at its end, which takes a tenth of the time.
        gc.freeze()
        return code
    except KeyboardInterrupt as interrupt:
        _print_error(f"interrupted; {str(interrupt) or _written_files()}")
        return exit_codes.INTERRUPTED
    except Exception as error:
        if isinstance(error, BrokenPipeError) and streams.has_lost_reader():
            # The reader of the output, such as `head`, has ended.
            streams.discard_output(1)
            return exit_codes.BROKEN_PIPE
        return _report(error, argv)


def _check_open_files() -> None:
    """Raise InputError if too few files may be open at once.

    If the limit were reached in the middle of a command, neither modules nor standard streams could
    be opened any more, so not even the error could be reported.
    """
    import resource

    limit, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= limit < MIN_OPEN_FILES:
        remedy = f"run `ulimit -n {MIN_OPEN_FILES}` first" if maximum >= MIN_OPEN_FILES else ""
        fault = f"the limit of open files must be at least {MIN_OPEN_FILES} (got {limit})"
        raise InputError(fault, remedy, "ulimit -n")


def _written_files() -> str:
    """Describe the files that the interrupted command has written, all of which are complete."""
    paths = files.existing_written_files()
    if not paths:
        return "no file was changed"
    from boardsat.base.text import pluralize

    number = pluralize(len(paths), "file was", "files were")
    return one_line(f"{number} written, the last is {paths[-1]}")


def _complete() -> None:
    """Print completions of the command line for the shell."""
    names = commands.names()
    line = os.environ.get("COMP_LINE", "").split()
    # Only the command that the line names is imported.
    selected = [commands.ALIASES.get(name, name) for name in line[1:2]]
    complete(build_parser(selected if {*selected} & {*names} else names), names)


def _handle_signals() -> None:
    """Raise KeyboardInterrupt at SIGTERM and SIGHUP too, so that containers are removed."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.default_int_handler)
        if sys.unraisablehook is sys.__unraisablehook__:
            sys.unraisablehook = _repeat_lost_interrupt


def _repeat_lost_interrupt(unraisable: sys.UnraisableHookArgs) -> None:
    """Send SIGINT again if Python has discarded its KeyboardInterrupt.

    That happens if the signal arrives in a callback of a weak reference, such as those of the locks
    of imports, or in a destructor.
    """
    if unraisable.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(unraisable)
        return

    def interrupt() -> None:
        # Until then the callback, whose exceptions would be discarded again, has ended.
        time.sleep(0.01)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    # Not threading.Thread, whose locks the interrupted code may hold.
    _thread.start_new_thread(interrupt, ())


def parse_command(argv: list[str]) -> argparse.Namespace:
    """Return the options of a command; raise SystemExit after a help text or a usage error."""
    # Only the command that runs is imported.
    has_command = bool(argv) and not argv[0].startswith("-")
    selected = [commands.ALIASES.get(name, name) for name in argv[:1]]
    parser = build_parser(selected if has_command else commands.names())
    options = parser.parse_args(argv)
    if not hasattr(options, "run"):
        parser.error("the following arguments are required: COMMAND")
    return options


@contextmanager
def _command_context(options: argparse.Namespace) -> Iterator[None]:
    """Set the limits of a command, open its instance file, and locate errors of its options."""
    try:
        with build_limit(getattr(options, "build_limit", None)), _instance_opened(options):
            yield
    except InputError as error:
        raise locate_error(error, options) from None


@contextmanager
def _instance_opened(options: argparse.Namespace) -> Iterator[None]:
    """Replace the path of an instance file in the options by the problem and settings it names.

    The limits of outside input apply in the context.
    """
    if not str(getattr(options, "problem", "")).endswith((".yaml", ".yml")):
        yield
        return
    from boardsat.campaign.instance_files import open_instance

    open_instance(options)
    with outside_input():
        yield


def _report(error: Exception, argv: Sequence[str]) -> int:
    """Print an error in one line, and return its exit code."""
    code = exit_codes.BAD_INPUT
    if isinstance(error, BoardsatError):
        code, message = error.exit_code, str(error)
    elif isinstance(error, MemoryError):
        message = "out of memory; use smaller parameters"
    elif isinstance(error, OSError):
        streams.discard_output(1)
        message = f"{error.filename or 'system'}: {error.strerror or error}"
        if remedy := _REMEDIES.get(error.errno or 0):
            message += f"; {remedy}"
    else:
        _print_error(_save_traceback(error, argv))
        return exit_codes.INTERNAL_ERROR
    _print_error(one_line(message))
    return code


def _print_error(message: str) -> None:
    from boardsat.terminal.streams import RED, paint

    print(f"{paint('boardsat:', RED, sys.stderr)} {message}", file=sys.stderr)


def _save_traceback(error: BaseException, argv: Sequence[str]) -> str:
    """Write the traceback of an internal error to a file, and return the message about it."""
    import tempfile
    import traceback

    from boardsat.version import version

    kind = one_line(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)
    trace = "".join(traceback.format_exception(error))
    report = f"boardsat {version()}, Python {sys.version}\narguments: {list(argv)}\n\n{trace}"
    try:
        descriptor, name = tempfile.mkstemp(".txt", "boardsat-error-")
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(report)
    except OSError:
        # The report is printed as it cannot be written.
        return f"internal error: {kind}; this is a fault of boardsat, please report it:\n{report}"
    return f"internal error: {kind}; please report it with the traceback, saved in {name}"
