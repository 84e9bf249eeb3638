"""At-most-one encodings, one file each, chosen by its name with `--set amo=NAME`.

Each has `clauses(x, fresh)`: the clauses over the slots x, and how many fresh slots they use,
counted from `fresh` on. COUNT_PRESERVING is True if the slots determine the fresh ones. Every
encoding preserves counts of exactly one: the true literal determines every fresh variable.
"""

DEFAULT = "pairwise"
MEANS = "encoding of at-most-one constraints"
