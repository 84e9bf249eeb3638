"""Unrank Hamiltonian tours: build the tour that has a given number, from the frontier tables.

The count of a state is the number of ways to reach it, and a cycle is a way to the last state. The
ways to a state come from the states before it, in a fixed order. So a number below its count
determines the state before, with a number below the count of that one; and so on, back to the
first. Every number below the total gives a different cycle, so uniform numbers give uniform tours.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardsat.adapters.counters.frontier import (
    DONE,
    ONES,
    WORDS,
    Counts,
    Layer,
    Step,
    ends_below,
    first_layers,
    leave,
    leaving_steps,
    most_bytes,
)
from boardsat.adapters.counters.matchings import Ints, link
from boardsat.adapters.counters.tour_problem import (
    AskedTours,
    Closed,
    of_all_paths,
    of_cycles,
    of_paths,
)
from boardsat.base.errors import SolverError

_WORD = 2**62
_NOBODY = -1

Choice = tuple[int, int] | None
"""The slots that the leaving vertex linked; None where it had its two edges already."""

LinkKind = tuple[int, int, int, int]
"""The two statuses, and the ends below each."""


@dataclass(frozen=True)
class KeptLayer:
    """A layer that is read again; its counts are mapped when they are."""

    codes: Ints
    counts: Callable[[], Counts]


@dataclass(frozen=True)
class NumberedCycles:
    """The Hamiltonian cycles of a graph, numbered from 0."""

    vertices: int
    tied: frozenset[int]
    steps: Sequence[Step]
    layers: Sequence[dict[int, KeptLayer]]
    """Those before each step."""
    total: int

    def neighbours(self, numbers: Sequence[int]) -> Ints:
        """For each number and each vertex, the two next to it on the cycle, in no order."""
        count = len(numbers)
        found = np.full((count, self.vertices, 2), _NOBODY)
        samples = np.arange(count)
        if self.tied:
            _join(found, samples, *sorted(self.tied))
        states = _States.last(numbers, self.total)
        for step, layers in zip(reversed(self.steps), reversed(self.layers), strict=True):
            states, chosen = _before(states, step, layers)
            for choice, place in chosen:
                for slot in choice or ():
                    if slot:
                        _join(found, place, step.slots[0], step.slots[slot])
        return found


def numbered_cycles(graph: Closed) -> NumberedCycles:
    """All counts are computed now, and kept."""
    steps, shelf = leaving_steps(graph), Shelf(most_bytes())
    layers, kept = first_layers(len(graph.tied)), []
    for step in steps:
        kept.append({ends: _put(layer, shelf) for ends, layer in layers.items()})
        # A number that fits no word is one of Python's.
        layers = leave(layers, step, (*WORDS, object))
    total = int(layers[0].counts[0, 0]) if steps and layers else 0
    return NumberedCycles(len(graph.neighbours), graph.tied, steps, kept, total)


def _put(layer: Layer, shelf: Shelf) -> KeptLayer:
    return KeptLayer(layer.codes, shelf.put(layer.counts))


def _join(found: Ints, samples: Ints, u: int, v: int) -> None:
    for one, other in ((u, v), (v, u)):
        place = (found[samples, one, 0] != _NOBODY).astype(np.int64)
        found[samples, one, place] = other


@dataclass(frozen=True)
class _States:
    """One for each sample: where its way passes, and which of the ways to there it is."""

    ends: Ints
    codes: Ints
    columns: Ints
    numbers: NDArray[Any]
    """Words, or Python's numbers if the largest fits none."""

    @classmethod
    def last(cls, numbers: Sequence[int], total: int) -> _States:
        """All have left: there is one pattern, and one matching of no ends."""
        nothing = np.zeros(len(numbers), np.int64)
        kind = np.int64 if total < _WORD else object
        return cls(nothing, nothing, nothing, np.array(numbers, kind))


