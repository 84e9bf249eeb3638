"""`for` and `if` to frames of rows: joins of sets in bounded chunks, filtered early."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from boardsat.generators.arrays import Ints
from boardsat.generators.errors import InputError
from boardsat.generators.language import nodes
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.functions import INTEGER
from boardsat.generators.language.nodes import Binding, ExpressionText, Node
from boardsat.generators.language.scope import Data, Scope, constant_data
from boardsat.generators.language.values import (
    Frame,
    KeyedSet,
    TupleSet,
    Value,
    full,
    kind_of,
    use_of,
)
from boardsat.generators.limits import BOUND_NAMES, CALL, CHUNK, WorkBudget
from boardsat.generators.ragged import starts_of, within

Fetch = Callable[[Ints, Ints], tuple[Ints, ...]]
"""From rows of a frame and positions in their sets, the components of the items there."""


@dataclass(frozen=True)
class Level:
    """One binding: how large its set is for every row, and how to get at the items."""

    names: tuple[str, ...]
    needs: frozenset[str]
    prepare: Callable[[Frame], tuple[Ints, Fetch]]
    most: int | None
    """The largest its set can be, where that is known beforehand."""
    exact: bool
    """Whether its set is as large as that for every row."""
    cost: int
    """The operations that finding the size of its set takes, for every row."""
    filters: tuple[Data, ...] = ()

    def weight(self, columns: int) -> int:
        """The operations for every row that it gives, of so many columns: they are copied, and
        again where a condition leaves only some rows."""
        filtering = sum(condition.cost + 2 * columns for condition in self.filters)
        return 6 + 2 * columns + filtering


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

    def frames(self, budget: WorkBudget, start: Frame | None = None) -> Iterator[Frame]:
        """All rows in order, in chunks; `start` gives the rows of names bound further out."""
        outer = start or Frame(1)
        budget.spend((outer.size + CALL) * sum(condition.cost for condition in self.first))
        frame = _filter(outer, self.first)
        if frame.size:
            budget.foresee(frame.size * self._certain_work(len(frame.columns)))
            yield from self._expand(frame, 0, budget)

    def _certain_work(self, columns: int) -> int:
        """What every outer row takes at least: up to the first set that a condition makes smaller,
        or that depends on the row."""
        work, rows = 0, 1
        for level in self.levels:
            if not level.exact or level.most is None:
                break
            rows *= level.most
            columns += len(level.names)
            work += rows * level.weight(columns)
            if level.filters:
                break
        return work

    @property
    def size(self) -> int:
        """How many rows there are at least; as many as there are, unless conditions decide."""
        if self.first or any(level.filters or not level.exact for level in self.levels):
            return 0
        return math.prod(level.most or 0 for level in self.levels)

    def _expand(self, frame: Frame, depth: int, budget: WorkBudget) -> Iterator[Frame]:
        if depth == len(self.levels):
            yield frame
            return
        level = self.levels[depth]
        budget.spend((frame.size + CALL) * level.cost)
        counts, fetch = level.prepare(frame)
        weight = level.weight(len(frame.columns) + len(level.names))
        for rows, positions in _pieces(counts):
            budget.spend((len(rows) + CALL) * weight)
            bound = frame.take(rows).bind(level.names, fetch(rows, positions))
            kept = _filter(bound, level.filters)
            if kept.size:
                yield from self._expand(kept, depth + 1, budget)

    def estimate(self, frame: Frame) -> Ints:
        """About how many rows each row of an outer frame leads to: for choosing chunks."""
        # Where the `if` rules an outer row out, its sets may not even be defined.
        kept = _filter(frame.bind(["#kept"], [np.arange(frame.size)]), self.first)
        weight = np.ones(kept.size, np.int64)
        for level in self.levels:
            if level.needs <= kept.columns.keys():
                weight *= np.maximum(level.prepare(kept)[0], 1)
            else:
                weight *= level.most or 64
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
    outer: frozenset[str] = frozenset(),
) -> Grounding:
    """Resolve the names of a `for` and its `if`; `outer` names are bound further out."""
    bound = outer
    levels: list[Level] = []
    for binding in bindings:
        compiler = Compiler(scope, source, bound)
        levels.append(_compile_level(compiler, binding))
        for name in binding.names:
            if name in bound or scope.is_known(name):
                raise source.error(f"{name!r} is already a name", "choose another", binding.at)
            bound |= {name}
        if len(bound) > BOUND_NAMES:
            fault = f"more than {BOUND_NAMES} names in one `for`"
            raise source.error(fault, "name a set of tuples under `define:`", binding.at)
    first, filters = _place_filters(
        Compiler(scope, condition_source or source, bound), condition, levels
    )
    placed = [
        replace(level, filters=tuple(conditions))
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


def _compile_level(compiler: Compiler, binding: Binding) -> Level:
    match binding.source:
        case nodes.Call(function="range") as call:
            level = _range_level(compiler, binding, call)
        case nodes.Name(name=name):
            members = compiler.look_up(name, binding.source)
            if not isinstance(members, TupleSet):
                raise _not_a_set(compiler, name, members, binding)
            level = _set_level(compiler, binding, members)
        case nodes.Index(name=name) as index:
            keyed = compiler.look_up(name, index)
            if not isinstance(keyed, KeyedSet):
                raise _not_a_set(compiler, name, keyed, binding)
            level = _keyed_level(compiler, binding, index, keyed)
        case _:
            raise compiler.error(
                "a set is needed after `in`",
                "write `range(n)`, a set, or a keyed set like `neighbours[i]`",
                binding.source,
            )
    return level


def _not_a_set(compiler: Compiler, name: str, value: Value, binding: Binding) -> InputError:
    fault = f"{name!r} is {kind_of(value)}, which cannot stand after `in` like this,"
    is_number = isinstance(value, int) and not isinstance(value, bool)
    remedy = f"write `range({name})`" if is_number else use_of(name, value)
    return compiler.error(fault, remedy, binding)


def _check_arity(compiler: Compiler, binding: Binding, arity: int) -> None:
    if len(binding.names) != arity:
        raise compiler.error(
            f"{len(binding.names)} names for items of {arity}",
            "write `(i, j) in ...` for pairs, `i in ...` for numbers",
            binding,
        )


def _range_level(compiler: Compiler, binding: Binding, call: nodes.Call) -> Level:
    if not 1 <= len(call.arguments) <= 3:
        raise compiler.error("`range` takes one to three numbers", "write `range(n)`", call)
    _check_arity(compiler, binding, 1)
    arguments = [compiler.number(argument) for argument in call.arguments]
    low = arguments[0] if len(arguments) > 1 else constant_data(INTEGER, 0)
    high = arguments[min(1, len(arguments) - 1)]
    step = arguments[2] if len(arguments) > 2 else constant_data(INTEGER, 1)
    needs = frozenset[str]().union(*(argument.names for argument in arguments))

    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        begin, end, stride = (full(part.run(frame), frame.size) for part in (low, high, step))
        if (stride < 1).any():
            raise compiler.error("`range` needs a step of 1 or more", "change it", call)
        counts = np.maximum(0, (end - begin + stride - 1) // stride)
        return counts, lambda rows, positions: (begin[rows] + positions * stride[rows],)

    most = None if needs else int(prepare(Frame(1))[0][0])
    cost = 16 + sum(argument.cost for argument in arguments)
    return Level(binding.names, needs, prepare, most, not needs, cost)


def _set_level(compiler: Compiler, binding: Binding, members: TupleSet) -> Level:
    _check_arity(compiler, binding, len(members.columns))

    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        counts = np.full(frame.size, members.size, np.int64)
        return counts, lambda rows, positions: tuple(c[positions] for c in members.columns)

    return Level(binding.names, frozenset(), prepare, members.size, True, 8)


def _keyed_level(compiler: Compiler, binding: Binding, node: nodes.Index, keyed: KeyedSet) -> Level:
    _check_arity(compiler, binding, len(keyed.columns))
    key = compiler.flat_key(node, keyed.shape)
    sizes = np.diff(keyed.starts)

    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        keys = full(key.run(frame), frame.size)
        begin = keyed.starts[keys]

        def fetch(rows: Ints, positions: Ints) -> tuple[Ints, ...]:
            places = begin[rows] + positions
            return tuple(column[places] for column in keyed.columns)

        return sizes[keys], fetch

    most = int(sizes.max(initial=0))
    return Level(binding.names, key.names, prepare, most, False, 16 + key.cost)
