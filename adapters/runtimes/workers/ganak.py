"""Ganak as a library: the exact model count of a file."""

from __future__ import annotations

import sys

from pyganak import Counter

from boardsat.adapters.runtimes.workers.formula import opened_formula, print_count


def main(path: str, seed: str) -> int:
    counter = Counter(seed=int(seed))
    with opened_formula(path) as (variables, projection, clauses):
        counter.new_vars(variables)
        for clause in clauses:
            if not clause:
                return print_count(0)
            counter.add_clause(clause)
    # An empty projection would be taken for all variables: so there is one more, which is true.
    anchor = variables + 1
    counter.add_clause([anchor])
    counter.set_sampling_set([*projection, anchor])
    return print_count(counter.count())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
