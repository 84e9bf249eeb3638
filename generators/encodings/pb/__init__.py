"""Encodings of linear (pseudo-Boolean) constraints, selected by `--set pb=NAME`.

Each module has these functions:

clauses(x, weights, low, high, fresh) -> tuple of array and int
    Return the clauses of "the total weight of the true literals of x is at least `low` and at most
    `high`", each ended by 0, and the number of their auxiliary variables, which are numbered from
    `fresh` on. Weights are positive, there are at least two chains, and 0 <= low <= high <= total;
    at least one of the bounds is not trivial.

tokens(weights, low, high) -> int
    Return the number of tokens of the clauses.
"""

DEFAULT = "auto"
MEANS = "encoding of sums with different weights"

MAX_TOKENS = 2**22
"""Maximum number of tokens of one constraint in encodings whose size is known only afterwards."""

HUGE = 2**34
"""Size of an encoding with more than MAX_TOKENS tokens, far beyond any limit."""
