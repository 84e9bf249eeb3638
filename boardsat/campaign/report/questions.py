"""What each instance asks, how it is encoded, and how large it is.

Two instances ask the same if they are of one problem and agree in the parameters of the problem;
whatever else was chosen, an at-most-one encoding or a transform, belongs to the way it is encoded.
But where symmetries are broken, there are fewer solutions to count.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import PurePath
from typing import Any

from boardsat.base.errors import InputError
from boardsat.campaign.instances import CampaignInstance
from boardsat.generators.spec.catalogue import encodings_of, find
from boardsat.generators.spec.layers import PROBLEM
from boardsat.generators.yaml_reader import Item, read_yaml

FILES = "files"
"""The family of formulas from elsewhere."""
SIZE = "n"
"""What a size is called in most problems."""
SHUFFLE, SYMMETRY = "shuffle", "symmetry"


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
    return instance.description.problem or instance.description.encoding or FILES


def _question(each: CampaignInstance, family: str, asked: list[str], size: str) -> InstanceQuestion:
    if not each.source.recipe:
        return InstanceQuestion(
            each,
            family,
            each.formula,
            each.description.encoding,
            "",
            each.size.variables,
            "variables",
        )
    of_problem = _problem_keys(each)
    mine = [key for key in asked if key in each.description.parameters]
    said = _as_if_set(each, of_problem)
    told = {key: said[key] for key in mine if not of_problem or key in of_problem}
    told |= each.source.recipe.graphs
    told |= {key: value for key, value in each.description.transforms.items() if key == SYMMETRY}
    own = [key for key in _settings(each) if of_problem and key not in of_problem]
    how = {
        key: each.description.parameters[key] for key in own if key in each.description.parameters
    }
    how |= {key: value for key, value in each.description.transforms.items() if key != SHUFFLE}
    number = said.get(size)
    return InstanceQuestion(
        each,
        family,
        json.dumps([family, told], sort_keys=True),
        " ".join(
            [each.description.encoding, *(f"{key}={_plain(value)}" for key, value in how.items())]
        ),
        each.description.transforms.get(SHUFFLE, ""),
        number if _is_number(number) else None,
        size,
    )


def _plain(value: Any) -> str:
    return json.dumps(value) if not isinstance(value, str) else value


def _settings(instance: CampaignInstance) -> Mapping[str, str]:
    return instance.source.recipe.settings if instance.source.recipe else {}


def _as_if_set(instance: CampaignInstance, defaults: Mapping[str, str]) -> Mapping[str, Any]:
    """Its parameters; one that others have for default is what all of those were set to.

    So 6 rows and 6 columns ask the same as n = 6, whatever n is then.
    """
    found = dict(instance.description.parameters)
    settings = _settings(instance)
    for key in found.keys() - settings.keys():
        users = [user for user, default in defaults.items() if default == key]
        values = [found.get(user) for user in users if user in settings]
        if values and len(values) == len(users) and values.count(values[0]) == len(values):
            found[key] = values[0]
    return found


def _problem_keys(instance: CampaignInstance) -> dict[str, str]:
    """The parameters that every encoding of its problem has, with their defaults; none where it
    stands alone."""
    texts = instance.source.recipe.spec.texts if instance.source.recipe else {}
    # Not those of a problem that its spec is only like: what it adds may ask for something else.
    mine = (instance.description.problem, PROBLEM)
    found: dict[str, str] = {}
    for file, text in texts.items():
        if (PurePath(file).parent.name, PurePath(file).stem) == mine:
            found |= _defaults(text)
    shared = _shared(instance.description.problem) if found else None
    return {key: found[key] for key in found if shared is None or key in shared}


@cache
def _shared(problem: str) -> frozenset[str] | None:
    """The parameters of all encodings; a switch that only some have does not change what is asked.

    None for a problem that is not in the catalogue.
    """
    try:
        specs = [find(problem, encoding) for encoding in encodings_of(problem)]
    except InputError:
        return None
    named = [frozenset(each.name for each in spec.parameters) for spec in specs]
    return frozenset.intersection(*named) if named else None


@cache
def _defaults(text: str) -> dict[str, str]:
    """Of every parameter, as its text stands there; empty where it is no plain one."""
    try:
        entries = read_yaml(text, PROBLEM).mapping()
        params = entries["params"].mapping() if "params" in entries else {}
        return {key: _default(item) for key, item in params.items()}
    except InputError:
        return {}


def _default(item: Item) -> str:
    if item.is_scalar:
        return item.text
    about = item.mapping()
    return about["default"].text if "default" in about else ""


def _size_name(members: Iterable[CampaignInstance]) -> str:
    """The parameter that tells how large an instance is: `n`, or the number that varies most."""
    values: dict[str, set[Any]] = defaultdict(set)
    for each in members:
        for key, value in each.description.parameters.items():
            if _is_number(value):
                values[key].add(value)
    varied = {key: len(found) for key, found in values.items() if len(found) > 1 or key == SIZE}
    if varied.get(SIZE, 0) > 1 or not varied:
        return SIZE
    return max(varied, key=lambda key: varied[key])


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
