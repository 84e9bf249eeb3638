"""`all_or_none`: all of the given literals (one or a list) are true, or none.

Template of docs/adding-a-constraint-type.md: copy it to generators/constraints/NAME.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boardsat.generators.blocks import Block, Chunk
    from boardsat.generators.constraints._context import ConstraintContext

DESCRIPTION_TEMPLATE = "all or none of {all_or_none}"
KEYS = ("for",)


def block(c: ConstraintContext) -> Block:
    """Return the clauses: each literal implies the next of its row, and the last one the first."""
    import numpy as np

    from boardsat.generators.arrays import clause_starts, clean, columns, stack
    from boardsat.generators.blocks import Block, Rows
    from boardsat.generators.constraints._clauses import frames_by_size
    from boardsat.generators.language.literals import gather_rows

    parts = c.literal_lists("all_or_none")

    def produce(first: int) -> Iterator[Chunk]:
        for frame in frames_by_size(c.grounding, parts):
            tokens = gather_rows(parts, frame)
            starts = clause_starts(tokens)
            following = np.arange(1, len(tokens) + 1)
            following[starts[1:] - 2] = starts[:-1]
            literals = tokens != 0
            yield Rows(clean(stack(columns(-tokens[literals], tokens[following[literals]]))))

    return Block(c.name, c.location, produce)
