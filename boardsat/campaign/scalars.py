"""Scalar values of a campaign: choices, seeds, numbers and limits, with source locations."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from boardsat.base.text import suggest
from boardsat.generators.option_values import PROJECTIONS, THREE_CNF
from boardsat.generators.yaml_reader import Item

NUM_SEEDS = 2**64
MIN_LIMIT, MAX_LIMIT = 0.001, 10**9

TRANSFORMS = ("symmetry", "propagate", "three_cnf", "shuffle", "projection")
"""Keys of the transforms of a formula, named like the options of the command line."""


def one_of(item: Item, choices: Collection[str]) -> str:
    """Return the text of an item; raise InputError if it is not one of the choices."""
    if item.text not in choices:
        raise item.error(f"{item.text[:40]!r} is not a valid choice", suggest(item.text, choices))
    return item.text


def parse_seed(item: Item) -> int:
    """Return the seed of an item."""
    if not re.fullmatch(r"\d{1,20}", item.text, re.ASCII) or int(item.text) >= NUM_SEEDS:
        fault = f"a seed must be an integer from 0 to 2**64 - 1 (got {item.text[:40]!r})"
        raise item.error(fault, "write a number such as 1")
    return int(item.text)


def parse_integer(item: Item, maximum: int) -> int:
    """Return the integer of an item, from 1 to the maximum."""
    if not re.fullmatch(r"[1-9]\d{0,8}", item.text, re.ASCII) or int(item.text) > maximum:
        fault = f"the number must be an integer from 1 to {maximum:,} (got {item.text[:40]!r})"
        raise item.error(fault, "write a number such as 3")
    return int(item.text)


def parse_limit(item: Item) -> float:
    """Return the limit of an item: seconds, or megabytes of memory."""
    try:
        number = float(item.text)
    except ValueError:
        number = math.nan
    if not MIN_LIMIT <= number <= MAX_LIMIT:
        raise item.error(
            f"a limit must be a number from {MIN_LIMIT} to {MAX_LIMIT:,} (got {item.text[:40]!r})",
            "write seconds, or megabytes of memory",
        )
    return number


def transforms(keys: Mapping[str, Item]) -> dict[str, Any]:
    """Return the transforms among the keys of an instance, by name."""
    readers: dict[str, Callable[[Item], Any]] = {
        "symmetry": Item.flag,
        "propagate": Item.flag,
        "three_cnf": _three_cnf,
        "shuffle": parse_seed,
        "projection": lambda item: one_of(item, PROJECTIONS),
    }
    return {key: readers[key](keys[key]) for key in TRANSFORMS if key in keys}


def _three_cnf(item: Item) -> str | None:
    """Return the method of `three_cnf`: `true` is the default method, `false` is None."""
    flags = {"true": THREE_CNF[0], "false": None}
    return flags[item.text] if item.text in flags else one_of(item, THREE_CNF)
