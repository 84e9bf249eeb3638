"""Completion in the shell, with argcomplete.

Nothing of this is loaded by a command that runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import argcomplete
from argcomplete.completers import FilesCompleter


def complete(parser: argparse.ArgumentParser, commands: Sequence[str]) -> None:
    """Answer the shell, and end the process."""
    completers = {**_COMPLETERS, "words": lambda **_: list(commands)}
    for each in _parsers(parser):
        for action in each._actions:
            if action.dest in completers:
                action.completer = completers[action.dest]  # type: ignore[attr-defined]
    argcomplete.autocomplete(parser)


def _parsers(parser: argparse.ArgumentParser) -> Iterable[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from _parsers(inner)


def _problems(prefix: str, **_: Any) -> list[str]:
    """Names of problems, then of their encodings, and files."""
    from boardsat.generators.spec.catalogue import encodings_of, problems

    problem, slash, _rest = prefix.partition("/")
    if slash and problem in problems():
        return [f"{problem}/{encoding}" for encoding in encodings_of(problem)]
    found = [name for name in problems() if name.startswith(prefix)]
    return found or list(FilesCompleter()(prefix))


def _encodings(prefix: str, parsed_args: argparse.Namespace, **_: Any) -> list[str]:
    from boardsat.generators.spec.catalogue import encodings_of, problems

    problem = getattr(parsed_args, "problem", None)
    return _listed(prefix, encodings_of(problem)) if problem in problems() else []


def _solvers(prefix: str, **_: Any) -> list[str]:
    from boardsat.adapters import solvers

    return _listed(prefix, solvers.names())


def _listed(prefix: str, names: Iterable[str]) -> list[str]:
    """After each comma another one."""
    begun, comma, _rest = prefix.rpartition(",")
    return [f"{begun}{comma}{name}" for name in names]


_COMPLETERS: dict[str, Callable[..., list[str]]] = {
    "problem": _problems,
    "encoding": _encodings,
    **dict.fromkeys(("solver", "solvers", "counter", "reference", "plain", "ours"), _solvers),
}
