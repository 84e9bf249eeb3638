"""Instance files: one instance in a file of its own, written like an entry of a campaign.

Such a file names a problem, and a spec defines one: `problem` is the first key of the former.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from boardsat.base.errors import InputError
from boardsat.campaign.runner.safe_paths import resolve_inside
from boardsat.campaign.scalars import TRANSFORMS, transforms
from boardsat.generators.build_limits import SPEC_BYTES
from boardsat.generators.graphs.constructions import graph_file_parameters
from boardsat.generators.spec.catalogue import find_any
from boardsat.generators.yaml_reader import Item, read_yaml
from boardsat.instance.file_types import SPEC_SUFFIXES

INSTANCE_KEYS = ("problem", "encoding", "set", *TRANSFORMS)
WORDS = ("title", "cite", "about")
"""What it says of itself."""

_NAMES_A_PROBLEM = re.compile(rb"""^(\{\s*)?["']?problem["']?\s*:""", re.MULTILINE)


class InstanceFile(NamedTuple):
    path: str
    problem: str
    encoding: str | None
    settings: dict[str, str]
    places: dict[str, str]
    """Where each setting stands."""
    changes: dict[str, Any]
    """What is done to the formula."""


def read_instance(path: str) -> InstanceFile | None:
    """The instance of a file; None where the file is a spec, or no YAML file at all."""
    if not path.endswith(SPEC_SUFFIXES):
        return None
    try:
        with Path(path).open("rb") as file:
            data = file.read(SPEC_BYTES + 1)
        text = data.decode()
    except (OSError, UnicodeDecodeError):
        return None  # whoever reads it as a spec says what is wrong
    if len(data) > SPEC_BYTES or not _NAMES_A_PROBLEM.search(data):
        return None
    keys = read_yaml(text, path).mapping((*WORDS, *INSTANCE_KEYS))
    return _instance(Path(path), keys)


def _instance(path: Path, keys: Mapping[str, Item]) -> InstanceFile:
    problem = keys["problem"].text
    if problem.endswith(SPEC_SUFFIXES):
        problem = str(_resolve_inside(path, keys["problem"], "spec"))
        if read_instance(problem) is not None:
            raise keys["problem"].error("an instance of an instance", "name a problem, or a spec")
    encoding = keys["encoding"].text if "encoding" in keys else None
    items = keys["set"].mapping() if "set" in keys else {}
    settings = {key: item.lines for key, item in items.items()}
    try:
        graphs = graph_file_parameters(find_any(problem, encoding).parameters, settings)
    except InputError as error:
        raise error.at(error.location or keys["problem"].location) from None
    for key in graphs:
        settings[key] = str(_resolve_inside(path, items[key], "graph").absolute())
    places = {key: item.location for key, item in items.items()}
    return InstanceFile(str(path), problem, encoding, settings, places, transforms(keys))


def _resolve_inside(path: Path, item: Item, what: str) -> Path:
    try:
        return resolve_inside(path.parent, item.text, what, "instance")
    except InputError as error:
        raise error.at(item.location) from None


def open_instance(options: argparse.Namespace) -> None:
    """Options that name an instance file become those of its problem; what they say comes first."""
    file = read_instance(getattr(options, "problem", None) or "")
    if file is None:
        return
    for key, value in file.changes.items():
        if not hasattr(options, key):
            fault = f"`{key}` does not go with this command"
            raise InputError(fault, "leave it out", options.problem)
        if getattr(options, key) in (None, False):
            setattr(options, key, str(value) if key == "shuffle" else value)
    options.problem = file.problem
    options.filed = file
    if getattr(options, "encoding", "") is None:
        options.encoding = file.encoding
