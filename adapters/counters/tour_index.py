"""Unranking of Hamiltonian tours: construct the tour with a given number from frontier tables.

The count of a state is the number of choice sequences that lead to it, and a cycle is a sequence to
the last state. The sequences to a state are ordered by their predecessor of that state. So a state
and a rank among its sequences determine the predecessor and a rank among the sequences to it, and
so on, back to the first state. Different ranks give different cycles, so uniform ranks give uniform
tours.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.counters.frontier import (
    COUNT_TYPES,
    DEGREE_TWO,
    LOW_BITS,
    MEMORY_FAULT,
    MEMORY_REMEDY,
    Counts,
    Ints,
    Step,
    eliminate,
    elimination_steps,
    ends_below,
    first_layers,
    link,
    max_table_bytes,
)
from boardsat.adapters.counters.tour_problem import CycleProblem, TourProblem, cycle_problem
from boardsat.base.errors import SolverError

_MAX_INT64_RANK = 2**62

_NO_VERTEX = -1

Choice = tuple[int, int] | None
"""Slots that are linked by the eliminated vertex; None if it has two edges already."""

LinkKind = tuple[int, int, int, int]
"""Statuses of the two slots, and the number of path ends below each."""

Table = NDArray[Any]

SPILL_THRESHOLD_BYTES = 2**16
"""Minimum size of a table that is spilled; smaller ones stay in memory."""

_OBJECT_BYTES = 64
"""Approximate size of a Python integer that exceeds int64."""


@dataclass(frozen=True)
class StoredLayer:
    """Layer whose counts are in a table store."""

    codes: Ints
    counts: Callable[[], Counts]


@dataclass(frozen=True)
class CycleIndex:
    """Hamiltonian cycles of a graph, numbered from 0."""

    vertices: int
    tied: frozenset[int]
    steps: Sequence[Step]
    layers: Sequence[dict[int, StoredLayer]]
    """Layers before each step."""
    total: int

    def neighbours(self, numbers: Sequence[int]) -> Ints:
        """Return, for each number and vertex, its two neighbours on the cycle, in any order."""
        count = len(numbers)
        neighbours = np.full((count, self.vertices, 2), _NO_VERTEX)
        samples = np.arange(count)
        if self.tied:
            _join(neighbours, samples, *sorted(self.tied))
        states = _States.last(numbers, self.total)
        for step, layers in zip(reversed(self.steps), reversed(self.layers), strict=True):
            states, chosen = _predecessors(states, step, layers)
            for choice, chosen_samples in chosen:
                for slot in choice or ():
                    if slot:
                        _join(neighbours, chosen_samples, step.slots[0], step.slots[slot])
        return neighbours


def index_cycles(graph: CycleProblem) -> CycleIndex:
    """Compute and store the counts of all states."""
    steps, store = elimination_steps(graph), TableStore(max_table_bytes())
    layers, stored_layers = first_layers(len(graph.tied)), []
    for step in steps:
        stored_layers.append(
            {n: StoredLayer(layer.codes, store.put(layer.counts)) for n, layer in layers.items()}
        )
        # Counts beyond int64 are Python integers.
        layers = eliminate(layers, step, (*COUNT_TYPES, object))
    total = int(layers[0].counts[0, 0]) if steps and layers else 0
    return CycleIndex(len(graph.neighbours), graph.tied, steps, stored_layers, total)


def _join(neighbours: Ints, samples: Ints, u: int, v: int) -> None:
    for vertex, neighbour in ((u, v), (v, u)):
        position = (neighbours[samples, vertex, 0] != _NO_VERTEX).astype(np.int64)
        neighbours[samples, vertex, position] = neighbour


@dataclass(frozen=True)
class _States:
    """State of each sample, and the rank of its cycle among the sequences to that state."""

    ends: Ints
    codes: Ints
    columns: Ints
    ranks: NDArray[Any]
    """Ranks, as int64 or, if the total is too large for it, Python integers."""

    @classmethod
    def last(cls, ranks: Sequence[int], total: int) -> _States:
        """Return the final state: one pattern, and one matching of no ends."""
        zeros = np.zeros(len(ranks), np.int64)
        kind = np.int64 if total < _MAX_INT64_RANK else object
        return cls(zeros, zeros, zeros, np.array(ranks, kind))


@dataclass(frozen=True)
class _Predecessors:
    """Samples that may have made one choice, with their states before it."""

    samples: Ints
    ends: Ints
    codes: Ints
    links: Ints
    """Link of each sample, in a column; no rows if nothing was linked."""

    def groups(self) -> Iterator[tuple[Ints, int, LinkKind | None]]:
        """Yield the positions of samples with equal ends and link."""
        keys = self.ends
        for row in self.links:
            keys = keys << 5 | row
        order = np.argsort(keys, kind="stable")
        for group in np.split(order, np.flatnonzero(np.diff(keys[order])) + 1):
            first = group[0]
            kind = self.links[:, first].tolist()
            yield group, int(self.ends[first]), tuple(kind) if kind else None


def _predecessors(
    states: _States, step: Step, layers: dict[int, StoredLayer]
) -> tuple[_States, list[tuple[Choice, Ints]]]:
    """Return the states before a step, and the samples that made each choice in it."""
    counts = {ends: layer.counts() for ends, layer in layers.items()}
    predecessors = _States(*(np.zeros_like(column) for column in vars(states).values()))
    ranks, waiting = states.ranks.copy(), np.arange(len(states.codes))
    samples_by_choice: list[tuple[Choice, Ints]] = []
    for choice in (None, *step.pairs):
        if not len(waiting):
            break
        is_done = np.zeros(len(ranks), np.bool_)
        possible = _undo(states, step, choice, waiting)
        for group, ends, link_key in possible.groups() if len(possible.samples) else ():
            if ends not in layers:
                continue
            samples, codes = possible.samples[group], possible.codes[group]
            rows = _positions(layers[ends].codes, codes)
            for sources in _sources(states.columns[samples], ends, link_key):
                # Absent states have count 0, and samples that are done need no further search.
                candidates = np.flatnonzero((rows >= 0) & (sources >= 0) & ~is_done[samples])
                weights = counts[ends][rows[candidates], sources[candidates]].astype(ranks.dtype)
                hits = ranks[samples[candidates]] < weights
                misses, successes = candidates[~hits], candidates[hits]
                ranks[samples[misses]] -= weights[~hits]
                is_done[samples[successes]] = True
                predecessors.ends[samples[successes]] = ends
                predecessors.codes[samples[successes]] = codes[successes]
                predecessors.columns[samples[successes]] = sources[successes]
        samples_by_choice.append((choice, np.flatnonzero(is_done)))
        waiting = waiting[~is_done[waiting]]
    assert not len(waiting), "the count of a state is not the sum of the counts before it"
    return _States(
        predecessors.ends, predecessors.codes, predecessors.columns, ranks
    ), samples_by_choice


def _undo(states: _States, step: Step, choice: Choice, samples: Ints) -> _Predecessors:
    """Undo a choice for the samples that may have made it."""
    codes = states.codes[samples] << 2 | DEGREE_TWO
    links = np.zeros((0, len(samples)), np.int64)
    if choice is not None:
        a, b = choice
        # The eliminated vertex had one edge if it was linked itself, and none if it links others.
        codes ^= DEGREE_TWO if a else 0
        possible = np.flatnonzero((codes >> 2 * a & 3 != 0) & (codes >> 2 * b & 3 != 0))
        samples, codes = samples[possible], codes[possible] - (1 << 2 * a) - (1 << 2 * b)
        tips = codes & ~(codes >> 1) & LOW_BITS
        statuses = codes >> 2 * a & 3, codes >> 2 * b & 3
        links = np.stack([*statuses, ends_below(tips, a), ends_below(tips, b)])
    ends = states.ends[samples]
    if choice is not None:
        ends = ends - 2 + 2 * (links[0] + links[1])
    is_possible = np.ones(len(samples), np.bool_)
    for slot in reversed(step.entering):
        # A vertex that enters the frontier in this step has no edge before it.
        is_possible &= (codes >> 2 * slot & 3) == 0
        low = codes & ((1 << 2 * slot) - 1)
        codes = low | (codes ^ low) >> 2
    return _Predecessors(
        samples[is_possible], ends[is_possible], codes[is_possible], links[:, is_possible]
    )


def _sources(columns: Ints, ends: int, kind: LinkKind | None) -> list[Ints]:
    """Return the source columns of a link one after the other; -1 if it is missing."""
    if kind is None:
        return [columns]
    reached, sources = link(ends, *kind)
    positions = columns if reached is None else _positions(reached, columns)
    return [np.where(positions < 0, -1, row[positions]) for row in sources]


def _positions(ordered: Ints, numbers: Ints) -> Ints:
    """Return the position of each wanted number in a sorted array, or -1."""
    positions = np.minimum(np.searchsorted(ordered, numbers), len(ordered) - 1)
    return np.where(ordered[positions] == numbers, positions, -1)


class TourIndex(NamedTuple):
    """Tours of a problem, numbered from 0."""

    total: int
    orders: Callable[[Sequence[int]], Ints]
    """Function from numbers below the total to rows of vertices in the order of the visit."""


def index_tours(problem: TourProblem) -> TourIndex:
    """Compute the tables of a problem; unranking a tour takes little time afterwards.

    A closed tour goes from its start to the smaller of its two neighbours. If an open tour has no
    start, the lowest bit of its number is the direction.
    """
    if problem.is_single_vertex:
        return TourIndex(1, lambda numbers: np.zeros((len(numbers), 1), np.int64))
    cycles = index_cycles(cycle_problem(problem))
    vertices, start, per_cycle = problem.vertices, problem.start, problem.tours_per_cycle

    def orders(numbers: Sequence[int]) -> Ints:
        neighbours = cycles.neighbours([number // per_cycle for number in numbers])
        if problem.closed:
            first = start or 0
            return _walk(neighbours, first, neighbours[:, first].min(axis=1))
        # The additional vertex precedes the start of a path.
        starts = np.full(len(numbers), start)
        if start is None:
            ends = np.sort(neighbours[:, vertices], axis=1)
            starts = ends[np.arange(len(ends)), [number % per_cycle for number in numbers]]
        return _walk(neighbours, vertices, starts)[:, 1:]

    return TourIndex(per_cycle * cycles.total, orders)


def _walk(neighbours: Ints, first: int, second: Ints) -> Ints:
    """Return the vertices of all cycles, from the first vertex to the second and on."""
    count, vertices, _ = neighbours.shape
    rows, order = np.arange(count), np.empty((count, vertices), np.int64)
    order[:, 0], order[:, 1:2] = first, second[:, None]
    for position in range(2, vertices):
        first_neighbour, second_neighbour = neighbours[rows, order[:, position - 1]].T
        order[:, position] = np.where(
            first_neighbour == order[:, position - 2], second_neighbour, first_neighbour
        )
    return order


class TableStore:
    """Store of count tables: large ones are spilled to an anonymous temporary file."""

    def __init__(self, memory_left: float) -> None:
        self.memory_left = memory_left
        """Bytes of tables that may still be held in memory."""
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._end = 0

    def put(self, table: Table) -> Callable[[], Table]:
        """Store a table; return a function that returns it, memory-mapped if it was spilled."""
        if table.dtype == object or table.nbytes < SPILL_THRESHOLD_BYTES:
            self.memory_left -= (
                table.size * _OBJECT_BYTES if table.dtype == object else table.nbytes
            )
            if self.memory_left < 0:
                raise SolverError(MEMORY_FAULT, MEMORY_REMEDY)
            return lambda: table
        kind, shape, begin = table.dtype, table.shape, self._end
        try:
            self._file.write(np.ascontiguousarray(table).data)
            self._file.flush()
        except OSError as error:
            raise SolverError(
                f"the tables of the frontier method do not fit on the disk: {error.strerror}",
                "free disk space, or set TMPDIR to another folder",
                tempfile.gettempdir(),
            ) from None
        self._end += table.nbytes
        return lambda: np.memmap(self._file, kind, "r", begin, shape)
