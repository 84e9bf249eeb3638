"""At-most-one encodings, one file each, chosen by its name with `--set amo=NAME`.

Each has `clauses(x, fresh)`: the clauses over the slots x, and how many fresh slots they use,
counted from `fresh` on. KEEPS_COUNTS says whether the number of models stays. All of them keep it
where exactly one is asked for: then the true literal determines every fresh variable.
"""

DEFAULT = "pairwise"
MEANS = "encoding of at-most-one constraints"
