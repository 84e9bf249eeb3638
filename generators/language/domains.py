"""Domains of `for` variables: ranges, sets, keyed sets, tuples, and choices from one of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.text import pluralize
from boardsat.generators.arrays import Ints
from boardsat.generators.build_limits import BOUND_COLUMNS, CHUNK
from boardsat.generators.language import nodes
from boardsat.generators.language.combinations import (
    CHOICES,
    Choices,
    mixed_digits,
    products,
)
from boardsat.generators.language.compiled_expressions import INTEGER, CompiledExpression, constant
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.nodes import Binding, Node
from boardsat.generators.language.scope import Width
from boardsat.generators.language.values import (
    Frame,
    KeyedSet,
    TupleSet,
    Value,
    as_tuples,
    full,
    kind_of,
    use_of,
)

Fetch = Callable[[Ints, Ints], tuple[Ints, ...]]
"""From rows of a frame and positions in their sets, the parts of the items there."""

Prepare = Callable[[Frame], tuple[Ints, Fetch]]
"""For every row of a frame how many items there are, and how to get at them."""


class Domain(NamedTuple):
    """A set after `in`: how large it is for every row, and how to get at the items."""

    parts: tuple[Width, ...]
    """What an item is made of."""
    needs: frozenset[str]
    prepare: Prepare
    max_size: int | None
    """The largest it can be, where that is known beforehand."""
    exact: bool
    """Whether it is as large as that for every row."""
    whole: bool = False
    """Whether one name always stands for a tuple, even for one of a single number."""


class Level(NamedTuple):
    """One binding: its names, and the set from which they take their values."""

    names: tuple[str, ...]
    widths: tuple[Width, ...]
    source: Domain
    filters: tuple[CompiledExpression, ...] = ()

    @property
    def columns(self) -> int:
        return sum(1 if width is None else width for width in self.widths)


def compile_level(compiler: Compiler, binding: Binding) -> Level:
    source = _source(compiler, binding.source)
    names = binding.names
    if len(names) == 1 and (len(source.parts) != 1 or source.whole):
        source = _packed(compiler, source, binding)
    if len(names) != len(source.parts):
        raise compiler.error(
            f"{pluralize(len(names), 'name')} for items of {len(source.parts)}",
            "write `(i, j) in ...` for pairs, `i in ...` for numbers",
            binding,
        )
    return Level(names, source.parts, source)


def _packed(compiler: Compiler, source: Domain, node: Node) -> Domain:
    """The same set, where each item is one tuple."""
    if any(width is not None for width in source.parts):
        fault = f"one name for {len(source.parts)} tuples"
        raise compiler.error(fault, "write `(e, f) in ...`, a name for each", node)

    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        counts, fetch = source.prepare(frame)

        def fetch_tuples(rows: Ints, positions: Ints) -> tuple[Ints, ...]:
            return (as_tuples(len(rows), fetch(rows, positions)),)

        return counts, fetch_tuples

    return source._replace(parts=(len(source.parts),), prepare=prepare, whole=False)


def _source(compiler: Compiler, node: Node) -> Domain:
    match node:
        case nodes.Call(function="range"):
            return _range(compiler, node)
        case nodes.Call(function=name) if name in CHOICES or name == "pairs":
            return _choices(compiler, node)
        case nodes.Call(function="one_of_each"):
            return _one_of_each(compiler, node)
        case nodes.Call(function="distinct"):
            return _distinct(compiler, node)
        case nodes.Name(name=name) if compiler.bound.get(name) is not None:
            return _members(name, compiler.bound[name] or 0)
        case nodes.Name(name=name) if name not in compiler.bound:
            members = compiler.look_up(name, node)
            if not isinstance(members, TupleSet):
                raise _not_a_set(compiler, name, members, node)
            return _set(members)
        case nodes.Index(name=name) if name not in compiler.bound:
            keyed = compiler.look_up(name, node)
            if not isinstance(keyed, KeyedSet):
                raise _not_a_set(compiler, name, keyed, node)
            return _keyed(compiler, node, keyed)
    raise compiler.error(
        "a set is needed after `in`",
        "write `range(n)`, a set, or a keyed set like `neighbours[i]`",
        node,
    )


def _not_a_set(compiler: Compiler, name: str, value: Value, node: Node) -> InputError:
    fault = f"{name!r} is {kind_of(value)}, which cannot stand after `in` like this,"
    is_number = isinstance(value, int) and not isinstance(value, bool)
    remedy = f"write `range({name})`" if is_number else use_of(name, value)
    return compiler.error(fault, remedy, node)


def _range(compiler: Compiler, call: nodes.Call) -> Domain:
    if not 1 <= len(call.arguments) <= 3:
        raise compiler.error("`range` takes one to three numbers", "write `range(n)`", call)
    arguments = [compiler.number(argument) for argument in call.arguments]
    low = arguments[0] if len(arguments) > 1 else constant(INTEGER, 0)
    high = arguments[min(1, len(arguments) - 1)]
    step = arguments[2] if len(arguments) > 2 else constant(INTEGER, 1)
    needs = frozenset[str]().union(*(argument.names for argument in arguments))

    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        begin, end, stride = (full(part.run(frame), frame.size) for part in (low, high, step))
        if (stride < 1).any():
            raise compiler.error("`range` needs a step of 1 or more", "change it", call)
        counts = np.maximum(0, (end - begin + stride - 1) // stride)
        return counts, lambda rows, positions: (begin[rows] + positions * stride[rows],)

    most = None if needs else int(prepare(Frame(1))[0][0])
    return Domain((None,), needs, prepare, most, not needs)


def _set(members: TupleSet) -> Domain:
    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        counts = np.full(frame.size, members.size, np.int64)
        return counts, lambda rows, positions: tuple(c[positions] for c in members.columns)

    parts = (None,) * len(members.columns)
    return Domain(parts, frozenset(), prepare, members.size, True)


def _keyed(compiler: Compiler, node: nodes.Index, keyed: KeyedSet) -> Domain:
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
    parts = (None,) * len(keyed.columns)
    return Domain(parts, key.names, prepare, most, False)


def _members(name: str, size: int) -> Domain:
    """The numbers of a tuple that is bound further left."""

    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        counts = np.full(frame.size, size, np.int64)
        return counts, lambda rows, positions: (frame.columns[name][rows, positions],)

    return Domain((None,), frozenset({name}), prepare, size, True)


def _distinct(compiler: Compiler, call: nodes.Call) -> Domain:
    """`distinct(S)`: the same, each number once, where it is first."""
    match call.arguments:
        case (nodes.Name(name=name),) if (width := compiler.bound.get(name)) is not None:
            size = width
        case _:
            fault, remedy = "`distinct` takes a tuple that is bound", "write `i in distinct(S)`"
            raise compiler.error(fault, remedy, call)

    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        numbers = frame.columns[name]
        again = np.zeros(numbers.shape, np.bool_)
        for place in range(1, size):
            again[:, place] = (numbers[:, :place] == numbers[:, place, None]).any(axis=1)
        places = np.argsort(again, axis=1, kind="stable")
        counts = size - again.sum(axis=1)
        return counts, lambda rows, positions: (numbers[rows, places[rows, positions]],)

    return Domain((None,), frozenset({name}), prepare, size, False)


def _choices(compiler: Compiler, call: nodes.Call) -> Domain:
    """`subsets(set, k)`, `permutations(set, k)`, `tuples(set, k)`, and `pairs(set)`."""
    name = "subsets" if call.function == "pairs" else call.function
    wanted = {"pairs": (1,), "permutations": (1, 2)}.get(call.function, (2,))
    if len(call.arguments) not in wanted:
        size = "" if call.function == "pairs" else ", k"
        fault = f"`{call.function}` has {pluralize(len(call.arguments), 'argument')}"
        raise compiler.error(fault, f"write `{call.function}(range(n){size})`", call)
    inner = _source(compiler, call.arguments[0])
    if len(inner.parts) != 1:
        inner = _packed(compiler, inner, call)
    k = _size(compiler, call, inner)
    choice = CHOICES[name]

    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        sizes, fetch_one = inner.prepare(frame)

        def fetch(rows: Ints, positions: Ints) -> tuple[Ints, ...]:
            places = at(sizes[rows], positions)
            return tuple(fetch_one(rows, place)[0] for place in places)

        if most is not None and inner.exact:
            return np.full(frame.size, most, np.int64), fetch
        return choice.count(sizes, k), fetch

    at: Callable[..., list[Ints]] = partial(choice.at, k)
    most = inner.max_size
    if most is not None:
        largest = np.array([most])
        most = int(choice.count(largest, k)[0])
        at = _of_one_size(choice, largest, k, most) if inner.exact else at
    parts = inner.parts * k
    return Domain(parts, inner.needs, prepare, most, inner.exact, whole=True)


def _one_of_each(compiler: Compiler, call: nodes.Call) -> Domain:
    """`one_of_each(near, S)`: for every number s of a tuple an item of `near[s]`."""
    match call.arguments:
        case (nodes.Name(name=near), nodes.Name(name=name)) if near not in compiler.bound:
            keyed, width = compiler.look_up(near, call), compiler.bound.get(name)
            if (
                width is not None
                and isinstance(keyed, KeyedSet)
                and len(keyed.shape) == len(keyed.columns) == 1
            ):
                return _of_each(compiler, call, keyed, name, width)
    raise compiler.error(
        "`one_of_each` takes a keyed set of numbers and a tuple that is bound",
        "write `S in subsets(...), T in one_of_each(neighbours, S)`",
        call,
    )


def _of_each(
    compiler: Compiler, call: nodes.Call, keyed: KeyedSet, name: str, width: int
) -> Domain:
    lengths, (items,) = np.diff(keyed.starts), keyed.columns

    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        keys = frame.columns[name]
        if keys.size and not 0 <= keys.min() <= keys.max() < len(lengths):
            fault = f"a number in {name!r} is no index of the keyed set"
            raise compiler.error(fault, f"its indices are 0..{len(lengths) - 1}", call)
        sizes, begins = lengths[keys], keyed.starts[keys]

        def fetch(rows: Ints, positions: Ints) -> tuple[Ints, ...]:
            places = begins[rows] + mixed_digits(sizes[rows], positions)
            return tuple(items[places].T)

        return products(sizes), fetch

    return Domain((None,) * width, frozenset({name}), prepare, None, False, whole=True)


def _of_one_size(choice: Choices, size: Ints, k: int, most: int) -> Callable[..., list[Ints]]:
    """Where all sets are equally large: few choices are listed once, of many each is worked out."""
    if most > CHUNK:
        return lambda sizes, positions: choice.at(k, size, positions)
    listed = choice.at(k, size, np.arange(most))
    return lambda sizes, positions: [places[positions] for places in listed]


def _size(compiler: Compiler, call: nodes.Call, inner: Domain) -> int:
    """How many are chosen: the same for all rows, as each is a column."""
    if call.function == "pairs":
        return 2
    if len(call.arguments) > 1:
        number = compiler.number(call.arguments[1])
        if number.names:
            fault = f"the size of `{call.function}` differs from row to row"
            raise compiler.error(fault, "use parameters and definitions alone", call)
        k = int(number.run(Frame(1)))
    elif inner.exact and inner.max_size is not None:
        k = inner.max_size
    else:
        fault = "`permutations` of a set whose size differs from row to row"
        raise compiler.error(fault, "give a size, `permutations(set, k)`", call)
    if not 0 <= k <= BOUND_COLUMNS:
        fault = f"`{call.function}` of {k} at a time"
        raise compiler.error(fault, f"the range is 0..{BOUND_COLUMNS}", call)
    return k
