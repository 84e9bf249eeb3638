"""A formula in groups: the clauses of each constraint, or of every row of its `for`, by themselves.

Clauses that define auxiliary variables belong to the group that they were made for, as no other has
these variables. What holds whatever constraints say, that an integer has a value, is background.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from boardsat.generators.arrays import Tokens
from boardsat.generators.clause_groups.row_by_row import Row, Standing
from boardsat.generators.clauses.blocks import Block
from boardsat.generators.clauses.chunks import Chunk
from boardsat.generators.formula import TOKEN_WORK, Header
from boardsat.generators.language import nodes
from boardsat.generators.language.syntax import parse_bindings
from boardsat.generators.limits import CALL, WorkBudget
from boardsat.generators.schema import Constraint

OF_CELLS = ("cells", "moves", "edges", "neighbours", "predecessors")
"""Sets of every board whose members are its cells, or pairs of them."""


@dataclass(frozen=True)
class ClauseGroup:
    """Clauses that hold or fall together."""

    number: int
    """Which constraint of the spec they are of, from 0 on."""
    name: str
    row: Mapping[str, int]
    """What its `for` binds; empty for all rows together, and for a constraint without `for`."""
    cells: tuple[str, ...]
    """Those of the names that are bound to cells of the board."""
    tokens: Tokens
    """The clauses, each ended by 0."""
    is_lazy: bool = False
    """Whether there are more, which are found while solving."""


@dataclass(frozen=True)
class GroupedFormula:
    header: Header
    named: int
    variables: int
    background: Tokens
    groups: tuple[ClauseGroup, ...]
    """Those that have clauses, or are lazy."""


@dataclass(frozen=True)
class Compiled:
    """A constraint and its block; `standing` tells the row of its clauses while they are made."""

    number: int
    constraint: Constraint
    block: Block
    standing: Standing | None


class Gatherer:
    """Takes blocks one after the other, so that each knows its fresh variables."""

    def __init__(self, first: int, budget: WorkBudget) -> None:
        self.first, self.budget = first, budget

    def background(self, blocks: Sequence[Block]) -> Tokens:
        return _joined([tokens for block in blocks for tokens in self._tokens(block.produce)])

    def groups(self, compiled: Compiled) -> list[ClauseGroup]:
        """A group for every row that makes clauses, or one for all of them."""
        constraint, standing = compiled.constraint, compiled.standing
        self.budget.enter(f"the constraint {constraint.name!r}", constraint.place)
        # The names are those of the row: with `each`, tuples of several sizes take turns.
        rows: dict[tuple[tuple[str, ...], Row], list[Tokens]] = {}
        for tokens in self._tokens(compiled.block.produce):
            key = (standing.names, standing.row) if standing else ((), ())
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
        fresh = 0
        for chunk in produce(self.first):
            self.budget.spend(CALL + TOKEN_WORK * chunk.kept_bytes // 4)
            fresh += chunk.fresh
            for rows in chunk.rows():
                self.budget.hold(rows.tokens.nbytes)
                yield rows.tokens
        self.first += fresh


def _joined(pieces: Sequence[Tokens]) -> Tokens:
    return np.concatenate(pieces) if pieces else np.zeros(0, np.int32)


def _cells(constraint: Constraint) -> tuple[str, ...]:
    """The names that its `for` takes from a set of cells, or of pairs of them."""
    bound = parse_bindings(constraint.bindings) if constraint.bindings else ()
    return tuple(
        name
        for each in bound
        if isinstance(each.source, nodes.Name | nodes.Index) and each.source.name in OF_CELLS
        for name in each.names
    )
