"""Weights of a spec: objective, soft constraints, and literal weights for counting."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint, current_part
from boardsat.generators.arrays import Ints
from boardsat.generators.clauses.blocks import Block
from boardsat.generators.clauses.weights import (
    Objective,
    SoftClauses,
    WeightedLiterals,
    build_objective,
    concatenate_weights,
    unit_soft_clauses,
)
from boardsat.generators.constraints._linear import LinearCompiler, gather_all
from boardsat.generators.constraints._pseudo_boolean import collected
from boardsat.generators.language.layout import Variable
from boardsat.generators.language.literals import LiteralCompiler
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.scope import NOTHING, Scope
from boardsat.generators.language.syntax import parse_expression, parse_quotient
from boardsat.generators.language.values import Frame
from boardsat.generators.schema import Constraint, ObjectiveEntry, Spec, VariableDeclaration
from boardsat.generators.sections.variables import column_of, frame_of

MINIMIZE = "minimize"

LARGEST = 2**62
"""No model may have to pay as much as this in all: programs count in words of 64 bits."""

OBJECTIVE_LITERAL_BYTES = 16
"""What a literal of the objective takes, with its weight."""

Sum = Callable[[], tuple[SoftClauses, int]]
"""What a model pays for a weighted sum, and what every model pays."""


def compile_goal(goal: ObjectiveEntry | None, scope: Scope) -> Sum | None:
    """Names are resolved now, so that integers know what is asked of them."""
    if goal is None:
        return None
    source = goal.expression
    with current_part(f"the objective `{goal.direction}`", source.location):
        linear = LinearCompiler(LiteralCompiler(scope, source, NOTHING))
        terms = linear.terms(parse_expression(source), 1 if goal.direction == MINIMIZE else -1)
    if not any(term.what for term in terms):
        raise source.error(
            "an objective without variables", "write `sum(w[i] * X[i] for i in ...)`"
        )

    def paid() -> tuple[SoftClauses, int]:
        with current_part(f"the objective `{goal.direction}`", source.location):
            sums, constant = collected(gather_all(terms, Frame(1)), 1)
            checkpoint(OBJECTIVE_LITERAL_BYTES * len(sums.literals))
        assert sums.weights is not None
        return unit_soft_clauses(sums.literals, sums.weights), int(constant[0])

    return paid


def objective_of(
    goal: ObjectiveEntry | None,
    paid: Sum | None,
    constraints: Sequence[Constraint],
    blocks: Sequence[Block],
) -> Objective | None:
    """All that models pay for, or None where nothing is to be optimised."""
    pieces: list[SoftClauses] = []
    for constraint, block in zip(constraints, blocks, strict=True):
        if block.soft is None:
            continue
        if goal is not None and goal.direction != MINIMIZE:
            raise InputError(
                "`soft` beside `maximize`: what is paid for soft constraints is minimised",
                "write `minimize` with the opposite sign",
                constraint.location,
            )
        with current_part(f"the constraint {constraint.name!r}", constraint.location):
            for piece in block.soft():
                checkpoint()
                pieces.append(piece)
    if paid is None and not any(block.soft for block in blocks):
        return None
    word, text, offset = MINIMIZE, "", 0
    if goal is not None and paid is not None:
        soft, constant = paid()
        pieces.append(soft)
        word, text = goal.direction, goal.expression.text
        offset = constant if word == MINIMIZE else -constant
    found = build_objective(word, text, offset, pieces)
    if found.soft.total_weight >= LARGEST:
        place = goal.expression.location if goal else constraints[0].location
        raise InputError("the weights grow too large", "their sum must stay below 2**62", place)
    return found


# Literal weights: `weight_true` of a true member, `weight_false` of a false one.


LITERAL_BYTES = 20
"""Bytes for each literal with its weight."""

ONE = ExpressionText("1", "")
"""Weight of a literal if the spec does not give one."""


def weights_of(spec: Spec, scope: Scope, projection: Ints | None) -> WeightedLiterals:
    """Return the literal weights of a weighted spec; raise InputError if one is not projected."""
    if spec.counting.models_per_solution or spec.counting.published:
        raise InputError(
            "`models_per_solution` or `published` beside weights: a weighted count is no number of "
            "objects",
            "remove one or the other",
            spec.source.file,
        )
    weighted = [
        variable for variable in spec.variables if variable.weight_true or variable.weight_false
    ]
    weights = concatenate_weights([_of_variable(declaration, scope) for declaration in weighted])
    if projection is not None and len(np.setdiff1d(np.abs(weights.literals), projection)):
        raise InputError(
            "weights of variables that the projection leaves out",
            "add them to `projection`, or remove their weights",
            weighted[0].location,
        )
    return weights


def _of_variable(declaration: VariableDeclaration, scope: Scope) -> WeightedLiterals:
    name, place = declaration.name, declaration.location
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
            for sign, source in ((1, declaration.weight_true), (-1, declaration.weight_false))
        ]
    return concatenate_weights(sides)


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
