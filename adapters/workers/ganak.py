"""Ganak as a library: exact model count of a CNF file.

The weighted counter of Ganak uses floating-point numbers, so weights are encoded as clauses.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pyganak import Counter

from boardsat.adapters.solver_meter import run_measured
from boardsat.adapters.workers._answer_output import print_count
from boardsat.adapters.workers._formula_file import open_projected_formula

if TYPE_CHECKING:
    from fractions import Fraction


def main(path: str, seed: str) -> int:
    """Print the exact number, or the total weight, of the projected models of a CNF file."""
    counter = Counter(seed=int(seed))
    with open_projected_formula(path) as (variables, projection, clauses, weights):
        counter.new_vars(variables)
        # Ganak takes an empty projection for all variables, so one true variable is added to it.
        anchor = variables + 1
        counter.add_clause([anchor])
        for clause in clauses:
            counter.add_clause(clause or [-anchor])
    projection = [*projection, anchor]
    if weights is not None:
        return _print_weighted_count(counter, projection, weights)
    counter.set_sampling_set(projection)
    return print_count(counter.count())


def _print_weighted_count(
    counter: Counter, projection: list[int], weights: dict[int, Fraction]
) -> int:
    from boardsat.adapters.dimacs.literal_weights import (
        integer_weights_of,
        print_weighted,
        weight_gadget,
    )

    pairs, factor = integer_weights_of(weights, projection)
    for variable, pair in pairs.items():
        gadget = weight_gadget(variable, pair, projection[-1] + 1)
        counter.add_clauses(gadget.clauses)
        projection += gadget.auxiliary
    counter.set_sampling_set(projection)
    return print_weighted(factor * int(counter.count()))


if __name__ == "__main__":
    sys.exit(run_measured(main))
