"""Hamiltonian cycles and paths of a graph, counted exactly by the frontier method.

The method is Knuth's Simpath on vertices. They leave in a fixed order; a vertex that leaves chooses
the edges that it still lacks among those to the vertices after it. What was chosen so far is a set
of disjoint paths, and all that matters of it is the frontier, the vertices that have both a
neighbour gone and (being here still) choices to come:

- the pattern: how many chosen edges each vertex of the frontier has, 0, 1 (the end of a path) or 2;
- the matching: which ends belong to the same path.

A pattern is a code of two bits a vertex, in the order of leaving. Matchings are numbered among all
those of so many ends, by position only, so the counts of all states with `ends` ends are a table
with a row for each pattern that occurs and a column for each matching. A choice links two vertices,
the one that leaves (if it is an end) with another or two others through it, and what a link does to
the matching depends on the positions of the two among the ends alone: it moves, sums or spreads
whole columns, for all rows alike. So no state is ever looked up, sorted or hashed.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb, gcd, inf, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.counters.matchings import MOST_ENDS, Ints, link, matchings, sorted_set
from boardsat.adapters.counters.tour_problem import (
    MOST_SLOTS,
    Closed,
    Edges,
    narrow_order,
    of_all_paths,
    of_cycles,
    of_paths,
)
from boardsat.base.errors import SolverError

Counts = NDArray[Any]
Kind = type[Any]

WORDS: Sequence[Kind] = (np.int16, np.int32, np.int64)

_CHUNK = 1 << 17  # entries of a table that are moved at once, to stay in the cache
_MOST_MEMORY = 3 / 4  # of what there is, for the tables of a step: better refuse than thrash
_WORD = (1 << 63) - 1
ONES = 0x5555555555555555  # the lower bit of every slot
_NEARLY = 1 - 2**-20  # of the largest number: bounds are rounded
DONE = 2  # edges of a vertex on a cycle

_REMEDY = "count a narrower graph"


def count_cycles(vertices: int, edges: Edges) -> int:
    """The undirected Hamiltonian cycles of a graph; fewer than three vertices have none.

    Loops and repeated edges do not count. A graph too wide for the method is an `BoardsatError`.
    """
    return _count(of_cycles(vertices, edges))


def count_paths(vertices: int, edges: Edges, start: int) -> int:
    """The Hamiltonian paths from a vertex to wherever they end; a lone vertex is a path."""
    closed = of_paths(vertices, edges, start)
    return 1 if vertices == 1 else _count(closed)


def count_all_paths(vertices: int, edges: Edges) -> int:
    """The Hamiltonian paths from every vertex: each of two vertices or more in both directions."""
    return 1 if vertices == 1 else 2 * _count(of_all_paths(vertices, edges))


def _count(graph: Closed) -> int:
    steps = leaving_steps(graph)
    if not steps:
        return 0
    try:
        return _run(steps, len(graph.tied))
    except OverflowError:
        pass  # take the count modulo several numbers instead, until they settle it
    bound = prod(step.most_choices for step in steps)
    total, product = 0, 1
    modulus = int(_WORD * _NEARLY) // max(step.growth for step in steps)
    while product <= bound:
        if gcd(modulus, product) == 1:
            residue = _run(steps, len(graph.tied), modulus)
            total += product * ((residue - total) * pow(product, -1, modulus) % modulus)
            product *= modulus
        modulus -= 1
    return total


@dataclass(frozen=True)
class Step:
    """What one vertex does as it leaves; slots are places in the frontier, its own is slot 0."""

    slots: tuple[int, ...]  # the vertices, in the order of leaving
    entering: tuple[int, ...]  # the slots of vertices that this step brings in, from below
    targets: tuple[int, ...]  # the slots that it may choose
    supply: tuple[tuple[int, tuple[int, ...]], ...]  # of each slot left: neighbours outside, inside
    last: int  # the pattern in which a cycle may close: all are done (-1: some are not even here)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The slots that can be linked: the leaving end and a target, or two targets through it."""
        return list(combinations((0, *self.targets), 2))

    @property
    def most_choices(self) -> int:
        """How many ways to leave a state can have."""
        targets = len(self.targets)
        return max(1, targets, comb(targets, 2))

    @property
    def growth(self) -> int:
        """How many counts may add up to one."""
        return (1 + len(self.pairs)) * MOST_ENDS


