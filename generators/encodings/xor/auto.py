"""Selection by size: direct up to seven literals, a chain for more.

Both are count-preserving. The header records the selection.
"""

from __future__ import annotations

COUNT_PRESERVING = True

MAX_DIRECT_LITERALS = 7
"""Number of literals up to which no auxiliary variables are used: 64 clauses."""


def choose(n: int, low: int, high: int) -> str:
    """Return the name of the encoding of a parity constraint."""
    return "direct" if n <= MAX_DIRECT_LITERALS else "chain"
