"""`xor`: the number of true literals (one or a list), modulo 2, is the value of `equals`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.generators.blocks import Block
    from boardsat.generators.constraints._context import ConstraintContext

DESCRIPTION_TEMPLATE = "the sum modulo 2 of {xor}, when {when}, is {equals}"
REQUIRED_KEYS = {"equals": "1"}
KEYS = ("for", "empty", "encoding", "when")
ENCODINGS = "xor"


def block(c: ConstraintContext) -> Block:
    from boardsat.generators.constraints._parity import parity

    return parity(c, c.literal_lists("xor"), "equals")
