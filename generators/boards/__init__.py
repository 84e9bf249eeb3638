"""Boards: cells and the moves between them, independent of SAT.

Each board shape is a module named after it, with these attributes:

OPTIONS : dict of str to type
    Options of the `board` line of a spec, with the type of each value: `int`, `str` or `Graph`. An
    option of type `str` may be omitted.

build(**options) -> Board
    Build the board. Raise InputError if an option is invalid; the location of the error is the name
    of an option, or empty.

symmetries(**size) -> list of BoardSymmetry
    Optional. Return the symmetries of the places, regardless of holes and pieces. The arguments are
    the options of type `int`.

Examples
--------
>>> board = load("grid").build(rows=3, cols=3, moves="knight", holes="4")
>>> board.cells, board.places, board.title
(8, 9, '3x3-hole4')
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.registry import Registry
from boardsat.generators.arrays import Ints
from boardsat.generators.language.values import KeyedSet, TupleSet, Value

ANY = "any"
"""Value of a `cell` parameter that leaves the cell free."""

NO_PAIRS = TupleSet((np.zeros(0, np.int64), np.zeros(0, np.int64)))

_registry = Registry(__name__, "board shape")
names, load = _registry.names, _registry.load


class BoardSymmetry(NamedTuple):
    """Symmetry of a board: a rotation, reflection or shift that maps the board to itself."""

    name: str
    image: Ints
    """Image of each place, or of each cell."""


@dataclass(frozen=True)
class Board:
    """Board: cells, which are its places without holes and friends, and the moves between them."""

    cells: int
    """Number of cells."""
    neighbours: KeyedSet
    """Targets of the moves from each cell, in ascending order."""
    names: Mapping[str, Value]
    """Shape-specific names for specs, in addition to those of `namespace`."""
    description: Mapping[str, Any]
    """Header entry: enough to draw the board and to check a tour on it."""
    edge_list: bool = False
    """True if the header must list the edges, because the description does not determine them."""
    title: str = ""
    """Short name for labels and file names: `8x8`, `torus-5x6`, `8x8-hole27`."""
    caption: str = ""
    """Name for texts: `8x8 without d5`."""
    guards: TupleSet = NO_PAIRS
    """Pairs of an enemy's cell and a cell that may be visited only after it."""
    cell_at: Ints | None = None
    """Cell at each place, -1 for a hole or friend. None if each place is the cell of its number."""
    directed: bool = False
    """True if a move may lack its reverse."""
    outside: int = 0
    """1 if the last cell is the virtual start cell outside the board, else 0."""

    @property
    def moves(self) -> TupleSet:
        """Pairs of the origin and target of each move."""
        origin = np.repeat(np.arange(self.cells), np.diff(self.neighbours.starts))
        return TupleSet((origin, self.neighbours.columns[0]))

    @property
    def predecessors(self) -> KeyedSet:
        """Origins of the moves to each cell, in ascending order."""
        if not self.directed:
            return self.neighbours
        origin, target = self.moves.columns
        return KeyedSet.adjacency(self.cells, target, origin)

    @property
    def edges(self) -> TupleSet:
        """Edges of the underlying undirected graph, the smaller cell first."""
        if self.directed:
            return self.to_undirected().edges
        origin, target = self.moves.columns
        forward = origin < target
        return TupleSet((origin[forward], target[forward]))

    def to_undirected(self) -> Board:
        """Return the board with the reverse of each move added."""
        if not self.directed:
            return self
        origin, target = self.moves.columns
        ends = np.concatenate([origin, target]), np.concatenate([target, origin])
        return replace(self, neighbours=KeyedSet.adjacency(self.cells, *ends), directed=False)

    def reverse(self) -> Board:
        """Return the board with each move reversed."""
        return replace(self, neighbours=self.predecessors)

    def cell(self, place: int | str) -> int:
        """Return the cell at a place: -1 for a hole or friend, the virtual start cell for `any`."""
        if isinstance(place, str):
            assert place == ANY and self.outside
            return self.cells - 1
        return place if self.cell_at is None else int(self.cell_at[place])

    def describe_obstacle(self, place: int) -> str:
        """Return the obstacle on a place: `a hole`, `occupied by a friend (rook)`."""
        pieces = {place: piece for piece, place in self.description.get("friends", ())}
        return f"occupied by a friend ({pieces[place]})" if place in pieces else "a hole"

    def with_outside(self) -> Board:
        """Return the board with a virtual start cell, which has moves to and from all cells.

        A tour that starts at this last cell can enter and leave the board at any cell.
        """
        origin, target = self.moves.columns
        inside, outside = np.arange(self.cells), np.full(self.cells, self.cells)
        neighbours = KeyedSet.adjacency(
            self.cells + 1,
            np.concatenate([origin, inside, outside]),
            np.concatenate([target, outside, inside]),
        )
        return replace(self, cells=self.cells + 1, neighbours=neighbours, outside=1)

    def without_outside(self) -> Board:
        """Return the board without its virtual start cell."""
        origin, target = self.moves.columns
        cells = self.cells - 1
        is_inside = (origin < cells) & (target < cells)
        neighbours = KeyedSet.adjacency(cells, origin[is_inside], target[is_inside])
        return replace(self, cells=cells, neighbours=neighbours, outside=0)

    @property
    def places(self) -> int:
        """Number of places that a user can name: cells, holes and friends."""
        return self.cells if self.cell_at is None else len(self.cell_at)

    def namespace(self) -> dict[str, Value]:
        """Return the names that specs can use, with their values."""
        return {
            "cells": TupleSet((np.arange(self.cells),)),
            "moves": self.moves,
            "edges": self.edges,
            "neighbours": self.neighbours,
            "predecessors": self.predecessors,
            "directed": self.directed,
            "guards": self.guards,
            "board": self.title,
            "outside": self.outside,
            **self.names,
        }


def shape_symmetries(board: Board) -> list[BoardSymmetry]:
    """Return the symmetries of a board's places, regardless of holes and pieces."""
    module = load(board.description["shape"])
    if not hasattr(module, "symmetries"):
        return []
    size = {key: board.description[key] for key, kind in module.OPTIONS.items() if kind is int}
    symmetries: list[BoardSymmetry] = module.symmetries(**size)
    return symmetries


def required_options(module: ModuleType) -> list[str]:
    """Return the options of a shape without a default value."""
    return [key for key, kind in module.OPTIONS.items() if kind is not str]


class CompatibleShapes(Collection[str]):
    """Shapes that require no other options than these; a test of a shape imports its module."""

    def __init__(self, options: Container[str]) -> None:
        self.options = options

    def __contains__(self, name: object) -> bool:
        return name in names() and all(
            key in self.options for key in required_options(load(str(name)))
        )

    def __iter__(self) -> Iterator[str]:
        return (name for name in names() if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)
