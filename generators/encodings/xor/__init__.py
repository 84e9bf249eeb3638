"""Encodings of parity constraints, selected by `--set xor=NAME`.

Each module has these functions:

clauses(x, fresh) -> tuple of array and int
    Return the clauses of "an odd number of x is true", each ended by 0, and the number of their
    auxiliary variables, which are numbered from `fresh` on.

tokens(n, low, high) -> int
    Return the number of tokens of the clauses for n literals; the bounds are unused.

LINES : bool
    Optional. True if `clauses` returns native XOR lines instead of clauses.
"""

DEFAULT = "auto"
MEANS = "encoding of parity constraints"
