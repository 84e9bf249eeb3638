"""Disjoint circuits (a 2-regular graph), stored as two links for each cell, and joining them."""

from __future__ import annotations

from collections.abc import Sequence


class Circuits:
    """Disjoint circuits that cover all cells."""

    def __init__(self, links: list[list[int]]) -> None:
        self.links = links
        """Two neighbours of every cell in its circuit."""

    def join(self, moves: Sequence[tuple[int, int]]) -> None:
        """Join circuits in a ring: remove a move of each, and link its second end to the next."""
        for number, (first, second) in enumerate(moves):
            previous_move, next_move = moves[number - 1], moves[(number + 1) % len(moves)]
            self._replace(first, second, previous_move[1])
            self._replace(second, first, next_move[0])

    def _replace(self, cell: int, old: int, new: int) -> None:
        links = self.links[cell]
        links[links.index(old)] = new

    def circuit(self, start: int) -> list[int]:
        """Return the cells of the circuit through a cell, in order."""
        order = [start]
        previous, cell = start, self.links[start][1]
        while cell != start:
            order.append(cell)
            first, second = self.links[cell]
            previous, cell = cell, second if first == previous else first
        return order

    def circuits(self) -> list[list[int]]:
        """Return all circuits, the shortest first."""
        seen = bytearray(len(self.links))
        circuits = []
        for start in range(len(self.links)):
            if not seen[start]:
                circuit = self.circuit(start)
                circuits.append(circuit)
                for cell in circuit:
                    seen[cell] = 1
        return sorted(circuits, key=len)
