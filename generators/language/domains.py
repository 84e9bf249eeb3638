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
"""Function from row indices, and a position in the set of each row, to columns of items."""

Prepare = Callable[[Frame], tuple[Ints, Fetch]]
"""Function from a frame to the number of items for each row, and the function that fetches them."""


class Domain(NamedTuple):
    """Compiled set after `in`: it is evaluated for every row, to a size and items."""

    widths: tuple[Width, ...]
    """Width of each component of an item; None for a number."""
    names: frozenset[str]
    """Bound names that the set depends on."""
    prepare: Prepare
    max_size: int | None
    """Upper bound of the size of the set; None if unknown before rows are evaluated."""
    is_constant_size: bool
    """True if the set has `max_size` items in every row."""
    always_tuple: bool = False
    """True if a single name is bound to a tuple even if an item has only one number."""


class Level(NamedTuple):
    """Compiled binding of a `for`: names, the set of their values, and conditions on them."""

    names: tuple[str, ...]
    widths: tuple[Width, ...]
    source: Domain
    filters: tuple[CompiledExpression, ...] = ()

    @property
    def columns(self) -> int:
        """Number of columns that the names take in a frame."""
        return sum(1 if width is None else width for width in self.widths)


def compile_level(compiler: Compiler, binding: Binding) -> Level:
    """Compile a binding, without conditions."""
    source = _source(compiler, binding.source)
    names = binding.names
    if len(names) == 1 and (len(source.widths) != 1 or source.always_tuple):
        source = _pack(compiler, source, binding)
    if len(names) != len(source.widths):
        size = pluralize(len(source.widths), "number")
        raise compiler.error(
            f"items of {size} need a name each (got {len(names)})",
            "write `(i, j) in ...` for pairs, `i in ...` for numbers",
            binding,
        )
    return Level(names, source.widths, source)


def _pack(compiler: Compiler, source: Domain, node: Node) -> Domain:
    """Return the domain with each item as one tuple."""
    if any(width is not None for width in source.widths):
        fault = f"items of {len(source.widths)} tuples need a name each (got 1)"
        raise compiler.error(fault, "write `(e, f) in ...`", node)

    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        counts, fetch = source.prepare(frame)

        def fetch_tuples(rows: Ints, positions: Ints) -> tuple[Ints, ...]:
            return (as_tuples(len(rows), fetch(rows, positions)),)

        return counts, fetch_tuples

    return source._replace(widths=(len(source.widths),), prepare=prepare, always_tuple=False)


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
            return _tuple_items(name, compiler.bound[name] or 0)
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
        "the expression after `in` must be a set",
        "write `range(n)`, a set, or a keyed set like `neighbours[i]`",
        node,
    )


def _not_a_set(compiler: Compiler, name: str, value: Value, node: Node) -> InputError:
    fault = f"{name!r} must be a set, not {kind_of(value)},"
    is_number = isinstance(value, int) and not isinstance(value, bool)
    remedy = f"write `range({name})`" if is_number else use_of(name, value)
    return compiler.error(fault, remedy, node)


