"""Scalar values of a campaign: choices, seeds, numbers and limits, with source locations."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from boardsat.base.text import suggest
from boardsat.generators.option_values import PROJECTIONS, THREE_CNF
from boardsat.generators.yaml_reader import Item

MAX_SEED = 2**64

TRANSFORMS = ("symmetry", "propagate", "three_cnf", "shuffle", "projection")
"""What is done to a formula, as on the command line."""


def one_of(item: Item, choices: Collection[str]) -> str:
    if item.text not in choices:
        raise item.error(f"no choice {item.text[:40]!r} here", suggest(item.text, choices))
    return item.text


def seed(item: Item) -> int:
    if not re.fullmatch(r"\d{1,20}", item.text, re.ASCII) or int(item.text) >= MAX_SEED:
        raise item.error(f"{item.text[:40]!r} is not a seed", "give a whole number below 2**64")
    return int(item.text)


def whole(item: Item, most: int) -> int:
    if not re.fullmatch(r"[1-9]\d{0,8}", item.text, re.ASCII) or int(item.text) > most:
        raise item.error(f"{item.text[:40]!r} is not a number from 1 to {most:,}", "write one")
    return int(item.text)


def positive(item: Item) -> float:
    try:
        number = float(item.text)
    except ValueError:
        number = math.nan
    if not 0.001 <= number <= 10**9:
        raise item.error(
            f"{item.text[:40]!r} is not a limit", "write seconds, or megabytes of memory"
        )
    return number


def transforms(keys: Mapping[str, Item]) -> dict[str, Any]:
    """Those that an instance names, by their names."""
    readers: dict[str, Callable[[Item], Any]] = {
        "symmetry": Item.flag,
        "propagate": Item.flag,
        "three_cnf": _three_cnf,
        "shuffle": seed,
        "projection": lambda item: one_of(item, PROJECTIONS),
    }
    return {key: readers[key](keys[key]) for key in TRANSFORMS if key in keys}


def _three_cnf(item: Item) -> str | None:
    """`true` is the usual way, and `false` is not at all, so that both can stand in a list."""
    usual = {"true": THREE_CNF[0], "false": None}
    return usual[item.text] if item.text in usual else one_of(item, THREE_CNF)
