"""Parser of the `c lazy` lines of a file: lazy constraints, and the fallback encoding."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from boardsat.adapters.boards import board_of
from boardsat.adapters.dimacs.header import Header, Ints
from boardsat.adapters.dimacs.header_entries import Variable
from boardsat.adapters.dimacs.header_values import (
    MIN_HEADER_NUMBERS,
    HeaderLimits,
    check_integer,
    json_list,
)
from boardsat.adapters.lazy_cuts.connectivity_cuts import ChoiceGraph, EdgeGraph, LazyGraph
from boardsat.base.errors import InputError

MAX_ROUNDS = 10**6

MAX_MOVES = 2**15
"""Number of moves that is accepted on every board whose cells must be connected."""


class LazyConstraints(NamedTuple):
    """Connectivity constraints that the clauses of a file do not encode."""

    graphs: tuple[LazyGraph, ...]
    """Graphs that must be connected."""
    rounds: int
    """Maximum number of rounds of cuts."""
    fallback: str
    """Encoding of the problem to use after the last round; empty for none."""
    clauses: int
    """Number of clauses with which the file was generated; further ones are saved cuts."""


def read_lazy_constraints(header: Header, path: str = "") -> LazyConstraints:
    """Return the lazy constraints of a header; raise InputError if they are malformed."""
    try:
        # A variable may occur in several groups or lines, but not in many.
        limits = HeaderLimits(4 * sum(len(variable.ids) for variable in header.variables.values()))
        lines = [limits.parse_object(line) for line in header.lazy]
        return LazyConstraints(
            tuple(_graph(header, line, limits) for line in lines),
            min(check_integer(line["rounds"], 1, MAX_ROUNDS) for line in lines),
            next((_encoding_name(line["fallback"]) for line in lines if "fallback" in line), ""),
            min(check_integer(line["clauses"], 0, 2**63) for line in lines),
        )
    except (
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
    ) as error:
        reason = f"`{error.args[0]}` is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(
            f"the `c lazy` line is malformed: {reason}", "generate the file again", path
        ) from None


def _graph(header: Header, line: dict[str, Any], limits: HeaderLimits) -> LazyGraph:
    """Return the graph of one line; raise ValueError if the kind of constraint is unknown."""
    (kind,) = line.keys() & _KINDS.keys()
    return _KINDS[kind](header, line[kind], limits)


def _connected(header: Header, groups: list[dict[str, Any]], limits: HeaderLimits) -> EdgeGraph:
    """Return the graph whose true edges must connect all vertices."""
    vertices, ids, ends = _edges(header, groups, limits)
    sizes = list(map(len, ids))
    group_ends = np.split(ends, np.cumsum(sizes + sizes)[:-1])
    columns = zip(ids, group_ends[: len(ids)], group_ends[len(ids) :], strict=True)
    return EdgeGraph(
        vertices,
        [list(zip(i.tolist(), u.tolist(), v.tolist(), strict=True)) for i, u, v in columns],
    )


def _touched(header: Header, groups: list[dict[str, Any]], limits: HeaderLimits) -> ChoiceGraph:
    """Return the graph of chosen edges, which are adjacent if they share a vertex."""
    vertices, ids, ends = _edges(header, groups, limits)
    literals = np.concatenate(ids).tolist()
    meetings: list[list[int]] = [[] for _ in range(vertices)]
    for position, vertex in enumerate(ends.tolist()):
        meetings[vertex].append(position % len(literals))
    return ChoiceGraph(literals, meetings)


def _edges(
    header: Header, groups: list[dict[str, Any]], limits: HeaderLimits
) -> tuple[int, list[Ints], Ints]:
    """Return the number of vertices, the variables of every group, and the ends of all edges.

    Vertices without an edge are omitted; the others are renumbered.
    """
    ids, us, vs = [], [], []
    for group in groups:
        variable = _variable(header, group)
        limits.count_numbers(len(variable.ids))
        indices = np.unravel_index(variable.keys, variable.shape)
        ids.append(variable.ids)
        us.append(_end(group["from"], indices, len(variable.ids)))
        vs.append(_end(group["to"], indices, len(variable.ids)))
    ends = np.concatenate([*us, *vs])
    vertices = _unique(ends)
    return len(vertices), ids, np.searchsorted(vertices, ends)


def _cells(header: Header, entries: dict[str, Any], limits: HeaderLimits) -> ChoiceGraph:
    """Return the graph of chosen cells, which are adjacent if a move joins them."""
    variable, board = _variable(header, entries), board_of(header)
    if board is None or len(variable.shape) != 1:
        raise ValueError(f"the members of {variable.name!r} are not cells of a board")
    if type(entries["negated"]) is not bool:
        raise ValueError("`negated` is neither true nor false")
    max_moves = max(MAX_MOVES, header.board.max_cells - MIN_HEADER_NUMBERS)
    if board.cells * max(1, len(json_list(header.board.options, "moves"))) > max_moves:
        raise ValueError(f"the board has more than {max_moves:,} moves")
    sign = -1 if entries["negated"] else 1
    numbers = dict(zip(variable.keys.tolist(), variable.ids.tolist(), strict=True))
    if max(numbers, default=0) >= board.cells:
        raise ValueError(f"a member of {variable.name!r} is not a cell of the board")
    # A cell without a variable counts as one whose variable is false.
    cells = [cell for cell in range(board.cells) if sign < 0 or cell in numbers]
    index = {cell: number for number, cell in enumerate(cells)}
    moves = [pair for pair in board.edges() if pair[0] in index and pair[1] in index]
    return ChoiceGraph(
        [sign * numbers.get(cell, 0) for cell in cells], [[index[u], index[v]] for u, v in moves]
    )


def _variable(header: Header, entries: dict[str, Any]) -> Variable:
    variable = header.variables[entries["variable"]]
    if variable.integers is not None:
        raise ValueError(f"{variable.name!r} is an integer, not a set of edges or cells")
    return variable


_KINDS: dict[str, Callable[[Header, Any, HeaderLimits], LazyGraph]] = {
    "connected": _connected,
    "touched": _touched,
    "cells": _cells,
}


def _unique(numbers: Ints) -> Ints:
    """Return the sorted unique numbers. np.unique would import a module that takes longer."""
    in_order = np.sort(numbers)
    return in_order[np.diff(in_order, prepend=-1) > 0]


def _end(entries: dict[str, int], indices: tuple[Ints, ...], size: int) -> Ints:
    """Return one end of all edges of a group: an index of the variable, or a fixed vertex."""
    if "index" in entries:
        return indices[check_integer(entries["index"], 0, len(indices) - 1)]
    return np.full(size, check_integer(entries["vertex"], 0, 2**31), np.int64)


def _encoding_name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,100}", name):
        raise ValueError(f"{name[:40]!r} is not the name of an encoding")
    return name


def variable_order(header: Header, num_variables: int) -> Ints | None:
    """Return all variables in the order of their indices; None if they are in that order already.

    In this order neighbouring edges have neighbouring numbers. Solvers decide variables in the
    order of their numbers, and need far longer for a large board after a shuffle.
    """
    ids_by_index = [
        variable.ids[np.argsort(variable.keys)] if variable.integers is None else variable.ids
        for variable in header.variables.values()
    ]
    order = np.concatenate([*ids_by_index, np.arange(1, num_variables + 1)])
    order = order[(order > 0) & (order <= num_variables)]
    if not any((np.diff(ids) < 0).any() for ids in ids_by_index):
        return None
    # A variable of the formula with several names is placed where its first name is.
    first = np.full(num_variables + 1, len(order))
    np.minimum.at(first, order, np.arange(len(order)))
    unique_order: Ints = order[np.sort(first[1:])]
    return unique_order
