"""Delta debugging of formulas: clauses, then literals, are removed while a test still fails."""

from __future__ import annotations

import time
from collections.abc import Callable

Clauses = list[tuple[int, ...]]


def minimised(items: Clauses, fails: Callable[[Clauses], bool], deadline: float) -> Clauses:
    """Zeller's ddmin: a part that still fails, and none of whose pieces can be left out.

    At the deadline it is as small as it is.
    """
    pieces = 2
    while len(items) >= 2 and time.monotonic() < deadline:
        size = -(-len(items) // pieces)
        for start in range(0, len(items), size):
            rest = items[:start] + items[start + size :]
            if rest and fails(rest):
                items, pieces = rest, max(pieces - 1, 2)
                break
            if time.monotonic() >= deadline:
                return items
        else:
            if pieces >= len(items):
                break
            pieces = min(2 * pieces, len(items))
    return items


def without_literals(
    clauses: Clauses, fails: Callable[[Clauses], bool], deadline: float
) -> Clauses:
    """Leave out single literals while it still fails; a clause keeps one at least."""
    for place in range(len(clauses)):
        for literal in clauses[place]:
            if time.monotonic() >= deadline or len(clauses[place]) == 1:
                break
            shorter = tuple(each for each in clauses[place] if each != literal)
            candidate = [*clauses[:place], shorter, *clauses[place + 1 :]]
            if shorter and fails(candidate):
                clauses = candidate
    return clauses
