"""Campaigns: refused, or a list of instances whose recipes survive being written and read."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from helpers.archives import GRAPHS, SMALL

from boardsat.base import json_data
from boardsat.campaign.grids import names
from boardsat.campaign.parser import MAX_INSTANCES, read_campaign
from boardsat.campaign.runner.recipe import Recipe
from fuzz.judging import scratch
from fuzz.target import Target

SHIPPED = Path(__file__).parents[3] / "docs" / "campaigns"
LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""YAML scanner used by boardsat: libyaml and PyYAML differ in tabs."""
NAME = r"(?!\.)[^/\x00-\x1f\x7f]{1,200}"
TOKENS = (
    *("title:", "authors:", "instances:", "problem:", "encoding:", "set:", "solvers:", "counters:"),
    *(
        "runtime:",
        "seed:",
        "seeds:",
        "encodings:",
        "files:",
        "repeat:",
        "limits:",
        "timeout:",
        "memory:",
        "symmetry:",
        "three_cnf:",
        "shuffle:",
        "projection:",
    ),
    *("tour", "queens", "hamilton", "graph:", "[3, 4]", "{n: 4}", "../x.yaml", "/etc/passwd", "- "),
)


def seeds() -> list[bytes]:
    return [SMALL.encode(), *(path.read_bytes() for path in sorted(SHIPPED.glob("*.yaml")))]


def check(data: bytes) -> None:
    folder = scratch() / "campaign"
    if not folder.exists():
        folder.mkdir()
        shutil.copy(GRAPHS / "triangle.txt", folder)
    path = folder / "input.yaml"
    path.write_bytes(data)
    planned = read_campaign(path).instances(folder)
    assert len(planned) <= MAX_INSTANCES
    assert [shown(draft.recipe) for draft in planned] == [*expected(data)]
    for draft in planned[:20]:
        assert draft.location.isprintable()
        text = json.dumps(json_data.encode(draft.recipe))
        assert json_data.decode(Recipe, text.encode()) == draft.recipe
    named = names(planned[:20])
    assert len({*named}) == len(named) and all(map(re.compile(NAME).fullmatch, named))


Shown = tuple[Any, ...]


def shown(recipe: Recipe) -> Shown:
    """Collapse blanks in a text, except in puzzles."""
    settings = {key: " ".join(text.split()) for key, text in recipe.settings.items()}
    return settings, recipe.symmetry, recipe.propagate, recipe.three_cnf, recipe.shuffle


def expected(data: bytes) -> Iterator[Shown]:
    """Every combination, by a reader of YAML to which all values are texts."""
    root = yaml.load(data, LOADER)
    for written in listed(root["instances"]):
        if "files" in written:
            continue
        entry = dict(written)
        if "encodings" in root and not entry["problem"].endswith((".yaml", ".yml")):
            entry = {"encoding": root["encodings"], **written}
        settings = entry.pop("set", {})
        plain = [*product(*([(key, choice) for choice in listed(v)] for key, v in entry.items()))]
        inner = [
            *product(*([(key, choice) for choice in listed(v)] for key, v in settings.items()))
        ]
        for settings_of, two in product(map(dict, plain), map(dict, inner)):
            # Blanks in a text count as one.
            plain_two = {" ".join(key.split()): " ".join(text.split()) for key, text in two.items()}
            values = {k: Path(text).name if k == "graph" else text for k, text in plain_two.items()}
            three = {"true": "auto", "false": None, None: None}
            short, shuffle = settings_of.get("three_cnf"), settings_of.get("shuffle")
            yield (
                values,
                settings_of.get("symmetry") == "true",
                settings_of.get("propagate") == "true",
                three.get(short, short),
                None if shuffle is None else int(shuffle),
            )


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


TARGET = Target(seeds, check, tokens=TOKENS)
