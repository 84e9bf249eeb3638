"""`python -m bench._pysat_tour N FILE`: the direct encoding of the N x N tour, as with PySAT."""

import sys

from pysat.formula import CNF

n, path = int(sys.argv[1]), sys.argv[2]
cells = positions = range(n * n)
steps = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]


def neighbours(i: int) -> list[int]:
    reached = ((i // n + a, i % n + b) for a, b in steps)
    return sorted(row * n + col for row, col in reached if 0 <= row < n and 0 <= col < n)


def v(i: int, p: int) -> int:
    return i * n * n + p + 1


cnf = CNF()
last = n * n - 1
for p in positions:
    cnf.append([v(i, p) for i in (neighbours(0) if p == last else cells)])
for p in positions:
    for i in cells:
        for j in range(i + 1, n * n):
            cnf.append([-v(i, p), -v(j, p)])
for i in cells:
    cnf.append([v(i, p) for p in positions])
for i in cells:
    for p in positions:
        for q in range(p + 1, n * n):
            cnf.append([-v(i, p), -v(i, q)])
for i in cells:
    for p in range(last):
        cnf.append([-v(i, p)] + [v(j, p + 1) for j in neighbours(i)])
cnf.append([v(0, 0)])
cnf.append([-v(0, last)])
cnf.to_file(path)
