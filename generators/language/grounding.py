"""`for` and `if` to frames of rows: joins of sets in bounded chunks, filtered early."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints, starts_of, within
from boardsat.generators.build_limits import BOUND_COLUMNS, BOUND_NAMES, CHUNK, check_rows
from boardsat.generators.language import nodes
from boardsat.generators.language.domains import Level, compile_level
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.nodes import Binding, ExpressionText, Node
from boardsat.generators.language.scope import NOTHING, Bound, Data, Scope, Width
from boardsat.generators.language.values import Frame, as_tuples


@dataclass(frozen=True)
class Grounding:
    """A compiled `for` with its `if`."""

    place: str
    levels: tuple[Level, ...]
    first: tuple[Data, ...]
    """Conditions in which nothing from this `for` occurs."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for level in self.levels for name in level.names)

    @property
    def bound(self) -> Bound:
        """The same with what each stands for."""
        return dict(self._widths())

    def _widths(self) -> Iterator[tuple[str, Width]]:
        for level in self.levels:
            yield from zip(level.names, level.widths, strict=True)

    @property
    def width(self) -> int:
        """How many numbers the names of a row stand for."""
        return sum(level.columns for level in self.levels)

    def columns(self, frame: Frame) -> list[Ints]:
        """All that the names stand for: a tuple gives a column for each of its numbers."""
        return [
            column
            for name, width in self._widths()
            for column in ([frame.columns[name]] if width is None else frame.columns[name].T)
        ]

    def frame(self, size: int, columns: Sequence[Ints]) -> Frame:
        """The rows of which these are the columns."""
        bound: dict[str, Ints] = {}
        ahead = iter(columns)
        for name, width in self._widths():
            parts = [*islice(ahead, 1 if width is None else width)]
            bound[name] = parts[0] if width is None else as_tuples(size, parts)
        return Frame(size, bound)

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
    def size(self) -> int:
        """How many rows there are at least; as many as there are, unless conditions decide."""
        if self.first or any(level.filters or not level.source.exact for level in self.levels):
            return 0
        return math.prod(level.source.max_size or 0 for level in self.levels)

    @property
    def length(self) -> int | None:
        """How many rows every outer row leads to, where that is the same for all."""
        if self.first or any(level.filters or not level.source.exact for level in self.levels):
            return None
        return self.size

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


def _pieces(counts: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Rows repeated by their counts, with positions 0..count-1, at most CHUNK at a time."""
    starts = starts_of(counts)
    row = 0
    while row < len(counts):
        stop = int(np.searchsorted(starts, starts[row] + CHUNK, side="right")) - 1
        if stop > row:
            part = counts[row:stop]
            if starts[stop] > starts[row]:
                yield np.repeat(np.arange(row, stop), part), within(part)
            row = stop
            continue
        for low in range(0, int(counts[row]), CHUNK):
            positions = np.arange(low, min(low + CHUNK, int(counts[row])))
            yield np.full(len(positions), row), positions
        row += 1


def _filter(frame: Frame, conditions: tuple[Data, ...]) -> Frame:
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
    return Grounding(source.place, tuple(placed), tuple(first))


def _place_filters(
    compiler: Compiler, condition: Node | None, levels: list[Level]
) -> tuple[list[Data], list[list[Data]]]:
    """Each conjunct where its names are bound; one that can fail waits for those before it."""
    first: list[Data] = []
    filters: list[list[Data]] = [[] for _ in levels]
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
