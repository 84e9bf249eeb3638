"""Encodings of connectivity, one file each, chosen by its name with `--set connected=NAME`.

Each has `clauses(graph, fresh)`: what is chosen of a graph of literals lies in one
component, or nothing is chosen; with the number of fresh variables that takes, counted from `fresh`
on. COUNT_PRESERVING is True if the number of models stays.
"""

DEFAULT = "elimination"
MEANS = "encoding of connectivity"
