"""The `variables:` section: which members each variable has, and their numbers."""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np

from boardsat.generators.arrays import Ints
from boardsat.generators.counts import counted
from boardsat.generators.errors import InputError, choose_from
from boardsat.generators.language.expressions import Compiler
from boardsat.generators.language.layout import TABLE_CELLS, Variable
from boardsat.generators.language.scope import Scope
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame, flatten
from boardsat.generators.limits import CALL, CHUNK, LARGEST_INTEGER, STEP, WorkBudget
from boardsat.generators.ragged import distinct
from boardsat.generators.sections.define import COMPILING, collect, ground
from boardsat.generators.spec import VariableDeclaration

_INDEX = re.compile(r"\s*(\w+)\s*(?:[+-]\s*[0-9]{1,9}\s*)?")
"""What may stand in braces in a `means`."""

KEY_BYTES = 32
"""What a member of a sparse variable takes, found by search or by a table."""

WORD_BYTES = 200
"""What a word of a header takes while it is laid out."""


def declare(
    declaration: VariableDeclaration, first: int, scope: Scope, budget: WorkBudget
) -> Variable:
    """The variable, numbered in the order of its `for`, from `first` or what it begins with."""
    name, place = declaration.name, declaration.place
    budget.enter(f"the variable {name!r}", place)
    budget.spend(COMPILING)
    means = declaration.means.text if declaration.means else ""
    shared = _shared(declaration, first, scope)
    first -= shared
    names, columns = _indices(declaration, scope, budget)
    flat, shape = flatten(columns, place) if names else (np.zeros(1, np.int64), ())
    ascending = bool((np.diff(flat) > 0).all())
    if not ascending and len(distinct(flat)) != len(flat):
        raise InputError(
            f"{name!r} is declared twice for the same indices", "use sets without repetition", place
        )
    keep = np.ones(len(flat), np.bool_)
    if declaration.condition is not None:
        compiler = Compiler(scope, declaration.condition, frozenset(names))
        condition = compiler.condition(parse_expression(declaration.condition))
        budget.spend((len(flat) + CALL) * condition.cost)
        for low in range(0, len(flat), CHUNK):
            part = {name: c[low : low + CHUNK] for name, c in zip(names, columns, strict=True)}
            rows = keep[low : low + CHUNK]
            rows &= condition.run(Frame(len(rows), part))
    keys = flat[keep]
    if first + len(keys) > LARGEST_INTEGER:
        raise InputError(f"more than {LARGEST_INTEGER:,} variables", "use smaller sets", place)
    if len(keys) < shared:
        raise InputError(
            f"{name!r} has {counted(len(keys), 'member')}, what it begins with has {shared:,}",
            "let its `for` give more",
            place,
        )
    box = int(np.prod(shape))
    if len(keys) == box and ascending:
        return Variable(name, means, names, shape, first, box, None, None)
    excluded = None if len(flat) == box else flat[~keep]
    _hold_sparse(keys, box, len(flat), budget)
    return Variable(name, means, names, shape, first, len(keys), keys, excluded)


def _hold_sparse(keys: Ints, box: int, declared: int, budget: WorkBudget) -> None:
    """What it takes to look members up, and the words that list them in the header of a file."""
    budget.hold(KEY_BYTES * declared + 4 * min(box, TABLE_CELLS))
    runs = int(np.count_nonzero(np.diff(keys, 2)))
    budget.room(WORD_BYTES * runs)
    budget.spend(STEP * runs)


def refuse_strange_words(
    declaration: VariableDeclaration, indices: Collection[str], parameters: Collection[str]
) -> None:
    """A `means` with a name that nobody could fill in would be shown as it stands."""
    if declaration.means is None:
        return
    for part in re.findall(r"\{([^{}]*)\}", declaration.means.text):
        found = _INDEX.fullmatch(part)
        if found is None:
            raise declaration.means.error(
                f"`{{{part[:40]}}}` is neither an index nor one and a number",
                "write `{i}` or `{i + 1}`",
            )
        if found[1] not in {*indices, *parameters}:
            raise declaration.means.error(
                f"no index {found[1]!r} of {declaration.name!r}, and no such parameter",
                choose_from(found[1], {*indices, *parameters}),
            )


def _indices(
    declaration: VariableDeclaration, scope: Scope, budget: WorkBudget
) -> tuple[tuple[str, ...], list[Ints]]:
    """The names of the indices, and all that each takes; without `for` there are none."""
    if declaration.bindings is None:
        return (), []
    grounding = ground(scope, declaration.bindings)
    names = grounding.names

    def columns_of(frame: Frame) -> list[Ints]:
        return [frame.columns[index] for index in names]

    return names, collect(grounding, columns_of, len(names), 0, budget)


def _shared(declaration: VariableDeclaration, first: int, scope: Scope) -> int:
    """How many of the numbers before `first` are members of this variable too."""
    if declaration.begins_with is None:
        return 0
    named = declaration.begins_with.text.replace(",", " ").split()
    before = list(scope.variables.values())[-len(named) :]
    if not named or [variable.name for variable in before] != named:
        raise declaration.begins_with.error(
            "a variable begins with those that are declared just before it",
            "name them in their order",
        )
    return first - before[0].first
