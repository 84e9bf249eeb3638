"""`for` and `if` to frames of rows: joins of sets in bounded chunks, filtered early."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints, starts_of, within
from boardsat.generators.build_limits import BOUND_COLUMNS, BOUND_NAMES, CHUNK, check_rows
from boardsat.generators.language import nodes
from boardsat.generators.language.compiled_expressions import CompiledExpression
from boardsat.generators.language.domains import Level, compile_level
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.nodes import Binding, ExpressionText, Node
from boardsat.generators.language.scope import NOTHING, Bound, Scope
from boardsat.generators.language.values import Frame, as_tuples

_OUTER = "#row"
"""Hidden column with the index of the outer row that each inner row belongs to."""


@dataclass(frozen=True)
class Grounding:
    """A compiled `for` with its `if`."""

    location: str
    levels: tuple[Level, ...]
    first: tuple[CompiledExpression, ...]
    """Conditions in which nothing from this `for` occurs."""

    @property
    def bound(self) -> Bound:
        """Names of the rows, in the order of the `for`, with the width of each."""
        return {
            name: width
            for level in self.levels
            for name, width in zip(level.names, level.widths, strict=True)
        }

    @property
    def width(self) -> int:
        """How many numbers the names of a row stand for."""
        return sum(level.columns for level in self.levels)

    def columns(self, frame: Frame) -> list[Ints]:
        """All that the names stand for: a tuple gives a column for each of its numbers."""
        return [
            column
            for name, width in self.bound.items()
            for column in ([frame.columns[name]] if width is None else frame.columns[name].T)
        ]

    def frame(self, size: int, columns: Sequence[Ints]) -> Frame:
        """The rows of which these are the columns."""
        bound: dict[str, Ints] = {}
        ahead = iter(columns)
        for name, width in self.bound.items():
            parts = [*islice(ahead, 1 if width is None else width)]
            bound[name] = parts[0] if width is None else as_tuples(size, parts)
        return Frame(size, bound)

    def inner_rows(self, frame: Frame) -> Iterator[tuple[Frame, Ints]]:
        """Yield frames of the rows inside each row of a frame, with the index of that outer row."""
        for inner in self.frames(frame.bind([_OUTER], [np.arange(frame.size)])):
            yield inner, inner.columns[_OUTER]

    def frames(self, start: Frame | None = None) -> Iterator[Frame]:
        """All rows in order, in chunks; `start` gives the rows of names bound further out."""
        outer = start or Frame(1)
        checkpoint()
        frame = _filter(outer, self.first)
        if frame.size:
            check_rows(frame.size * self._certain_rows())
            yield from self._expand(frame, 0)

    def _certain_rows(self) -> int:
        """Return the rows that every outer row leads to at least.

        They are known up to the first set that a condition makes smaller, or that depends on a row.
        """
        total, rows = 0, 1
        for level in self.levels:
            if not level.source.exact or level.source.max_size is None:
                break
            rows *= level.source.max_size
            total += rows
            if level.filters:
                break
        return total

    @property
    def length(self) -> int | None:
        """Number of rows for every outer row; None if it may differ from row to row."""
        if self.first or any(level.filters or not level.source.exact for level in self.levels):
            return None
        return math.prod(level.source.max_size or 0 for level in self.levels)

    def one_by_one(self, frame: Frame, depth: int = 0) -> Iterator[Frame]:
        """For every row that an outer row leads to, all outer rows with that one beside them.

        They must lead to equally many. No column of theirs is copied, which is worth it where there
        are more of them than of the others.
        """
        if depth == len(self.levels):
            yield frame
            return
        level, every = self.levels[depth], np.arange(frame.size)
        checkpoint()
        _, fetch = level.source.prepare(frame)
        for position in range(level.source.max_size or 0):
            checkpoint()
            columns = fetch(every, np.full(frame.size, position))
            yield from self.one_by_one(frame.bind(level.names, columns), depth + 1)

    def _expand(self, frame: Frame, depth: int) -> Iterator[Frame]:
        if depth == len(self.levels):
            yield frame
            return
        level = self.levels[depth]
        checkpoint()
        counts, fetch = level.source.prepare(frame)
        check_rows(int(counts.sum()))
        for rows, positions in _pieces(counts):
            checkpoint()
            bound = frame.take(rows).bind(level.names, fetch(rows, positions))
            kept = _filter(bound, level.filters)
            if kept.size:
                yield from self._expand(kept, depth + 1)

    def estimate(self, frame: Frame) -> Ints:
        """About how many rows each row of an outer frame leads to: for choosing chunks."""
        # Where the `if` rules an outer row out, its sets may not even be defined.
        kept = _filter(frame.bind(["#kept"], [np.arange(frame.size)]), self.first)
        weight = np.ones(kept.size, np.int64)
        for level in self.levels:
            if level.source.needs <= kept.columns.keys():
                weight *= np.clip(level.source.prepare(kept)[0], 1, CHUNK)
            else:
                weight *= min(level.source.max_size or 64, CHUNK)
            weight = np.minimum(weight, CHUNK)
        weights = np.ones(frame.size, np.int64)
        weights[kept.columns["#kept"]] = weight
        return weights


ONE_ROW = Grounding("", (), ())
"""Grounding without names: one row inside each outer row."""


def _pieces(counts: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Rows repeated by their counts, with positions 0..count-1, at most CHUNK at a time."""
    for piece in pieces_by_weight(counts):
        rows, sizes = np.arange(piece.start, piece.stop), counts[piece]
        if len(rows) == 1:
            for low in range(0, int(sizes[0]), CHUNK):
                positions = np.arange(low, min(low + CHUNK, int(sizes[0])))
                yield np.full(len(positions), piece.start), positions
        elif sizes.any():
            yield np.repeat(rows, sizes), within(sizes)


