"""`formula`: any formula: `not`, `and`, `or`, `xor`, `->`, `<->`, and `any`, `all` with `for`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.syntax import parse_expression

if TYPE_CHECKING:
    from generators.blocks import Block
    from generators.compile import Context

SAYS = "the formula {formula}"
KEYS = ("for", "empty")


def block(c: Context) -> Block:
    from generators.blocks import chain
    from generators.families._formulas import formula

    return chain([formula(c, source, parse_expression(source)) for source in c.texts("formula")])
