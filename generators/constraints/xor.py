"""`xor`: literals, one or a list: as many of them are true, modulo 2, as `equals` says."""

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
