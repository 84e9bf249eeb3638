"""`exactly_one`: literals, one or a list: one of them is true, and no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.generators.clauses.blocks import Block
    from boardsat.generators.constraints._context import ConstraintContext

DESCRIPTION_TEMPLATE = "exactly one of {exactly_one}"
KEYS = ("for", "empty", "encoding")
ENCODINGS = "amo"


def block(c: ConstraintContext) -> Block:

    from boardsat.generators.clauses.blocks import chain
    from boardsat.generators.constraints._cardinality import at_most_one, just_one
    from boardsat.generators.constraints._clauses import clauses_of

    parts = c.literal_lists("exactly_one")
    both = chain([clauses_of(c, parts), at_most_one(c, parts)])
    # The true literal determines every fresh variable, so any encoding keeps counts here.
    return both._replace(count_preserving=True, linear=just_one(c, parts))
