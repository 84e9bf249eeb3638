"""A comparison of encodings of a closed knight's tour: sizes, and times to solve them.

    python examples/compare_encodings.py [N ...]

Boards of 6 x 6 and 8 x 8 if no N is given. Times are of one run of CaDiCaL on this machine: an
impression, not a benchmark (`make bench` has those).
"""

from __future__ import annotations

import sys
import time

import boardsat

ENCODINGS = ("direct", "unary", "binary", "crt", "hve", "uve")
SECONDS = 30


def main(*sizes: str) -> None:
    print(f"{'n':>3}  {'encoding':<8}  {'variables':>9}  {'clauses':>9}  {'seconds':>7}  answer")
    for n in map(int, sizes or ("6", "8")):
        for encoding in ENCODINGS:
            formula = boardsat.build("tour", encoding, n=n)
            clauses = sum(1 for _ in formula.clauses())
            begin = time.perf_counter()
            result = boardsat.solve(formula, solver="cadical", timeout=SECONDS)
            seconds = time.perf_counter() - begin
            print(
                f"{n:>3}  {encoding:<8}  {formula.num_variables:>9,}  {clauses:>9,}"
                f"  {seconds:>7.2f}  {result.status.name}"
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
