"""Limits of a spec; beyond them it is refused with one line, so no spec can hang a machine.

Integers in specs stay below 2**31, so that a product of two of them fits an int64 column exactly.
"""

from __future__ import annotations

import sys

from boardsat.generators.errors import InputError

LARGEST_INTEGER = 2**31 - 2
"""Largest number in a spec, and largest variable of a formula."""

SPEC_BYTES = 1_000_000
"""Largest spec file."""

YAML_DEPTH = 20
"""How deeply the lists and mappings of a spec may be nested; libyaml itself has no limit."""

EXPRESSION_TOKENS = 400
EXPRESSION_DEPTH = 30
EXPRESSION_HEIGHT = 100
"""How long, how deeply in brackets and how tall as a tree one expression may be: far inside the
interpreter's own limits."""

ROWS = 2**30
"""Rows that all `for` parts of one formula may examine in one pass (minutes of work)."""

MATERIALISED = 2**24
"""Elements of one table, set, variable, group or clause pattern held in memory (134 MB each)."""

CHUNK = 2**15
"""Rows that are worked on at a time."""


class RowBudget:
    """Counts the rows that grounding examines, and stops a spec that would never end."""

    def __init__(self, rows: int = ROWS) -> None:
        self.rows = rows
        self.left = rows

    def spend(self, rows: int, place: str) -> None:
        self.left -= rows
        if self.left < 0:
            raise InputError(
                f"this spec examines more than {self.rows:,} rows",
                "use smaller sets, sets that depend on earlier names, or an earlier `if`",
                place,
            )

    def lift(self) -> None:
        """What was counted within the limit may run again: it examines the same rows."""
        self.left = sys.maxsize


def check_materialised(size: int, what: str, place: str) -> int:
    """Refuse what would not fit into a modest amount of memory, before it is made."""
    if size > MATERIALISED:
        raise InputError(
            f"{what} would have at least {size:,} elements",
            f"the limit is {MATERIALISED:,}: use smaller parameters",
            place,
        )
    return size
