"""Grounding: rows of a `for` with its `if`, joined in bounded chunks and filtered early."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from boardsat.base.dataclass import dataclass
from boardsat.base.limits import checkpoint
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
    """Compiled `for` with its `if`."""

    location: str
    levels: tuple[Level, ...]
    outer_filters: tuple[CompiledExpression, ...]
    """Conditions in which no name of this `for` occurs."""

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
        """Number of columns of a row; a name that is bound to tuples has one for each component."""
        return sum(level.columns for level in self.levels)

    def columns(self, frame: Frame) -> list[Ints]:
        """Return the columns of all names; a name that is bound to tuples has one per component."""
        return [
            column
            for name, width in self.bound.items()
            for column in ([frame.columns[name]] if width is None else frame.columns[name].T)
        ]

    def frame(self, size: int, columns: Sequence[Ints]) -> Frame:
        """Return the frame with these columns, which are in the order of the method `columns`."""
        bound: dict[str, Ints] = {}
        remaining = iter(columns)
        for name, width in self.bound.items():
            items = [*islice(remaining, 1 if width is None else width)]
            bound[name] = items[0] if width is None else as_tuples(size, items)
        return Frame(size, bound)

    def inner_rows(self, frame: Frame) -> Iterator[tuple[Frame, Ints]]:
        """Yield frames of inner rows, with the index of the outer row of each.

        Outer rows are those of `frame`. An inner row extends one by the names of this `for`.
        """
        for inner in self.frames(frame.bind([_OUTER], [np.arange(frame.size)])):
            yield inner, inner.columns[_OUTER]

    def frames(self, start: Frame | None = None) -> Iterator[Frame]:
        """Yield all rows in order, in chunks; `start` has the rows of names bound further out."""
        checkpoint()
        frame = _filter(start or Frame(1), self.outer_filters)
        if frame.size:
            check_rows(frame.size * self._min_rows())
            yield from self._expand(frame, 0)

    def _min_rows(self) -> int:
        """Return a lower bound of the number of inner rows, and intermediate ones, of an outer row.

        Levels are counted up to the first that has a condition, and before the first whose set
        varies in size.
        """
        total, rows = 0, 1
        for level in self.levels:
            if not level.source.is_constant_size or level.source.max_size is None:
                break
            rows *= level.source.max_size
            total += rows
            if level.filters:
                break
        return total

    @property
    def length(self) -> int | None:
        """Number of inner rows of every outer row; None if outer rows may differ in it."""
        if self.outer_filters or any(
            level.filters or not level.source.is_constant_size for level in self.levels
        ):
            return None
        return math.prod(level.source.max_size or 0 for level in self.levels)

    def one_by_one(self, frame: Frame, depth: int = 0) -> Iterator[Frame]:
        """Yield the first inner row of every outer row as a frame, then the second, and so on.

        Every outer row must have the same number of inner rows (`length`). Outer columns are not
        copied, which is faster than `inner_rows` if there are far more outer than inner rows.
        """
        if depth == len(self.levels):
            yield frame
            return
        level, rows = self.levels[depth], np.arange(frame.size)
        checkpoint()
        _, fetch = level.source.prepare(frame)
        for position in range(level.source.max_size or 0):
            checkpoint()
            columns = fetch(rows, np.full(frame.size, position))
            yield from self.one_by_one(frame.bind(level.names, columns), depth + 1)

    def _expand(self, frame: Frame, depth: int) -> Iterator[Frame]:
        """Yield the rows of a frame extended by all levels from `depth` on."""
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
            filtered = _filter(bound, level.filters)
            if filtered.size:
                yield from self._expand(filtered, depth + 1)

    def estimate(self, frame: Frame) -> Ints:
        """Return an estimate of the number of rows inside each outer row, to choose chunks."""
        # The sets of an outer row that the `if` excludes may be undefined.
        outer = _filter(frame.bind([_OUTER], [np.arange(frame.size)]), self.outer_filters)
        weight = np.ones(outer.size, np.int64)
        for level in self.levels:
            if level.source.names <= outer.columns.keys():
                weight *= np.clip(level.source.prepare(outer)[0], 1, CHUNK)
            else:
                weight *= min(level.source.max_size or 64, CHUNK)
            weight = np.minimum(weight, CHUNK)
        weights = np.ones(frame.size, np.int64)
        weights[outer.columns[_OUTER]] = weight
        return weights


ONE_ROW = Grounding("", (), ())
"""Grounding without names: one row inside each outer row."""


def _pieces(counts: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield pairs of a row index and a position, as two arrays of at most CHUNK entries.

    Row i occurs `counts[i]` times, with the positions from 0 to `counts[i] - 1`.
    """
    for piece in pieces_by_weight(counts):
        rows, sizes = np.arange(piece.start, piece.stop), counts[piece]
        if len(rows) == 1:
            for low in range(0, int(sizes[0]), CHUNK):
                positions = np.arange(low, min(low + CHUNK, int(sizes[0])))
                yield np.full(len(positions), piece.start), positions
        elif sizes.any():
            yield np.repeat(rows, sizes), within(sizes)


