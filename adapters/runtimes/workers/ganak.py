"""Ganak as a library: the exact model count of a file.

Its own weighted counter takes and gives floating-point numbers, so weights become clauses.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pyganak import Counter

from boardsat.adapters.runtimes.workers.formula import opened_formula, print_count
from boardsat.adapters.solver_meter import run_measured

if TYPE_CHECKING:
    from fractions import Fraction


def main(path: str, seed: str) -> int:
    counter = Counter(seed=int(seed))
    with opened_formula(path) as (variables, projection, clauses, weights):
        counter.new_vars(variables)
        # An empty projection would be taken for all variables: so there is one more, which is true.
        anchor = variables + 1
        counter.add_clause([anchor])
        for clause in clauses:
            counter.add_clause(clause or [-anchor])
    counted = [*projection, anchor]
    if weights is not None:
        return _weigh(counter, counted, weights)
    counter.set_sampling_set(counted)
    return print_count(counter.count())


def _weigh(counter: Counter, counted: list[int], weights: dict[int, Fraction]) -> int:
    from boardsat.adapters.counters.integer_weights import (
        integer_weights_of,
        print_weighted,
        weight_gadget,
    )

    each, factor = integer_weights_of(weights, counted)
    for variable, pair in each.items():
        made = weight_gadget(variable, pair, counted[-1] + 1)
        counter.add_clauses(made.clauses)
        counted += made.auxiliary
    counter.set_sampling_set(counted)
    return print_weighted(factor * int(counter.count()))


if __name__ == "__main__":
    sys.exit(run_measured(main))
