"""Classification of instances for comparisons: problem family, question, encoding and size.

Two instances ask the same question if they are of one problem and agree in the parameters of the
problem. All other choices, such as an at-most-one encoding or a transform, belong to the encoding.
The exception is symmetry breaking, which reduces the number of solutions and so is part of the
question.
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
from boardsat.campaign.folder import CampaignInstance
from boardsat.generators.spec.catalogue import PROBLEM, encodings_of, find
from boardsat.generators.yaml_reader import Item, read_yaml

FILES = "files"
"""Family of formula files that the user has provided."""
DEFAULT_SIZE_NAME = "n"
SHUFFLE, SYMMETRY = "shuffle", "symmetry"


@dataclass(frozen=True)
class ClassifiedInstance:
    """Instance with the properties by which runs are compared."""

    instance: CampaignInstance
    family: str
    """Name of the problem or the spec, or `FILES`."""
    question: str
    """Canonical form of the question: equal for all encodings of the same question."""
    encoding: str
    """Name of the encoding, with the options that are not part of the question."""
    shuffle: str
    """Seed of the shuffle. Empty if the formula is not shuffled."""
    size: float | None
    """Value of the size parameter. None if it is not a number."""
    size_name: str
    """Name of the size parameter, the same for a whole family."""


def classify(instances: Iterable[CampaignInstance]) -> dict[str, ClassifiedInstance]:
    """Return the classified instances by the hashes of their formulas."""
    families: dict[str, list[CampaignInstance]] = defaultdict(list)
    for instance in instances:
        families[family_of(instance)].append(instance)
    classified: dict[str, ClassifiedInstance] = {}
    for family, members in families.items():
        set_keys = dict.fromkeys(key for instance in members for key in _settings(instance))
        size_name = _size_name(members)
        for instance in members:
            classified[instance.formula] = _classify(instance, family, list(set_keys), size_name)
    return classified


def family_of(instance: CampaignInstance) -> str:
    """Return the problem of an instance, or its spec if it belongs to no problem, or `FILES`."""
    return instance.description.problem or instance.description.encoding or FILES


def _classify(
    instance: CampaignInstance, family: str, set_keys: list[str], size_name: str
) -> ClassifiedInstance:
    """Classify an instance; `set_keys` are the parameters that any instance of its family sets."""
    description, recipe = instance.description, instance.source.recipe
    if not recipe:
        return ClassifiedInstance(
            instance,
            family,
            question=instance.formula,
            encoding=description.encoding,
            shuffle="",
            size=instance.size.variables,
            size_name="variables",
        )
    problem_defaults = _problem_defaults(instance)
    parameters = _resolved_parameters(instance, problem_defaults)
    question = {
        key: parameters[key]
        for key in set_keys
        if key in description.parameters and (not problem_defaults or key in problem_defaults)
    }
    question |= recipe.graphs
    options = {
        key: description.parameters[key]
        for key in recipe.settings
        if problem_defaults and key not in problem_defaults and key in description.parameters
    }
    for key, setting in description.transforms.items():
        if key == SYMMETRY:
            question[key] = setting
        if key != SHUFFLE:
            options[key] = setting
    option_texts = (f"{key}={_option_text(option)}" for key, option in options.items())
    size = parameters.get(size_name)
    return ClassifiedInstance(
        instance,
        family,
        question=json.dumps([family, question], sort_keys=True),
        encoding=" ".join([description.encoding, *option_texts]),
        shuffle=description.transforms.get(SHUFFLE, ""),
        size=size if _is_number(size) else None,
        size_name=size_name,
    )


def _option_text(option: Any) -> str:
    return option if isinstance(option, str) else json.dumps(option)


def _settings(instance: CampaignInstance) -> Mapping[str, str]:
    return instance.source.recipe.settings if instance.source.recipe else {}


def _resolved_parameters(
    instance: CampaignInstance, defaults: Mapping[str, str]
) -> Mapping[str, Any]:
    """Return the parameters; one that is only the default of others takes their common value.

    If rows and columns have the default n and both are set to 6, n is 6 here, so that the question
    is the same as for n = 6.
    """
    parameters = dict(instance.description.parameters)
    settings = _settings(instance)
    for key in parameters.keys() - settings.keys():
        users = [user for user, default in defaults.items() if default == key]
        values = [parameters.get(user) for user in users if user in settings]
        if values and len(values) == len(users) and values.count(values[0]) == len(values):
            parameters[key] = values[0]
    return parameters


def _problem_defaults(instance: CampaignInstance) -> dict[str, str]:
    """Return the defaults of the parameters that all encodings of the problem have.

    Empty for a spec that belongs to no problem.
    """
    texts = instance.source.recipe.spec.texts if instance.source.recipe else {}
    # A spec may extend another problem: parameters that it adds may be part of the question.
    problem_file = (instance.description.problem, PROBLEM)
    defaults: dict[str, str] = {}
    for file, text in texts.items():
        if (PurePath(file).parent.name, PurePath(file).stem) == problem_file:
            defaults |= _defaults(text)
    shared_keys = _shared_parameters(instance.description.problem) if defaults else None
    return {key: defaults[key] for key in defaults if shared_keys is None or key in shared_keys}


@cache
def _shared_parameters(problem: str) -> frozenset[str] | None:
    """Return the names of the parameters that all encodings of a problem have.

    None for a problem that is not in the catalogue.
    """
    try:
        specs = [find(problem, encoding) for encoding in encodings_of(problem)]
    except InputError:
        return None
    name_sets = [frozenset(parameter.name for parameter in spec.parameters) for spec in specs]
    return frozenset.intersection(*name_sets) if name_sets else None


@cache
def _defaults(text: str) -> dict[str, str]:
    """Return the default values in a problem file as text; an empty dict if the file is invalid."""
    try:
        entries = read_yaml(text, PROBLEM).mapping()
        params = entries["params"].mapping() if "params" in entries else {}
        return {key: _default(item) for key, item in params.items()}
    except InputError:
        return {}


def _default(item: Item) -> str:
    """Return the text of a default value; empty if the parameter has none."""
    if item.is_scalar:
        return item.text
    entries = item.mapping()
    return entries["default"].text if "default" in entries else ""


def _size_name(members: Iterable[CampaignInstance]) -> str:
    """Return the name of the size parameter: `n`, or the number with the most values."""
    values: dict[str, set[Any]] = defaultdict(set)
    for instance in members:
        for key, parameter in instance.description.parameters.items():
            if _is_number(parameter):
                values[key].add(parameter)
    num_values = {
        key: len(numbers)
        for key, numbers in values.items()
        if len(numbers) > 1 or key == DEFAULT_SIZE_NAME
    }
    if num_values.get(DEFAULT_SIZE_NAME, 0) > 1 or not num_values:
        return DEFAULT_SIZE_NAME
    return max(num_values, key=lambda key: num_values[key])


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
