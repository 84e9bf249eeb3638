"""At-most-one encodings, selected by `--set amo=NAME`.

Each module has this function:

clauses(x, fresh) -> tuple of array and int
    Return the clauses of "at most one of x", each ended by 0, and the number of their auxiliary
    variables, which are numbered from `fresh` on.

Every encoding preserves counts of exactly-one constraints: the true literal determines all
auxiliary variables.
"""

DEFAULT = "pairwise"
MEANS = "encoding of at-most-one constraints"
