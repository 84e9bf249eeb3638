"""`at_most_one`: no two of the given literals (one or a list) are true."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.generators.blocks import Block
    from boardsat.generators.constraints._context import ConstraintContext

DESCRIPTION_TEMPLATE = "at most one of {at_most_one}"
KEYS = ("for", "empty", "encoding")
ENCODINGS = "amo"


def block(c: ConstraintContext) -> Block:
    from boardsat.generators.constraints._cardinality import at_most_one

    return at_most_one(c, c.literal_lists("at_most_one"))
