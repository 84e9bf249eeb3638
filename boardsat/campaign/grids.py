"""Grids of instances: every combination of the lists of an entry, with distinct names."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Any

from boardsat.base.errors import InputError
from boardsat.campaign.instance_files import INSTANCE_KEYS, read_instance
from boardsat.campaign.runner.recipe import Recipe, RecipeGatherer
from boardsat.campaign.runner.safe_paths import resolve_inside
from boardsat.campaign.scalars import one_of, transforms
from boardsat.generators import formats
from boardsat.generators.transforms import name_suffix
from boardsat.generators.yaml_reader import Item
from boardsat.instance.file_types import SPEC_SUFFIXES

FORMAT = "format"
"""Of the file: only an archive has other formats than CNF."""


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
    """The instances of an entry: every combination of the values that are lists."""

    entry: Item
    axes: tuple[tuple[str, str], ...]
    """The section, which is empty or `set`, and the key."""
    values: tuple[list[Item], ...]

    @property
    def size(self) -> int:
        return math.prod(map(len, self.values))

    def instances(self, gatherer: RecipeGatherer) -> Iterator[GridInstance]:
        for point in product(*self.values):
            yield _planned(self.entry, gatherer, dict(zip(self.axes, point, strict=True)))


def grid_of(entry: Item, encodings: Sequence[Item]) -> InstanceGrid:
    keys = entry.mapping((*INSTANCE_KEYS, FORMAT))
    if "problem" not in keys:
        raise entry.error("an instance needs `problem`", "write `problem: tour`")
    settings = keys.pop("set").mapping() if "set" in keys else {}
    items = {("", key): item for key, item in keys.items()}
    items |= {("set", key): item for key, item in settings.items()}
    values = {axis: item.items() for axis, item in items.items()}
    if encodings and "encoding" not in keys and not keys["problem"].text.endswith(SPEC_SUFFIXES):
        values = {("", "encoding"): list(encodings), **values}
    for (_, key), choices in values.items():
        if not choices:
            raise items[_, key].error(f"an empty list for {key!r}", "give a value")
    return InstanceGrid(entry, tuple(values), tuple(values.values()))


def _planned(
    entry: Item, gatherer: RecipeGatherer, point: dict[tuple[str, str], Item]
) -> GridInstance:
    chosen = {key: item for (section, key), item in point.items() if not section}
    settings = {key: item.lines for (section, key), item in point.items() if section}
    encoding = chosen["encoding"].text if "encoding" in chosen else None
    form = one_of(chosen[FORMAT], formats.names()) if FORMAT in chosen else formats.CNF
    try:
        problem, encoding, settings, changes = _instance(
            gatherer, chosen["problem"].text, encoding, settings, transforms(chosen)
        )
        if form != formats.CNF:
            changes["format"] = form
        recipe = gatherer.gather(problem, encoding, settings, **changes)
    except InputError as error:
        raise error.at(error.location or entry.location) from None
    return GridInstance(entry.location, recipe)


def _instance(
    gatherer: RecipeGatherer,
    problem: str,
    encoding: str | None,
    settings: dict[str, str],
    changes: dict[str, Any],
) -> tuple[str, str | None, dict[str, str], dict[str, Any]]:
    """The same, where the problem is a file with one instance: what the entry says comes first."""
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


def names(planned: Sequence[GridInstance], reserved: Collection[str] = ()) -> list[str]:
    """One for each, in order; no formula is built for them. None is a reserved one."""
    known: dict[object, str] = {}
    stems = [_stem(each, known) for each in planned]
    groups: dict[str, list[int]] = {}
    for number, stem in enumerate(stems):
        groups.setdefault(stem, []).append(number)
    found = list(stems)
    for stem, numbers in groups.items():
        for number, ending in zip(numbers, _endings([planned[n] for n in numbers]), strict=True):
            found[number] = stem + ending
    seen: dict[str, str] = {}
    for name, each in zip(found, planned, strict=True):
        if name in reserved:
            raise InputError(f"the name {name} is taken", "rename the spec", each.location)
        if name in seen:
            raise InputError(
                f"the instance {name} is that of {seen[name]} again", "remove one", each.location
            )
        seen[name] = each.location
    return found


def _stem(planned: GridInstance, known: dict[object, str]) -> str:
    """The name before it is made distinct; transforms do not change that of the formula."""
    recipe = planned.recipe
    key = (recipe.spec.name, recipe.spec.file, *map(_pairs, (recipe.settings, recipe.graphs)))
    if key not in known:
        with planned.error_location():
            known[key] = recipe.stem()
    changes = recipe.propagate, recipe.three_cnf, recipe.shuffle, recipe.symmetry, recipe.projection
    return known[key] + name_suffix(*changes)


def _pairs(entries: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(entries.items())


def _endings(alike: Sequence[GridInstance]) -> list[str]:
    """For instances of one stem: the choices in which they differ."""
    choices = [each.recipe.choices() for each in alike]
    keys = sorted({key for each in choices for key in each})
    telling = [key for key in keys if len({each.get(key) for each in choices}) > 1]
    return [
        "".join(f"-{key}_{_plain(each[key])}" for key in telling if key in each) for each in choices
    ]


def _plain(value: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.,+-]+", "-", value)[:40]
