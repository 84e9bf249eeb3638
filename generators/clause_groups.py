"""Clause groups of a formula, one for each row of a constraint: a MUS is a set of them.

The `for` of a constraint yields its rows one at a time. Constraint types make the clauses of a row
before they request the next row. So the current row is known for all clauses, and constraint types
need no code for groups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.limits import checkpoint, current_part
from boardsat.generators.arrays import Tokens
from boardsat.generators.blocks import Block, Chunk
from boardsat.generators.formula import Header
from boardsat.generators.language import nodes
from boardsat.generators.language.grounding import Grounding
from boardsat.generators.language.syntax import parse_bindings
from boardsat.generators.language.values import Frame
from boardsat.generators.schema import Constraint

OF_CELLS = ("cells", "moves", "edges", "neighbours", "predecessors")
"""Sets of every board whose members are cells, or pairs of cells."""

Row = tuple[int, ...]
"""Values of the names that a `for` binds, in their order."""


@dataclass
class CurrentRow:
    """Row whose clauses are being made."""

    row: Row = ()
    names: tuple[str, ...] = ()
    """Names of the values; the items of a tuple `t` are `t_0`, `t_1` and so on."""


@dataclass(frozen=True)
class RowByRow(Grounding):
    """Grounding whose frames are split so that each has the values of one row of the `for`.

    A frame still has several rows if a constraint type binds more names after those of the `for`:
    these rows differ in the values of the additional names only.
    """

    num_levels: int
    """Number of levels of the `for` itself."""
    current: CurrentRow

    def frames(self, start: Frame | None = None) -> Iterator[Frame]:
        self.current.names = tuple(self._columns())
        width = len(self.current.names)
        for frame in super().frames(start):
            columns = self.columns(frame)[:width]
            table = np.stack(columns, axis=1) if columns else np.zeros((frame.size, 0), np.int64)
            new = np.flatnonzero((table[1:] != table[:-1]).any(axis=1)) + 1
            bounds = [0, *new.tolist(), frame.size]
            for begin, end in pairwise(bounds):
                self.current.row = tuple(table[begin].tolist())
                yield frame.take_slice(slice(begin, end))

    def _columns(self) -> Iterator[str]:
        for level in self.levels[: self.num_levels]:
            for name, width in zip(level.names, level.widths, strict=True):
                yield from [name] if width is None else (f"{name}_{k}" for k in range(width))


class ClauseGroup(NamedTuple):
    """Clauses that are either all in a MUS, or all outside it."""

    number: int
    """Index of the constraint in the spec."""
    name: str
    row: Mapping[str, int]
    """Values that the `for` binds; empty without `for`, or if the group is of all its rows."""
    cells: tuple[str, ...]
    """Names that are bound to cells of the board."""
    tokens: Tokens
    """Clauses, each ended by 0."""
    is_lazy: bool = False
    """True if further clauses are added while solving."""


class GroupedFormula(NamedTuple):
    header: Header
    num_spec_variables: int
    variables: int
    background: Tokens
    groups: tuple[ClauseGroup, ...]
    """Groups that have clauses or are lazy."""


class CompiledConstraint(NamedTuple):
    """Constraint with its block; `current` holds the row whose clauses are being made."""

    number: int
    constraint: Constraint
    block: Block
    current: CurrentRow | None


class GroupBuilder:
    """Builder of groups, block after block, which numbers their auxiliary variables."""

    def __init__(self, first: int) -> None:
        self.first = first

    def background(self, blocks: Sequence[Block]) -> Tokens:
        return _joined([tokens for block in blocks for tokens in self._tokens(block.produce)])

    def groups(self, compiled: CompiledConstraint) -> list[ClauseGroup]:
        """Return a group for every row with clauses, or one for all rows."""
        constraint, current = compiled.constraint, compiled.current
        # Names belong to the row: with `for_each_size`, tuples of several sizes alternate.
        rows: dict[tuple[tuple[str, ...], Row], list[Tokens]] = {}
        with current_part(f"the constraint {constraint.name!r}", constraint.location):
            for tokens in self._tokens(compiled.block.produce):
                key = (current.names, current.row) if current else ((), ())
                rows.setdefault(key, []).append(tokens)
        is_lazy = compiled.block.lazy is not None
        if is_lazy and not rows:
            rows[(), ()] = []
        cells = _cells(constraint)
        return [
            ClauseGroup(
                compiled.number,
                constraint.name,
                dict(zip(names, row, strict=True)),
                cells,
                _joined(pieces),
                is_lazy,
            )
            for (names, row), pieces in rows.items()
            if is_lazy or any(map(len, pieces))
        ]

    def _tokens(self, produce: Callable[[int], Iterator[Chunk]]) -> Iterator[Tokens]:
        num_auxiliary = 0
        for chunk in produce(self.first):
            checkpoint()
            num_auxiliary += chunk.num_auxiliary
            for rows in chunk.rows():
                checkpoint()
                yield rows.tokens
        self.first += num_auxiliary


def _joined(pieces: Sequence[Tokens]) -> Tokens:
    return np.concatenate(pieces) if pieces else np.zeros(0, np.int32)


def _cells(constraint: Constraint) -> tuple[str, ...]:
    """Return the names that the `for` binds to members of a set of cells, or of pairs of cells."""
    bindings = parse_bindings(constraint.bindings) if constraint.bindings else ()
    return tuple(
        name
        for binding in bindings
        if isinstance(binding.source, nodes.Name | nodes.Index) and binding.source.name in OF_CELLS
        for name in binding.names
    )
