"""Exact counts of Hamiltonian cycles and paths by the frontier method (dynamic programming).

The method is Knuth's Simpath on vertices. Vertices are eliminated in a fixed order. An eliminated
vertex chooses its missing edges among those to later vertices, so the chosen edges form disjoint
paths. The frontier are the remaining vertices with an eliminated neighbour. A state is:

- the pattern: the degree of each frontier vertex in chosen edges: 0, 1 (end of a path) or 2;
- the matching: the pairs of ends that belong to the same path.

A pattern is a code of two bits for each vertex, in elimination order. A matching identifies ends by
their positions among all ends, so its number does not depend on the pattern. So the counts of all
states with the same number of ends are a table with a row for each pattern that occurs and a column
for each matching. A choice links two vertices: the eliminated one (if it is an end) and another, or
two others through it. The effect on the matching depends only on the positions of the two among the
ends: columns are moved, summed or spread, in all rows alike. So no state is ever looked up, sorted
or hashed.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from math import comb, gcd, inf, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.counters.tour_problem import (
    MAX_SLOTS,
    OTHER_COUNTER,
    CycleProblem,
    TourProblem,
    cycle_problem,
    min_frontier_order,
)
from boardsat.base.errors import SolverError

Ints = NDArray[np.int64]
Counts = NDArray[Any]
Kind = type[Any]

COUNT_TYPES: Sequence[Kind] = (np.int16, np.int32, np.int64)

MAX_ENDS = 16  # four bits each in a word; there are two million matchings of 16 ends

_CHUNK_ENTRIES = 1 << 17  # table entries that are moved at once, so that they fit the cache
MEMORY_FAULT = "the tables of the frontier method exceed the memory limit"
MEMORY_REMEDY = "raise --memory, or use a counter or sampler of formulas"
_MAX_MEMORY_SHARE = 3 / 4  # of the memory, for the tables of a step; more would swap
_MAX_INT64 = (1 << 63) - 1
LOW_BITS = 0x5555555555555555  # lower bit of every slot
_ROUNDING_MARGIN = 1 - 2**-20  # factor of the largest number, as bounds are floats
DEGREE_TWO = 2  # chosen edges of a finished vertex


def count_tours(tour: TourProblem) -> int:
    """Return the number of Hamiltonian cycles or paths.

    Parameters
    ----------
    tour : TourProblem
        Graph, start, and whether tours are closed. Loops and repeated edges are ignored.

    Returns
    -------
    int
        Number of undirected cycles, of paths from the start, or of directed paths from any vertex.

    Raises
    ------
    SolverError
        The frontier is too wide, or the tables exceed the memory limit.
    ValueError
        The start or the end of an edge is not a vertex.

    Examples
    --------
    >>> square = [(0, 1), (1, 2), (2, 3), (3, 0)]
    >>> count_tours(TourProblem(4, square, None, closed=True))
    1
    >>> count_tours(TourProblem(4, square, 0, closed=False))
    2
    """
    closed = cycle_problem(tour)
    return 1 if tour.is_single_vertex else tour.tours_per_cycle * _count(closed)


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
    modulus = int(_MAX_INT64 * _ROUNDING_MARGIN) // max(step.growth for step in steps)
    while product <= bound:
        if gcd(modulus, product) == 1:
            residue = _run(steps, len(graph.tied), modulus)
            total += product * ((residue - total) * pow(product, -1, modulus) % modulus)
            product *= modulus
        modulus -= 1
    return total


@dataclass(frozen=True)
class Step:
    """Elimination of the vertex in slot 0; slots are positions in the frontier."""

    slots: tuple[int, ...]
    """Vertex of each slot, in elimination order."""
    entering: tuple[int, ...]
    """Slots of vertices that enter the frontier, ascending."""
    targets: tuple[int, ...]
    """Slots of the neighbours of the vertex."""
    available_neighbours: tuple[tuple[int, tuple[int, ...]], ...]
    """For each remaining slot: number of neighbours outside the frontier, slots of those inside."""
    final_pattern: int
    """Pattern in which the cycle may close: all degrees are 2. -1 if vertices are yet to enter."""

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
        later = {neighbour for neighbour in neighbours[vertex] if rank[neighbour] > number}
        slot_vertices = sorted({vertex, *later, *frontier}, key=rank.__getitem__)
        slots = {neighbour: slot for slot, neighbour in enumerate(slot_vertices)}
        entering = tuple(
            slots[neighbour] for neighbour in slot_vertices if neighbour not in frontier
        )
        targets = tuple(sorted(slots[neighbour] for neighbour in later))
        frontier = slot_vertices[1:]
        if len(frontier) >= MAX_SLOTS:
            fault = f"the frontier must have fewer than {MAX_SLOTS} vertices (got {len(frontier)})"
            raise SolverError(fault, OTHER_COUNTER)
        available_neighbours = []
        for neighbour in frontier:
            remaining = [second for second in neighbours[neighbour] if rank[second] > number]
            inside = tuple(slots[second] - 1 for second in remaining if second in slots)
            available_neighbours.append((len(remaining) - len(inside), inside))
        is_complete = len(frontier) == len(order) - number - 1
        final_pattern = (
            sum(DEGREE_TWO << 2 * slot for slot in range(len(frontier))) if is_complete else -1
        )
        step = (tuple(slot_vertices), entering, targets, tuple(available_neighbours), final_pattern)
        steps.append(Step(*step))
    return steps


@dataclass(frozen=True)
class Layer:
    """Counts of all states with the same number of path ends."""

    codes: Ints
    """Pattern codes, sorted."""
    counts: Counts
    """Table with a row for each pattern and a column for each matching."""


@dataclass(frozen=True)
class Move:
    """Rows of a layer that a choice moves to another layer, and their patterns there."""

    ends: int
    ends_after: int
    rows: Ints
    codes: Ints
    link: tuple[int, int, int, int] | None
    """Degrees of the two linked slots, and the number of ends below each; None without a link."""


def first_layers(tied: int) -> dict[int, Layer]:
    """Return the state before the first elimination, with `tied` path ends: 0 or 2."""
    code = np.array([0b0101 if tied else 0])
    return {tied: Layer(code, np.ones((1, 1), dtype=np.int64))}


def _run(steps: list[Step], tied: int, modulus: int | None = None) -> int:
    """Return the count, modulo `modulus` if it is given; raise OverflowError above int64."""
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
    layers: dict[int, Layer], step: Step, kinds: Sequence[Kind] = COUNT_TYPES
) -> dict[int, Layer]:
    """Return all states after a vertex is eliminated; `layers` is consumed to save memory.

    Counts have the first of the types that fits; raise OverflowError if none does.
    """
    moves_by_ends: dict[int, list[Move]] = {}
    for ends, layer in layers.items():
        for move in _moves(ends, layer.codes, step):
            moves_by_ends.setdefault(move.ends_after, []).append(move)
    largest = {ends: layer.counts.max(axis=1) for ends, layer in layers.items()}
    new_layers: dict[int, Layer] = {}
    for ends in sorted(moves_by_ends):
        moves = moves_by_ends.pop(ends)
        codes = sorted_set(np.concatenate([move.codes for move in moves]))
        rows = [np.searchsorted(codes, move.codes) for move in moves]
        dtype = _narrowest_dtype(_upper_bound(len(codes), moves, rows, largest), kinds)
        shape = len(codes), len(matchings(ends))
        table_bytes = sum(layer.counts.nbytes for layer in (*layers.values(), *new_layers.values()))
        if table_bytes + prod(shape) * dtype.itemsize > max_table_bytes():
            raise SolverError(MEMORY_FAULT, MEMORY_REMEDY)
        counts = np.zeros(shape, dtype=dtype)
        for move, row_indices in zip(moves, rows, strict=True):
            _add(counts, row_indices, layers[move.ends].counts, move)
        new_layers[ends] = Layer(codes, counts)
        # A link changes the number of ends by two at most.
        layers.pop(ends - 2, None)
    return new_layers


def _upper_bound(
    rows: int, moves: list[Move], rows_of_moves: list[Ints], largest: dict[int, Counts]
) -> float:
    """Return an upper bound on the counts of a layer, from the largest counts that are summed."""
    # Rounding errors are far below _ROUNDING_MARGIN.
    bounds = np.zeros(rows)
    for move, row_indices in zip(moves, rows_of_moves, strict=True):
        num_sources = len(link(move.ends, *move.link)[1]) if move.link else 1
        try:
            with np.errstate(over="ignore"):
                bounds[row_indices] += num_sources * largest[move.ends][move.rows].astype(
                    np.float64
                )
        except OverflowError:
            return inf
    return float(bounds.max())


def _narrowest_dtype(bound: float, kinds: Sequence[Kind] = COUNT_TYPES) -> np.dtype[Any]:
    """Return the narrowest integer type for numbers up to a bound."""
    for kind in kinds:
        if kind is object or bound < np.iinfo(kind).max * _ROUNDING_MARGIN:
            return np.dtype(kind)
    raise OverflowError


def max_table_bytes() -> float:
    """Return the limit on the tables of this process, in bytes."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return _MAX_MEMORY_SHARE * (machine if limit == resource.RLIM_INFINITY else min(limit, machine))


