"""Cuts of what is chosen: cells or edges that hold must be one part, whatever else there is.

Two that are chosen and in different parts are held apart by those around one part: if both are
chosen, one of these is. That clause is a cut. Edges meet in a vertex, cells in a move between them.

Workers use this file too, so it does without all that takes long to import.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

Clause = list[int]

OWN, OTHERS = 4, 2
"""Members of a part, and of the largest, that the cuts of one round are about."""

WALKED = 2**22
"""Steps that finding the cuts of a round may take before they are no longer made as short."""


class ChoiceGraph(NamedTuple):
    """A literal for each that may be chosen, 0 for one that always is; and which of them meet."""

    literals: list[int]
    meetings: list[list[int]]

    def variables(self) -> Iterator[int]:
        return (abs(literal) for literal in self.literals if literal)

    def renamed(self, names: Sequence[int]) -> ChoiceGraph:
        """The same with other variables: those at the index of each."""
        literals = [(names[abs(x)] if x > 0 else -names[abs(x)]) if x else 0 for x in self.literals]
        return ChoiceGraph(literals, self.meetings)

    def chosen(self, true: Collection[int]) -> list[int]:
        return [
            number
            for number, literal in enumerate(self.literals)
            if not literal or (literal in true if literal > 0 else -literal not in true)
        ]

    def near(self) -> list[list[int]]:
        """For each the meetings that it is in."""
        found: list[list[int]] = [[] for _ in self.literals]
        for place, meeting in enumerate(self.meetings):
            for number in meeting:
                found[number].append(place)
        return found


def choice_cuts(graph: ChoiceGraph, true: Collection[int]) -> list[Clause]:
    """The cuts that a model violates: none, if what it chooses is one part."""
    near = graph.near()
    parts = _parts(graph, near, graph.chosen(true))
    if len(parts) < 2:
        return []
    parts.sort(key=len)
    *small, largest = parts
    shortest = len(small) * len(graph.literals) <= WALKED
    cuts = []
    for part in small:
        around = _around(graph, near, part)
        if shortest:
            around = _reached(graph, near, largest[0], around)
        between = sorted(graph.literals[number] for number in around)
        for pair in product(_some(part, OWN), _some(largest, OTHERS)):
            ends = (-graph.literals[number] for number in pair)
            cuts.append([*(literal for literal in ends if literal), *between])
    return cuts


def _parts(graph: ChoiceGraph, near: list[list[int]], chosen: list[int]) -> list[list[int]]:
    """What is chosen, part by part."""
    left, passed = set(chosen), set[int]()
    parts = []
    for first in chosen:
        if first not in left:
            continue
        left.remove(first)
        part = [first]
        for number in part:
            for place in near[number]:
                if place not in passed:
                    passed.add(place)
                    more = [other for other in graph.meetings[place] if other in left]
                    left.difference_update(more)
                    part += more
        parts.append(part)
    return parts


def _around(graph: ChoiceGraph, near: list[list[int]], part: Iterable[int]) -> set[int]:
    """Those that meet a part and are not in it."""
    inside = set(part)
    places = {place for number in inside for place in near[number]}
    return {number for place in places for number in graph.meetings[place]} - inside


def _reached(graph: ChoiceGraph, near: list[list[int]], start: int, around: set[int]) -> set[int]:
    """Those of a border that are reached from beyond it: the others are not needed."""
    seen, passed, ahead = {start}, set[int](), [start]
    while ahead:
        for place in near[ahead.pop()]:
            if place not in passed:
                passed.add(place)
                for number in graph.meetings[place]:
                    if number not in seen:
                        seen.add(number)
                        if number not in around:
                            ahead.append(number)
    return seen & around


def _some(part: list[int], most: int) -> list[int]:
    """As many of them, evenly spread."""
    step = -(-len(part) // most)
    return part[::step]
