"""Instances that the options of a command name: one, or a range such as -n 5..9 --enc a,b."""

from __future__ import annotations

import argparse
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
    spec: Spec
    settings: dict[str, str]


def select_one(options: argparse.Namespace, purpose: str) -> SelectedInstance:
    """Return the instance of the options; raise InputError if they name several."""
    found = select_instances(options, purpose)
    if len(found) > 1:
        raise InputError(
            f"{len(found)} instances, but this command takes one",
            "size, cnf and count take a list",
            options.problem,
        )
    return found[0]


def select_instances(options: argparse.Namespace, purpose: str) -> list[SelectedInstance]:
    """Return all instances of the options, encoding by encoding."""
    from boardsat.generators.spec.catalogue import find

    settings = _instance_options.settings_from(options)
    found = []
    for encoding in _encodings(options, purpose):
        spec = find(options.problem, encoding, purpose)
        found += [SelectedInstance(spec, each) for each in _expanded(spec, settings)]
        if len(found) > MAX_INSTANCES:
            raise InputError(
                "too many instances", f"ask for {MAX_INSTANCES:,} at most", options.problem
            )
    return found


def catalogue_input(
    wanted: SelectedInstance, options: argparse.Namespace, form: str = ""
) -> CatalogueInput:
    """Return the input with the transforms and the format that the options name."""
    from boardsat.instance.inputs import CatalogueInput, TransformOptions

    if "output" in options and "format" in options:
        form = _instance_options.format_from(options, wanted.spec)
    changes = TransformOptions(*_instance_options.changes_from(options), options.projection, form)
    return CatalogueInput(options.problem, options.encoding, wanted.settings, changes, wanted.spec)


def build_formula(wanted: SelectedInstance, options: argparse.Namespace) -> Formula:
    """Build and transform the formula of an instance."""
    return catalogue_input(wanted, options).formula(WRITE)


def encoding_note(options: argparse.Namespace, purpose: str) -> list[str]:
    """Return a line about the encoding if it was selected by default."""
    from boardsat.instance.inputs import CatalogueInput

    if names_encoding(options):
        return []
    named = CatalogueInput(options.problem, None, _instance_options.settings_from(options))
    named.spec(purpose)
    return named.encoding_note(purpose)


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
    known = encodings_of(options.problem)
    if purpose != COUNT:
        return [*known]
    # Models of a lazy formula need not be boards.
    return [name for name in known if not find(options.problem, name).is_lazy]


def _expanded(spec: Spec, settings: dict[str, str]) -> list[dict[str, str]]:
    """Return the settings of each combination of the numbers that they list."""
    from boardsat.generators.sections.parameters import parameters_of

    numbers = {each.name for each in parameters_of(spec) if each.type == "int"}
    choices = [
        _listed(key, value) if key in numbers else [value] for key, value in settings.items()
    ]
    size = 1
    for choice in choices:
        size *= len(choice)
    if size > MAX_INSTANCES:
        raise InputError("too many instances", f"ask for {MAX_INSTANCES:,} at most", spec.name)
    return [dict(zip(settings, values, strict=True)) for values in product(*choices)]


def _listed(key: str, text: str) -> list[str]:
    """Return the numbers of a list such as `5..9` or `5,7,9`; any other text is one value."""
    found: list[str] = []
    for word in text.split(","):
        match = _RANGE.fullmatch(word.strip())
        if match is None:
            found.append(word.strip())
            continue
        first, last = (int(number) for number in match.groups())
        if first > last:
            raise InputError("an empty range", "write the smaller first", f"{key}={text}")
        if last - first >= MAX_INSTANCES:
            raise InputError(
                "too many instances", f"ask for {MAX_INSTANCES:,} at most", f"{key}={text}"
            )
        found += map(str, range(first, last + 1))
    return list(dict.fromkeys(found))
