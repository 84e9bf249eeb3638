"""Section `variables:` of a spec: members of Boolean variables and integers, and their numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from types import ModuleType

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import alternative, checkpoint, current_part
from boardsat.base.text import suggest
from boardsat.generators import encodings
from boardsat.generators.arrays import TRUE, Ints, Pattern, Tokens, distinct, put_rows, starts_of
from boardsat.generators.blocks import Block, Chunk
from boardsat.generators.build_limits import CHUNK, MAX_INTEGER
from boardsat.generators.constraints._clauses import GroupKind, instantiate_groups
from boardsat.generators.encodings.int import Defined
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.grounding import Grounding
from boardsat.generators.language.layout import AT_LEAST, EQUAL, OWN, TABLE_CELLS, Integer, Variable
from boardsat.generators.language.nodes import ExpressionText, Node
from boardsat.generators.language.scope import NOTHING, Bound, Scope
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame, flatten, full
from boardsat.generators.schema import VariableDeclaration
from boardsat.generators.sections.define import collect, ground

_INDEX = re.compile(r"\s*(\w+)\s*(?:[+-]\s*[0-9]{1,9}\s*)?")
"""Placeholder in a `description`: an index or parameter, plus or minus a number."""

_ALONE = Grounding("", (), ())
"""Grounding of a variable without `for`, which has one member."""

KEY_BYTES = 32
"""Bytes for the lookup of each member of a sparse variable."""

WORD_BYTES = 200
"""Bytes for each word of a header while it is formatted."""


def declare(declaration: VariableDeclaration, first: int, scope: Scope) -> Variable:
    """Return the variable, numbered in the order of its `for` from `first` or `begins_with`."""
    name, location = declaration.name, declaration.location
    num_shared = _num_shared(declaration, first, scope)
    first -= num_shared
    grounding = ground(scope, declaration.bindings) if declaration.bindings else _ALONE
    names, description = _index_names(declaration, grounding)
    columns = collect(grounding, grounding.columns, len(names)) if names else []
    flat, shape = flatten(columns, location) if names else (np.zeros(1, np.int64), ())
    ascending = bool((np.diff(flat) > 0).all())
    if not ascending and len(distinct(flat)) != len(flat):
        order = np.argsort(flat, kind="stable")
        repeated = order[1:][np.diff(flat[order]) == 0][0]
        member = ", ".join(str(column[repeated]) for column in columns)
        raise InputError(
            f"the indices of {name!r} must be distinct (got {name}[{member}] twice)",
            "let its `for` give each combination of indices once",
            location,
        )
    is_member = np.ones(len(flat), np.bool_)
    if declaration.condition is not None:
        compiler = Compiler(scope, declaration.condition, grounding.bound)
        condition = compiler.condition(parse_expression(declaration.condition))
        checkpoint()
        for low in range(0, len(flat), CHUNK):
            rows = is_member[low : low + CHUNK]
            frame = grounding.frame(len(rows), [c[low : low + CHUNK] for c in columns])
            rows &= condition.run(frame)
    keys = flat[is_member]
    if first + len(keys) > MAX_INTEGER:
        fault = f"a formula must have at most {MAX_INTEGER:,} variables"
        raise InputError(fault, "use smaller sets", location)
    if len(keys) < num_shared:
        raise InputError(
            f"{name!r} must have at least as many members as the variable that it begins with: "
            f"{num_shared:,} (got {len(keys):,})",
            "use larger sets in its `for`",
            location,
        )
    box = int(np.prod(shape))
    if len(keys) == box and ascending:
        return Variable(name, description, names, shape, first, box, None, None)
    excluded = None if len(flat) == box else flat[~is_member]
    _check_sparse_memory(keys, box, len(flat))
    return Variable(name, description, names, shape, first, len(keys), keys, excluded)


def frame_of(
    declaration: VariableDeclaration, members: Variable, scope: Scope
) -> tuple[Frame, Bound]:
    """Return the members as rows, and the names of their indices."""
    if declaration.bindings is None:
        return Frame(members.count), NOTHING
    grounding = ground(scope, declaration.bindings)
    return grounding.frame(members.count, [*members.indices]), grounding.bound


def column_of(source: ExpressionText, tree: Node, scope: Scope, rows: tuple[Frame, Bound]) -> Ints:
    """Return the value of an expression for every member."""
    frame, bound = rows
    number = Compiler(scope, source, bound).number(tree)
    checkpoint()
    return full(number.run(frame), frame.size)


def _check_sparse_memory(keys: Ints, box: int, declared: int) -> None:
    """Check the memory limit for lookups of members, and for their list in the header."""
    checkpoint(KEY_BYTES * declared + 4 * min(box, TABLE_CELLS))
    runs = int(np.count_nonzero(np.diff(keys, 2)))
    checkpoint(WORD_BYTES * runs)


def check_description(
    declaration: VariableDeclaration, variable: Variable, parameters: Collection[str]
) -> None:
    """Raise InputError if a `description` has a placeholder that is not an index or parameter."""
    if declaration.description is None:
        return
    # The name of an integer stands for its value.
    names = {*variable.names, *parameters, *([variable.name] if declaration.values else [])}
    for placeholder in re.findall(r"\{([^{}]*)\}", variable.description):
        match = _INDEX.fullmatch(placeholder)
        if match is None:
            raise declaration.description.error(
                f"`{{{placeholder[:40]}}}` must be an index, or an index plus a number",
                "write `{i}` or `{i + 1}`",
            )
        if match[1] not in names:
            raise declaration.description.error(
                f"`{{{match[1]}}}` is not an index of {declaration.name!r} or a parameter",
                suggest(match[1], names),
            )


def _index_names(
    declaration: VariableDeclaration, grounding: Grounding
) -> tuple[tuple[str, ...], str]:
    """Return the names of the indices, one for each item of a tuple, and the `description`."""
    description = declaration.description.text if declaration.description else ""
    names: list[str] = []
    for name, width in grounding.bound.items():
        if width is None:
            names.append(name)
            continue
        items = [f"{name}_{position}" for position in range(width)]
        placeholder = re.compile(rf"\{{\s*{name}(\s*(?:[+-]\s*[0-9]+\s*)?)\}}")
        description = placeholder.sub(partial(_item_placeholders, items), description)
        names += items
    if duplicates := [name for name, count in Counter(names).items() if count > 1]:
        fault = f"names of indices must be distinct (got {duplicates[0]!r} twice)"
        raise InputError(fault, "choose another name for one of them", declaration.location)
    return tuple(names), description


def _item_placeholders(items: Sequence[str], match: re.Match[str]) -> str:
    """Return the placeholders of all items of a tuple, given its placeholder, such as `{S + 1}`."""
    return ", ".join(f"{{{item}{match[1].rstrip()}}}" for item in items)


def _num_shared(declaration: VariableDeclaration, first: int, scope: Scope) -> int:
    """Return the number of members shared with the preceding variables in `begins_with`."""
    if declaration.begins_with is None:
        return 0
    names = declaration.begins_with.text.replace(",", " ").split()
    preceding = list(scope.variables.values())[-len(names) :]
    # Integers declared in between take numbers too.
    is_adjacent = bool(preceding) and preceding[-1].first + preceding[-1].count == first
    if not names or not is_adjacent or [variable.name for variable in preceding] != names:
        raise declaration.begins_with.error(
            "`begins_with` must name the variables that are declared just before",
            "name them in their order",
        )
    return first - preceding[0].first


# Integers: their domains, and the clauses that define their literals.


DOTS = ".."
"""Separator of the bounds in `values`."""

MEMBER_BYTES, LITERAL_BYTES = 120, 8
"""Bytes for each member, and each of its literals."""

TOKEN_BYTES = 64
"""Bytes for each token of the clauses of one domain size."""

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
            "an integer cannot have `begins_with`", "remove `begins_with`"
        )
    members = declare(declaration, 1, scope)
    checkpoint(MEMBER_BYTES * members.count)
    low, high = _ends(declaration, members, scope)
    encoding = encodings.load("int", name)
    sizes, size_indices = np.unique(high - low + 1, return_inverse=True)
    widths = np.array([encoding.width(size) for size in sizes.tolist()], np.int64)[size_indices]
    count = int(widths.sum(dtype=object))
    if first + count > MAX_INTEGER:
        fault = f"a formula must have at most {MAX_INTEGER:,} variables"
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
            f"the interval of `values` must not be empty "
            f"(got {low[row]}..{high[row]}{rows[0].describe(row)})",
            "exclude such members by `if`, or change the bounds",
        )
    return low, high


def integer_blocks(
    integers: Mapping[str, Integer], locations: Mapping[str, str], first: int
) -> list[Block]:
    """Return the blocks of all integers, after all constraints have requested literals.

    `locations` are those of the declarations; auxiliary variables are numbered from `first`.
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
        """Return the literals of all members, with auxiliary variables numbered from `first`."""
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
    """Return the literals and clauses of one kind, for an integer with `size` values."""
    width = encoding.width(size)
    tokens = (size + 1) * (min(width, 31) + 3) if kind != DOMAIN else 3 * width + 256
    checkpoint(TOKEN_BYTES * tokens)
    x = np.arange(1, width + 1)
    if kind == DOMAIN:
        return Defined(x, *encoding.clauses(x, size, width + 1))
    defined: Defined = getattr(encoding, kind)(x, size, width + 1)
    return defined