def _add(counts: Counts, rows: Ints, source_counts: Counts, move: Move) -> None:
    """Add the moved rows to the counts, in chunks that fit the cache."""
    columns, sources = link(move.ends, *move.link) if move.link else (None, None)
    size = max(1, _CHUNK_ENTRIES // source_counts.shape[1])
    flat, width = counts.reshape(-1), counts.shape[1]
    for begin in range(0, len(rows), size):
        chunk_rows = rows[begin : begin + size]
        entries = source_counts.take(move.rows[begin : begin + size], axis=0)
        entries = entries.astype(counts.dtype, copy=False)
        if sources is not None:
            source_entries, entries = entries, entries.take(sources[0], axis=1)
            for source in sources[1:]:
                entries += source_entries.take(source, axis=1)
        if columns is None:
            counts[chunk_rows] += entries
        else:
            flat[((chunk_rows * width)[:, None] + columns).reshape(-1)] += entries.reshape(-1)


def _moves(ends: int, codes: Ints, step: Step) -> Iterator[Move]:
    """Yield the moves of all choices for the vertex in slot 0, in patterns with `ends` ends."""
    for slot in step.entering:
        low = codes & ((1 << 2 * slot) - 1)
        codes = low | (codes ^ low) << 2
    tips = codes & ~(codes >> 1) & LOW_BITS
    leaving = codes & 3
    rows = np.flatnonzero(leaving == DEGREE_TWO)
    rows = rows[_can_be_completed(codes[rows] >> 2, ends, step)]
    if len(rows):
        yield Move(ends, ends, rows, codes[rows] >> 2, None)
    for a, b in step.pairs:
        # The eliminated vertex is linked itself if it is an end, or links two others if it is free.
        status_a, status_b = codes >> 2 * a & 3, codes >> 2 * b & 3
        rows = np.flatnonzero(
            (leaving == (a == 0)) & (status_a < DEGREE_TWO) & (status_b < DEGREE_TWO)
        )
        linked = codes[rows] + (1 << 2 * a) + (1 << 2 * b) >> 2
        links = np.stack([status_a, status_b, ends_below(tips, a), ends_below(tips, b)])[:, rows]
        keys = links[0] << 11 | links[1] << 10 | links[2] << 5 | links[3]
        order = np.argsort(keys, kind="stable")
        for group in np.split(order, np.flatnonzero(np.diff(keys[order])) + 1):
            if len(group):
                link_key = tuple(links[:, group[0]].tolist())
                ends_after = ends + 2 - 2 * (link_key[0] + link_key[1])
                completable = group[_can_be_completed(linked[group], ends_after, step)]
                if len(completable):
                    yield Move(ends, ends_after, rows[completable], linked[completable], link_key)


def ends_below(tips: Ints, slot: int) -> Ints:
    """Return the number of path ends in lower slots."""
    lower: Ints = np.bitwise_count(tips & ((1 << 2 * slot) - 1)).astype(np.int64)
    return lower


def _can_be_completed(codes: Ints, ends: int, step: Step) -> NDArray[np.bool_]:
    """Return a mask of patterns without an early cycle or a vertex with too few neighbours left."""
    alive: NDArray[np.bool_] = codes == step.final_pattern
    if not ends:
        return alive
    alive[:] = True
    free = cache(lambda slot: (codes >> 2 * slot & DEGREE_TWO) == 0)
    for slot, (outside, inside) in enumerate(step.available_neighbours):
        if outside < 2:
            supply = (codes >> 2 * slot & 3) + outside
            for inner_slot in inside:
                supply += free(inner_slot)
            alive &= supply >= 2
    return alive


# Matchings of path ends. Ends are identified by position, so the tables apply to every graph.


@cache
def matchings(ends: int) -> NDArray[np.uint8]:
    """Return the partner of each position in each matching, matchings in lexicographic order."""
    if not ends:
        return np.zeros((1, 0), dtype=np.uint8)
    if ends > MAX_ENDS:
        raise SolverError(
            f"the frontier method supports at most {MAX_ENDS} path ends (got {ends})",
            OTHER_COUNTER,
        )
    smaller = matchings(ends - 2)
    blocks = []
    for mate in range(1, ends):
        positions = np.array(
            [position for position in range(1, ends) if position != mate], dtype=np.uint8
        )
        block = np.empty((len(smaller), ends), dtype=np.uint8)
        block[:, 0], block[:, mate] = mate, 0
        block[:, positions] = positions[smaller]
        blocks.append(block)
    return np.concatenate(blocks)


def _sort_keys(mates: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return an integer for each matching, in the same order as the matchings."""
    keys = np.zeros(len(mates), dtype=np.uint64)
    for column in mates.T:
        keys = keys << np.uint64(4) | column
    return keys


def sorted_set(numbers: Ints) -> Ints:
    """Return the sorted unique numbers. np.unique hashes them, which is far slower."""
    in_order = np.sort(numbers)
    is_new = np.ones(len(in_order), np.bool_)
    np.not_equal(in_order[1:], in_order[:-1], out=is_new[1:])
    return in_order[is_new]


@lru_cache(maxsize=512)
def link(
    ends: int, status_a: int, status_b: int, below_a: int, below_b: int
) -> tuple[Ints | None, Ints]:
    """Return the effect on matchings of linking vertex a to vertex b in a higher slot.

    Parameters
    ----------
    ends : int
        Number of path ends before the link.
    status_a, status_b : int
        Degrees of the two vertices: 1 for an end, 0 for a free vertex.
    below_a, below_b : int
        Numbers of ends in lower slots.

    Returns
    -------
    array or None
        New columns that receive counts. None for all.
    array
        Indices of old columns, a column of the array for each of these new columns. The counts of
        the old columns in it are summed to the new one.
    """
    mates = matchings(ends)
    positions = list(range(ends))  # remaining ends, in order
    columns = np.arange(len(mates))
    if status_a and status_b:
        # The far ends of two paths become partners; only the last path may be linked to itself.
        if ends > 2:
            columns = columns[mates[:, below_a] != below_b]
        mates = mates[columns]
        rows, far_a, far_b = np.arange(len(mates)), mates[:, below_a], mates[:, below_b]
        mates[rows, far_a], mates[rows, far_b] = far_b.copy(), far_a.copy()
        positions = [position for position in positions if position not in (below_a, below_b)]
    elif status_a:
        # The path that ended in a now ends in b.
        positions.insert(below_b - 1, positions.pop(below_a))
    elif status_b:
        positions.insert(below_a, positions.pop(below_b))
    else:
        # A new path with two ends.
        new_path = np.array([[ends + 1, ends]], dtype=np.uint8)
        mates = np.concatenate([mates, new_path.repeat(len(mates), axis=0)], axis=1)
        positions.insert(below_b, ends + 1)
        positions.insert(below_a, ends)
    new_position = np.zeros(ends + 2, dtype=np.uint8)
    new_position[positions] = range(len(positions))
    new_matchings = matchings(len(positions))
    ranks = np.searchsorted(
        _sort_keys(new_matchings), _sort_keys(new_position[mates[:, positions]])
    )
    order = np.argsort(ranks, kind="stable")
    new_columns = sorted_set(ranks)
    sources = columns[order].reshape(len(new_columns), -1).T.copy()
    return None if len(new_columns) == len(new_matchings) else new_columns, sources
