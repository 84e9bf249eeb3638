"""Circuits of a graph of degree 2, stored as two links for each cell, and joining them."""

from __future__ import annotations

from collections.abc import Sequence


class Circuits:
    """Disjoint circuits that cover all cells."""

    def __init__(self, pairs: list[list[int]]) -> None:
        self.pairs = pairs

    def join(self, moves: Sequence[tuple[int, int]]) -> None:
        """Remove a move of each circuit, and link the second end of each to the next one."""
        for number, (first, second) in enumerate(moves):
            before, after = moves[number - 1], moves[(number + 1) % len(moves)]
            self._replace(first, second, before[1])
            self._replace(second, first, after[0])

    def _replace(self, cell: int, old: int, new: int) -> None:
        pair = self.pairs[cell]
        pair[pair.index(old)] = new

    def circuit(self, start: int) -> list[int]:
        """Return the cells of the circuit through a cell, in order."""
        order = [start]
        before, cell = start, self.pairs[start][1]
        while cell != start:
            order.append(cell)
            first, second = self.pairs[cell]
            before, cell = cell, second if first == before else first
        return order

    def circuits(self) -> list[list[int]]:
        """Return all circuits, the shortest first."""
        seen = bytearray(len(self.pairs))
        found = []
        for cell in range(len(self.pairs)):
            if not seen[cell]:
                found.append(self.circuit(cell))
                for member in found[-1]:
                    seen[member] = 1
        return sorted(found, key=len)
