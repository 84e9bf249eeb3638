"""`exactly_one`: exactly one of the given literals (one or a list) is true."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.generators.blocks import Block
    from boardsat.generators.constraints._context import ConstraintContext

DESCRIPTION_TEMPLATE = "exactly one of {exactly_one}"
KEYS = ("for", "empty", "encoding")
ENCODINGS = "amo"


def block(c: ConstraintContext) -> Block:
    from boardsat.generators.constraints._cardinality import exactly_one

    return exactly_one(c, c.literal_lists("exactly_one"))
