"""Lazy constraints of a file, from its `c lazy` lines, and the fallback encoding."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from boardsat.adapters.boards import board_of
from boardsat.adapters.dimacs import header_values
from boardsat.adapters.dimacs.header import Header, Ints
from boardsat.adapters.dimacs.header_values import MODEST, Room
from boardsat.adapters.dimacs.header_variables import Variable
from boardsat.adapters.lazy_cuts.connectivity_cuts import ChoiceGraph, EdgeGraph, LazyGraph
from boardsat.base.errors import InputError

MAX_ROUNDS = 10**6

MAX_MOVES = 2**15
"""Limit on cells times moves of a board whose cells must be connected, for small files."""


class LazyConstraints(NamedTuple):
    """Connectivity constraints outside the clauses of a file."""

    graphs: tuple[LazyGraph, ...]
    """Graphs that must be connected."""
    rounds: int
    otherwise: str
    """Encoding of the problem to use after so many rounds; empty for none."""
    clauses: int
    """Number of clauses that the file was written with."""


def read_lazy_constraints(header: Header, path: str = "") -> LazyConstraints:
    """Return the lazy constraints of a header; raise InputError if they are malformed."""
    try:
        # A group may be named once in each of two lines, or so.
        room = Room(4 * sum(len(variable.ids) for variable in header.variables.values()))
        lines = [room.mapping(line) for line in header.lazy]
        return LazyConstraints(
            tuple(_graph(header, line, room) for line in lines),
            min(_number(line["rounds"], 1, MAX_ROUNDS) for line in lines),
            next((_name(line["fallback"]) for line in lines if "fallback" in line), ""),
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
        raise InputError(
            f"its `c lazy` line is not one that boardsat writes ({error!r})",
            "write the file again",
            path,
        ) from None


def _graph(header: Header, line: dict[str, Any], room: Room) -> LazyGraph:
    """Return the graph of one line; unknown constraints raise ValueError."""
    (kind,) = line.keys() & _KINDS.keys()
    return _KINDS[kind](header, line[kind], room)


def _connected(header: Header, groups: list[dict[str, Any]], room: Room) -> EdgeGraph:
    vertices, ids, ends = _edges(header, groups, room)
    sizes = list(map(len, ids))
    places = np.split(ends, np.cumsum(sizes + sizes)[:-1])
    pairs = zip(ids, places[: len(ids)], places[len(ids) :], strict=True)
    return EdgeGraph(
        vertices,
        [list(zip(i.tolist(), u.tolist(), v.tolist(), strict=True)) for i, u, v in pairs],
    )


def _touched(header: Header, groups: list[dict[str, Any]], room: Room) -> ChoiceGraph:
    """Return the graph of chosen edges, which meet in vertices."""
    vertices, ids, ends = _edges(header, groups, room)
    literals = np.concatenate(ids).tolist()
    meetings: list[list[int]] = [[] for _ in range(vertices)]
    for place, vertex in enumerate(ends.tolist()):
        meetings[vertex].append(place % len(literals))
    return ChoiceGraph(literals, meetings)


def _edges(
    header: Header, groups: list[dict[str, Any]], room: Room
) -> tuple[int, list[Ints], Ints]:
    """Return the number of vertices, the variables of every group, and the ends of all edges.

    Vertices without an edge are left out; the others are renumbered.
    """
    ids, us, vs = [], [], []
    for group in groups:
        variable = _variable(header, group)
        room.take(len(variable.ids))
        indices = np.unravel_index(variable.keys, variable.shape)
        ids.append(variable.ids)
        us.append(_end(group["from"], indices, len(variable.ids)))
        vs.append(_end(group["to"], indices, len(variable.ids)))
    ends = np.concatenate([*us, *vs])
    names = _sorted_once(ends)
    return len(names), ids, np.searchsorted(names, ends)


def _cells(header: Header, about: dict[str, Any], room: Room) -> ChoiceGraph:
    """Return the graph of chosen cells, which meet along moves of the board."""
    variable, board = _variable(header, about), board_of(header)
    if board is None or len(variable.shape) != 1:
        raise ValueError("no cells of a board")
    if type(about["negated"]) is not bool:
        raise ValueError("`negated` is neither true nor false")
    most = max(MAX_MOVES, header.board.max_cells - MODEST)
    if board.cells * max(1, len(header_values.listed(header.board.options, "moves"))) > most:
        raise ValueError("too many moves")
    sign = -1 if about["negated"] else 1
    numbers = dict(zip(variable.keys.tolist(), variable.ids.tolist(), strict=True))
    if max(numbers, default=0) >= board.cells:
        raise ValueError("a cell that the board has not")
    # A cell without a variable is one whose variable is false.
    kept = [cell for cell in range(board.cells) if sign < 0 or cell in numbers]
    place = {cell: number for number, cell in enumerate(kept)}
    edges = [pair for pair in board.edges() if pair[0] in place and pair[1] in place]
    return ChoiceGraph(
        [sign * numbers.get(cell, 0) for cell in kept], [[place[u], place[v]] for u, v in edges]
    )


def _variable(header: Header, about: dict[str, Any]) -> Variable:
    variable = header.variables[about["variable"]]
    if variable.integers is not None:
        raise ValueError("integers are neither edges nor cells")
    return variable


_KINDS: dict[str, Callable[[Header, Any, Room], LazyGraph]] = {
    "connected": _connected,
    "touched": _touched,
    "cells": _cells,
}


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


def variable_order(header: Header, variables: int) -> Ints | None:
    """Return all variables in the order of their indices; None if they are in that order already.

    Neighbouring edges get neighbouring numbers. Solvers decide variables in the order of their
    numbers, and need far longer for the cycles of a large board after a shuffle.
    """
    named = [
        variable.ids[np.argsort(variable.keys)] if variable.integers is None else variable.ids
        for variable in header.variables.values()
    ]
    order = np.concatenate([*named, np.arange(1, variables + 1)])
    order = order[(order > 0) & (order <= variables)]
    if not any((np.diff(ids) < 0).any() for ids in named):
        return None
    # One that has two names keeps the place of its first.
    first = np.full(variables + 1, len(order))
    np.minimum.at(first, order, np.arange(len(order)))
    ordered: Ints = order[np.sort(first[1:])]
    return ordered
