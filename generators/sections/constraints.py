"""The `constraints:` section: one constraint to its block of clauses, by its family."""

from __future__ import annotations

from collections.abc import Mapping

from boardsat.generators import families
from boardsat.generators.clauses.blocks import Block
from boardsat.generators.families._context import Context
from boardsat.generators.language.scope import Scope
from boardsat.generators.limits import RowBudget
from boardsat.generators.spec import Constraint


def compile_constraint(
    constraint: Constraint, spec: str, scope: Scope, choices: Mapping[str, str], budget: RowBudget
) -> Block:
    """Resolve all names now, so that mistakes are told before anything is grounded."""
    context = Context(constraint, spec, scope, choices, budget)
    block: Block = families.load(constraint.family).block(context)
    return block
