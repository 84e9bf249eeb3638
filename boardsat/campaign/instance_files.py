"""Instance files: one instance in a YAML file, written like an entry of a campaign.

An instance file names a problem, a spec file defines one: only the former has the key `problem`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from boardsat.base.errors import InputError
from boardsat.base.files import resolve_inside
from boardsat.base.text import suggest
from boardsat.generators.build_limits import SPEC_BYTES
from boardsat.generators.graphs.constructions import graph_file_parameters
from boardsat.generators.option_values import PROJECTIONS, THREE_CNF
from boardsat.generators.spec.catalogue import find_any
from boardsat.generators.yaml_reader import Item, read_yaml
from boardsat.instance.file_types import SPEC_SUFFIXES

NUM_SEEDS = 2**64
TRANSFORMS = ("symmetry", "propagate", "three_cnf", "shuffle", "projection")
"""Keys of the transforms of a formula, named like the options of the command line."""
INSTANCE_KEYS = ("problem", "encoding", "set", *TRANSFORMS)
DESCRIPTION_KEYS = ("title", "cite", "about")
"""Keys of an instance file that only describe it."""

_PROBLEM_KEY = re.compile(rb"""^(\{\s*)?["']?problem["']?\s*:""", re.MULTILINE)


class InstanceFile(NamedTuple):
    """Content of an instance file."""

    path: str
    problem: str
    encoding: str | None
    """Name of the encoding. None for the default of the problem."""
    settings: dict[str, str]
    places: dict[str, str]
    """Source locations of the settings."""
    changes: dict[str, Any]
    """Transforms of the formula by name."""


def read_instance(path: str) -> InstanceFile | None:
    """Return the content of an instance file. None if the file is a spec, or not a YAML file."""
    if not path.endswith(SPEC_SUFFIXES):
        return None
    try:
        with Path(path).open("rb") as file:
            content = file.read(SPEC_BYTES + 1)
        text = content.decode()
    except (OSError, UnicodeDecodeError):
        return None  # the reader of specs will report the fault
    if len(content) > SPEC_BYTES or not _PROBLEM_KEY.search(content):
        return None
    keys = read_yaml(text, path).mapping((*DESCRIPTION_KEYS, *INSTANCE_KEYS))
    return _instance(Path(path), keys)


def _instance(path: Path, keys: Mapping[str, Item]) -> InstanceFile:
    problem = keys["problem"].text
    if problem.endswith(SPEC_SUFFIXES):
        problem = str(_resolve_inside(path, keys["problem"], "spec"))
        if read_instance(problem) is not None:
            fault = f"`problem` must be a problem or a spec (got the instance file {problem})"
            raise keys["problem"].error(fault, "name a problem, or a spec")
    encoding = keys["encoding"].text if "encoding" in keys else None
    items = keys["set"].mapping() if "set" in keys else {}
    settings = {key: item.lines for key, item in items.items()}
    try:
        graphs = graph_file_parameters(find_any(problem, encoding).parameters, settings)
    except InputError as error:
        raise error.at(error.location or keys["problem"].location) from None
    for key in graphs:
        settings[key] = str(_resolve_inside(path, items[key], "graph").absolute())
    locations = {key: item.location for key, item in items.items()}
    return InstanceFile(str(path), problem, encoding, settings, locations, transforms(keys))


def _resolve_inside(path: Path, item: Item, noun: str) -> Path:
    """Return the path of a file that an instance file names.

    Raise InputError unless the named file is in or below the folder of the instance file.
    """
    try:
        return resolve_inside(path.parent, item.text, noun, "instance")
    except InputError as error:
        raise error.at(item.location) from None


def open_instance(options: argparse.Namespace) -> None:
    """Replace an instance file among the options of a command by its problem and its settings.

    Options that the user has set take precedence over the file.
    """
    file = read_instance(getattr(options, "problem", None) or "")
    if file is None:
        return
    for key, setting in file.changes.items():
        if not hasattr(options, key):
            raise InputError(
                f"this command does not support the key `{key}` of an instance file",
                "name the problem instead of the file",
                options.problem,
            )
        if getattr(options, key) in (None, False):
            setattr(options, key, str(setting) if key == "shuffle" else setting)
    options.problem = file.problem
    options.filed = file
    if getattr(options, "encoding", "") is None:
        options.encoding = file.encoding


def one_of(item: Item, key: str, choices: Collection[str]) -> str:
    """Return the text of an item under a key; raise InputError unless it is one of the choices."""
    if item.text not in choices:
        fault = f"`{key}` must be a valid choice (got {item.text[:40]!r})"
        raise item.error(fault, suggest(item.text, choices))
    return item.text


def parse_seed(item: Item) -> int:
    """Return the seed of an item."""
    if not re.fullmatch(r"\d{1,20}", item.text, re.ASCII) or int(item.text) >= NUM_SEEDS:
        fault = f"a seed must be an integer from 0 to 2**64 - 1 (got {item.text[:40]!r})"
        raise item.error(fault, "write a number such as 1")
    return int(item.text)


def transforms(keys: Mapping[str, Item]) -> dict[str, Any]:
    """Return the transforms among the keys of an instance, by name."""
    readers: dict[str, Callable[[Item], Any]] = {
        "symmetry": Item.flag,
        "propagate": Item.flag,
        "three_cnf": _three_cnf,
        "shuffle": parse_seed,
        "projection": lambda item: one_of(item, "projection", PROJECTIONS),
    }
    return {key: readers[key](keys[key]) for key in TRANSFORMS if key in keys}


def _three_cnf(item: Item) -> str | None:
    """Return the method of `three_cnf`: `true` is the default method, `false` is None."""
    flags = {"true": THREE_CNF[0], "false": None}
    return flags[item.text] if item.text in flags else one_of(item, "three_cnf", THREE_CNF)
