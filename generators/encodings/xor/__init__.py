"""Encodings of parity constraints, one file each, chosen by its name with `--set xor=NAME`.

Each has `clauses(x, fresh)`: an odd number of the slots x is true, and how many fresh slots that
uses, counted from `fresh` on; and `tokens(n, low, high)`, where both bounds stand for nothing.
COUNT_PRESERVING is True if the number of models stays.
"""

DEFAULT = "auto"
MEANS = "encoding of parity constraints"
