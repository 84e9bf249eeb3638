"""Grids of instances: every combination of the lists of an entry, with distinct names."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Any

from boardsat.base.errors import InputError
from boardsat.base.files import resolve_inside
from boardsat.campaign.instance_files import INSTANCE_KEYS, one_of, read_instance, transforms
from boardsat.campaign.runner.recipe import Recipe, RecipeGatherer
from boardsat.generators import formats
from boardsat.generators.transforms import name_suffix
from boardsat.generators.yaml_reader import Item
from boardsat.instance.file_types import SPEC_SUFFIXES

FORMAT = "format"
"""Key of the format of the formula file, which must be CNF in a run."""


@dataclass(frozen=True)
class GridInstance:
    """Instance of a grid, and the location of its entry in the campaign."""

    location: str
    recipe: Recipe

    @contextmanager
    def error_location(self) -> Iterator[None]:
        """Prepend the location of the entry to that of any InputError in the block."""
        try:
            yield
        except InputError as error:
            location = f"{self.location}: {error.location}" if error.location else self.location
            raise error.at(location) from None


@dataclass(frozen=True)
class InstanceGrid:
    """Instances of an entry: every combination of the values of its lists."""

    entry: Item
    axes: tuple[tuple[str, str], ...]
    """Section and key of each list; the section is `set` for a setting, else empty."""
    values: tuple[list[Item], ...]

    @property
    def size(self) -> int:
        return math.prod(map(len, self.values))

    def instances(self, gatherer: RecipeGatherer) -> Iterator[GridInstance]:
        """Yield the instances; the last key varies fastest."""
        for point in product(*self.values):
            yield _instance(self.entry, gatherer, dict(zip(self.axes, point, strict=True)))


def grid_of(entry: Item, encodings: Sequence[Item]) -> InstanceGrid:
    """Return the grid of an entry of `instances`.

    `encodings` are the encodings of the campaign, used if the entry names only a problem.
    """
    keys = entry.mapping((*INSTANCE_KEYS, FORMAT))
    if "problem" not in keys:
        raise entry.error("the key `problem` is missing", "write `problem: tour`")
    settings = keys.pop("set").mapping() if "set" in keys else {}
    items = {("", key): item for key, item in keys.items()}
    items |= {("set", key): item for key, item in settings.items()}
    values = {axis: item.items() for axis, item in items.items()}
    if encodings and "encoding" not in keys and not keys["problem"].text.endswith(SPEC_SUFFIXES):
        values = {("", "encoding"): list(encodings), **values}
    for (section, key), choices in values.items():
        if not choices:
            fault = f"`{key}` must have at least one value (got an empty list)"
            raise items[section, key].error(fault)
    return InstanceGrid(entry, tuple(values), tuple(values.values()))


def _instance(
    entry: Item, gatherer: RecipeGatherer, point: dict[tuple[str, str], Item]
) -> GridInstance:
    """Return the instance at a point of a grid."""
    items = {key: item for (section, key), item in point.items() if not section}
    settings = {key: item.lines for (section, key), item in point.items() if section}
    encoding = items["encoding"].text if "encoding" in items else None
    format_name = one_of(items[FORMAT], FORMAT, formats.names()) if FORMAT in items else formats.CNF
    try:
        problem, encoding, settings, changes = _with_instance_file(
            gatherer, items["problem"].text, encoding, settings, transforms(items)
        )
        if format_name != formats.CNF:
            changes["format"] = format_name
        recipe = gatherer.gather(problem, encoding, settings, **changes)
    except InputError as error:
        raise error.at(error.location or entry.location) from None
    return GridInstance(entry.location, recipe)


def _with_instance_file(
    gatherer: RecipeGatherer,
    problem: str,
    encoding: str | None,
    settings: dict[str, str],
    changes: dict[str, Any],
) -> tuple[str, str | None, dict[str, str], dict[str, Any]]:
    """Return problem, encoding, settings and transforms, completed from an instance file.

    The entry of the campaign takes precedence over the file.
    """
    if not problem.endswith(SPEC_SUFFIXES):
        return problem, encoding, settings, changes
    file = read_instance(str(resolve_inside(gatherer.folder, problem, "spec")))
    if file is None:
        return problem, encoding, settings, changes
    return (
        file.problem,
        encoding or file.encoding,
        {**file.settings, **settings},
        {**file.changes, **changes},
    )


def names(instances: Sequence[GridInstance], reserved: Collection[str] = ()) -> list[str]:
    """Return distinct names of instances, in order, without generating formulas.

    Raises
    ------
    InputError
        Two instances are identical, or a name is reserved.
    """
    stem_cache: dict[object, str] = {}
    stems = [_stem(instance, stem_cache) for instance in instances]
    groups: dict[str, list[int]] = {}
    for number, stem in enumerate(stems):
        groups.setdefault(stem, []).append(number)
    distinct_names = list(stems)
    for stem, numbers in groups.items():
        suffixes = _distinguishing_suffixes([instances[number] for number in numbers])
        for number, suffix in zip(numbers, suffixes, strict=True):
            distinct_names[number] = stem + suffix
    locations: dict[str, str] = {}
    for name, instance in zip(distinct_names, instances, strict=True):
        if name in reserved:
            fault = f"the name of an instance must not be {name!r}, which names another file"
            raise InputError(fault, "rename the spec", instance.location)
        if name in locations:
            fault = f"instances must be distinct (got {name} twice, also at {locations[name]})"
            raise InputError(fault, "remove one", instance.location)
        locations[name] = instance.location
    return distinct_names


def _stem(instance: GridInstance, cache: dict[object, str]) -> str:
    """Return the name of an instance before it is made distinct.

    The part before the transforms is cached, because many instances differ only in transforms.
    """
    recipe = instance.recipe
    pairs = tuple(recipe.settings.items()), tuple(recipe.graphs.items())
    key = (recipe.spec.name, recipe.spec.file, *pairs)
    if key not in cache:
        with instance.error_location():
            cache[key] = recipe.stem()
    changes = recipe.propagate, recipe.three_cnf, recipe.shuffle, recipe.symmetry, recipe.projection
    return cache[key] + name_suffix(*changes)


def _distinguishing_suffixes(instances: Sequence[GridInstance]) -> list[str]:
    """Return suffixes for instances with the same stem: the choices in which they differ."""
    choices = [instance.recipe.choices() for instance in instances]
    keys = sorted({key for choice in choices for key in choice})
    varying = [key for key in keys if len({choice.get(key) for choice in choices}) > 1]
    return [
        "".join(f"-{key}_{_file_name(choice[key])}" for key in varying if key in choice)
        for choice in choices
    ]


def _file_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.,+-]+", "-", text)[:40]
