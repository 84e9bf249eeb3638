"""Integers of the `variables:` section: their values, and the clauses that their literals obey."""

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

STATED = "clauses"
"""Key of the clauses that require one value; other keys are those of defined literals."""

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
    sizes, which = np.unique(high - low + 1, return_inverse=True)
    widths = np.array([encoding.width(size) for size in sizes.tolist()], np.int64)[which]
    count = int(widths.sum(dtype=object))
    if first + count > MAX_INTEGER:
        fault = f"more than {MAX_INTEGER:,} variables"
        raise InputError(fault, "use fewer values, or --set int=binary", declaration.location)
    with alternative("--set int=binary"):
        checkpoint(LITERAL_BYTES * count)
    weights = getattr(encoding, "WEIGHTS", None)
    made = Integer(
        members.name, members.description, members, low, high, name, first, widths, weights
    )
    made.tables[OWN] = np.arange(first, first + count, dtype=np.int32)
    return made


def _ends(declaration: VariableDeclaration, members: Variable, scope: Scope) -> tuple[Ints, Ints]:
    """Return the least and the largest value of every member."""
    source = declaration.values
    assert source is not None
    least, dots, most = source.text.partition(DOTS)
    if not dots or DOTS in most:
        raise source.error("values are given by their ends", "write `values: 1..9`")
    rows = frame_of(declaration, members, scope)
    ends = [ExpressionText(text.strip(), source.location) for text in (least, most)]
    low, high = (column_of(end, parse_expression(end), scope, rows) for end in ends)
    if (low > high).any():
        row = int(np.argmax(low > high))
        raise source.error(
            f"no value from {low[row]} to {high[row]}{rows[0].describe(row)}",
            "exclude such members by `if`, or change the ends",
        )
    return low, high


# The clauses of all integers, once it is known what constraints ask of them.


def integer_blocks(
    integers: Mapping[str, Integer], places: Mapping[str, str], first: int
) -> list[Block]:
    """Return the blocks of all integers, which come first: constraints use the defined literals."""
    defining: list[Block] = []
    stating: list[Block] = []
    for name, integer in integers.items():
        for what in (AT_LEAST, EQUAL):
            if what in integer.requested:
                with current_part(f"the integer {name!r}", places[name]):
                    sizes = _Sizes(integer, what, places[name])
                defining += sizes.blocks(BLOCK_NAMES[what].format(name))
                integer.tables[what] = sizes.literals(first)
                first += int(sizes.used.sum())
    for name, integer in integers.items():
        with current_part(f"the integer {name!r}", places[name]):
            sizes = _Sizes(integer, STATED, places[name])
        stating += sizes.blocks(f"{name} is a number")
    return [*defining, *stating]


class _Sizes:
    """Clauses of integers, computed once for each number of values."""

    def __init__(self, integer: Integer, what: str, place: str) -> None:
        self.integer, self.what, self.place = integer, what, place
        every = integer.high - integer.low + 1
        if what != STATED:
            checkpoint(LITERAL_BYTES * int(every.sum(dtype=object)))
        sizes, self.which = np.unique(every, return_inverse=True)
        encoding = encodings.load("int", integer.encoding)
        self.made = [_made(encoding, what, size) for size in sizes.tolist()]
        self.used = np.array([made.used for made in self.made], np.int64)[self.which]

    def blocks(self, name: str) -> list[Block]:
        """Return one block; an empty list if there are no clauses."""
        if not any(len(made.tokens) for made in self.made):
            return []
        widths = np.zeros(len(self.made), np.int64)
        widths[self.which] = self.integer.widths
        kinds = [
            GroupKind(partial(Pattern, width, made.used, made.tokens), max(1, len(made.tokens)))
            for width, made in zip(widths.tolist(), self.made, strict=True)
        ]
        own, starts = self.integer.tables[OWN], self.integer.starts[OWN]

        def produce(first: int) -> Iterator[Chunk]:
            return iter(instantiate_groups(own, starts, kinds, self.which, first))

        return [Block(name, self.place, produce)]

    def literals(self, first: int) -> Tokens:
        """Return the defined literals of all members; auxiliary variables count from `first`."""
        integer, bases = self.integer, first + starts_of(self.used)
        starts = integer.starts[self.what]
        table = np.empty(starts[-1], np.int32)
        for number, made in enumerate(self.made):
            members = np.flatnonzero(self.which == number)
            width = int(integer.widths[members[0]])
            slots = np.empty((len(members), 1 + width + made.used), np.int64)
            slots[:, 0] = TRUE
            own = integer.starts[OWN][members][:, None] + np.arange(width)
            slots[:, 1 : 1 + width] = integer.tables[OWN][own]
            slots[:, 1 + width :] = bases[members][:, None] + np.arange(made.used)
            asked = np.where(np.abs(made.literals) == TRUE, 0, np.abs(made.literals))
            found = slots[:, asked] * np.sign(made.literals)
            put_rows(table, starts[members], found.astype(np.int32))
        return table


def _made(encoding: ModuleType, what: str, size: int) -> Defined:
    """Return the requested literals of integers of one size, and their clauses."""
    width = encoding.width(size)
    about = (size + 1) * (min(width, 31) + 3) if what != STATED else 3 * width + 256
    checkpoint(TOKEN_BYTES * about)
    x = np.arange(1, width + 1)
    if what == STATED:
        return Defined(x, *encoding.clauses(x, size, width + 1))
    defined: Defined = getattr(encoding, what)(x, size, width + 1)
    return defined