@dataclass(frozen=True)
class _Steps:
    """Samples that can have made the same choice, with what was before it."""

    samples: Ints
    ends: Ints
    codes: Ints
    links: Ints
    """Of each, in a column; no rows where nothing was linked."""

    def groups(self) -> Iterator[tuple[Ints, int, LinkKind | None]]:
        """Those with the same link, by their places."""
        keys = self.ends
        for row in self.links:
            keys = keys << 5 | row
        order = np.argsort(keys, kind="stable")
        for group in np.split(order, np.flatnonzero(np.diff(keys[order])) + 1):
            first = group[0]
            kind = self.links[:, first].tolist()
            yield group, int(self.ends[first]), tuple(kind) if kind else None


def _before(
    states: _States, step: Step, layers: dict[int, KeptLayer]
) -> tuple[_States, list[tuple[Choice, Ints]]]:
    """The states before a step, and which samples made which choice in it."""
    counts = {ends: layer.counts() for ends, layer in layers.items()}
    found = _States(*(np.zeros_like(column) for column in vars(states).values()))
    numbers, waiting = states.numbers.copy(), np.arange(len(states.codes))
    chosen: list[tuple[Choice, Ints]] = []
    for choice in (None, *step.pairs):
        if not len(waiting):
            break
        done = np.zeros(len(numbers), np.bool_)
        possible = _undone(states, step, choice, waiting)
        for group, ends, kind in possible.groups() if len(possible.samples) else ():
            if ends not in layers:
                continue
            samples, codes = possible.samples[group], possible.codes[group]
            rows = _places(layers[ends].codes, codes)
            for sources in _sources(states.columns[samples], ends, kind):
                # What is not there has no ways; of those whose way is found, nothing is asked.
                there = np.flatnonzero((rows >= 0) & (sources >= 0) & ~done[samples])
                weights = counts[ends][rows[there], sources[there]].astype(numbers.dtype)
                hits = numbers[samples[there]] < weights
                missed, hit = there[~hits], there[hits]
                numbers[samples[missed]] -= weights[~hits]
                done[samples[hit]] = True
                found.ends[samples[hit]] = ends
                found.codes[samples[hit]] = codes[hit]
                found.columns[samples[hit]] = sources[hit]
        chosen.append((choice, np.flatnonzero(done)))
        waiting = waiting[~done[waiting]]
    assert not len(waiting), "the ways to a state are not those to the states before it"
    return _States(found.ends, found.codes, found.columns, numbers), chosen


def _undone(states: _States, step: Step, choice: Choice, samples: Ints) -> _Steps:
    """What was before a choice, of those samples that can have made it."""
    codes = states.codes[samples] << 2 | DONE
    links = np.zeros((0, len(samples)), np.int64)
    if choice is not None:
        a, b = choice
        # The leaving vertex had an edge already if it was linked itself, and none if others were.
        codes ^= DONE if a else 0
        able = np.flatnonzero((codes >> 2 * a & 3 != 0) & (codes >> 2 * b & 3 != 0))
        samples, codes = samples[able], codes[able] - (1 << 2 * a) - (1 << 2 * b)
        tips = codes & ~(codes >> 1) & ONES
        statuses = codes >> 2 * a & 3, codes >> 2 * b & 3
        links = np.stack([*statuses, ends_below(tips, a), ends_below(tips, b)])
    ends = states.ends[samples]
    if choice is not None:
        ends = ends - 2 + 2 * (links[0] + links[1])
    fresh = np.ones(len(samples), np.bool_)
    for slot in reversed(step.entering):
        # Who enters in this step had no edge before it.
        fresh &= (codes >> 2 * slot & 3) == 0
        low = codes & ((1 << 2 * slot) - 1)
        codes = low | (codes ^ low) >> 2
    return _Steps(samples[fresh], ends[fresh], codes[fresh], links[:, fresh])


def _sources(columns: Ints, ends: int, kind: LinkKind | None) -> list[Ints]:
    """The columns that a link brought to these, one after the other; -1 where there is none."""
    if kind is None:
        return [columns]
    reached, sources = link(ends, *kind)
    places = columns if reached is None else _places(reached, columns)
    return [np.where(places < 0, -1, row[places]) for row in sources]


