"""The `constraints:` section: one constraint to its block of clauses, by its family."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from boardsat.base.limits import checkpoint
from boardsat.generators import constraints
from boardsat.generators.arrays import distinct
from boardsat.generators.clause_groups import CurrentRow
from boardsat.generators.clauses.blocks import Block, chain
from boardsat.generators.constraints._context import Context
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.scope import Scope
from boardsat.generators.schema import Constraint
from boardsat.generators.sections.define import collect, ground


def compile_constraint(
    constraint: Constraint,
    spec: str,
    scope: Scope,
    choices: Mapping[str, str],
    current: CurrentRow | None = None,
) -> Block:
    """Resolve all names now, so that mistakes are told before anything is grounded."""
    scopes = [scope] if constraint.each is None else _scopes(constraint.each, scope)
    blocks: list[Block] = []
    for known in scopes:
        checkpoint()
        context = Context(constraint, spec, known, choices, current)
        blocks.append(constraints.load(constraint.family).block(context))
    return chain(blocks) if blocks else Block(constraint.name, constraint.place, lambda _: iter(()))


def _scopes(each: ExpressionText, scope: Scope) -> Iterator[Scope]:
    """For every value of a name, each once and in order, what is known where it is a number."""
    grounding = ground(scope, each)
    if len(grounding.names) != 1 or grounding.width != 1:
        raise each.error("`for_each_size` binds one name to numbers", "write `k in range(n)`")
    (name,) = grounding.names
    (values,) = collect(grounding, grounding.columns, 1)
    for value in distinct(values).tolist():
        yield replace(scope, values={**scope.values, name: value})
