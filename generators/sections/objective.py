"""Objective of a spec, with its soft constraints, and literal weights for counting."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint, current_part
from boardsat.generators.arrays import Ints
from boardsat.generators.blocks import Block
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
from boardsat.generators.weights import (
    Objective,
    SoftClauses,
    WeightedLiterals,
    build_objective,
    concatenate_weights,
    unit_soft_clauses,
)

MINIMIZE = "minimize"

MAX_TOTAL_WEIGHT = 2**62
"""Upper bound of the sum of all weights: solvers count costs in words of 64 bits."""

OBJECTIVE_LITERAL_BYTES = 16
"""Bytes for each literal of the objective with its weight."""

CostFunction = Callable[[], tuple[SoftClauses, int]]
"""Function that returns the soft clauses of a weighted sum, and its constant."""


def compile_goal(goal: ObjectiveEntry | None, scope: Scope) -> CostFunction | None:
    """Compile `minimize` or `maximize`; this requests literals of integers."""
    if goal is None:
        return None
    source = goal.expression
    with current_part(f"the objective `{goal.direction}`", source.location):
        linear = LinearCompiler(LiteralCompiler(scope, source, NOTHING))
        terms = linear.terms(parse_expression(source), 1 if goal.direction == MINIMIZE else -1)
    if not any(term.factor for term in terms):
        raise source.error(
            "an objective must have variables", "write `sum(w[i] * X[i] for i in ...)`"
        )

    def cost() -> tuple[SoftClauses, int]:
        with current_part(f"the objective `{goal.direction}`", source.location):
            sums, constant = collected(gather_all(terms, Frame(1)), 1)
            checkpoint(OBJECTIVE_LITERAL_BYTES * len(sums.literals))
        assert sums.weights is not None
        return unit_soft_clauses(sums.literals, sums.weights), int(constant[0])

    return cost


def objective_of(
    goal: ObjectiveEntry | None,
    cost: CostFunction | None,
    constraints: Sequence[Constraint],
    blocks: Sequence[Block],
) -> Objective | None:
    """Return the objective: the sum of `minimize` or `maximize` and the soft constraints.

    None if the spec does not optimize.
    """
    pieces: list[SoftClauses] = []
    for constraint, block in zip(constraints, blocks, strict=True):
        if block.soft is None:
            continue
        if goal is not None and goal.direction != MINIMIZE:
            raise InputError(
                "`soft` cannot be combined with `maximize`: their cost is always minimized",
                "write `minimize` with the opposite sign",
                constraint.location,
            )
        with current_part(f"the constraint {constraint.name!r}", constraint.location):
            for piece in block.soft():
                checkpoint()
                pieces.append(piece)
    if cost is None and not any(block.soft for block in blocks):
        return None
    direction, text, offset = MINIMIZE, "", 0
    if goal is not None and cost is not None:
        soft, constant = cost()
        pieces.append(soft)
        direction, text = goal.direction, goal.expression.text
        offset = constant if direction == MINIMIZE else -constant
    objective = build_objective(direction, text, offset, pieces)
    if objective.soft.total_weight >= MAX_TOTAL_WEIGHT:
        location = goal.expression.location if goal else constraints[0].location
        fault = "the sum of all weights must be below 2**62"
        raise InputError(fault, "use smaller weights", location)
    return objective


# Literal weights: `weight_true` of a true member, `weight_false` of a false one.


LITERAL_BYTES = 20
"""Bytes for each literal with its weight."""

ONE = ExpressionText("1", "")
"""Weight of a literal if the spec does not give one."""


def weights_of(spec: Spec, scope: Scope, projection: Ints | None) -> WeightedLiterals:
    """Return the literal weights of a weighted spec, which must be those of projected variables."""
    if spec.counting.models_per_solution or spec.counting.published:
        raise InputError(
            "`models_per_solution` and `published` cannot be combined with weights: "
            "a weighted count is not a number of objects",
            "remove the weights or these keys",
            spec.source.file,
        )
    weighted = [
        variable for variable in spec.variables if variable.weight_true or variable.weight_false
    ]
    weights = concatenate_weights(
        [_weights_of_variable(declaration, scope) for declaration in weighted]
    )
    if projection is not None and len(np.setdiff1d(np.abs(weights.literals), projection)):
        raise InputError(
            "variables with weights must be in the projection",
            "add them to `projection`, or remove their weights",
            weighted[0].location,
        )
    return weights


def _weights_of_variable(declaration: VariableDeclaration, scope: Scope) -> WeightedLiterals:
    """Return the weights of the members of one variable, and of their negations."""
    name, location = declaration.name, declaration.location
    if declaration.values is not None or declaration.begins_with is not None:
        raise InputError(
            f"{name!r} cannot have weights, because it has `values` or `begins_with`",
            "declare another variable with the weights, and define it by a `formula`",
            location,
        )
    with current_part(f"the weights of {name!r}", location):
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
    numerators, denominators = (
        column_of(source, tree, scope, rows) for tree in parse_quotient(source)
    )
    for name, least, numbers in (("denominator", 1, denominators), ("numerator", 0, numerators)):
        if (invalid := numbers < least).any():
            row = int(np.argmax(invalid))
            raise source.error(
                f"the {name} of a weight must be at least {least} (got {numbers[row]})"
                f"{rows[0].describe(row)},",
                "write a nonnegative number, such as `3 / 10`",
            )
    return numerators, denominators
