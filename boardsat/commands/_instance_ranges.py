"""Instances that the options of a command name: one, or a range such as -n 5..9 --enc a,b."""

from __future__ import annotations

import argparse
import math
import re
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from boardsat.base.errors import InputError
from boardsat.commands import _instance_options
from boardsat.generators.option_values import split
from boardsat.generators.spec.defaults import COUNT, WRITE

if TYPE_CHECKING:
    from boardsat.generators import Formula, Spec
    from boardsat.instance.inputs import CatalogueInput

ALL = "all"

MAX_INSTANCES = 1000
"""Maximum number of instances of one command."""

_RANGE = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})")


class SelectedInstance(NamedTuple):
    """Spec and settings of an instance that the options name."""

    spec: Spec
    settings: dict[str, str]


def select_one(options: argparse.Namespace, purpose: str) -> SelectedInstance:
    """Return the instance of the options; raise InputError if they name several."""
    instances = select_instances(options, purpose)
    if len(instances) > 1:
        raise InputError(
            "the options name several instances, but this command accepts one",
            "size, cnf and count accept several",
            options.problem,
        )
    return instances[0]


def select_instances(options: argparse.Namespace, purpose: str) -> list[SelectedInstance]:
    """Return all instances of the options, encoding by encoding."""
    from boardsat.generators.spec.catalogue import find

    settings = _instance_options.settings_from(options)
    instances = []
    for encoding in _encodings(options, purpose):
        spec = find(options.problem, encoding, purpose)
        instances += [
            SelectedInstance(spec, combination) for combination in _combinations(spec, settings)
        ]
        _check_number(len(instances), options.problem)
    return instances


def _check_number(instances: int, location: str) -> None:
    if instances > MAX_INSTANCES:
        fault = f"the options name more than {MAX_INSTANCES:,} instances"
        raise InputError(fault, "name fewer, or run a campaign", location)


def catalogue_input(
    selected: SelectedInstance, options: argparse.Namespace, form: str = ""
) -> CatalogueInput:
    """Return the input with the transforms and the format that the options name."""
    from boardsat.instance.inputs import CatalogueInput, TransformOptions

    if "output" in options and "format" in options:
        form = _instance_options.format_from(options, selected.spec)
    transforms = _instance_options.changes_from(options)
    changes = TransformOptions(*transforms, options.projection, form)
    settings, spec = selected.settings, selected.spec
    return CatalogueInput(options.problem, options.encoding, settings, changes, spec)


def build_formula(selected: SelectedInstance, options: argparse.Namespace) -> Formula:
    """Build and transform the formula of an instance."""
    return catalogue_input(selected, options).formula(WRITE)


def encoding_note(options: argparse.Namespace, purpose: str) -> list[str]:
    """Return a line about the encoding if it was selected by default."""
    from boardsat.instance.inputs import CatalogueInput

    if names_encoding(options):
        return []
    source = CatalogueInput(options.problem, None, _instance_options.settings_from(options))
    source.spec(purpose)
    return source.encoding_note(purpose)


def names_encoding(options: argparse.Namespace) -> bool:
    """Return whether the options name an encoding, a spec or a formula file."""
    from boardsat.instance import inputs

    return inputs.names_encoding(options.problem, options.encoding)


def _encodings(options: argparse.Namespace, purpose: str) -> list[str | None]:
    from boardsat.generators.spec.catalogue import encodings_of, find

    if options.encoding is None:
        return [None]
    if options.encoding != ALL:
        return [*split(options.encoding, "--encoding")]
    names = encodings_of(options.problem)
    if purpose != COUNT:
        return [*names]
    # Models of a lazy formula need not be boards.
    return [name for name in names if not find(options.problem, name).is_lazy]


def _combinations(spec: Spec, settings: dict[str, str]) -> list[dict[str, str]]:
    """Return the settings of each combination of the numbers that they list."""
    from boardsat.generators.sections.parameters import parameters_of

    numbers = {parameter.name for parameter in parameters_of(spec) if parameter.type == "int"}
    choices = [_numbers(key, text) if key in numbers else [text] for key, text in settings.items()]
    _check_number(math.prod(map(len, choices)), spec.name)
    return [dict(zip(settings, values, strict=True)) for values in product(*choices)]


def _numbers(key: str, text: str) -> list[str]:
    """Return the numbers of a list such as `5..9` or `5,7,9`; any other text is one value."""
    numbers: list[str] = []
    for entry in text.split(","):
        match = _RANGE.fullmatch(entry.strip())
        if match is None:
            numbers.append(entry.strip())
            continue
        first, last = (int(number) for number in match.groups())
        if first > last:
            fault = f"the range {first}..{last} is empty"
            raise InputError(fault, f"write {last}..{first}", f"{key}={text}")
        _check_number(last - first + 1, f"{key}={text}")
        numbers += map(str, range(first, last + 1))
    return list(dict.fromkeys(numbers))
