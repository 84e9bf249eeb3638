"""The command line: one file a command under boardsat/commands, found by its name.

Only this file prints errors and sets exit codes; exit_codes.py says what they mean.
"""

from __future__ import annotations

import argparse
import errno
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from boardsat import commands
from boardsat.base import files
from boardsat.base.errors import BoardsatError, InputError
from boardsat.base.text import one_line
from boardsat.generators.limits import build_limit, outside_input
from boardsat.terminal import exit_codes, streams
from boardsat.terminal.blame import by_option
from boardsat.terminal.parsing import Parser
from boardsat.terminal.safe import guarded

# Whoever imports NumPy first, here or in a child process: one thread is enough for what it does,
# and starting a pool costs more than a small instance.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


MIN_OPEN_FILES = 64
"""Files that a command may have open at once, workers of a campaign not counted."""

_REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "free some space"),
    **dict.fromkeys((errno.EMFILE, errno.ENFILE), "raise the limit of open files (ulimit -n)"),
}
"""By the number of a system error."""


class _Version(argparse.Action):
    """Reads it only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from boardsat.version import version

        print(f"boardsat {version()}")
        parser.exit()


def build_parser(names: Sequence[str]) -> argparse.ArgumentParser:
    """The parser with these commands: the one that is called, or all of them for `--help`."""
    parser = Parser(
        prog="boardsat",
        description="Boards to CNF and back: YAML specs to standard DIMACS files.",
        epilog="`boardsat COMMAND --help` shows the options and exit codes of a command.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version, and exit")
    # A missing command is found after an unknown option, of which it may be the result.
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=False)
    for name in names:
        module = commands.load(name)
        summary = (module.__doc__ or "").splitlines()[0]
        sub = subparsers.add_parser(
            name,
            help=summary,
            description=module.__doc__,
            epilog=exit_codes.listed(module.EXIT_CODES),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    streams.fill_closed()
    # Most of what a command makes it keeps: to look for garbage so often would take 5% of its time.
    gc.set_threshold(50_000, 20, 100)
    if "_ARGCOMPLETE" in os.environ:
        _complete()
    _end_like_ctrl_c()
    with streams.errors_never_fail(), guarded():
        return _run(words)


def _run(words: list[str]) -> int:
    """The exit code of a command, whatever happens in it."""
    files.forget_written_files()
    try:
        _check_open_files()
        code = run_words(words)
        if sys.stdout is not None:
            sys.stdout.flush()
        # Python would look for garbage once more at its end, which takes a tenth of the time.
        gc.freeze()
        return code
    except KeyboardInterrupt as interrupt:
        _complain(f"interrupted; {str(interrupt) or _written_files()}")
        return exit_codes.INTERRUPTED
    except Exception as error:
        if isinstance(error, BrokenPipeError) and streams.nobody_reads():
            # Whoever read our output has seen enough.
            streams.discard(1)
            return exit_codes.UNREAD
        return _report(error, words)


def _check_open_files() -> None:
    """Raise InputError if too few files may be open at once.

    In the middle of a command neither modules nor standard streams could be opened any more, so
    that not even the error could be reported.
    """
    import resource

    limit, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= limit < MIN_OPEN_FILES:
        remedy = f"run `ulimit -n {MIN_OPEN_FILES}` first" if maximum >= MIN_OPEN_FILES else ""
        fault = f"the limit of open files must be at least {MIN_OPEN_FILES} (got {limit})"
        raise InputError(fault, remedy, "ulimit -n")


def _written_files() -> str:
    """Describe the files that the interrupted command has written, each of them whole."""
    paths = files.existing_written_files()
    if not paths:
        return "no file was changed"
    from boardsat.base.text import pluralize

    number = pluralize(len(paths), "file was", "files were")
    return one_line(f"{number} written, the last is {paths[-1]}")


def _complete() -> None:
    """Answer the shell, which asks in the middle of a line."""
    from boardsat.terminal.completion import complete

    names = commands.names()
    words = os.environ.get("COMP_LINE", "").split()[1:2]
    # As when a command runs, only the one that is meant is loaded.
    complete(build_parser(words if words and words[0] in names else names), names)


def _end_like_ctrl_c() -> None:
    """Let `kill` and a closed terminal clean up too; what runs elsewhere would run on."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.default_int_handler)


def run_words(words: list[str]) -> int:
    """The command of these words; its exit code."""
    # Only the command that runs is imported.
    is_named = bool(words) and not words[0].startswith("-")
    parser = build_parser(words[:1] if is_named else commands.names())
    try:
        options = parser.parse_args(words)
        if not hasattr(options, "run"):
            parser.error("the following arguments are required: COMMAND")
    except SystemExit as done:
        # A help text or a complaint was printed.
        return int(done.code or 0)
    try:
        with build_limit(getattr(options, "build_limit", None)), _instance_opened(options):
            code: int = options.run(options)
    except InputError as error:
        raise by_option(error, options) from None
    return code


@contextmanager
def _instance_opened(options: argparse.Namespace) -> Iterator[None]:
    """Replace the path of an instance file by the problem and settings that it names.

    They have the limits of outside input meanwhile.
    """
    if not str(getattr(options, "problem", "")).endswith((".yaml", ".yml")):
        yield
        return
    from boardsat.campaign.instance_files import open_instance

    open_instance(options)
    with outside_input():
        yield


def _report(error: Exception, words: Sequence[str]) -> int:
    code = exit_codes.BAD_INPUT
    if isinstance(error, BoardsatError):
        code, message = error.exit_code, str(error)
    elif isinstance(error, MemoryError):
        message = "out of memory; use smaller parameters"
    elif isinstance(error, OSError):
        streams.discard(1)
        remedy = _REMEDIES.get(error.errno or 0, "mend that")
        message = f"{error.filename or 'system'}: {error.strerror or error}; {remedy}"
    else:
        from boardsat.terminal import internal_error

        _complain(internal_error.saved(error, words))
        return exit_codes.INTERNAL
    _complain(one_line(message))
    return code


def _complain(message: str) -> None:
    from boardsat.terminal.ansi import RED, painted

    print(f"{painted('boardsat:', RED, sys.stderr)} {message}", file=sys.stderr)
