"""`formula`: any formula: `not`, `and`, `or`, `xor`, `->`, `<->`, and `any`, `all` with `for`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardsat.generators.language.syntax import parse_expression

if TYPE_CHECKING:
    from boardsat.generators.blocks import Block
    from boardsat.generators.constraints._context import ConstraintContext

DESCRIPTION_TEMPLATE = "the formula {formula}"
KEYS = ("for", "empty")


def block(c: ConstraintContext) -> Block:
    from boardsat.generators.blocks import chain
    from boardsat.generators.constraints._comparisons import Comparisons
    from boardsat.generators.constraints._formulas import formula

    return chain(
        [
            formula(c, source, tree, *bindings)
            for source in c.texts("formula")
            for tree, bindings in Comparisons(c.literals(source).compiler).cases(
                parse_expression(source)
            )
        ]
    )
