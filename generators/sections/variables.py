"""Section `variables:` of a spec: members, their numbers, and their weights."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import partial

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import suggest
from boardsat.generators.arrays import Ints, distinct
from boardsat.generators.build_limits import CHUNK, MAX_INTEGER
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.grounding import Grounding
from boardsat.generators.language.layout import TABLE_CELLS, Variable
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
        raise InputError(
            f"{name!r} is declared twice for the same indices",
            "use sets without repetition",
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
        fault = f"a formula has at most {MAX_INTEGER:,} variables"
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
                f"no index {match[1]!r} of {declaration.name!r}, and no such parameter",
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
        fault = f"{duplicates[0]!r} is a name of two indices"
        raise InputError(fault, "choose another name for one of them", declaration.location)
    return tuple(names), description


def _item_placeholders(items: Sequence[str], match: re.Match[str]) -> str:
    """Return placeholders of all items for that of a tuple, such as `{S + 1}`."""
    return ", ".join(f"{{{item}{match[1].rstrip()}}}" for item in items)


def _num_shared(declaration: VariableDeclaration, first: int, scope: Scope) -> int:
    """Return the number of members that `begins_with` shares with the variables before."""
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
