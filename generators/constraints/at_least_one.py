"""`at_least_one`: at least one of the given literals (one or a list) is true."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.generators.blocks import Block
    from boardsat.generators.constraints._context import ConstraintContext

DESCRIPTION_TEMPLATE = "at least one of {at_least_one}"
KEYS = ("for", "empty", "soft")


def block(c: ConstraintContext) -> Block:
    from boardsat.generators.constraints._clauses import clauses_of

    return clauses_of(c, c.literal_lists("at_least_one"))
