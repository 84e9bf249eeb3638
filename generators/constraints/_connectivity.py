"""Connectivity constraints: graphs of literals, enforced by clauses or by lazy cuts.

There are two kinds of graphs. Either the edges are members of variables, or the vertices are the
cells of the board and the edges are its moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boardsat.base.errors import InputError
from boardsat.base.limits import checkpoint
from boardsat.generators import encodings
from boardsat.generators.arrays import FALSE, TRUE, Ints, Tokens, distinct, starts_of
from boardsat.generators.blocks import Block, Chunk, Rows, split_rows
from boardsat.generators.build_limits import MAX_INTEGER
from boardsat.generators.encodings.connected import LiteralGraph, any_of
from boardsat.generators.language import nodes
from boardsat.generators.language.expressions import constant_condition, constant_number
from boardsat.generators.language.literals import parse_member
from boardsat.generators.language.nodes import ExpressionText
from boardsat.generators.language.syntax import parse_expression
from boardsat.generators.language.values import TupleSet

if TYPE_CHECKING:
    from boardsat.generators.constraints._context import ConstraintContext
    from boardsat.generators.language.scope import Scope

DEFAULT_ROUNDS, MAX_ROUNDS = 1000, 10**6  # of lazy cuts
CHUNK_TOKENS = 2**21  # 8 MB
MAX_DIRECT_DEGREE = 8  # edges at a vertex up to which its clauses need no auxiliary variables


class Edges(NamedTuple):
    """Variable whose members are edges. Each end is an index of the member, or a fixed vertex."""

    variable: str
    ends: tuple[dict[str, int], dict[str, int]]

    def to_json(self) -> dict[str, Any]:
        """Return the entry of the header."""
        return {"variable": self.variable, "from": self.ends[0], "to": self.ends[1]}


class Cells(NamedTuple):
    """Variable whose true members are the selected cells; if negated, its false members."""

    variable: str
    negated: bool

    def to_json(self) -> dict[str, Any]:
        """Return the entry of the header."""
        return {"variable": self.variable, "negated": self.negated}


def edges_of_entries(c: ConstraintContext) -> list[Edges]:
    sources, starts, ends = (c.texts(key) for key in ("edges", "from", "to"))
    entries = zip(sources, starts, ends, strict=True)
    return [_edges(source, start, end, c.scope) for source, start, end in entries]


def _edges(
    source: ExpressionText, start: ExpressionText, end: ExpressionText, scope: Scope
) -> Edges:
    fault = "edges must be members of a variable"
    variable, indices = parse_member(source, scope, fault, "edges: E[i, j]")
    return Edges(variable, (_end(start, indices, scope), _end(end, indices, scope)))


def _end(source: ExpressionText, indices: list[str], scope: Scope) -> dict[str, int]:
    """Return an end of edges: the position of an index of the member, or one fixed vertex."""
    if source.text in indices:
        return {"index": indices.index(source.text)}
    return {"vertex": _constant(source, scope, 0, MAX_INTEGER)}


def _constant(source: ExpressionText, scope: Scope, minimum: int, maximum: int) -> int:
    number = constant_number(source, scope)
    if not minimum <= number <= maximum:
        fault = f"the number must be between {minimum} and {maximum} (got {number})"
        raise source.error(fault, f"write for example {minimum}")
    return number


def cells_of_entry(c: ConstraintContext) -> Cells:
    source = c.text("cells")
    tree = parse_expression(source)
    negated = isinstance(tree, nodes.Unary) and tree.operator == "not"
    inner = ExpressionText(source.text.removeprefix("not").strip(), source.location)
    fault = "cells must be the true or the false members of a variable"
    variable, indices = parse_member(inner if negated else source, c.scope, fault, "cells: W[i]")
    if indices != [c.text("cell").text]:
        fault = "the only index of the variable must be the cell"
        raise source.error(fault, "write `cells: W[i]`, `cell: i`")
    # Every board defines `outside`; 1 means that a cell is outside it.
    if c.scope.values.get("outside") != 0:
        raise source.error("`cells` needs a board, whose moves connect them", "add a `board`")
    size = c.scope.variables[variable].shape[0]
    if size > _set_of_board(c.scope, "cells").size:
        fault = f"the index of {variable}[{size - 1}] is not a cell of the board"
        raise source.error(fault, "declare it by `for: i in cells`")
    return Cells(variable, negated)


def graph_of_edges(c: ConstraintContext, groups: list[Edges], spans_all: bool) -> LiteralGraph:
    """Return the graph of the edges; its vertices are their ends, renumbered.

    If `spans_all`, all vertices are selected, otherwise only the ends of true edges.
    """
    count = sum(c.scope.variables[group.variable].count for group in groups)
    checkpoint(64 * count)
    columns = zip(*(_members(group, c.scope) for group in groups), strict=True)
    us, vs, literals = map(np.concatenate, columns)
    vertices = distinct(np.concatenate([us, vs]))
    ends = np.searchsorted(vertices, us), np.searchsorted(vertices, vs)
    selected = np.full(len(vertices), TRUE, np.int32) if spans_all else None
    return LiteralGraph(len(vertices), ends, literals, selected)


def _members(group: Edges, scope: Scope) -> tuple[Ints, Ints, Tokens]:
    """Return the two ends and the Boolean variable of every member."""
    variable = scope.variables[group.variable]
    count = variable.count
    start, end = (
        variable.indices[entry["index"]] if "index" in entry else np.full(count, entry["vertex"])
        for entry in group.ends
    )
    return start, end, (variable.first + np.arange(count)).astype(np.int32)


def graph_of_cells(c: ConstraintContext, cells: Cells) -> LiteralGraph:
    """Return the graph of the board's cells; a cell without a member has the literal FALSE."""
    variable = c.scope.variables[cells.variable]
    edges, size = _set_of_board(c.scope, "edges"), _set_of_board(c.scope, "cells").size
    u, v = edges.columns
    checkpoint(64 * (size + edges.size))
    literals = np.full(size, FALSE, np.int32)
    keys = np.arange(variable.count) if variable.keys is None else variable.keys
    literals[keys] = variable.first + np.arange(len(keys))
    return LiteralGraph(size, (u, v), None, -literals if cells.negated else literals)


