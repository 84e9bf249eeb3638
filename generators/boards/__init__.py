"""Boards: cells, and moves between them; independent of SAT.

Each shape is a module named like it. `OPTIONS` has the options of its line in a spec with the kind
of each, and `build(**options)` makes the board. `symmetries(**size)`, which is optional, returns
the symmetries of its places, regardless of holes and pieces.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from boardsat.base.registry import Registry
from boardsat.generators.arrays import Ints, distinct, starts_of
from boardsat.generators.language.values import KeyedSet, TupleSet, Value

ANY = "any"
"""Place of a cell that may be any cell."""

NO_PAIRS = TupleSet((np.zeros(0, np.int64), np.zeros(0, np.int64)))

_registry = Registry(__name__, "board shape")
names, load = _registry.names, _registry.load


class BoardSymmetry(NamedTuple):
    """Symmetry of a board: a rotation, reflection or shift that maps it to itself."""

    name: str
    image: Ints
    """Image of every place, or of every cell."""


@dataclass(frozen=True)
class Board:
    cells: int
    neighbours: KeyedSet
    """The cells that a move from each cell reaches, in order."""
    names: Mapping[str, Value]
    """What the board offers to specs, beside what every board does."""
    description: Mapping[str, Any]
    """The board in the header of a file: enough to draw it and to check a tour on it."""
    edge_list: bool = False
    """Whether the header must list the edges, because the description does not determine them."""
    title: str = ""
    """A short name for labels: `8x8`, `torus-5x6`, `8x8-hole27`."""
    words: str = ""
    """The same for people: `8x8 without d5`."""
    guards: TupleSet = NO_PAIRS
    """Enemy and cell: the cell may be visited only after the enemy's own."""
    cell_at: Ints | None = None
    """The cell at every place that a user can name, -1 where there is none; None: all alike."""
    directed: bool = False
    """Whether a move may lack its reverse."""
    outside: int = 0
    """Whether the last cell is one outside the board, where what begins anywhere comes from."""

    @property
    def moves(self) -> TupleSet:
        origin = np.repeat(np.arange(self.cells), np.diff(self.neighbours.starts))
        return TupleSet((origin, self.neighbours.columns[0]))

    @property
    def predecessors(self) -> KeyedSet:
        """The cells from which a move reaches each cell, in order."""
        if not self.directed:
            return self.neighbours
        origin, target = self.moves.columns
        return neighbours_from(self.cells, target, origin)

    @property
    def edges(self) -> TupleSet:
        """Every two cells that a move joins once, the smaller first."""
        origin, target = self.moves.columns
        if self.directed:
            return self.without_directions().edges
        forward = origin < target
        return TupleSet((origin[forward], target[forward]))

    def without_directions(self) -> Board:
        """The same, with the reverse of every move."""
        if not self.directed:
            return self
        origin, target = self.moves.columns
        both = np.concatenate([origin, target]), np.concatenate([target, origin])
        return replace(self, neighbours=neighbours_from(self.cells, *both), directed=False)

    def reversed(self) -> Board:
        """The same, with every move the other way round."""
        return replace(self, neighbours=self.predecessors)

    def cell(self, place: int | str) -> int:
        """The cell at a place, -1 for a hole; the one outside the board for `any`."""
        if isinstance(place, str):
            assert place == ANY and self.outside
            return self.cells - 1
        return place if self.cell_at is None else int(self.cell_at[place])

    def standing(self, place: int) -> str:
        """What is on a place that is no cell: `a hole`, `taken by a friend (rook)`."""
        pieces = {at: word for word, at in self.description.get("friends", ())}
        return f"taken by a friend ({pieces[place]})" if place in pieces else "a hole"

    def with_outside(self) -> Board:
        """One cell more, after all others, with a move to each of them and back.

        A tour that begins there visits the board from anywhere, and begins on it where it wants.
        """
        origin, target = self.moves.columns
        inside, outside = np.arange(self.cells), np.full(self.cells, self.cells)
        neighbours = neighbours_from(
            self.cells + 1,
            np.concatenate([origin, inside, outside]),
            np.concatenate([target, outside, inside]),
        )
        return replace(self, cells=self.cells + 1, neighbours=neighbours, outside=1)

    @property
    def places(self) -> int:
        return self.cells if self.cell_at is None else len(self.cell_at)

    def inside(self) -> Board:
        """The same without the cell outside."""
        origin, target = self.moves.columns
        last = self.cells - 1
        kept = (origin < last) & (target < last)
        neighbours = neighbours_from(last, origin[kept], target[kept])
        return replace(self, cells=last, neighbours=neighbours, outside=0)

    def offers(self) -> dict[str, Value]:
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


def neighbours_from(cells: int, origin: Ints, target: Ints) -> KeyedSet:
    """The moves as a relation: sorted by origin, then by target, each once."""
    flat = origin * max(cells, 1) + target
    # Most boards list their moves in this order already, and sorting takes longest.
    if np.any(flat[1:] <= flat[:-1]):
        origin, target = np.divmod(distinct(flat), max(cells, 1))
    return KeyedSet((cells,), starts_of(np.bincount(origin, minlength=cells)), (target,))


def shape_symmetries(board: Board) -> list[BoardSymmetry]:
    """Return the symmetries of a board's places, regardless of holes and pieces."""
    module = load(board.description["shape"])
    if not hasattr(module, "symmetries"):
        return []
    sizes = [key for key, kind in module.OPTIONS.items() if kind is int]
    symmetries: list[BoardSymmetry] = module.symmetries(
        **{key: board.description[key] for key in sizes}
    )
    return symmetries


def needs(module: ModuleType) -> list[str]:
    """The options of a shape that have no default; texts are empty unless given."""
    return [key for key, kind in module.OPTIONS.items() if kind is not str]


class ShapesWith(Collection[str]):
    """The shapes that need no other options than these; a file is imported when it is asked for."""

    def __init__(self, options: Container[str]) -> None:
        self.options = options

    def __contains__(self, name: object) -> bool:
        return name in names() and all(key in self.options for key in needs(load(str(name))))

    def __iter__(self) -> Iterator[str]:
        return (name for name in names() if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)
