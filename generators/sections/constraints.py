"""The `constraints:` section: one constraint to its block of clauses, by its family."""

from __future__ import annotations

from collections.abc import Mapping

from boardsat.generators import families
from boardsat.generators.clauses.blocks import Block
from boardsat.generators.families._context import Context
from boardsat.generators.language.scope import Scope
from boardsat.generators.limits import STEP, WorkBudget
from boardsat.generators.spec import Constraint

COMPILING = 2**10 * STEP
"""What it takes to compile a constraint, however small."""


def compile_constraint(
    constraint: Constraint, spec: str, scope: Scope, choices: Mapping[str, str], budget: WorkBudget
) -> Block:
    """Resolve all names now, so that mistakes are told before anything is grounded."""
    budget.enter(f"the constraint {constraint.name!r}", constraint.place)
    budget.spend(COMPILING)
    context = Context(constraint, spec, scope, choices, budget)
    block: Block = families.load(constraint.family).block(context)
    return block
