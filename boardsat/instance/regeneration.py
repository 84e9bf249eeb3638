"""Settings and transforms in a header, and the command that writes an outdated file again."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from boardsat.adapters.dimacs.header_values import MIN_HEADER_NUMBERS, HeaderLimits
from boardsat.base.errors import BoardsatError
from boardsat.base.json_data import MalformedError
from boardsat.generators.sections.parameters import parameters_of, settings_for
from boardsat.generators.spec.catalogue import find

MAX_COMMAND_LENGTH = 600  # longer commands do not fit in the line of an error


def regeneration_command(comments: Iterable[str], path: str) -> str:
    """Return the command that writes a file with these comments again.

    Empty if the comments do not name a built-in spec, or if the spec lacks their parameters.
    """
    keys = ("boardsat", "parameters", "board", "transform")
    entries: dict[str, list[dict[str, Any]]] = {key: [] for key in keys}
    for comment in comments:
        key, _, text = comment.partition(" ")
        if key in entries:
            try:
                entries[key].append(HeaderLimits(MIN_HEADER_NUMBERS).parse_object(text))
            except MalformedError:
                return ""
    metadata, parameters, board = (
        next(iter(entries[key]), {}) for key in ("boardsat", "parameters", "board")
    )
    try:
        settings = _settings(str(metadata.get("spec", "")), parameters, board)
    except (BoardsatError, LookupError, TypeError):
        return ""
    arguments = ["boardsat", *_subcommand(metadata)]
    for name, text in settings.items():
        arguments += ["-n", text] if name == "n" else ["--set", f"{name}={text}"]
    for entry in entries["transform"]:
        for option, argument in transform_options(entry).items():
            flag = "--break-symmetry" if option == "symmetry" else f"--{option.replace('_', '-')}"
            arguments += [flag] if argument is True else [flag, str(argument)]
    command = shlex.join([*arguments, "-o", path])
    return command if len(command) <= MAX_COMMAND_LENGTH else ""


def _subcommand(metadata: Mapping[str, Any]) -> list[str]:
    """Return the subcommand that writes the file, with the spec; `asp` also with the method."""
    if isinstance(method := metadata.get("method"), str):
        return ["asp", str(metadata["spec"]), "--method", method]
    return ["cnf", str(metadata["spec"])]


def _settings(
    spec_name: str, parameters: Mapping[str, Any], board: Mapping[str, Any]
) -> dict[str, str]:
    """Return the settings under which a built-in spec has these values of parameters."""
    problem, slash, encoding = spec_name.partition("/")
    if not slash:
        raise LookupError(f"{spec_name} is not a built-in spec")
    spec = find(problem, encoding)
    settings = dict(parameters)
    for parameter in parameters_of(spec):
        setting = settings.get(parameter.name)
        if isinstance(setting, dict):
            settings[parameter.name] = setting["file"]
        elif parameter.type == "cell" and type(setting) is int and board.get("shape") == "graph":
            # Users name vertices as the graph file does; the header counts them from 0.
            labels = board.get("labels")
            settings[parameter.name] = (
                labels[setting] if labels else setting + int(board.get("first", 0))
            )
    return settings_for(spec, settings)


def transform_options(entry: object) -> dict[str, Any]:
    """Return the field of `TransformOptions` for a transform in a header; empty if unknown."""
    match entry:
        case {"transform": "symmetry" | "propagate" as name}:
            return {name: True}
        case {"transform": "split", "equivalences": bool(is_equivalence)}:
            return {"three_cnf": "equivalences" if is_equivalence else "chain"}
        case {"transform": "shuffle", "seed": int(seed)}:
            return {"shuffle": seed}
    return {}
