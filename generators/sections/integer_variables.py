"""Integers of section `variables:`: their domains, and the clauses that define their literals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from types import ModuleType

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import alternative, checkpoint, current_part
from boardsat.generators import encodings
from boardsat.generators.arrays import TRUE, Ints, Tokens, put_rows, starts_of
from boardsat.generators.build_limits import MAX_INTEGER
from boardsat.generators.clauses.blocks import Block, Chunk
from boardsat.generators.clauses.patterns import Pattern
from boardsat.generators.constraints._clauses import GroupKind, instantiate_groups
from boardsat.generators.encodings.int import Defined
from boardsat.generators.language.layout import AT_LEAST, EQUAL, OWN, Integer, Variable
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.scope import Scope
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.schema import VariableDeclaration
from boardsat.generators.sections.variables import column_of, declare, frame_of

DOTS = ".."
"""Separator of the least and the largest value."""

MEMBER_BYTES, LITERAL_BYTES = 120, 8
"""Bytes for each member, and each of its literals."""

TOKEN_BYTES = 64
"""Bytes for each token of the clauses of one size."""

DOMAIN = "clauses"
"""Kind of clauses that require one value of the domain; other kinds define literals."""

BLOCK_NAMES = {AT_LEAST: "the order of {}", EQUAL: "the values of {}"}
"""Names of the blocks that define literals."""


def declare_integer(
    declaration: VariableDeclaration, first: int, scope: Scope, name: str
) -> Integer:
    """Return the integers of a declaration, numbered in the order of its `for`."""
    if declaration.begins_with is not None:
        raise declaration.begins_with.error(
            "integers do not begin with other variables", "remove `begins_with`"
        )
    members = declare(declaration, 1, scope)
    checkpoint(MEMBER_BYTES * members.count)
    low, high = _ends(declaration, members, scope)
    encoding = encodings.load("int", name)
    sizes, size_indices = np.unique(high - low + 1, return_inverse=True)
    widths = np.array([encoding.width(size) for size in sizes.tolist()], np.int64)[size_indices]
    count = int(widths.sum(dtype=object))
    if first + count > MAX_INTEGER:
        fault = f"a formula has at most {MAX_INTEGER:,} variables"
        raise InputError(fault, "use fewer values, or --set int=binary", declaration.location)
    with alternative("--set int=binary"):
        checkpoint(LITERAL_BYTES * count)
    weights = getattr(encoding, "WEIGHTS", None)
    integer = Integer(
        members.name, members.description, members, low, high, name, first, widths, weights
    )
    integer.tables[OWN] = np.arange(first, first + count, dtype=np.int32)
    return integer


def _ends(declaration: VariableDeclaration, members: Variable, scope: Scope) -> tuple[Ints, Ints]:
    """Return the least and the largest value of every member."""
    source = declaration.values
    assert source is not None
    low_text, dots, high_text = source.text.partition(DOTS)
    if not dots or DOTS in high_text:
        raise source.error("`values` must be an interval", "write `values: 1..9`")
    rows = frame_of(declaration, members, scope)
    ends = [ExpressionText(text.strip(), source.location) for text in (low_text, high_text)]
    low, high = (column_of(end, parse_expression(end), scope, rows) for end in ends)
    if (low > high).any():
        row = int(np.argmax(low > high))
        raise source.error(
            f"the interval from {low[row]} to {high[row]} is empty{rows[0].describe(row)}",
            "exclude such members by `if`, or change the ends",
        )
    return low, high


def integer_blocks(
    integers: Mapping[str, Integer], locations: Mapping[str, str], first: int
) -> list[Block]:
    """Return the blocks of all integers, after all constraints have requested literals.

    `locations` are those of the declarations; auxiliary variables count from `first`.
    """
    definitions: list[Block] = []
    domains: list[Block] = []
    for name, integer in integers.items():
        for kind in (AT_LEAST, EQUAL):
            if kind in integer.requested:
                with current_part(f"the integer {name!r}", locations[name]):
                    sizes = _Sizes(integer, kind, locations[name])
                definitions += sizes.blocks(BLOCK_NAMES[kind].format(name))
                integer.tables[kind] = sizes.literals(first)
                first += int(sizes.num_auxiliary.sum())
    for name, integer in integers.items():
        with current_part(f"the integer {name!r}", locations[name]):
            sizes = _Sizes(integer, DOMAIN, locations[name])
        domains += sizes.blocks(f"{name} is a number")
    return [*definitions, *domains]


class _Sizes:
    """Clauses of an integer, computed once for each domain size."""

    def __init__(self, integer: Integer, kind: str, location: str) -> None:
        self.integer, self.kind, self.location = integer, kind, location
        domain_sizes = integer.high - integer.low + 1
        if kind != DOMAIN:
            checkpoint(LITERAL_BYTES * int(domain_sizes.sum(dtype=object)))
        sizes, self.size_indices = np.unique(domain_sizes, return_inverse=True)
        encoding = encodings.load("int", integer.encoding)
        self.definitions = [_define(encoding, kind, size) for size in sizes.tolist()]
        num_auxiliary = np.array([d.used for d in self.definitions], np.int64)
        self.num_auxiliary = num_auxiliary[self.size_indices]

    def blocks(self, name: str) -> list[Block]:
        """Return one block; an empty list if there are no clauses."""
        if not any(len(definition.tokens) for definition in self.definitions):
            return []
        widths = np.zeros(len(self.definitions), np.int64)
        widths[self.size_indices] = self.integer.widths
        kinds = [
            GroupKind(partial(Pattern, width, d.used, d.tokens), max(1, len(d.tokens)))
            for width, d in zip(widths.tolist(), self.definitions, strict=True)
        ]
        inputs, starts = self.integer.tables[OWN], self.integer.starts[OWN]

        def produce(first: int) -> Iterator[Chunk]:
            return iter(instantiate_groups(inputs, starts, kinds, self.size_indices, first))

        return [Block(name, self.location, produce)]

    def literals(self, first: int) -> Tokens:
        """Return the defined literals of all members; auxiliary variables count from `first`."""
        integer, bases = self.integer, first + starts_of(self.num_auxiliary)
        starts = integer.starts[self.kind]
        table = np.empty(starts[-1], np.int32)
        for index, definition in enumerate(self.definitions):
            members = np.flatnonzero(self.size_indices == index)
            width = int(integer.widths[members[0]])
            slots = np.empty((len(members), 1 + width + definition.used), np.int64)
            slots[:, 0] = TRUE
            inputs = integer.starts[OWN][members][:, None] + np.arange(width)
            slots[:, 1 : 1 + width] = integer.tables[OWN][inputs]
            slots[:, 1 + width :] = bases[members][:, None] + np.arange(definition.used)
            slot = np.abs(definition.literals)
            literals = slots[:, np.where(slot == TRUE, 0, slot)] * np.sign(definition.literals)
            put_rows(table, starts[members], literals.astype(np.int32))
        return table


def _define(encoding: ModuleType, kind: str, size: int) -> Defined:
    """Return the literals of one kind of an integer with `size` values, and their clauses."""
    width = encoding.width(size)
    tokens = (size + 1) * (min(width, 31) + 3) if kind != DOMAIN else 3 * width + 256
    checkpoint(TOKEN_BYTES * tokens)
    x = np.arange(1, width + 1)
    if kind == DOMAIN:
        return Defined(x, *encoding.clauses(x, size, width + 1))
    defined: Defined = getattr(encoding, kind)(x, size, width + 1)
    return defined
