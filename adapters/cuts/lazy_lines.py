"""The `c lazy` lines of a file: constraints outside its clauses, and the other encoding."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardsat.adapters.cuts.finding import EdgeGraph
from boardsat.adapters.dimacs.header import Header, Ints
from boardsat.adapters.dimacs.values import Room
from boardsat.adapters.errors import AdapterError

MOST_ROUNDS = 10**6


@dataclass(frozen=True)
class LazyPart:
    graphs: tuple[EdgeGraph, ...]
    """Each must be connected by its edges that hold."""
    rounds: int
    otherwise: str
    """The encoding of the same problem that is taken after so many rounds; empty for none."""
    clauses: int
    """How many the file was written with: with others it is about something else."""


def read_lazy(header: Header, path: str = "") -> LazyPart:
    """What the lines say together."""
    try:
        # A group may be named once in each of two lines, or so.
        room = Room(4 * sum(len(variable.ids) for variable in header.variables.values()))
        lines = [room.mapping(line) for line in header.lazy]
        return LazyPart(
            tuple(_graph(header, line["connected"], room) for line in lines),
            min(_number(line["rounds"], 1, MOST_ROUNDS) for line in lines),
            next((_name(line["otherwise"]) for line in lines if "otherwise" in line), ""),
            min(_number(line["clauses"], 0, 2**63) for line in lines),
        )
    except (
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
    ) as error:
        raise AdapterError(
            f"its `c lazy` line is not one that boardsat writes ({error!r})",
            "write the file again",
            path,
        ) from None


def _graph(header: Header, groups: list[dict[str, Any]], room: Room) -> EdgeGraph:
    """Only vertices that have an edge count; they are numbered anew."""
    ids, us, vs = [], [], []
    for group in groups:
        variable = header.variables[group["variable"]]
        room.take(len(variable.ids))
        indices = np.unravel_index(variable.keys, variable.shape)
        ids.append(variable.ids)
        us.append(_end(group["from"], indices, len(variable.ids)))
        vs.append(_end(group["to"], indices, len(variable.ids)))
    ends = np.concatenate([*us, *vs])
    names = _sorted_once(ends)
    renamed = np.searchsorted(names, ends)
    sizes = list(map(len, ids))
    places = np.split(renamed, np.cumsum(sizes + sizes)[:-1])
    pairs = zip(ids, places[: len(ids)], places[len(ids) :], strict=True)
    return EdgeGraph(
        len(names),
        [list(zip(i.tolist(), u.tolist(), v.tolist(), strict=True)) for i, u, v in pairs],
    )


def _sorted_once(numbers: Ints) -> Ints:
    """As np.unique, which first imports a module that takes longer than all of this."""
    ordered = np.sort(numbers)
    return ordered[np.diff(ordered, prepend=-1) > 0]


def _end(about: dict[str, int], indices: tuple[Ints, ...], size: int) -> Ints:
    if "index" in about:
        return indices[_number(about["index"], 0, len(indices) - 1)]
    return np.full(size, _number(about["vertex"], 0, 2**31), np.int64)


def _number(value: object, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{str(value)[:40]!r} is not a number from {least} to {most}")
    return value


def _name(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,100}", value):
        raise ValueError(f"{value[:40]!r} is not an encoding")
    return value


def order_of(header: Header, variables: int) -> Ints | None:
    """The numbers of all variables in the order of their meaning; None if it is theirs already.

    Neighbouring edges are then neighbours in number. Solvers take variables in the order of their
    numbers, and after a shuffle they need far longer for the circles of a large board.
    """
    named = [variable.ids[np.argsort(variable.keys)] for variable in header.variables.values()]
    order = np.concatenate([*named, np.arange(1, variables + 1)])
    order = order[(order > 0) & (order <= variables)]
    if not any((np.diff(ids) < 0).any() for ids in named):
        return None
    # One that has two names keeps the place of its first.
    first = np.full(variables + 1, len(order))
    np.minimum.at(first, order, np.arange(len(order)))
    ordered: Ints = order[np.sort(first[1:])]
    return ordered
