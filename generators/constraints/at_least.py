"""`at_least`: at least k of the literals under `of` are true; the value is the number k."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.generators.blocks import Block
    from boardsat.generators.constraints._context import ConstraintContext

DESCRIPTION_TEMPLATE = "at least {at_least} of {of}"
REQUIRED_KEYS = {"of": "X[i] for i in cells"}
KEYS = ("for", "empty", "encoding")
ENCODINGS = "card"


def block(c: ConstraintContext) -> Block:
    from boardsat.generators.constraints._cardinality import bounded

    return bounded(c, ENCODINGS, c.literal_lists("of"), c.number("at_least"), None)
