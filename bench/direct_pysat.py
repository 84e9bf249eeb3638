"""The direct encoding of the 14x14 tour, against PySAT building and writing the same clauses."""

from __future__ import annotations

from bench._measure import BOARDSAT, PYTHON, Row, best_process, clauses_digest, process, scratch

TARGET = 80


def run() -> list[Row]:
    """Whole processes, imports and all. PySAT runs once: it takes long enough to be sure of."""
    with scratch() as folder:
        ours, theirs = folder / "ours.cnf", folder / "theirs.cnf"
        process([PYTHON, "-m", "bench._pysat_tour", "6", str(theirs)])
        slow = process([PYTHON, "-m", "bench._pysat_tour", "14", str(theirs)])
        command = [BOARDSAT, "cnf", "tour", "--enc", "direct", "-n", "14", "-o", str(ours)]
        fast = best_process(7, command, ours)
        if clauses_digest(ours) != clauses_digest(theirs):
            raise RuntimeError("PySAT's clauses are not ours")
    times = slow.cpu / fast.cpu
    return [
        Row(
            "direct 14x14, PySAT",
            f"{fast.cpu:.2f} s",
            f"{slow.cpu:.1f} s",
            f"{times:.0f} times",
            f"at least {TARGET} times",
            times >= TARGET,
        )
    ]