def _set_of_board(scope: Scope, name: str) -> TupleSet:
    members = scope.values[name]
    assert isinstance(members, TupleSet)
    return members


def connectivity_block(
    c: ConstraintContext, entry: dict[str, Any], graph: Callable[[], LiteralGraph]
) -> Block:
    """Return the block of a connectivity constraint with this entry of the header."""
    holds = condition_holds(c)
    connectivity = (entry,) if holds else ()
    if c.texts("lazy"):
        lazy = entry | _lazy_options(c) if holds else None
        return Block(
            c.name, c.location, lambda first: iter(()), lazy=lazy, connectivity=connectivity
        )
    encoding = encodings.load("connected", c.encoding("connected"))
    clauses: dict[int, tuple[Tokens, int]] = {}

    def produce(first: int) -> Iterator[Chunk]:
        # Clauses are counted first and written later; they are made only once.
        if holds and first not in clauses:
            clauses.clear()
            clauses[first] = encoding.clauses(graph(), first)
            checkpoint()
        return split_rows(*clauses[first], CHUNK_TOKENS) if holds else iter(())

    return Block(c.name, c.location, produce, encoding.COUNT_PRESERVING, connectivity=connectivity)


def condition_holds(c: ConstraintContext) -> bool:
    """Return True if the `if` of the constraint holds, or it has none."""
    condition = c.constraint.condition
    return condition is None or constant_condition(condition, c.scope)


def _lazy_options(c: ConstraintContext) -> dict[str, Any]:
    source = c.text("rounds") if c.texts("rounds") else None
    rounds = _constant(source, c.scope, 1, MAX_ROUNDS) if source else DEFAULT_ROUNDS
    # A spec of the user is a single encoding, so that it has no fallback.
    if c.texts("fallback") and "/" in c.spec:
        return {"rounds": rounds, "fallback": c.text("fallback").text}
    return {"rounds": rounds}


def even_degrees(c: ConstraintContext, graph: LiteralGraph) -> Block:
    """Return clauses of "each vertex has two true edges or none, and some edge is true"."""
    assert graph.edges is not None
    loops = np.flatnonzero(graph.ends[0] == graph.ends[1])
    if len(loops):
        raise InputError(
            "an edge must join two different vertices",
            "exclude it by the variable's `if`",
            c.location,
        )
    edges, holds = graph.edges, condition_holds(c)

    def produce(first: int) -> Iterator[Chunk]:
        if not holds:
            return
        yield Rows(np.append(edges, 0).astype(np.int32))
        vertices = np.concatenate(graph.ends)
        order = np.argsort(vertices, kind="stable")
        literals = np.concatenate([edges, edges])[order]
        starts = starts_of(np.bincount(vertices, minlength=graph.vertices))
        for degree in np.flatnonzero(np.bincount(np.diff(starts))).tolist():
            members = np.flatnonzero(np.diff(starts) == degree)
            groups = literals[starts[members][:, None] + np.arange(degree)]
            encode = _direct_degrees if degree <= MAX_DIRECT_DEGREE else _degrees_by_auxiliary
            for rows in encode(groups, first):
                first += rows.num_auxiliary
                yield rows

    return Block(c.name, c.location, produce)


def _direct_degrees(groups: Tokens, first: int) -> Iterator[Rows]:
    """Yield clauses of degree 0 or 2: each edge implies another one, and at most two are true."""
    size, degree = groups.shape
    checkpoint(4 * size * degree * (degree + 1))
    table = np.zeros((size, degree, degree + 1), np.int32)
    table[:, :, :degree] = groups[:, None, :]
    diagonal: Ints = np.arange(degree)
    table[:, diagonal, diagonal] *= -1
    yield Rows(table.reshape(-1))
    if degree > 2:
        yield _cardinality(groups, (0, 2), first)


def _degrees_by_auxiliary(groups: Tokens, first: int) -> Iterator[Rows]:
    """Yield clauses of degree 0 or 2, with an auxiliary variable for "some edge is true".

    With two copies of the negated auxiliary variable added to the edges of a vertex, exactly two of
    these literals are true.
    """
    size, degree = groups.shape
    checkpoint(32 * groups.size)
    is_visited = (first + np.arange(size)).astype(np.int32)
    yield Rows(any_of(is_visited, np.repeat(np.arange(size), degree), groups.reshape(-1)), size)
    negation = -is_visited[:, None]
    yield _cardinality(np.concatenate([groups, negation, negation], axis=1), (2, 2), first + size)


def _cardinality(groups: Tokens, bounds: tuple[int, int], first: int) -> Rows:
    """Return cardinality clauses of each group; the size of the groups selects the encoding."""
    size, degree = groups.shape
    method = encodings.choose("card", "auto", degree, *bounds)
    pattern = encodings.pattern("card", method, degree, *bounds)
    checkpoint(4 * size * len(pattern.tokens))
    bases = first + pattern.num_auxiliary * np.arange(size)
    return Rows(pattern.instantiate(groups, bases), pattern.num_auxiliary * size)