def _range(compiler: Compiler, call: nodes.Call) -> Domain:
    if not 1 <= len(call.arguments) <= 3:
        fault = f"`range` must have one to three arguments (got {len(call.arguments)})"
        raise compiler.error(fault, "write `range(n)`", call)
    arguments = [compiler.number(argument) for argument in call.arguments]
    low = arguments[0] if len(arguments) > 1 else constant(INTEGER, 0)
    high = arguments[min(1, len(arguments) - 1)]
    step = arguments[2] if len(arguments) > 2 else constant(INTEGER, 1)
    names = frozenset[str]().union(*(argument.names for argument in arguments))

    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        begin, end, stride = (full(bound.run(frame), frame.size) for bound in (low, high, step))
        if (stride < 1).any():
            least = int(stride.min())
            fault = f"the step of `range` must be at least 1 (got {least})"
            raise compiler.error(fault, "write for example `range(0, n, 2)`", call)
        counts = np.maximum(0, (end - begin + stride - 1) // stride)
        return counts, lambda rows, positions: (begin[rows] + positions * stride[rows],)

    max_size = None if names else int(prepare(Frame(1))[0][0])
    return Domain((None,), names, prepare, max_size, not names)


def _set(members: TupleSet) -> Domain:
    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        counts = np.full(frame.size, members.size, np.int64)
        return counts, lambda rows, positions: tuple(c[positions] for c in members.columns)

    widths = (None,) * len(members.columns)
    return Domain(widths, frozenset(), prepare, members.size, True)


def _keyed(compiler: Compiler, node: nodes.Index, keyed: KeyedSet) -> Domain:
    key = compiler.flat_key(node, keyed.shape)
    sizes = np.diff(keyed.starts)

    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        keys = full(key.run(frame), frame.size)
        begin = keyed.starts[keys]

        def fetch(rows: Ints, positions: Ints) -> tuple[Ints, ...]:
            indices = begin[rows] + positions
            return tuple(column[indices] for column in keyed.columns)

        return sizes[keys], fetch

    widths = (None,) * len(keyed.columns)
    return Domain(widths, key.names, prepare, int(sizes.max(initial=0)), False)


def _tuple_items(name: str, size: int) -> Domain:
    """Return the domain of the numbers of a tuple that is bound further left."""

    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        counts = np.full(frame.size, size, np.int64)
        return counts, lambda rows, positions: (frame.columns[name][rows, positions],)

    return Domain((None,), frozenset({name}), prepare, size, True)


def _distinct(compiler: Compiler, call: nodes.Call) -> Domain:
    """Compile `distinct(S)`: the distinct numbers of a bound tuple, in order of occurrence."""
    match call.arguments:
        case (nodes.Name(name=name),) if (width := compiler.bound.get(name)) is not None:
            size = width
        case _:
            fault = "the argument of `distinct` must be a bound tuple"
            raise compiler.error(fault, "write `i in distinct(S)`", call)

    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        numbers = frame.columns[name]
        is_repeated = np.zeros(numbers.shape, np.bool_)
        for column in range(1, size):
            is_repeated[:, column] = (numbers[:, :column] == numbers[:, column, None]).any(axis=1)
        order = np.argsort(is_repeated, axis=1, kind="stable")
        counts = size - is_repeated.sum(axis=1)
        return counts, lambda rows, positions: (numbers[rows, order[rows, positions]],)

    return Domain((None,), frozenset({name}), prepare, size, False)


def _choices(compiler: Compiler, call: nodes.Call) -> Domain:
    """Compile `subsets(set, k)`, `permutations(set, k)`, `tuples(set, k)` or `pairs(set)`."""
    name = "subsets" if call.function == "pairs" else call.function
    arities = {"pairs": (1,), "permutations": (1, 2)}.get(call.function, (2,))
    if len(call.arguments) not in arities:
        size = "" if call.function == "pairs" else ", k"
        fault = f"`{call.function}` cannot have {pluralize(len(call.arguments), 'argument')}"
        raise compiler.error(fault, f"write `{call.function}(range(n){size})`", call)
    inner = _source(compiler, call.arguments[0])
    if len(inner.widths) != 1:
        inner = _pack(compiler, inner, call)
    k = _choice_size(compiler, call, inner)
    choice = CHOICES[name]

    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        sizes, fetch_one = inner.prepare(frame)

        def fetch(rows: Ints, positions: Ints) -> tuple[Ints, ...]:
            columns = at(sizes[rows], positions)
            return tuple(fetch_one(rows, column)[0] for column in columns)

        if max_size is not None and inner.is_constant_size:
            return np.full(frame.size, max_size, np.int64), fetch
        return choice.count(sizes, k), fetch

    at: Callable[..., list[Ints]] = partial(choice.at, k)
    max_size = inner.max_size
    if max_size is not None:
        n = np.array([max_size])
        max_size = int(choice.count(n, k)[0])
        at = _choices_at(choice, n, k, max_size) if inner.is_constant_size else at
    return Domain(
        inner.widths * k, inner.names, prepare, max_size, inner.is_constant_size, always_tuple=True
    )


def _one_of_each(compiler: Compiler, call: nodes.Call) -> Domain:
    """Compile `one_of_each(near, S)`: the Cartesian product of `near[s]` for s in a tuple S."""
    match call.arguments:
        case (nodes.Name(name=near), nodes.Name(name=name)) if near not in compiler.bound:
            keyed, width = compiler.look_up(near, call), compiler.bound.get(name)
            if (
                width is not None
                and isinstance(keyed, KeyedSet)
                and len(keyed.shape) == len(keyed.columns) == 1
            ):
                return _product(compiler, call, keyed, name, width)
    raise compiler.error(
        "the arguments of `one_of_each` must be a keyed set of numbers and a bound tuple",
        "write `S in subsets(...), T in one_of_each(neighbours, S)`",
        call,
    )


def _product(
    compiler: Compiler, call: nodes.Call, keyed: KeyedSet, name: str, width: int
) -> Domain:
    """Return the Cartesian product of the sets whose keys are the numbers of a bound tuple."""
    lengths, (items,) = np.diff(keyed.starts), keyed.columns

    def prepare(frame: Frame) -> tuple[Ints, Fetch]:
        keys = frame.columns[name]
        if keys.size and not 0 <= keys.min() <= keys.max() < len(lengths):
            fault = f"the numbers in {name!r} must be indices of the keyed set"
            raise compiler.error(fault, f"its indices are 0..{len(lengths) - 1}", call)
        sizes, begins = lengths[keys], keyed.starts[keys]

        def fetch(rows: Ints, positions: Ints) -> tuple[Ints, ...]:
            indices = begins[rows] + mixed_digits(sizes[rows], positions)
            return tuple(items[indices].T)

        return products(sizes), fetch

    return Domain((None,) * width, frozenset({name}), prepare, None, False, always_tuple=True)


def _choices_at(choice: Choices, n: Ints, k: int, count: int) -> Callable[..., list[Ints]]:
    """Return the unranking function for sets of equal size; tabulate up to CHUNK choices."""
    if count > CHUNK:
        return lambda sizes, positions: choice.at(k, n, positions)
    table = choice.at(k, n, np.arange(count))
    return lambda sizes, positions: [column[positions] for column in table]


def _choice_size(compiler: Compiler, call: nodes.Call, inner: Domain) -> int:
    """Return the number of items in a choice; it must be constant, as each takes a column."""
    if call.function == "pairs":
        return 2
    if len(call.arguments) > 1:
        number = compiler.number(call.arguments[1])
        if number.names:
            fault = f"the size of `{call.function}` must be constant"
            raise compiler.error(fault, "use only parameters and definitions", call)
        k = int(number.run(Frame(1)))
    elif inner.is_constant_size and inner.max_size is not None:
        k = inner.max_size
    else:
        fault = "`permutations` of a set of varying size needs the number of items"
        raise compiler.error(fault, "write `permutations(set, k)`", call)
    if not 0 <= k <= BOUND_COLUMNS:
        fault = f"the size of `{call.function}` must be between 0 and {BOUND_COLUMNS} (got {k})"
        raise compiler.error(fault, f"write for example `{call.function}(range(n), 2)`", call)
    return k
