"""Parser of command lines: a usage error is one line with a suggestion.

An error of a setting is located by what set it: `-n 0`, `--set start=z9`, a line of a file.
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

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self.given: set[str] = set()
        """Options whose values were read."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Reject unknown words here, where the parser of the command still suggests its options."""
        self.given.clear()
        namespace, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(self._unknown_words(unknown))
        return namespace, unknown

    def _unknown_words(self, words: Sequence[str]) -> str:
        for word in words:
            name = word.partition("=")[0]
            if word.startswith("-"):
                import difflib

                near = difflib.get_close_matches(name, self._option_string_actions, n=1)
                return f"no option {name!r}" + (f"; did you mean {near[0]!r}?" if near else "")
        return f"unrecognized arguments: {' '.join(words)}"

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Reject a second value, which would silently replace the first."""
        if action.option_strings and isinstance(action, argparse._StoreAction):
            if action.dest in self.given:
                raise argparse.ArgumentError(action, "given twice; give it once")
            self.given.add(action.dest)
        return super()._get_values(action, arg_strings)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            remedy = suggest(str(value), map(str, action.choices))
            raise argparse.ArgumentError(action, f"invalid choice: {value!r}; {remedy}")

    def error(self, message: str) -> NoReturn:
        # A remedy in the message precedes the reference to the help.
        see = f"see `{self.prog} --help`"
        text = f"{message} ({see})" if "; " in message else f"{message}; {see}"
        self.exit(2, f"{paint('boardsat:', RED, sys.stderr)} {text}\n")


def locate_error(error: InputError, options: argparse.Namespace) -> InputError:
    """Return the error with the words that the user wrote as its location."""
    given: dict[str, str] = dict(options.filed.places) if "filed" in options else {}
    for word in getattr(options, "set", None) or ():
        given[word.partition("=")[0]] = f"--set {word}"
    if (n := getattr(options, "n", None)) is not None:
        given["n"] = f"-n {n or repr(n)}"
    if (fixed := getattr(options, "fix", None)) is not None:
        given["fix"] = f"--fix {fixed}"
    names = [part.partition("=")[0] for part in error.place.split(", ")]
    if not all(name in given for name in names):
        return error
    return error.at(" ".join(_shortened(given[name]) for name in names))


def _shortened(word: str) -> str:
    """Return an option, or only its name if its value is long, such as a puzzle."""
    return word if len(word) <= 60 and "\n" not in word.strip() else word.partition("=")[0]
