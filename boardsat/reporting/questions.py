"""What each instance asks, how it is encoded, and how large it is.

Two instances ask the same if they are of one problem and agree in the parameters of the problem;
whatever else was chosen, an at-most-one encoding or a transform, belongs to the way it is encoded.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath
from typing import Any

from boardsat.campaigns.instances import CampaignInstance
from boardsat.generators.errors import InputError
from boardsat.generators.reading.layers import PROBLEM
from boardsat.generators.yaml_reader import read_yaml

FILES = "files"
"""The family of formulas from elsewhere."""
SIZE = "n"
"""What a size is called in most problems."""
SHUFFLE = "shuffle"


@dataclass(frozen=True)
class InstanceQuestion:
    """An instance among the others of its family."""

    instance: CampaignInstance
    family: str
    asks: str
    """The same for the same question, however it is encoded."""
    way: str
    """How it is encoded."""
    shuffle: str
    size: float | None
    size_name: str


def questions(instances: Iterable[CampaignInstance]) -> dict[str, InstanceQuestion]:
    """By the hash of the formula."""
    families: dict[str, list[CampaignInstance]] = defaultdict(list)
    for instance in instances:
        families[family_of(instance)].append(instance)
    found: dict[str, InstanceQuestion] = {}
    for family, members in families.items():
        asked = dict.fromkeys(key for each in members for key in _settings(each))
        size = _size_name(members)
        for each in members:
            found[each.formula] = _question(each, family, list(asked), size)
    return found


def family_of(instance: CampaignInstance) -> str:
    return instance.problem or instance.encoding or FILES


def _question(each: CampaignInstance, family: str, asked: list[str], size: str) -> InstanceQuestion:
    if not each.recipe:
        return InstanceQuestion(
            each, family, each.formula, each.encoding, "", each.variables, "variables"
        )
    of_problem = _problem_keys(each)
    mine = [key for key in asked if key in each.parameters]
    told = {key: each.parameters[key] for key in mine if not of_problem or key in of_problem}
    told |= {key: each.recipe["graphs"][key] for key in each.recipe["graphs"]}
    own = [key for key in _settings(each) if of_problem and key not in of_problem]
    how = {key: each.parameters[key] for key in own if key in each.parameters}
    how |= {key: value for key, value in each.transforms.items() if key != SHUFFLE}
    number = each.parameters.get(size)
    return InstanceQuestion(
        each,
        family,
        json.dumps([family, told], sort_keys=True),
        " ".join([each.encoding, *(f"{key}={_plain(value)}" for key, value in how.items())]),
        each.transforms.get(SHUFFLE, ""),
        number if _is_number(number) else None,
        size,
    )


def _plain(value: Any) -> str:
    return json.dumps(value) if not isinstance(value, str) else value


def _settings(instance: CampaignInstance) -> Mapping[str, str]:
    settings: Mapping[str, str] = (instance.recipe or {}).get("settings", {})
    return settings


def _problem_keys(instance: CampaignInstance) -> frozenset[str]:
    """The parameters that every encoding of its problem has; none where it stands alone."""
    texts: Mapping[str, str] = (instance.recipe or {}).get("texts", {})
    # Not those of a problem that its spec is only like: what it adds may ask for something else.
    mine = (instance.problem, PROBLEM)
    return frozenset().union(
        *(
            _keys(text)
            for file, text in texts.items()
            if (PurePath(file).parent.name, PurePath(file).stem) == mine
        )
    )


@cache
def _keys(text: str) -> frozenset[str]:
    try:
        entries = read_yaml(text, PROBLEM).mapping()
        return frozenset(entries["params"].mapping()) if "params" in entries else frozenset()
    except InputError:
        return frozenset()


def _size_name(members: Iterable[CampaignInstance]) -> str:
    """The parameter that tells how large an instance is: `n`, or the number that varies most."""
    values: dict[str, set[Any]] = defaultdict(set)
    for each in members:
        for key, value in each.parameters.items():
            if _is_number(value):
                values[key].add(value)
    varied = {key: len(found) for key, found in values.items() if len(found) > 1 or key == SIZE}
    if varied.get(SIZE, 0) > 1 or not varied:
        return SIZE
    return max(varied, key=lambda key: varied[key])


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
