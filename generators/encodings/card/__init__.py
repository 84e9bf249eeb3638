"""Cardinality encodings, one file each, chosen by its name with `--set card=NAME`.

Each has `clauses(x, low, high, fresh)`: at least `low` and at most `high` of the slots x, and how
many fresh slots that uses, counted from `fresh` on; 0 <= low <= high <= n, and not both trivial.
COUNT_PRESERVING is True if the number of models stays.
"""

DEFAULT = "auto"
MEANS = "encoding of other cardinality constraints"
