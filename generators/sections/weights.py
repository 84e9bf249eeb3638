"""Weights of the `variables:` section: `weight_true` and `weight_false`."""

from __future__ import annotations

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint, current_part
from boardsat.generators.arrays import Ints
from boardsat.generators.clauses.literal_weights import WeightedLiterals, joined_weights
from boardsat.generators.language.layout import Variable
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.scope import Scope
from boardsat.generators.language.syntax import parse_quotient
from boardsat.generators.schema import Spec, VariableDeclaration
from boardsat.generators.sections.variables import column_of, frame_of

LITERAL_BYTES = 20
"""What a literal takes, with its weight."""

ONE = ExpressionText("1", "")
"""What is not said."""


def weights_of(spec: Spec, scope: Scope) -> WeightedLiterals:
    """Those of all literals, of a spec that gives some."""
    if spec.models_each or spec.published:
        raise InputError(
            "`models_per_solution` or `published` beside weights: a weighted count is no number of "
            "objects",
            "remove one or the other",
            spec.file,
        )
    told = [each for each in spec.variables if each.weight or each.otherwise]
    return joined_weights([_of_variable(each, scope) for each in told])


def refuse_uncounted(weights: WeightedLiterals, projection: Ints | None, spec: Spec) -> None:
    """A weight of what is not counted over would be lost."""
    if projection is not None and len(np.setdiff1d(np.abs(weights.literals), projection)):
        raise InputError(
            "weights of variables that the projection leaves out",
            "add them to `projection`, or remove their weights",
            next(each.place for each in spec.variables if each.weight or each.otherwise),
        )


def _of_variable(declaration: VariableDeclaration, scope: Scope) -> WeightedLiterals:
    name, place = declaration.name, declaration.place
    if declaration.values is not None or declaration.begins_with is not None:
        raise InputError(
            f"weights of {name!r}, which has `values` or `begins_with`",
            "give them to a variable of its own, and say by a formula when it holds",
            place,
        )
    with current_part(f"the weights of {name!r}", place):
        variable = scope.variables[name]
        checkpoint(2 * LITERAL_BYTES * variable.count)
        ids = np.arange(variable.first, variable.first + variable.count, dtype=np.int32)
        sides = [
            WeightedLiterals(sign * ids, *_columns(source or ONE, declaration, variable, scope))
            for sign, source in ((1, declaration.weight), (-1, declaration.otherwise))
        ]
    return joined_weights(sides)


def _columns(
    source: ExpressionText,
    declaration: VariableDeclaration,
    variable: Variable,
    scope: Scope,
) -> tuple[Ints, Ints]:
    rows = frame_of(declaration, variable, scope)
    above, below = (column_of(source, tree, scope, rows) for tree in parse_quotient(source))
    for wrong, fault in ((below < 1, "it is divided by {}"), (above < 0, "{} is negative")):
        if wrong.any():
            row = int(np.argmax(wrong))
            number = (below if below[row] < 1 else above)[row]
            raise source.error(
                f"no weight: {fault.format(number)}{rows[0].describe(row)},",
                "write a number from 0 on, such as `3 / 10`",
            )
    return above, below
