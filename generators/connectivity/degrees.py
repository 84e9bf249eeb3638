"""Degrees: every vertex of a graph of literals has two edges that hold, or none; some has two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators import encodings
from boardsat.generators.arrays import Ints, Tokens
from boardsat.generators.clauses.blocks import Block
from boardsat.generators.clauses.chunks import Chunk, Rows
from boardsat.generators.connectivity.literal_graph import any_of
from boardsat.generators.connectivity.ways import is_asked
from boardsat.generators.ragged import starts_of

if TYPE_CHECKING:
    from boardsat.generators.connectivity.literal_graph import LiteralGraph
    from boardsat.generators.constraints._context import Context


WRITTEN_OUT = 8
"""Edges at a vertex, up to which no variables are needed."""


def two_or_none(c: Context, graph: LiteralGraph) -> Block:
    """Of the edges at every vertex; and not none at all vertices."""
    assert graph.edges is not None
    loops = np.flatnonzero(graph.ends[0] == graph.ends[1])
    if len(loops):
        raise InputError(
            "an edge from a vertex to itself is no cycle",
            "exclude it by the variable's `if`",
            c.place,
        )
    edges, asked = graph.edges, is_asked(c)

    def produce(first: int) -> Iterator[Chunk]:
        if not asked:
            return
        yield Rows(np.append(edges, 0).astype(np.int32))
        at = np.concatenate(graph.ends)
        order = np.argsort(at, kind="stable")
        literals = np.concatenate([edges, edges])[order]
        starts = starts_of(np.bincount(at, minlength=graph.vertices))
        for degree in np.flatnonzero(np.bincount(np.diff(starts))).tolist():
            members = np.flatnonzero(np.diff(starts) == degree)
            groups = literals[starts[members][:, None] + np.arange(degree)]
            chunks = _written_out if degree <= WRITTEN_OUT else _counted
            for rows in chunks(groups, first, c):
                first += rows.fresh
                yield rows

    return Block(c.name, c.place, produce)


def _written_out(groups: Tokens, first: int, c: Context) -> Iterator[Rows]:
    """An edge that holds has another beside it, and of any three one does not hold."""
    size, degree = groups.shape
    checkpoint(4 * size * degree * (degree + 1))
    table = np.zeros((size, degree, degree + 1), np.int32)
    table[:, :, :degree] = groups[:, None, :]
    own: Ints = np.arange(degree)
    table[:, own, own] *= -1
    yield Rows(table.reshape(-1))
    if degree > 2:
        yield _instance(groups, (0, 2), first, c)


def _counted(groups: Tokens, first: int, c: Context) -> Iterator[Rows]:
    """Two of the edges and of a literal twice, which holds where the vertex has none."""
    size, degree = groups.shape
    checkpoint(32 * groups.size)
    touched = (first + np.arange(size)).astype(np.int32)
    yield Rows(any_of(touched, np.repeat(np.arange(size), degree), groups.reshape(-1)), size)
    none = -touched[:, None]
    yield _instance(np.concatenate([groups, none, none], axis=1), (2, 2), first + size, c)


def _instance(groups: Tokens, bounds: tuple[int, int], first: int, c: Context) -> Rows:
    """Groups of literals of which so many hold, whatever encoding suits their size."""
    size, degree = groups.shape
    method = encodings.choose("card", "auto", degree, *bounds)
    pattern = encodings.pattern("card", method, degree, *bounds)
    checkpoint(4 * size * len(pattern.tokens))
    bases = first + pattern.auxiliaries * np.arange(size)
    return Rows(pattern.instantiate(groups, bases), pattern.auxiliaries * size)
