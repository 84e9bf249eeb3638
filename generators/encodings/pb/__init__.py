"""Encodings of weighted sums, one file each, chosen by its name with `--set pb=NAME`.

Each has `clauses(x, weights, low, high, fresh)`: the sum of the weights of the true slots among x
lies between `low` and `high`, and how many fresh slots that uses, counted from `fresh` on. Weights
are positive, there are at least two chains, and 0 <= low <= high <= their sum, not both trivial.
`tokens(weights, low, high)` predicts the size. COUNT_PRESERVING is True if the slots determine the
fresh ones.
"""

DEFAULT = "auto"
MEANS = "encoding of sums with different weights"

MOST = 2**22
"""Tokens of one sum that are ever tried; those that take more are not even finished."""

HUGE = 2**34
"""Stands for the size of all that is not finished: far beyond what a user could allow."""