def _places(ordered: Ints, wanted: Ints) -> Ints:
    """Where each stands, or -1."""
    places = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    return np.where(ordered[places] == wanted, places, -1)


class NumberedTours(NamedTuple):
    total: int
    orders: Callable[[Sequence[int]], Ints]
    """For each of these numbers below the total, a row of vertices."""


def numbered_tours(asked: AskedTours) -> NumberedTours:
    """What takes long is done now; then a tour takes no time."""
    vertices, edges, start, closed = asked
    if vertices == 1 and not closed:
        return NumberedTours(1, lambda numbers: np.zeros((len(numbers), 1), np.int64))
    if closed:
        return _closed(vertices, edges, start or 0)
    return _from_anywhere(vertices, edges) if start is None else _from(vertices, edges, start)


def _closed(vertices: int, edges: list[tuple[int, int]], start: int) -> NumberedTours:
    """From the start to the smaller of the two vertices next to it: a cycle has no direction."""
    cycles = numbered_cycles(of_cycles(vertices, edges))

    def orders(numbers: Sequence[int]) -> Ints:
        found = cycles.neighbours(numbers)
        return _walked(found, start, found[:, start].min(axis=1))

    return NumberedTours(cycles.total, orders)


def _from(vertices: int, edges: list[tuple[int, int]], start: int) -> NumberedTours:
    """The vertex that closes a path comes before its start."""
    cycles = numbered_cycles(of_paths(vertices, edges, start))

    def orders(numbers: Sequence[int]) -> Ints:
        found = cycles.neighbours(numbers)
        return _walked(found, vertices, np.full(len(numbers), start))[:, 1:]

    return NumberedTours(cycles.total, orders)


def _from_anywhere(vertices: int, edges: list[tuple[int, int]]) -> NumberedTours:
    """The last bit of a number is the direction."""
    cycles = numbered_cycles(of_all_paths(vertices, edges))

    def orders(numbers: Sequence[int]) -> Ints:
        found = cycles.neighbours([number >> 1 for number in numbers])
        backwards = np.array([number & 1 for number in numbers], np.int64)
        ends = np.sort(found[:, vertices], axis=1)
        return _walked(found, vertices, ends[np.arange(len(ends)), backwards])[:, 1:]

    return NumberedTours(2 * cycles.total, orders)


def _walked(neighbours: Ints, first: int, second: Ints) -> Ints:
    """All cycles at once, from a vertex to one next to it and on."""
    count, vertices, _ = neighbours.shape
    rows, order = np.arange(count), np.empty((count, vertices), np.int64)
    order[:, 0], order[:, 1:2] = first, second[:, None]
    for place in range(2, vertices):
        one, other = neighbours[rows, order[:, place - 1]].T
        order[:, place] = np.where(one == order[:, place - 2], other, one)
    return order


Table = NDArray[Any]

SMALL = 2**16
"""Bytes of a table that stays in memory."""

_OBJECT = 64
"""Bytes of a number that fits no word, about."""


class Shelf:
    """The file is gone with its process, however that ends."""

    def __init__(self, room: float) -> None:
        self.room = room
        """Bytes that may stay in memory."""
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._end = 0

    def put(self, table: Table) -> Callable[[], Table]:
        """What gives the table back. It is mapped only while somebody reads it."""
        if table.dtype == object or table.nbytes < SMALL:
            self.room -= table.size * _OBJECT if table.dtype == object else table.nbytes
            if self.room < 0:
                raise SolverError("its tables are too large for the memory", "give it more")
            return lambda: table
        kind, shape, begin = table.dtype, table.shape, self._end
        try:
            self._file.write(np.ascontiguousarray(table).data)
            self._file.flush()
        except OSError as error:
            raise SolverError(
                f"its tables are too large for the disk: {error.strerror}",
                "free some space there, or set TMPDIR to another folder",
                tempfile.gettempdir(),
            ) from None
        self._end += table.nbytes
        return lambda: np.memmap(self._file, kind, "r", begin, shape)