def leaving_steps(graph: Closed) -> list[Step]:
    """The steps of all vertices; none where there cannot be a cycle."""
    if graph.has_none:
        return []
    neighbours, tied = graph
    order = narrow_order(neighbours, tied)
    rank = {vertex: number for number, vertex in enumerate(order)}
    steps = []
    frontier = sorted(tied, key=rank.__getitem__)
    for number, vertex in enumerate(order):
        later = {other for other in neighbours[vertex] if rank[other] > number}
        wider = sorted({vertex, *later, *frontier}, key=rank.__getitem__)
        slots = {other: slot for slot, other in enumerate(wider)}
        entering = tuple(slots[other] for other in wider if other not in frontier)
        targets = tuple(sorted(slots[other] for other in later))
        frontier = wider[1:]
        if len(frontier) >= MOST_SLOTS:
            raise SolverError(f"a frontier of {len(frontier)} vertices is too wide", _REMEDY)
        supply = []
        for other in frontier:
            remaining = [third for third in neighbours[other] if rank[third] > number]
            inside = tuple(slots[third] - 1 for third in remaining if third in slots)
            supply.append((len(remaining) - len(inside), inside))
        whole = len(frontier) == len(order) - number - 1
        last = sum(DONE << 2 * slot for slot in range(len(frontier))) if whole else -1
        steps.append(Step(tuple(wider), entering, targets, tuple(supply), last))
    return steps


@dataclass(frozen=True)
class Layer:
    """The states with so many ends: the codes of the patterns, in order, and a row for each."""

    codes: Ints
    counts: Counts


@dataclass(frozen=True)
class Move:
    """Rows of a layer that the same link takes to patterns of another (or the same) layer."""

    ends: int
    ends_after: int
    rows: Ints
    codes: Ints
    link: tuple[int, int, int, int] | None  # the two statuses, and the ends below each


def first_layers(tied: int) -> dict[int, Layer]:
    """The one state before anybody has left, with so many vertices tied."""
    code = np.array([0b0101 if tied else 0])
    return {tied: Layer(code, np.ones((1, 1), dtype=np.int64))}


def _run(steps: list[Step], tied: int, modulus: int | None = None) -> int:
    """The count, modulo a number if one is given; without one, it has to fit a word."""
    layers = first_layers(tied)
    for step in steps:
        layers = leave(layers, step)
        if not layers:
            return 0
        for layer in layers.values():
            if modulus and modulus <= np.iinfo(layer.counts.dtype).max:
                np.remainder(layer.counts, modulus, out=layer.counts)
    return int(layers[0].counts[0, 0])


def leave(layers: dict[int, Layer], step: Step, kinds: Sequence[Kind] = WORDS) -> dict[int, Layer]:
    """All states after a vertex has left; those before it go as soon as nobody needs them.

    Counts are of the first kind that holds them; of none, it is an `OverflowError`.
    """
    arriving: dict[int, list[Move]] = {}
    for ends, layer in layers.items():
        for move in _moves(ends, layer.codes, step):
            arriving.setdefault(move.ends_after, []).append(move)
    largest = {ends: layer.counts.max(axis=1) for ends, layer in layers.items()}
    after: dict[int, Layer] = {}
    for ends in sorted(arriving):
        moves = arriving.pop(ends)
        codes = sorted_set(np.concatenate([move.codes for move in moves]))
        places = [np.searchsorted(codes, move.codes) for move in moves]
        kind = _narrowest(_most(len(codes), moves, places, largest), kinds)
        shape = len(codes), len(matchings(ends))
        held = sum(layer.counts.nbytes for layer in (*layers.values(), *after.values()))
        if held + prod(shape) * kind.itemsize > most_bytes():
            raise SolverError(f"a frontier of {len(step.supply)} vertices is too wide", _REMEDY)
        counts = np.zeros(shape, dtype=kind)
        for move, place in zip(moves, places, strict=True):
            _add(counts, place, layers[move.ends].counts, move)
        after[ends] = Layer(codes, counts)
        # A link changes the number of ends by two at most.
        layers.pop(ends - 2, None)
    return after


