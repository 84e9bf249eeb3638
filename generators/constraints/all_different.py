"""`all_different`: no two of the given integers (one or a list) have the same value."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.generators.blocks import Block
    from boardsat.generators.constraints._context import ConstraintContext

DESCRIPTION_TEMPLATE = "all different: {all_different}"
KEYS = ("for", "empty", "encoding")
ENCODINGS = "amo"


def block(c: ConstraintContext) -> Block:
    from boardsat.generators.constraints._cardinality import all_different, integer_list

    return all_different(c, [integer_list(c, source) for source in c.texts("all_different")])
