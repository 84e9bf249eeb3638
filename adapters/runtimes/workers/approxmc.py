"""ApproxMC as a library: the models of a file, estimated."""

from __future__ import annotations

import sys

from pyapproxmc import Counter

from adapters.runtimes.workers.formula import clauses, opened, print_count


def main(path: str, epsilon: str, delta: str, seed: str) -> int:
    counter = Counter(seed=int(seed), epsilon=float(epsilon), delta=float(delta))
    used: set[int] = set()
    with opened(path) as (cnf, projection):
        for clause in clauses(cnf):
            if not clause:
                return print_count(0)
            used.update(map(abs, clause))
            counter.add_clause(clause)
    # The library knows only of variables that some clause has, and takes an empty projection for
    # all of them: so it gets one more, which is true.
    anchor = cnf.variables + 1
    counter.add_clause([anchor])
    constrained = [variable for variable in projection if variable in used]
    cells, doublings = counter.count([*constrained, anchor])
    return print_count(cells << (doublings + len(projection) - len(constrained)))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