def _most(rows: int, moves: list[Move], places: list[Ints], largest: dict[int, Counts]) -> float:
    """What no count of a layer can exceed: in each row, the sum of the largest that come to it."""
    # Rounding is far smaller than the room that is left below a power of two.
    bounds = np.zeros(rows)
    for move, place in zip(moves, places, strict=True):
        several = len(link(move.ends, *move.link)[1]) if move.link else 1
        try:
            with np.errstate(over="ignore"):
                bounds[place] += several * largest[move.ends][move.rows].astype(np.float64)
        except OverflowError:
            return inf
    return float(bounds.max())


def _narrowest(most: float, kinds: Sequence[Kind] = WORDS) -> np.dtype[Any]:
    """The smallest integers that hold numbers up to this one: half the memory is half the time."""
    for kind in kinds:
        if kind is object or most < np.iinfo(kind).max * _NEARLY:
            return np.dtype(kind)
    raise OverflowError


def most_bytes() -> float:
    """What the tables of this process may take, in bytes."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return _MOST_MEMORY * (machine if limit == resource.RLIM_INFINITY else min(limit, machine))


def _add(counts: Counts, places: Ints, before: Counts, move: Move) -> None:
    """Add the moved rows at their places, a few at a time."""
    columns, sources = link(move.ends, *move.link) if move.link else (None, None)
    size = max(1, _CHUNK // before.shape[1])
    flat, width = counts.reshape(-1), counts.shape[1]
    for begin in range(0, len(places), size):
        place = places[begin : begin + size]
        part = before.take(move.rows[begin : begin + size], axis=0)
        part = part.astype(counts.dtype, copy=False)
        if sources is not None:
            whole, part = part, part.take(sources[0], axis=1)
            for source in sources[1:]:
                part += whole.take(source, axis=1)
        if columns is None:
            counts[place] += part
        else:
            flat[((place * width)[:, None] + columns).reshape(-1)] += part.reshape(-1)


def _moves(ends: int, codes: Ints, step: Step) -> Iterator[Move]:
    """All ways in which the vertex in slot 0 can leave the patterns with so many ends."""
    for slot in step.entering:
        low = codes & ((1 << 2 * slot) - 1)
        codes = low | (codes ^ low) << 2
    tips = codes & ~(codes >> 1) & ONES
    leaving = codes & 3
    rows = np.flatnonzero(leaving == DONE)
    rows = rows[_alive(codes[rows] >> 2, ends, step)]
    if len(rows):
        yield Move(ends, ends, rows, codes[rows] >> 2, None)
    for a, b in step.pairs:
        # The leaving vertex is linked itself if it is an end, or links two others if it is free.
        status_a, status_b = codes >> 2 * a & 3, codes >> 2 * b & 3
        rows = np.flatnonzero((leaving == (a == 0)) & (status_a < DONE) & (status_b < DONE))
        linked = codes[rows] + (1 << 2 * a) + (1 << 2 * b) >> 2
        links = np.stack([status_a, status_b, ends_below(tips, a), ends_below(tips, b)])[:, rows]
        keys = links[0] << 11 | links[1] << 10 | links[2] << 5 | links[3]
        order = np.argsort(keys, kind="stable")
        for group in np.split(order, np.flatnonzero(np.diff(keys[order])) + 1):
            if len(group):
                kind = tuple(links[:, group[0]].tolist())
                ends_after = ends + 2 - 2 * (kind[0] + kind[1])
                alive = group[_alive(linked[group], ends_after, step)]
                if len(alive):
                    yield Move(ends, ends_after, rows[alive], linked[alive], kind)


def ends_below(tips: Ints, slot: int) -> Ints:
    """How many ends lie in lower slots."""
    lower: Ints = np.bitwise_count(tips & ((1 << 2 * slot) - 1)).astype(np.int64)
    return lower


def _alive(codes: Ints, ends: int, step: Step) -> NDArray[np.bool_]:
    """Which patterns can go on: no cycle has closed too early, no vertex lacks neighbours."""
    alive: NDArray[np.bool_] = codes == step.last
    if not ends:
        return alive
    alive[:] = True
    free = cache(lambda slot: (codes >> 2 * slot & DONE) == 0)
    for slot, (outside, inside) in enumerate(step.supply):
        if outside < 2:
            supply = (codes >> 2 * slot & 3) + outside
            for other in inside:
                supply += free(other)
            alive &= supply >= 2
    return alive
