"""Encodings of integers, one file each, chosen by its name with `--set int=NAME`.

An integer of `size` values has `width(size)` literals x, and k is how far its value is above the
least. `clauses(x, size, fresh)` leaves one assignment for each value. `at_least(x, size, fresh)`
gives a literal for "k or more" for every k from 1 on, `equal(x, size, fresh)` one for "k" for every
k from 0 on: signed slots, or fresh ones that are defined by equivalences. Each of the three tells
its clauses and how many fresh slots they use. If the literals have WEIGHTS, k is the sum of these;
otherwise a sum takes those of `at_least`. COUNT_PRESERVING says whether each value has one model.
"""

from __future__ import annotations

from typing import NamedTuple

from boardsat.generators.arrays import Ints, Tokens

DEFAULT = "order"
MEANS = "encoding of integers"


class Defined(NamedTuple):
    """Literals, the clauses that define them, and how many fresh slots they use."""

    literals: Ints
    tokens: Tokens
    used: int
