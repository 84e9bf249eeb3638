"""Parser of command lines: usage errors in one line with a suggestion, and shell completion.

The location of an invalid setting is the option or the line that set it: `-n 0`, `--set start=z9`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from boardsat.base.errors import InputError
from boardsat.terminal.streams import RED, paint


class Parser(argparse.ArgumentParser):
    """Argument parser that rejects unknown options, and options that are given twice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.parsed_options: set[str] = set()
        """Names of the options whose values were parsed."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Reject unknown arguments at once: the parser of a command can suggest its options."""
        self.parsed_options.clear()
        namespace, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(self._unknown_arguments(unknown))
        return namespace, unknown

    def _unknown_arguments(self, arguments: Sequence[str]) -> str:
        """Return the message for unknown arguments, with a suggestion for an option."""
        for argument in arguments:
            name = argument.partition("=")[0]
            if argument.startswith("-"):
                import difflib

                near = difflib.get_close_matches(name, self._option_string_actions, n=1)
                return f"no option {name!r}" + (f"; did you mean {near[0]!r}?" if near else "")
        return f"unrecognized arguments: {' '.join(arguments)}"

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Reject a second value of an option, which would silently replace the first."""
        if action.option_strings and isinstance(action, argparse._StoreAction):
            if action.dest in self.parsed_options:
                raise argparse.ArgumentError(action, "must be given at most once")
            self.parsed_options.add(action.dest)
        return super()._get_values(action, arg_strings)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            choices = ", ".join(sorted(map(str, action.choices)))
            raise argparse.ArgumentError(action, f"must be one of {choices} (got {value!r})")

    def error(self, message: str) -> NoReturn:
        # `argument --seed: must be 0 or more` becomes a clause whose subject is the option.
        message = re.sub(r"^argument ([^:]+): must", r"\1 must", message)
        message = message.removeprefix("argument ")
        # A message with a remedy has it after a semicolon.
        hint = f"see `{self.prog} --help`"
        text = f"{message} ({hint})" if "; " in message else f"{message}; {hint}"
        self.exit(2, f"{paint('boardsat:', RED, sys.stderr)} {text}\n")


def locate_error(error: InputError, options: argparse.Namespace) -> InputError:
    """Return the error with the options that the user wrote as its location."""
    locations: dict[str, str] = dict(options.filed.places) if "filed" in options else {}
    for setting in getattr(options, "set", None) or ():
        locations[setting.partition("=")[0]] = f"--set {setting}"
    if (n := getattr(options, "n", None)) is not None:
        locations["n"] = f"-n {n or repr(n)}"
    if (fixed := getattr(options, "fix", None)) is not None:
        locations["fix"] = f"--fix {fixed}"
    names = [setting.partition("=")[0] for setting in error.location.split(", ")]
    if not all(name in locations for name in names):
        return error
    return error.at(" ".join(_shorten(locations[name]) for name in names))


def _shorten(option: str) -> str:
    """Return an option, or only its name if its value is long, such as a puzzle."""
    return option if len(option) <= 60 and "\n" not in option.strip() else option.partition("=")[0]


def complete(parser: argparse.ArgumentParser, commands: Sequence[str]) -> None:
    """Print completions for the shell with argcomplete, and end the process."""
    import argcomplete

    completers = {**_COMPLETERS, "words": lambda **_: list(commands)}
    for command_parser in _parsers(parser):
        for action in command_parser._actions:
            if action.dest in completers:
                action.completer = completers[action.dest]  # type: ignore[attr-defined]
    argcomplete.autocomplete(parser)


def _parsers(parser: argparse.ArgumentParser) -> Iterable[argparse.ArgumentParser]:
    """Yield a parser and the parsers of its commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command_parser in action.choices.values():
                yield from _parsers(command_parser)


def _problems(prefix: str, **_: Any) -> list[str]:
    """Return names of problems or files, and after a slash names of encodings."""
    from argcomplete.completers import FilesCompleter

    from boardsat.generators.spec.catalogue import encodings_of, problems

    problem, slash, _encoding = prefix.partition("/")
    if slash and problem in problems():
        return [f"{problem}/{encoding}" for encoding in encodings_of(problem)]
    names = [name for name in problems() if name.startswith(prefix)]
    return names or list(FilesCompleter()(prefix))


def _encodings(prefix: str, parsed_args: argparse.Namespace, **_: Any) -> list[str]:
    from boardsat.generators.spec.catalogue import encodings_of, problems

    problem = getattr(parsed_args, "problem", None)
    return _complete_list(prefix, encodings_of(problem)) if problem in problems() else []


def _solvers(prefix: str, **_: Any) -> list[str]:
    from boardsat.adapters import solvers

    return _complete_list(prefix, solvers.names())


def _complete_list(prefix: str, names: Iterable[str]) -> list[str]:
    """Return the names as completions of the last entry of a comma-separated list."""
    entries, comma, _last_entry = prefix.rpartition(",")
    return [f"{entries}{comma}{name}" for name in names]


_COMPLETERS: dict[str, Callable[..., list[str]]] = {
    "problem": _problems,
    "encoding": _encodings,
    **dict.fromkeys(("solver", "solvers", "counter", "reference", "plain", "ours"), _solvers),
}
