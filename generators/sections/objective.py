"""The objective of a spec: `minimize` or `maximize`, and the constraints that are `soft`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint, current_part
from boardsat.generators.clauses.blocks import Block
from boardsat.generators.clauses.weights import (
    Objective,
    SoftClauses,
    build_objective,
    unit_soft_clauses,
)
from boardsat.generators.constraints._linear import LinearCompiler, gather_all
from boardsat.generators.constraints._pseudo_boolean import collected
from boardsat.generators.language.literals import LiteralCompiler
from boardsat.generators.language.scope import NOTHING, Scope
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import Frame
from boardsat.generators.schema import Constraint, ObjectiveEntry

MINIMIZE = "minimize"

LARGEST = 2**62
"""No model may have to pay as much as this in all: programs count in words of 64 bits."""

LITERAL_BYTES = 16
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
            checkpoint(LITERAL_BYTES * len(sums.literals))
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
