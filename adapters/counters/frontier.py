"""Hamiltonian cycles and paths of a graph, counted exactly by the frontier method.

The method is Knuth's Simpath on vertices. They are eliminated in a fixed order; an eliminated
vertex chooses the edges that it still lacks among those to the vertices after it. The chosen edges
are a set of disjoint paths, of which the state records the frontier: the remaining vertices that
have an eliminated neighbour.

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

from boardsat.adapters.counters.matchings import MAX_ENDS, Ints, link, matchings, sorted_set
from boardsat.adapters.counters.tour_problem import (
    MAX_SLOTS,
    CycleProblem,
    Edges,
    all_paths_problem,
    cycle_problem,
    min_frontier_order,
    path_problem,
)
from boardsat.base.errors import SolverError

Counts = NDArray[Any]
Kind = type[Any]

WORDS: Sequence[Kind] = (np.int16, np.int32, np.int64)

_CHUNK = 1 << 17  # entries of a table that are moved at once, to stay in the cache
_MAX_MEMORY_SHARE = 3 / 4  # of what there is, for the tables of a step: better refuse than thrash
_WORD = (1 << 63) - 1
ONES = 0x5555555555555555  # the lower bit of every slot
_NEARLY = 1 - 2**-20  # of the largest number: bounds are rounded
DONE = 2  # edges of a vertex on a cycle

_REMEDY = "count a narrower graph"


def count_cycles(vertices: int, edges: Edges) -> int:
    """Return the number of undirected Hamiltonian cycles of a graph; 0 below three vertices.

    Loops and repeated edges are ignored. Raise SolverError if the frontier is too wide.
    """
    return _count(cycle_problem(vertices, edges))


def count_paths(vertices: int, edges: Edges, start: int) -> int:
    """Return the number of Hamiltonian paths from a vertex; a single vertex is a path."""
    closed = path_problem(vertices, edges, start)
    return 1 if vertices == 1 else _count(closed)


def count_all_paths(vertices: int, edges: Edges) -> int:
    """Return the number of directed Hamiltonian paths from any vertex."""
    return 1 if vertices == 1 else 2 * _count(all_paths_problem(vertices, edges))


def _count(graph: CycleProblem) -> int:
    steps = elimination_steps(graph)
    if not steps:
        return 0
    try:
        return _run(steps, len(graph.tied))
    except OverflowError:
        pass  # take the count modulo several numbers instead, until they settle it
    bound = prod(step.max_choices for step in steps)
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
    """Elimination of one vertex; slots are positions in the frontier, its own is slot 0."""

    slots: tuple[int, ...]  # the vertices, in the order of leaving
    entering: tuple[int, ...]  # the slots of vertices that this step brings in, from below
    targets: tuple[int, ...]  # the slots that it may choose
    supply: tuple[tuple[int, tuple[int, ...]], ...]  # of each slot left: neighbours outside, inside
    last: int  # the pattern in which a cycle may close: all are done (-1: some are not even here)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Pairs of slots that can be linked: slot 0 and a target, or two targets through it."""
        return list(combinations((0, *self.targets), 2))

    @property
    def max_choices(self) -> int:
        """Maximum number of choices in a state."""
        targets = len(self.targets)
        return max(1, targets, comb(targets, 2))

    @property
    def growth(self) -> int:
        """Maximum number of counts that are added to one count."""
        return (1 + len(self.pairs)) * MAX_ENDS


def elimination_steps(graph: CycleProblem) -> list[Step]:
    """Return the steps of all vertices; none if there cannot be a cycle."""
    if graph.is_trivially_empty:
        return []
    neighbours, tied = graph
    order = min_frontier_order(neighbours, tied)
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
        if len(frontier) >= MAX_SLOTS:
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
    """States with an equal number of path ends: sorted pattern codes, a row of counts for each."""

    codes: Ints
    counts: Counts


@dataclass(frozen=True)
class Move:
    """Rows of a layer that one link moves to patterns of a layer."""

    ends: int
    ends_after: int
    rows: Ints
    codes: Ints
    link: tuple[int, int, int, int] | None  # the two statuses, and the ends below each


def first_layers(tied: int) -> dict[int, Layer]:
    """Return the state before the first elimination."""
    code = np.array([0b0101 if tied else 0])
    return {tied: Layer(code, np.ones((1, 1), dtype=np.int64))}


def _run(steps: list[Step], tied: int, modulus: int | None = None) -> int:
    """Return the count modulo a number, or the count itself; raise OverflowError above int64."""
    layers = first_layers(tied)
    for step in steps:
        layers = eliminate(layers, step)
        if not layers:
            return 0
        for layer in layers.values():
            if modulus and modulus <= np.iinfo(layer.counts.dtype).max:
                np.remainder(layer.counts, modulus, out=layer.counts)
    return int(layers[0].counts[0, 0])


def eliminate(
    layers: dict[int, Layer], step: Step, kinds: Sequence[Kind] = WORDS
) -> dict[int, Layer]:
    """Return all states after a vertex is eliminated; `layers` is emptied on the way.

    Counts have the first of the types that can hold them; raise OverflowError if none can.
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
        kind = _narrowest(_upper_bound(len(codes), moves, places, largest), kinds)
        shape = len(codes), len(matchings(ends))
        held = sum(layer.counts.nbytes for layer in (*layers.values(), *after.values()))
        if held + prod(shape) * kind.itemsize > max_table_bytes():
            raise SolverError(f"a frontier of {len(step.supply)} vertices is too wide", _REMEDY)
        counts = np.zeros(shape, dtype=kind)
        for move, place in zip(moves, places, strict=True):
            _add(counts, place, layers[move.ends].counts, move)
        after[ends] = Layer(codes, counts)
        # A link changes the number of ends by two at most.
        layers.pop(ends - 2, None)
    return after


def _upper_bound(
    rows: int, moves: list[Move], places: list[Ints], largest: dict[int, Counts]
) -> float:
    """Return an upper bound on the counts of a layer, from the largest counts that are added up."""
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
    """Return the narrowest integer type for numbers up to a bound: it saves memory and time."""
    for kind in kinds:
        if kind is object or most < np.iinfo(kind).max * _NEARLY:
            return np.dtype(kind)
    raise OverflowError


def max_table_bytes() -> float:
    """Return the bytes that the tables of this process may take."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return _MAX_MEMORY_SHARE * (machine if limit == resource.RLIM_INFINITY else min(limit, machine))


def _add(counts: Counts, places: Ints, before: Counts, move: Move) -> None:
    """Add the moved rows to the counts, in chunks that fit the cache."""
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
    """Yield the moves of all choices for the vertex in slot 0, in patterns with so many ends."""
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
    """Return the number of path ends in lower slots."""
    lower: Ints = np.bitwise_count(tips & ((1 << 2 * slot) - 1)).astype(np.int64)
    return lower


def _alive(codes: Ints, ends: int, step: Step) -> NDArray[np.bool_]:
    """Return the patterns that can be completed: no early cycle, no vertex short of neighbours."""
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