def _filter(frame: Frame, conditions: tuple[CompiledExpression, ...]) -> Frame:
    """Return the rows in which all conditions are true."""
    for condition in conditions:
        keep = condition.run(frame)
        if keep is False:
            return frame.take(np.zeros(0, np.int64))
        if isinstance(keep, np.ndarray) and not keep.all():
            frame = frame.take(keep)
        if not frame.size:
            break
    return frame


def pieces_by_weight(weights: Ints, max_weight: int = CHUNK) -> Iterator[slice]:
    """Yield slices of rows whose total weight is at most `max_weight`.

    A row of larger weight has a slice of its own.
    """
    starts = starts_of(weights)
    row = 0
    while row < len(weights):
        stop = int(np.searchsorted(starts, starts[row] + max_weight, side="right")) - 1
        stop = max(stop, row + 1)
        yield slice(row, stop)
        row = stop


def compile_grounding(
    scope: Scope,
    bindings: tuple[Binding, ...],
    source: ExpressionText,
    condition: Node | None = None,
    condition_source: ExpressionText | None = None,
    outer: Bound = NOTHING,
) -> Grounding:
    """Compile a `for` and its `if`.

    Parameters
    ----------
    scope : Scope
        Names that are defined.
    bindings : tuple of Binding
        Bindings of the `for`.
    source : ExpressionText
        Text of the `for`, for errors.
    condition : Node, optional
        The `if`.
    condition_source : ExpressionText, optional
        Text of the `if`, for errors. Default: `source`.
    outer : mapping, optional
        Names that are bound further out, with their widths.

    Raises
    ------
    InputError
        If a name is unknown or already defined, or the `for` binds too many numbers.
    """
    bound = dict(outer)
    levels: list[Level] = []
    for binding in bindings:
        compiler = Compiler(scope, source, dict(bound))
        level = compile_level(compiler, binding)
        levels.append(level)
        for name, width in zip(level.names, level.widths, strict=True):
            if name in bound or scope.is_known(name):
                fault = f"the name {name!r} is already defined"
                raise source.error(fault, "use another name", binding.at)
            bound[name] = width
        columns = sum(1 if width is None else width for width in bound.values())
        if columns > BOUND_COLUMNS:
            fault = f"a `for` must bind at most {BOUND_COLUMNS} numbers (got {columns})"
            raise source.error(fault, "use smaller tuples", binding.at)
        if len(bound) > BOUND_NAMES:
            fault = f"a `for` must bind at most {BOUND_NAMES} names (got {len(bound)})"
            raise source.error(fault, "name a set of tuples under `define:`", binding.at)
    outer_filters, filters = _place_filters(
        Compiler(scope, condition_source or source, bound), condition, levels
    )
    filtered_levels = tuple(
        level._replace(filters=tuple(conditions))
        for level, conditions in zip(levels, filters, strict=True)
    )
    return Grounding(source.location, filtered_levels, tuple(outer_filters))


def _place_filters(
    compiler: Compiler, condition: Node | None, levels: list[Level]
) -> tuple[list[CompiledExpression], list[list[CompiledExpression]]]:
    """Return the conjuncts without names of the `for`, and those of each level.

    A conjunct is evaluated as soon as its names are bound, but a fallible one not before those to
    its left.
    """
    outer_filters: list[CompiledExpression] = []
    filters: list[list[CompiledExpression]] = [[] for _ in levels]
    depth_of = {name: depth for depth, level in enumerate(levels) for name in level.names}
    latest = -1
    for conjunct in _conjuncts(condition):
        compiled = compiler.condition(conjunct)
        depth = max((depth_of.get(name, -1) for name in compiled.names), default=-1)
        if compiled.fallible:
            depth = max(depth, latest)
        latest = max(latest, depth)
        (outer_filters if depth < 0 else filters[depth]).append(compiled)
    return outer_filters, filters


def _conjuncts(condition: Node | None) -> Iterator[Node]:
    """Yield the operands of a conjunction from left to right."""
    if isinstance(condition, nodes.Binary) and condition.operator == "and":
        yield from _conjuncts(condition.left)
        yield from _conjuncts(condition.right)
    elif condition is not None:
        yield condition
