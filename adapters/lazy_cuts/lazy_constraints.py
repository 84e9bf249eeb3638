"""The `c lazy` lines of a file: constraints outside its clauses, and the other encoding."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardsat.adapters.boards import board_of
from boardsat.adapters.dimacs import values
from boardsat.adapters.dimacs.header import Header, Ints
from boardsat.adapters.dimacs.values import MODEST, Room
from boardsat.adapters.dimacs.variables import Variable
from boardsat.adapters.lazy_cuts.connectivity_cuts import ChoiceGraph, EdgeGraph, LazyGraph
from boardsat.base.errors import InputError

MOST_ROUNDS = 10**6

MOST_MOVES = 2**15
"""Cells times kinds of moves of a board whose cells are connected: more take many clauses."""


@dataclass(frozen=True)
class LazyPart:
    graphs: tuple[LazyGraph, ...]
    """Each must be connected: all of it, or what is chosen."""
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
            tuple(_graph(header, line, room) for line in lines),
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
        raise InputError(
            f"its `c lazy` line is not one that boardsat writes ({error!r})",
            "write the file again",
            path,
        ) from None


def _graph(header: Header, line: dict[str, Any], room: Room) -> LazyGraph:
    """What one line says; a word that is not known here is a demand that cannot be met."""
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
    """Edges that hold are chosen, and two of them meet in a vertex."""
    vertices, ids, ends = _edges(header, groups, room)
    literals = np.concatenate(ids).tolist()
    meetings: list[list[int]] = [[] for _ in range(vertices)]
    for place, vertex in enumerate(ends.tolist()):
        meetings[vertex].append(place % len(literals))
    return ChoiceGraph(literals, meetings)


def _edges(
    header: Header, groups: list[dict[str, Any]], room: Room
) -> tuple[int, list[Ints], Ints]:
    """How many vertices there are, the edges of every group, and the first and other ends of all.

    Only vertices that have an edge count; they are numbered anew.
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
    """Chosen cells meet where a move of the board joins them."""
    variable, board = _variable(header, about), board_of(header)
    if board is None or len(variable.shape) != 1:
        raise ValueError("no cells of a board")
    if type(about["negated"]) is not bool:
        raise ValueError("`negated` is neither true nor false")
    most = max(MOST_MOVES, header.room - MODEST)
    if board.cells * max(1, len(values.listed(header.board, "moves"))) > most:
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


def order_of(header: Header, variables: int) -> Ints | None:
    """The numbers of all variables in the order of their meaning; None if it is theirs already.

    Neighbouring edges are then neighbours in number. Solvers take variables in the order of their
    numbers, and after a shuffle they need far longer for the circles of a large board.
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
