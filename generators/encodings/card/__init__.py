"""Cardinality encodings, selected by `--set card=NAME`.

Each module has these functions:

clauses(x, low, high, fresh) -> tuple of array and int
    Return the clauses of "at least `low` and at most `high` of x", each ended by 0, and the number
    of their auxiliary variables, which are numbered from `fresh` on. 0 <= low <= high <= n, and at
    least one of the bounds is not trivial.

tokens(n, low, high) -> int
    Optional. Return the number of tokens of the clauses for n literals without making them.
"""

DEFAULT = "auto"
MEANS = "encoding of other cardinality constraints"
