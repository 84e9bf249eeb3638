"""Section `variables:` of a spec: members, their numbers, and their weights."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import partial

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.base.text import pluralize, suggest
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
    name, place = declaration.name, declaration.location
    shared = _shared(declaration, first, scope)
    first -= shared
    grounding = ground(scope, declaration.bindings) if declaration.bindings else _ALONE
    names, means = _index_names(declaration, grounding)
    columns = collect(grounding, grounding.columns, len(names)) if names else []
    flat, shape = flatten(columns, place) if names else (np.zeros(1, np.int64), ())
    ascending = bool((np.diff(flat) > 0).all())
    if not ascending and len(distinct(flat)) != len(flat):
        raise InputError(
            f"{name!r} is declared twice for the same indices", "use sets without repetition", place
        )
    keep = np.ones(len(flat), np.bool_)
    if declaration.condition is not None:
        compiler = Compiler(scope, declaration.condition, grounding.bound)
        condition = compiler.condition(parse_expression(declaration.condition))
        checkpoint()
        for low in range(0, len(flat), CHUNK):
            rows = keep[low : low + CHUNK]
            part = grounding.frame(len(rows), [c[low : low + CHUNK] for c in columns])
            rows &= condition.run(part)
    keys = flat[keep]
    if first + len(keys) > MAX_INTEGER:
        raise InputError(f"more than {MAX_INTEGER:,} variables", "use smaller sets", place)
    if len(keys) < shared:
        raise InputError(
            f"{name!r} has {pluralize(len(keys), 'member')}, what it begins with has {shared:,}",
            "let its `for` give more",
            place,
        )
    box = int(np.prod(shape))
    if len(keys) == box and ascending:
        return Variable(name, means, names, shape, first, box, None, None)
    excluded = None if len(flat) == box else flat[~keep]
    _hold_sparse(keys, box, len(flat))
    return Variable(name, means, names, shape, first, len(keys), keys, excluded)


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


def _hold_sparse(keys: Ints, box: int, declared: int) -> None:
    """Check the memory for looking up members, and for listing them in the header."""
    checkpoint(KEY_BYTES * declared + 4 * min(box, TABLE_CELLS))
    runs = int(np.count_nonzero(np.diff(keys, 2)))
    checkpoint(WORD_BYTES * runs)


def check_description(
    declaration: VariableDeclaration, variable: Variable, parameters: Collection[str]
) -> None:
    """Raise InputError if a `description` has a placeholder that is not an index or parameter."""
    if declaration.description is None:
        return
    for part in re.findall(r"\{([^{}]*)\}", variable.description):
        found = _INDEX.fullmatch(part)
        if found is None:
            raise declaration.description.error(
                f"`{{{part[:40]}}}` is neither an index nor one and a number",
                "write `{i}` or `{i + 1}`",
            )
        # An integer has its own name for its value.
        known = {*variable.names, *parameters, *([variable.name] if declaration.values else [])}
        if found[1] not in known:
            raise declaration.description.error(
                f"no index {found[1]!r} of {declaration.name!r}, and no such parameter",
                suggest(found[1], known),
            )


def _index_names(
    declaration: VariableDeclaration, grounding: Grounding
) -> tuple[tuple[str, ...], str]:
    """Return the names of the indices, one for each item of a tuple, and the `description`."""
    means = declaration.description.text if declaration.description else ""
    names: list[str] = []
    for name, width in grounding.bound.items():
        if width is None:
            names.append(name)
            continue
        parts = [f"{name}_{place}" for place in range(width)]
        inside = re.compile(rf"\{{\s*{name}(\s*(?:[+-]\s*[0-9]+\s*)?)\}}")
        means = inside.sub(partial(_listed, parts), means)
        names += parts
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        fault = f"{twice[0]!r} is a name of two indices"
        raise InputError(fault, "choose another name for one of them", declaration.location)
    return tuple(names), means


def _listed(parts: Sequence[str], found: re.Match[str]) -> str:
    """Return the placeholder of a tuple, such as `{S + 1}`, for each of its items."""
    return ", ".join(f"{{{part}{found[1].rstrip()}}}" for part in parts)


def _shared(declaration: VariableDeclaration, first: int, scope: Scope) -> int:
    """Return the number of members that `begins_with` shares with the variables before."""
    if declaration.begins_with is None:
        return 0
    named = declaration.begins_with.text.replace(",", " ").split()
    before = list(scope.variables.values())[-len(named) :]
    # Integers take numbers too.
    follows = bool(before) and before[-1].first + before[-1].count == first
    if not named or not follows or [variable.name for variable in before] != named:
        raise declaration.begins_with.error(
            "a variable begins with those that are declared just before it",
            "name them in their order",
        )
    return first - before[0].first
