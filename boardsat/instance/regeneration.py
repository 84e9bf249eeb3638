"""Command that writes a file anew: problem, settings and transforms of an outdated header."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from boardsat.adapters.dimacs.header_values import MIN_HEADER_NUMBERS, HeaderLimits
from boardsat.base.errors import BoardsatError
from boardsat.base.json_data import MalformedError
from boardsat.generators.sections.parameters import parameters_of, settings_for
from boardsat.generators.spec.catalogue import find

MAX_COMMAND_LENGTH = 600
"""Longer commands would not fit into the line of an error."""


def regeneration_command(comments: Iterable[str], path: str) -> str:
    """Return the command that writes the file of these comments anew.

    Empty if they name no built-in problem, or settings that it does not have.
    """
    lines: dict[str, list[dict[str, Any]]] = {}
    for comment in comments:
        word, _, text = comment.partition(" ")
        if word in ("boardsat", "parameters", "board", "transform"):
            try:
                lines.setdefault(word, []).append(
                    HeaderLimits(MIN_HEADER_NUMBERS).parse_object(text)
                )
            except MalformedError:
                return ""
    about, values, board = (
        lines.get(word, [{}])[0] for word in ("boardsat", "parameters", "board")
    )
    try:
        settings = _settings(str(about.get("spec", "")), values, board)
    except (BoardsatError, LookupError, TypeError):
        return ""
    words = [*_command(about), *(word for pair in settings.items() for word in _option(*pair))]
    words += [word for line in lines.get("transform", []) for word in _transform_option(line)]
    command = shlex.join(["boardsat", *words, "-o", path])
    return command if len(command) <= MAX_COMMAND_LENGTH else ""


def _command(about: Mapping[str, Any]) -> list[str]:
    """Return the words for the kind of file: a logic program has a method."""
    if isinstance(method := about.get("method"), str):
        return ["asp", str(about["spec"]), "--method", method]
    return ["cnf", str(about["spec"])]


def _settings(
    spec_name: str, values: Mapping[str, Any], board: Mapping[str, Any]
) -> dict[str, str]:
    """Return the settings that give a built-in spec these values."""
    problem, slash, encoding = spec_name.partition("/")
    if not slash:
        raise LookupError(f"{spec_name} is not a built-in spec")
    spec = find(problem, encoding)
    known = dict(values)
    for parameter in parameters_of(spec):
        value = known.get(parameter.name)
        if isinstance(value, dict):
            known[parameter.name] = value["file"]
        elif parameter.type == "cell" and type(value) is int and board.get("shape") == "graph":
            # Users name vertices as the graph file does; the header counts them from 0.
            labels = board.get("labels")
            known[parameter.name] = labels[value] if labels else value + int(board.get("first", 0))
    return settings_for(spec, known)


def _option(name: str, text: str) -> tuple[str, str]:
    return ("-n", text) if name == "n" else ("--set", f"{name}={text}")


def _transform_option(line: Mapping[str, Any]) -> list[str]:
    match line:
        case {"transform": "symmetry"}:
            return ["--break-symmetry"]
        case {"transform": "propagate"}:
            return ["--propagate"]
        case {"transform": "split", "equivalences": bool(keep)}:
            return ["--three-cnf", "equivalences" if keep else "chain"]
        case {"transform": "shuffle", "seed": int(seed)}:
            return ["--shuffle", str(seed)]
    return []