def _filter(frame: Frame, conditions: tuple[CompiledExpression, ...]) -> Frame:
    for condition in conditions:
        keep = condition.run(frame)
        if keep is False:
            return frame.take(np.zeros(0, np.int64))
        if isinstance(keep, np.ndarray) and not keep.all():
            frame = frame.take(keep)
        if not frame.size:
            break
    return frame


def pieces_by_weight(weights: Ints, most: int = CHUNK) -> Iterator[slice]:
    """Slices of rows whose weights add up to no more, unless a single one has more."""
    starts = starts_of(weights)
    row = 0
    while row < len(weights):
        stop = int(np.searchsorted(starts, starts[row] + most, side="right")) - 1
        stop = max(stop, row + 1)
        yield slice(row, stop)
        row = stop


# Compiling.


def compile_grounding(
    scope: Scope,
    bindings: tuple[Binding, ...],
    source: ExpressionText,
    condition: Node | None = None,
    condition_source: ExpressionText | None = None,
    outer: Bound = NOTHING,
) -> Grounding:
    """Resolve the names of a `for` and its `if`; `outer` names are bound further out."""
    bound = dict(outer)
    levels: list[Level] = []
    for binding in bindings:
        compiler = Compiler(scope, source, dict(bound))
        level = compile_level(compiler, binding)
        levels.append(level)
        for name, width in zip(level.names, level.widths, strict=True):
            if name in bound or scope.is_known(name):
                raise source.error(f"{name!r} is already a name", "choose another", binding.at)
            bound[name] = width
        columns = sum(1 if width is None else width for width in bound.values())
        if columns > BOUND_COLUMNS:
            fault = f"a `for` that binds {pluralize(columns, 'number')}"
            raise source.error(fault, f"the limit is {BOUND_COLUMNS}", binding.at)
        if len(bound) > BOUND_NAMES:
            fault = f"more than {BOUND_NAMES} names in one `for`"
            raise source.error(fault, "name a set of tuples under `define:`", binding.at)
    first, filters = _place_filters(
        Compiler(scope, condition_source or source, bound), condition, levels
    )
    placed = [
        level._replace(filters=tuple(conditions))
        for level, conditions in zip(levels, filters, strict=True)
    ]
    return Grounding(source.location, tuple(placed), tuple(first))


def _place_filters(
    compiler: Compiler, condition: Node | None, levels: list[Level]
) -> tuple[list[CompiledExpression], list[list[CompiledExpression]]]:
    """Each conjunct where its names are bound; one that can fail waits for those before it."""
    first: list[CompiledExpression] = []
    filters: list[list[CompiledExpression]] = [[] for _ in levels]
    depth_of = {name: depth for depth, level in enumerate(levels) for name in level.names}
    latest = -1
    for conjunct in _conjuncts(condition):
        data = compiler.condition(conjunct)
        depth = max((depth_of.get(name, -1) for name in data.names), default=-1)
        if data.fallible:
            depth = max(depth, latest)
        latest = max(latest, depth)
        (first if depth < 0 else filters[depth]).append(data)
    return first, filters


def _conjuncts(condition: Node | None) -> Iterator[Node]:
    if isinstance(condition, nodes.Binary) and condition.operator == "and":
        yield from _conjuncts(condition.left)
        yield from _conjuncts(condition.right)
    elif condition is not None:
        yield condition
