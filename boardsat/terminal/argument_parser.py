"""Parser of command lines: a usage error is one line with a suggestion.

The location of an invalid setting is the option or the line that set it: `-n 0`, `--set start=z9`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from boardsat.base.errors import InputError
from boardsat.base.text import suggest
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
        """Reject unknown arguments in the parser of the command, which can suggest its options."""
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
                raise argparse.ArgumentError(action, "given twice; give it once")
            self.parsed_options.add(action.dest)
        return super()._get_values(action, arg_strings)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            remedy = suggest(str(value), map(str, action.choices))
            raise argparse.ArgumentError(action, f"invalid choice: {value!r}; {remedy}")

    def error(self, message: str) -> NoReturn:
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
