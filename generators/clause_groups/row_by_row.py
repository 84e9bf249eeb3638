"""A `for` whose rows come one at a time: so it is known which clauses each of them makes.

Families make clauses of a frame when they are asked for the next ones, and not before. So whoever
takes the clauses finds here the row that they are of, and no family need know of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from boardsat.generators.language.grounding import Grounding
from boardsat.generators.language.values import Frame
from boardsat.generators.limits import WorkBudget

Row = tuple[int, ...]
"""The numbers that the names of a `for` stand for, in their order."""


@dataclass
class Standing:
    """The row whose clauses are being made."""

    row: Row = ()
    names: tuple[str, ...] = ()
    """What its numbers are called; those of a tuple `t` are `t_0`, `t_1` and so on."""


@dataclass(frozen=True)
class RowByRow(Grounding):
    """Frames of one row; names that a family has bound behind those of the `for` may make more."""

    own: int
    """How many levels are those of the `for` itself."""
    standing: Standing

    def frames(self, budget: WorkBudget, start: Frame | None = None) -> Iterator[Frame]:
        self.standing.names = tuple(self._columns())
        width = len(self.standing.names)
        for frame in super().frames(budget, start):
            columns = self.columns(frame)[:width]
            table = np.stack(columns, axis=1) if columns else np.zeros((frame.size, 0), np.int64)
            new = np.flatnonzero((table[1:] != table[:-1]).any(axis=1)) + 1
            begins = [0, *new.tolist(), frame.size]
            for begin, end in pairwise(begins):
                self.standing.row = tuple(table[begin].tolist())
                yield frame.part(slice(begin, end))

    def _columns(self) -> Iterator[str]:
        for level in self.levels[: self.own]:
            for name, width in zip(level.names, level.widths, strict=True):
                yield from [name] if width is None else (f"{name}_{k}" for k in range(width))
