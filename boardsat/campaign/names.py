"""Names of instances: as `boardsat cnf` names them, and made distinct."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from boardsat.base.errors import InputError
from boardsat.campaign.grids import Planned
from boardsat.generators.transforms import name_suffix


def names(planned: Sequence[Planned], reserved: Collection[str] = ()) -> list[str]:
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
            raise InputError(f"the name {name} is taken", "rename the spec", each.place)
        if name in seen:
            raise InputError(
                f"the instance {name} is that of {seen[name]} again", "remove one", each.place
            )
        seen[name] = each.place
    return found


def _stem(planned: Planned, known: dict[object, str]) -> str:
    """The name before it is made distinct; transforms do not change that of the formula."""
    recipe = planned.recipe
    key = (recipe.spec.name, recipe.spec.file, *map(_pairs, (recipe.settings, recipe.graphs)))
    if key not in known:
        with planned.blamed():
            known[key] = recipe.stem()
    changes = recipe.propagate, recipe.three_cnf, recipe.shuffle, recipe.symmetry, recipe.projection
    return known[key] + name_suffix(*changes)


def _pairs(entries: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(entries.items())


def _endings(alike: Sequence[Planned]) -> list[str]:
    """For instances of one stem: the choices in which they differ."""
    choices = [each.recipe.choices() for each in alike]
    keys = sorted({key for each in choices for key in each})
    telling = [key for key in keys if len({each.get(key) for each in choices}) > 1]
    return [
        "".join(f"-{key}_{_plain(each[key])}" for key in telling if key in each) for each in choices
    ]


def _plain(value: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.,+-]+", "-", value)[:40]
