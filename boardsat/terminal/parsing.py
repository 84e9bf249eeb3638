"""The parser of command lines: an error is one line with a suggestion."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from boardsat.base.text import suggest
from boardsat.terminal.ansi import RED, painted


class Parser(argparse.ArgumentParser):
    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self.given: set[str] = set()
        """Options that have their value already."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Nothing may be left over: here the parser still knows whose options they would be."""
        self.given.clear()
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(self._about_unknown(unknown))
        return found, unknown

    def _about_unknown(self, words: Sequence[str]) -> str:
        for word in words:
            name = word.partition("=")[0]
            if word.startswith("-"):
                near = difflib.get_close_matches(name, self._option_string_actions, n=1)
                return f"no option {name!r}" + (f"; did you mean {near[0]!r}?" if near else "")
        return f"unrecognized arguments: {' '.join(words)}"

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Of two values the last would win, and nobody would hear of the first."""
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
        # A remedy that is there already comes first.
        see = f"see `{self.prog} --help`"
        told = f"{message} ({see})" if "; " in message else f"{message}; {see}"
        self.exit(2, f"{painted('boardsat:', RED, sys.stderr)} {told}\n")
