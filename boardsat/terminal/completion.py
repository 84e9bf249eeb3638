"""Shell completion with argcomplete, loaded only when a shell asks for completions."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import argcomplete
from argcomplete.completers import FilesCompleter


def complete(parser: argparse.ArgumentParser, commands: Sequence[str]) -> None:
    """Print completions for the shell, and end the process."""
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
